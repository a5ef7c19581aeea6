// Tokens of C++ source. See tokens.h.
#include "cpp/tokens.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace espalier::cpp {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Bytes of other characters than ASCII's may be letters.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (static_cast<unsigned char>(c) & 0x80) != 0;
}

int nesting_of(const Token& token) {
  if (token.kind != TokenKind::mark) return 0;
  const char c = token.written[0];
  return c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Tokens read() {
    bool is_line_begin = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        is_line_begin = true;
        ++at_;
      } else if (is_blank(c) || skip_splice()) {
        at_ += is_blank(c) ? 1 : 0;
      } else if (skip_comment()) {
        continue;
      } else if (c == '#' && is_line_begin) {
        directive();
      } else {
        is_line_begin = false;
        if (const std::optional<Token> token = next()) add(*token);
      }
    }
    while (!groups_.empty()) end_group();
    return std::move(result_);
  }

 private:
  // An #if with its branches.
  struct Group {
    bool was_left_out = false;     // all of it is
    bool is_constant = false;      // "#if 0" or "#if 1"
    bool is_taken = false;         // of a constant one: a branch was
    std::size_t branch_begin = 0;  // the first token of the branch
    std::optional<int> nesting;    // how much the first branch leaves open
  };

  void add(Token token) {
    if (!is_left_out_) result_.all.push_back(token);
  }

  // A backslash before a line's end.
  bool skip_splice() {
    if (text_[at_] != '\\') return false;
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_blank(text_[end])) ++end;
    if (end < text_.size() && text_[end] != '\n') return false;
    at_ = std::min(end + 1, text_.size());
    return true;
  }

  bool skip_comment() {
    if (text_.compare(at_, 2, "//") == 0) {
      while (at_ < text_.size() && text_[at_] != '\n') at_ += !skip_splice() ? 1 : 0;
      return true;
    }
    if (text_.compare(at_, 2, "/*") != 0) return false;
    const std::size_t end = text_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
    return true;
  }

  // Nothing: a character that means nothing.
  std::optional<Token> next() {
    const std::size_t begin = at_;
    const char c = text_[at_];
    if (is_letter(c)) {
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
      const std::string_view name = text_.substr(begin, at_ - begin);
      if (at_ < text_.size() && text_[at_] == '"' && is_prefix(name)) {
        return name.back() == 'R' ? raw_literal(begin) : literal(begin);
      }
      return token(TokenKind::name, begin);
    }
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (c == '"') return literal(begin);
    if (c == '\'') {
      quoted('\'');
      return token(TokenKind::character, begin);
    }
    const bool is_double = text_.compare(at_, 2, "::") == 0 || text_.compare(at_, 2, "->") == 0;
    at_ += is_double ? 2 : 1;
    return c == '\\' ? std::nullopt : std::optional(token(TokenKind::mark, begin));
  }

  Token token(TokenKind kind, std::size_t begin) const {
    return {kind, static_cast<std::uint32_t>(begin), text_.substr(begin, at_ - begin)};
  }

  static bool is_prefix(std::string_view name) {
    constexpr std::string_view kPrefixes[] = {"R", "L", "u8", "u", "U", "LR", "u8R", "uR", "UR"};
    return std::find(std::begin(kPrefixes), std::end(kPrefixes), name) != std::end(kPrefixes);
  }

  Token number() {
    const std::size_t begin = at_;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      const char before = at_ > begin ? text_[at_ - 1] : '\0';
      const bool is_sign = (c == '+' || c == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      const bool is_separator =
          c == '\'' && at_ + 1 < text_.size() && (is_letter(text_[at_ + 1]) || is_digit(text_[at_ + 1]));
      if (!is_digit(c) && !is_letter(c) && c != '.' && !is_sign && !is_separator) break;
    }
    return token(TokenKind::number, begin);
  }

  // To the end of what is in these quotes, or of the line. Returns where the closing quote is, or would be.
  std::size_t quoted(char quote) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] != '\\') {
        ++at_;
      } else if (!skip_splice()) {
        at_ = std::min(at_ + 2, text_.size());
      }
    }
    const std::size_t end = at_;
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
    return end;
  }

  Token literal(std::size_t begin) {
    const std::size_t quote = at_;
    const std::size_t end = quoted('"');
    return {TokenKind::text, static_cast<std::uint32_t>(begin), text_.substr(quote + 1, end - quote - 1)};
  }

  Token raw_literal(std::size_t begin) {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return literal(begin);
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + '"';
    const std::size_t end = std::min(text_.find(close, open), text_.size());
    at_ = std::min(end + close.size(), text_.size());
    return {TokenKind::raw_text, static_cast<std::uint32_t>(begin), text_.substr(open + 1, end - open - 1)};
  }

  // ---- Directives

  // The tokens up to the end of the line.
  std::vector<Token> rest_of_line() {
    std::vector<Token> tokens;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (is_blank(text_[at_])) {
        ++at_;
      } else if (!skip_splice() && !skip_comment()) {
        if (const std::optional<Token> token = next()) tokens.push_back(*token);
      }
    }
    return tokens;
  }

  void directive() {
    ++at_;
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name == "define") return define();
    if (name == "include") include();
    const std::vector<Token> rest = rest_of_line();
    if (name.substr(0, 2) == "if") {
      begin_group(name == "if" && rest.size() == 1 ? rest[0].written : std::string_view());
    } else if (name == "else" || name == "elif") {
      if (!groups_.empty()) next_branch(name == "else");
    } else if (name == "endif") {
      if (!groups_.empty()) end_group();
    }
  }

  void define() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    Macro macro;
    macro.has_parameters = at_ < text_.size() && text_[at_] == '(';
    std::vector<Token> rest = rest_of_line();
    std::size_t first = 0;
    if (macro.has_parameters) {
      while (first < rest.size() && !rest[first].is(")")) {
        if (rest[first].kind == TokenKind::name) macro.parameters.push_back(rest[first].written);
        ++first;
      }
      first = std::min(first + 1, rest.size());
    }
    macro.body.assign(rest.begin() + static_cast<std::ptrdiff_t>(first), rest.end());
    if (!is_left_out_ && !name.empty()) result_.macros.emplace(name, std::move(macro));
  }

  void include() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    const char open = at_ < text_.size() ? text_[at_] : '\0';
    if (open != '"' && open != '<') return;
    const std::size_t begin = ++at_;
    const char close = open == '"' ? '"' : '>';
    while (at_ < text_.size() && text_[at_] != close && text_[at_] != '\n') ++at_;
    if (!is_left_out_) result_.includes.push_back(text_.substr(begin, at_ - begin));
    at_ = std::min(at_ + 1, text_.size());
  }

  void mark_branch() {
    const auto place = static_cast<std::uint32_t>(result_.all.size());
    if (!is_left_out_ && (result_.branches.empty() || result_.branches.back() != place))
      result_.branches.push_back(place);
  }

  // `condition`: its only word, else empty.
  void begin_group(std::string_view condition) {
    Group group;
    group.was_left_out = is_left_out_;
    group.is_constant = condition == "0" || condition == "1" || condition == "false" || condition == "true";
    if (!group.is_constant) mark_branch();
    group.is_taken = condition == "1" || condition == "true";
    group.branch_begin = result_.all.size();
    groups_.push_back(group);
    if (group.is_constant && !group.is_taken) is_left_out_ = true;
  }

  // Of branches, the first one says what is open afterwards.
  void end_branch(Group& group) {
    if (group.was_left_out || group.is_constant) return;
    int nesting = 0;
    for (std::size_t i = group.branch_begin; i < result_.all.size(); ++i) nesting += nesting_of(result_.all[i]);
    if (!group.nesting) {
      group.nesting = nesting;
    } else if (*group.nesting != 0 || nesting != 0) {
      result_.all.resize(group.branch_begin);
      while (!result_.branches.empty() && result_.branches.back() > group.branch_begin) result_.branches.pop_back();
    }
  }

  void next_branch(bool is_last) {
    Group& group = groups_.back();
    end_branch(group);
    if (group.is_constant) {
      // What "#elif" asks after "#if 0" is not known: it is as if it began an #if of its own.
      is_left_out_ = group.was_left_out || group.is_taken;
      if (!is_last && !group.is_taken) group.is_constant = false;
      group.is_taken = true;
    }
    if (!group.is_constant) mark_branch();
    group.branch_begin = result_.all.size();
  }

  void end_group() {
    end_branch(groups_.back());
    is_left_out_ = groups_.back().was_left_out;
    if (!groups_.back().is_constant) mark_branch();
    groups_.pop_back();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_left_out_ = false;
  std::vector<Group> groups_;
  Tokens result_;
};

void append_utf8(std::uint32_t code, std::string& to) {
  if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += static_cast<char>(0xC0 | code >> 6);
    to += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    to += static_cast<char>(0xE0 | code >> 12);
    to += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    to += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    to += static_cast<char>(0xF0 | (code >> 18 & 0x07));
    to += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    to += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    to += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// The number of at most `most` digits from `at` on, behind which `at` is afterwards.
std::uint32_t digits(std::string_view text, std::size_t& at, std::uint32_t base, std::size_t most) {
  std::uint32_t number = 0;
  for (; most > 0 && at < text.size(); --most, ++at) {
    const char c = text[at];
    const int digit = is_digit(c)            ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : 99;
    if (static_cast<std::uint32_t>(digit) >= base) break;
    number = number * base + static_cast<std::uint32_t>(digit);
  }
  return number;
}

}  // namespace

Tokens tokenize(std::string_view text) { return Tokenizer(text).read(); }

std::string value_of(const Token& literal) {
  const std::string_view text = literal.written;
  if (literal.kind == TokenKind::raw_text) return std::string(text);
  constexpr std::string_view kNames = "abfnrtv";
  constexpr std::string_view kMeant = "\a\b\f\n\r\t\v";
  std::string value;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at++];
    if (c != '\\' || at == text.size()) {
      value += c;
      continue;
    }
    const char escape = text[at];
    if (const std::size_t known = kNames.find(escape); known != std::string_view::npos) {
      value += kMeant[known];
      ++at;
    } else if (escape == 'x') {
      value += static_cast<char>(digits(text, ++at, 16, 8));
    } else if (escape == 'u' || escape == 'U') {
      append_utf8(digits(text, ++at, 16, escape == 'u' ? 4 : 8), value);
    } else if (is_digit(escape)) {
      value += static_cast<char>(digits(text, at, 8, 3));
    } else if (escape == '\n' || escape == '\r' || is_blank(escape)) {
      at = std::min(text.find('\n', at), text.size() - 1) + 1;
    } else {
      value += escape;
      ++at;
    }
  }
  return value;
}

std::vector<Token> expand(const Macro& macro, const std::vector<std::vector<Token>>& arguments, std::uint32_t place,
                          std::deque<std::string>& made) {
  std::vector<Token> result;
  const auto argument_of = [&](const Token& token) -> const std::vector<Token>* {
    const auto found = std::find(macro.parameters.begin(), macro.parameters.end(), token.written);
    const auto number = static_cast<std::size_t>(found - macro.parameters.begin());
    const bool is_one = token.kind == TokenKind::name && found != macro.parameters.end() && number < arguments.size();
    return is_one ? &arguments[number] : nullptr;
  };
  const auto add = [&](Token token) {
    token.begin = place;
    result.push_back(token);
  };
  for (std::size_t i = 0; i < macro.body.size(); ++i) {
    const Token& token = macro.body[i];
    if (token.is("#") && i + 1 < macro.body.size()) {
      const std::vector<Token>* const argument = argument_of(macro.body[i + 1]);
      if (argument != nullptr) {
        std::string& text = made.emplace_back();
        for (const Token& each : *argument) text += each.written;
        add({TokenKind::raw_text, place, text});
        ++i;
        continue;
      }
      const bool joins = macro.body[i + 1].is("#") && !result.empty() && i + 2 < macro.body.size();
      if (joins) {
        const std::vector<Token>* const next = argument_of(macro.body[i + 2]);
        std::string& name = made.emplace_back(result.back().written);
        name += next == nullptr ? macro.body[i + 2].written
                : next->empty() ? std::string_view()
                                : next->front().written;
        result.back().written = name;
        for (std::size_t k = 1; next != nullptr && k < next->size(); ++k) add((*next)[k]);
        i += 2;
        continue;
      }
    }
    if (const std::vector<Token>* const argument = argument_of(token)) {
      for (const Token& each : *argument) add(each);
    } else {
      add(token);
    }
  }
  return result;
}

}  // namespace espalier::cpp
