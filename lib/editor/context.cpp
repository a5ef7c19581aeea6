// A tolerant scan from the beginning of a text to the cursor. See context.h.
#include "editor/context.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "text/characters.h"

namespace espalier::editor {
namespace {

bool is_of_name(char c) {
  return !text::is_space(c) && std::string_view("<>/=\"'&!?()").find(c) == std::string_view::npos;
}

class Scan {
 public:
  Scan(std::string_view text, std::uint32_t offset)
      : text_(text), cursor_(std::min<std::size_t>(offset, text.size())) {}

  Context run() {
    while (at_ < cursor_) {
      if (text_[at_] != '<') {
        ++at_;
      } else if (!markup()) {
        return std::move(context_);
      }
    }
    context_.kind = Context::Kind::text;
    context_.word = {offset(cursor_), offset(cursor_)};
    return std::move(context_);
  }

 private:
  static std::uint32_t offset(std::size_t at) { return static_cast<std::uint32_t>(at); }
  [[nodiscard]] bool starts(std::string_view with) const { return text_.substr(at_).starts_with(with); }
  [[nodiscard]] std::size_t name_end(std::size_t at) const {
    while (at < text_.size() && is_of_name(text_[at])) ++at;
    return at;
  }

  // Reads markup that begins before the cursor. False: the cursor is in it, and the context is complete.
  bool markup() {
    using Kind = Context::Kind;
    constexpr std::tuple<std::string_view, std::string_view, Kind> kSkipped[] = {{"<!--", "-->", Kind::comment},
                                                                                 {"<![CDATA[", "]]>", Kind::nothing},
                                                                                 {"<?", "?>", Kind::nothing},
                                                                                 {"<!", ">", Kind::nothing}};
    for (const auto& [begin, end, kind] : kSkipped) {
      if (!starts(begin)) continue;
      const std::size_t content = at_ + begin.size();
      const std::size_t found = text_.find(end, content);
      const std::size_t after = found == std::string_view::npos ? text_.size() + 1 : found + end.size();
      if (kind == Kind::comment && content <= cursor_ && cursor_ < after) return comment(content);
      if (cursor_ < after) return inside(Kind::nothing, cursor_, cursor_);
      at_ = after;
      return true;
    }
    return starts("</") ? end_tag() : start_tag();
  }

  bool inside(Context::Kind kind, std::size_t begin, std::size_t end) {
    context_.kind = kind;
    context_.word = {offset(begin), offset(end)};
    return false;
  }

  bool comment(std::size_t begin) {
    std::size_t word = cursor_;
    while (word > begin && !text::is_space(text_[word - 1]) && text_[word - 1] != ',') --word;
    context_.value = {offset(begin), offset(cursor_)};
    return inside(Context::Kind::comment, word, cursor_);
  }

  bool end_tag() {
    const std::size_t begin = at_ + 2;
    const std::size_t end = name_end(begin);
    if (cursor_ <= end) return inside(Context::Kind::end_name, begin, end);
    const std::string_view name = text_.substr(begin, end - begin);
    // An end tag that matches nothing is ignored; elements without end tags end with the one around them.
    const auto open = std::find(context_.around.rbegin(), context_.around.rend(), name);
    if (open != context_.around.rend()) context_.around.erase(open.base() - 1, context_.around.end());
    at_ = end;
    return true;
  }

  bool start_tag() {
    const std::size_t begin = at_ + 1;
    const std::size_t end = name_end(begin);
    if (cursor_ <= end) return inside(Context::Kind::element_name, begin, end);
    const std::string_view name = text_.substr(begin, end - begin);
    at_ = end;
    context_.attributes.clear();
    bool is_in_it = false;
    while (at_ < text_.size() && text_[at_] != '<' && text_[at_] != '>') {
      if (!is_in_it && at_ >= cursor_) {
        is_in_it = true;
        inside(Context::Kind::attribute_name, cursor_, cursor_);
      }
      if (starts("/>")) break;
      is_in_it = attribute() || is_in_it;
    }
    if (is_in_it || at_ >= cursor_) {
      if (!is_in_it) inside(Context::Kind::attribute_name, cursor_, cursor_);
      context_.element = name;
      return false;
    }
    if (starts("/>")) {
      at_ += 2;
    } else {
      context_.around.push_back(name);
      if (text_[at_] == '>') ++at_;
    }
    return true;
  }

  // Reads an attribute, or something else in a tag. True: the cursor is in it.
  bool attribute() {
    const std::size_t begin = at_;
    const std::size_t end = name_end(begin);
    if (end == begin) {
      ++at_;
      return false;
    }
    at_ = end;
    bool is_in_it = begin <= cursor_ && cursor_ <= end;
    if (is_in_it) inside(Context::Kind::attribute_name, begin, end);
    const std::string_view name = text_.substr(begin, end - begin);
    while (at_ < text_.size() && text::is_space(text_[at_])) ++at_;
    if (!starts("=")) {
      context_.attributes.push_back({name, {}});
      return is_in_it;
    }
    ++at_;
    while (at_ < text_.size() && text::is_space(text_[at_])) ++at_;
    if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) return is_in_it;
    const std::size_t value_begin = at_ + 1;
    std::size_t value_end = std::min(text_.find(text_[at_], value_begin), text_.size());
    value_end = std::min(value_end, std::min(text_.find('<', value_begin), text_.size()));  // the quote is missing
    context_.attributes.push_back({name, text_.substr(value_begin, value_end - value_begin)});
    at_ = std::min(value_end + (value_end < text_.size() && text_[value_end] != '<' ? 1 : 0), text_.size());
    if (value_begin > cursor_ || cursor_ > value_end) return is_in_it;
    std::size_t word = cursor_;
    while (word > value_begin && is_of_name(text_[word - 1])) --word;
    inside(Context::Kind::value, word, std::min(name_end(cursor_), value_end));
    context_.attribute = name;
    context_.value = {offset(value_begin), offset(value_end)};
    return true;
  }

  std::string_view text_;
  std::size_t cursor_;
  std::size_t at_ = 0;
  Context context_;
};

}  // namespace

Context context_at(std::string_view text, std::uint32_t offset) { return Scan(text, offset).run(); }

}  // namespace espalier::editor
