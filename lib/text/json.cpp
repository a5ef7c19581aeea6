// JSON with places. nlohmann's parser validates the text and decodes strings, but gives no places; so each of its
// events is matched with its token. See json.h.
#include "text/json.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "text/plain_json.h"

namespace espalier::text {
namespace {

// Receives the parser's events. `at_` is after the token of the last event.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(std::string_view text, FileId file, JsonFault& fault, std::string_view subject)
      : text_(text), file_(file), fault_(fault), subject_(subject) {}

  JsonValue take_root() { return std::move(root_); }

  bool null() override { return add({JsonKind::null, literal()}); }
  bool boolean(bool value) override {
    JsonValue result{JsonKind::boolean, literal()};
    result.boolean = value;
    return add(std::move(result));
  }
  bool number_integer(std::int64_t value) override { return add_number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) override { return add_number(static_cast<double>(value)); }
  bool number_float(double, const std::string&) override { return add_fraction(); }
  bool binary(nlohmann::json::binary_t&) override { return false; }  // does not occur in text

  bool string(std::string& value) override {
    JsonValue result{JsonKind::string, quote()};
    result.string = std::move(value);
    return add(std::move(result));
  }

  bool key(std::string& name) override {
    const Span span = quote();
    open_.back()->keys.push_back({std::move(name), span});
    return true;
  }

  bool start_object(std::size_t) override { return open(JsonKind::object); }
  bool start_array(std::size_t) override { return open(JsonKind::list); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    skip_to_token();
    std::size_t begin = std::min(at_, text_.size());
    std::size_t end = std::min(position, text_.size());
    if (begin >= end) begin = end == 0 ? 0 : end - 1;
    if (begin + 1 >= text_.size()) {
      // The end of the file: the place is after the last token, not on an empty line below.
      const std::size_t last = text_.find_last_not_of(" \t\r\n");
      if (position > text_.size()) begin = end = last == std::string_view::npos ? 0 : last + 1;
    }
    fault_ = {span(begin, end), "the " + std::string(subject_) + " is not JSON: " + reason(error.what()),
              hint_at(begin)};
    return false;
  }

 private:
  Span span(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  // Of "[json.exception...] parse error at line 1, column 2: syntax error while parsing ... - REASON; last read: ...;
  // expected ..." returns the reason and what was expected.
  static std::string reason(std::string_view what) {
    if (what.find("number overflow") != std::string_view::npos) return "the number is too large";
    const std::size_t dash = what.find(" - ");
    if (dash != std::string_view::npos) what.remove_prefix(dash + 3);
    std::string result(what);
    const std::size_t last_read = result.find("; last read: ");
    if (last_read != std::string::npos) {
      const std::size_t expected = result.find("'; expected ", last_read);
      result.erase(last_read, expected == std::string::npos ? std::string::npos : expected + 1 - last_read);
    }
    return result;
  }

  std::string hint_at(std::size_t begin) const {
    const char found = begin < text_.size() ? text_[begin] : '\0';
    std::size_t before = begin;
    while (before > 0 && std::strchr(" \t\r\n", text_[before - 1]) != nullptr) --before;
    if (found == '/' || found == '#') return "JSON has no comments";
    if (found == '\'') return "JSON puts strings in double quotes";
    if ((found == '}' || found == ']') && before > 0 && text_[before - 1] == ',')
      return "remove the comma after the last entry";
    return {};
  }

  void skip_to_token() {
    while (at_ < text_.size() && std::strchr(" \t\r\n,:", text_[at_]) != nullptr) ++at_;
  }

  Span literal() {
    skip_to_token();
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::strchr(" \t\r\n,:]}", text_[at_]) == nullptr) ++at_;
    return span(begin, at_);
  }

  Span quote() {
    skip_to_token();
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    return span(begin, at_++);
  }

  // Adds a value to the open list or object. Open values do not move in memory, since only the innermost one grows.
  bool add(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else {
      open_.back()->values.push_back(std::move(value));
    }
    return true;
  }

  bool add_number(double number) {
    JsonValue result{JsonKind::number, literal()};
    result.number = number;
    result.is_whole = true;
    constexpr double kFirstInexact = 9007199254740992.0;  // 2^53
    if (number >= kFirstInexact || number <= -kFirstInexact)
      result.string = text_.substr(result.span.begin, result.span.end - result.span.begin);
    return add(std::move(result));
  }

  // The parser reads fractions as the locale writes them, and supports only decimal points of one byte.
  bool add_fraction() {
    JsonValue result{JsonKind::number, literal()};
    std::from_chars(text_.data() + result.span.begin, text_.data() + result.span.end, result.number);
    return add(std::move(result));
  }

  bool open(JsonKind kind) {
    skip_to_token();
    const std::size_t begin = at_++;
    if (open_.size() == kMaxJsonNesting) {
      fault_ = {span(begin, at_),
                "lists and objects are nested more than " + std::to_string(kMaxJsonNesting) + " deep"};
      return false;
    }
    add({kind, span(begin, at_)});
    open_.push_back(open_.empty() ? &root_ : &open_.back()->values.back());
    return true;
  }

  bool close() {
    skip_to_token();
    open_.back()->span.end = static_cast<std::uint32_t>(++at_);
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  FileId file_;
  JsonFault& fault_;
  std::string_view subject_;
  std::size_t at_ = 0;
  JsonValue root_;
  std::vector<JsonValue*> open_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == key) return &values[i];
  }
  return nullptr;
}

std::optional<JsonValue> parse_json(std::string_view text, FileId file, JsonFault& fault, std::string_view subject) {
  if (JsonValue plain; read_plain_json(text, file, plain)) return plain;
  return parse_any_json(text, file, fault, subject);
}

std::optional<JsonValue> parse_any_json(std::string_view text, FileId file, JsonFault& fault,
                                        std::string_view subject) {
  Builder builder(text, file, fault, subject);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return builder.take_root();
}

std::string json_string(std::string_view text) {
  const bool is_plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (is_plain) {
    std::string quoted;
    quoted.reserve(text.size() + 2);
    return quoted.append(1, '"').append(text).append(1, '"');
  }
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string_view kind_name(JsonKind kind) {
  switch (kind) {
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return "true or false";
    case JsonKind::number:
      return "a number";
    case JsonKind::string:
      return "a string";
    case JsonKind::list:
      return "a list";
    case JsonKind::object:
      return "an object";
  }
  return "nothing";
}

}  // namespace espalier::text
