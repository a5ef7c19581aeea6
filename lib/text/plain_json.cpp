// The plain part of JSON. See plain_json.h.
#include "text/plain_json.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

namespace espalier::text {
namespace {

constexpr std::size_t kMaxPlainNesting = 8;
constexpr std::size_t kMaxDigits = 15;  // such whole numbers are exact as doubles
constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
static_assert(std::size(kPowers) == kMaxDigits + 1);

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Reader {
 public:
  Reader(std::string_view text, FileId file)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), file_(file) {}

  bool read(JsonValue& value) {
    skip_space();
    if (!read_value(value, 0)) return false;
    skip_space();
    return at_ == end_;
  }

 private:
  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
  }

  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  Span span_from(const char* begin) const {
    return {file_, static_cast<std::uint32_t>(begin - begin_), static_cast<std::uint32_t>(at_ - begin_)};
  }

  bool read_value(JsonValue& value, std::size_t nesting) {
    value.string.clear();
    value.number = 0;
    value.is_whole = false;
    value.boolean = false;
    if (at_ == end_) return false;
    std::size_t count = 0;
    bool is_read = false;
    if (*at_ == '{' || *at_ == '[') {
      is_read = nesting < kMaxPlainNesting && read_values(value, nesting, count);
    } else if (*at_ == '"') {
      value.kind = JsonKind::string;
      is_read = read_string(value.string, value.span);
    } else if (is_digit(*at_) || *at_ == '-') {
      is_read = read_number(value);
    } else {
      is_read = read_word(value, "true", JsonKind::boolean) || read_word(value, "false", JsonKind::boolean) ||
                read_word(value, "null", JsonKind::null);
    }
    if (!is_read) return false;
    value.values.resize(count);
    value.keys.resize(value.kind == JsonKind::object ? count : 0);
    return true;
  }

  // A list or an object. What `value` has from another text is written over; `count` values are read.
  bool read_values(JsonValue& value, std::size_t nesting, std::size_t& count) {
    const char* const begin = at_;
    const bool is_object = *at_++ == '{';
    const char closing = is_object ? '}' : ']';
    value.kind = is_object ? JsonKind::object : JsonKind::list;
    skip_space();
    if (!take(closing)) {
      do {
        skip_space();
        if (is_object && !read_key(value, count)) return false;
        if (value.values.size() == count) value.values.emplace_back();
        if (!read_value(value.values[count], nesting + 1)) return false;
        ++count;
        skip_space();
      } while (take(','));
      if (!take(closing)) return false;
    }
    value.span = span_from(begin);
    return true;
  }

  bool read_key(JsonValue& value, std::size_t index) {
    if (value.keys.size() == index) value.keys.emplace_back();
    if (at_ == end_ || *at_ != '"' || !read_string(value.keys[index].name, value.keys[index].span)) return false;
    skip_space();
    if (!take(':')) return false;
    skip_space();
    return true;
  }

  bool read_string(std::string& text, Span& span) {
    const char* const begin = ++at_;
    while (at_ != end_ && *at_ != '"') {
      if (*at_ < ' ' || *at_ > '~' || *at_ == '\\') return false;
      ++at_;
    }
    if (at_ == end_) return false;
    text.assign(begin, at_);
    span = span_from(begin);
    ++at_;
    return true;
  }

  // The whole number of all digits and the power of ten are exact, so their quotient is rounded once, correctly.
  bool read_number(JsonValue& value) {
    const char* const begin = at_;
    const bool is_negative = take('-');
    std::uint64_t digits = 0;
    const auto take_digits = [&] {
      const char* const first = at_;
      for (; at_ != end_ && is_digit(*at_); ++at_) digits = digits * 10 + static_cast<std::uint64_t>(*at_ - '0');
      return static_cast<std::size_t>(at_ - first);
    };
    std::size_t count = take_digits();
    if (count == 0 || (count > 1 && begin[is_negative ? 1 : 0] == '0')) return false;
    std::size_t decimals = 0;
    if (take('.')) {
      decimals = take_digits();
      if (decimals == 0) return false;
      count += decimals;
    }
    // Too many digits may have overflown, which has no effect.
    if (count > kMaxDigits || (at_ != end_ && (*at_ == 'e' || *at_ == 'E'))) return false;
    value.kind = JsonKind::number;
    value.is_whole = decimals == 0;
    value.number = decimals == 0 ? static_cast<double>(digits) : static_cast<double>(digits) / kPowers[decimals];
    if (is_negative && digits != 0) value.number = -value.number;
    value.span = span_from(begin);
    return true;
  }

  bool read_word(JsonValue& value, std::string_view word, JsonKind kind) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) return false;
    const char* const begin = at_;
    at_ += word.size();
    value.kind = kind;
    value.boolean = word == "true";
    value.span = span_from(begin);
    return true;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  FileId file_;
};

}  // namespace

bool read_plain_json(std::string_view text, FileId file, JsonValue& value) { return Reader(text, file).read(value); }

}  // namespace espalier::text
