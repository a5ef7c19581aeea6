// Conditions, by recursive descent. See condition.h.
#include "debug/condition.h"

#include <array>
#include <charconv>

#include "text/names.h"

namespace espalier::debug {
namespace {

constexpr int kMostLevels = 200;  // of parentheses and negations

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_name_byte(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return (value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z') || (value >= '0' && value <= '9') ||
         value >= 0x80 || byte == '_' || byte == '.' || byte == '@' || byte == '/';
}

const char* text_of(bool value) { return value ? "true" : "false"; }

class Reader {
 public:
  Reader(std::string_view condition, const FindValue& find) : rest_(condition), find_(find) {}

  ConditionValue read() {
    ConditionValue value{either(), {}};
    skip_blanks();
    if (fault_.empty() && !rest_.empty()) fail();
    value.fault = fault_;
    return value;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\n'))
      rest_.remove_prefix(1);
  }
  void fail() {
    if (fault_.empty())
      fault_ = rest_.empty() ? "the condition ends too early" : "unexpected " + text::quote(rest_.substr(0, 20));
  }
  // A word is not the beginning of a name.
  bool take(std::string_view token) {
    skip_blanks();
    if (!rest_.starts_with(token)) return false;
    const bool is_word = is_name_byte(token.back());
    if (is_word && rest_.size() > token.size() && is_name_byte(rest_[token.size()])) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  std::string either() {
    std::string value = both();
    while (fault_.empty() && (take("||") || take("or"))) {
      const std::string other = both();
      value = text_of(is_true(value) || is_true(other));
    }
    return value;
  }
  std::string both() {
    std::string value = comparison();
    while (fault_.empty() && (take("&&") || take("and"))) {
      const std::string other = comparison();
      value = text_of(is_true(value) && is_true(other));
    }
    return value;
  }
  std::string comparison() {
    const std::string left = single();
    constexpr std::array<std::string_view, 6> kOperators = {"==", "!=", "<=", ">=", "<", ">"};
    for (const std::string_view each : kOperators) {
      if (fault_.empty() && take(each)) return text_of(compare(left, each, single()));
    }
    return left;
  }
  // As numbers, where both are, otherwise as texts. What has no value is unequal to all.
  static bool compare(const std::string& left, std::string_view by, const std::string& right) {
    if (left.empty() || right.empty()) return by == "!=";
    const auto a = number_of(left);
    const auto b = number_of(right);
    const int order = a && b ? (*a > *b) - (*a < *b) : left.compare(right);
    if (by == "==") return order == 0;
    if (by == "!=") return order != 0;
    if (by == "<") return order < 0;
    if (by == "<=") return order <= 0;
    return by == ">" ? order > 0 : order >= 0;
  }
  std::string single() {
    skip_blanks();
    if (++levels_ > kMostLevels) fault_ = "the condition is nested too deeply";
    std::string value;
    if (!fault_.empty()) return value;
    if (!rest_.starts_with("!=") && (take("!") || take("not"))) {
      value = text_of(!is_true(single()));
    } else if (take("(")) {
      value = either();
      if (fault_.empty() && !take(")")) fail();
    } else {
      value = word();
    }
    --levels_;
    return value;
  }
  std::string word() {
    if (!rest_.empty() && (rest_.front() == '\'' || rest_.front() == '"')) {
      const std::size_t end = rest_.find(rest_.front(), 1);
      if (end == std::string_view::npos) return fail(), std::string();
      std::string text(rest_.substr(1, end - 1));
      rest_.remove_prefix(end + 1);
      return text;
    }
    std::size_t end = !rest_.empty() && rest_.front() == '-' ? 1 : 0;
    while (end < rest_.size() && is_name_byte(rest_[end])) ++end;
    const std::string_view name = rest_.substr(0, end);
    const bool is_value = name == "true" || name == "false" || number_of(name).has_value();
    if (name.empty() || (name.front() == '-' && !is_value)) return fail(), std::string();
    rest_.remove_prefix(end);
    return is_value ? std::string(name) : find_(name).value_or(std::string());
  }

  std::string_view rest_;
  const FindValue& find_;
  std::string fault_;
  int levels_ = 0;
};

}  // namespace

bool is_true(std::string_view text) {
  if (text.empty() || text == "false") return false;
  const auto number = number_of(text);
  return !number || *number != 0;
}

ConditionValue evaluate_condition(std::string_view condition, const FindValue& find) {
  return Reader(condition, find).read();
}

}  // namespace espalier::debug
