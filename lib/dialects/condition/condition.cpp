// The parser of conditions. See condition.h. One loop and a stack of open parentheses: nesting costs heap, not stack.
#include "dialects/condition/condition.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "text/names.h"

namespace espalier::dialects::condition {
namespace {

using ir::TermKind;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9') || c == '.'; }

struct Word {
  std::string_view text;
  TermKind kind;
};
constexpr std::array kLogical = {Word{"and", TermKind::conjunction}, Word{"or", TermKind::disjunction},
                                 Word{"xor", TermKind::exclusive}};

std::optional<TermKind> logical_operator(std::string_view word) {
  for (const Word& entry : kLogical) {
    if (text::equal_any_case(word, entry.text)) return entry.kind;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> constant(std::string_view word) {
  if (text::equal_any_case(word, "true")) return 1;
  if (text::equal_any_case(word, "false")) return 0;
  return std::nullopt;
}

// What people of other languages write, and what is meant.
struct Habit {
  std::string_view written;
  std::string_view meant;
};
constexpr std::array kOperatorHabits = {Habit{"&&", "and"}, Habit{"||", "or"}, Habit{"^", "xor"}, Habit{"&", "and"},
                                        Habit{"|", "or"},   Habit{"<>", "!="}, Habit{"~=", "!="}, Habit{"=", "=="},
                                        Habit{",", "and"},  Habit{"+", "or"},  Habit{"*", "and"}};
constexpr std::array kValueHabits = {Habit{"1", "true"}, Habit{"0", "false"}, Habit{"~", "!"}, Habit{"-", "!"}};

// A value with what stands before it: a term, and the text it fills, parentheses around it included.
struct Operand {
  std::uint32_t term = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Operator {
  TermKind kind;
  std::uint32_t begin;
  std::uint32_t end;
};

// One condition that is being read: the whole text, or what an open parenthesis has begun.
struct Level {
  std::uint32_t open = 0;           // the parenthesis
  std::optional<Operand> left;      // of `logical`
  std::optional<Operator> logical;  // waits for its right side
  std::optional<Operand> compared;  // left side of `comparison`
  std::optional<Operator> comparison;
  std::optional<std::uint32_t> negated;  // place of a "!" that waits for its value
  bool has_comparison = false;           // in the present comparison
  Operand operand;                       // the comparison read last
  std::optional<TermKind> first_kind;
  bool is_mixed = false;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}
  Parsed run();

 private:
  bool read_value();  // each is false when an error has stopped the reading
  bool read_operator();
  bool value_expected();
  bool unexpected_text();
  void complete_value(Operand operand);
  void fold();  // what waits in the present level becomes its `left`
  std::uint32_t add(TermKind kind, std::uint32_t left, std::uint32_t right, std::uint32_t begin, std::uint32_t end);
  void warn_of_mixing(const Level& level, const Operator& at);
  void fault(FaultKind kind, std::uint32_t begin, std::uint32_t end, std::string message, std::string hint = {});

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  std::string_view word_at(std::uint32_t begin) const {
    std::uint32_t end = begin;
    if (end < text_.size() && is_name_start(text_[end])) {
      while (end < text_.size() && is_name_part(text_[end])) ++end;
    }
    return text_.substr(begin, end - begin);
  }
  // The word at `begin`, or the run of signs there: what a caret should stand under.
  std::string_view token_at(std::uint32_t begin) const;
  std::uint32_t size() const { return static_cast<std::uint32_t>(text_.size()); }

  std::string_view text_;
  std::uint32_t at_ = 0;
  std::uint32_t last_end_ = 0;   // of what was read last
  std::string_view last_token_;  // empty at the start
  std::vector<Level> levels_ = std::vector<Level>(1);
  bool wants_value_ = true;
  bool is_done_ = false;
  Parsed parsed_;
};

std::uint32_t Parser::add(TermKind kind, std::uint32_t left, std::uint32_t right, std::uint32_t begin,
                          std::uint32_t end) {
  parsed_.terms.push_back({kind, left, right, begin, end});
  return static_cast<std::uint32_t>(parsed_.terms.size() - 1);
}

void Parser::fault(FaultKind kind, std::uint32_t begin, std::uint32_t end, std::string message, std::string hint) {
  parsed_.faults.push_back({kind, begin, end, std::move(message), std::move(hint)});
}

std::string_view Parser::token_at(std::uint32_t begin) const {
  if (const std::string_view word = word_at(begin); !word.empty()) return word;
  const auto rest = text_.substr(begin);
  for (const auto& [written, meant] : kOperatorHabits) {
    if (rest.substr(0, written.size()) == written && written.size() > 1) return rest.substr(0, written.size());
  }
  if (rest.substr(0, 2) == "==" || rest.substr(0, 2) == "!=") return rest.substr(0, 2);
  std::size_t end = 1;  // one sign, one number, or one character of UTF-8
  if (rest[0] >= '0' && rest[0] <= '9') {
    while (end < rest.size() && is_name_part(rest[end])) ++end;
  } else {
    while (end < rest.size() && (static_cast<unsigned char>(rest[end]) & 0xC0) == 0x80) ++end;
  }
  return rest.substr(0, end);
}

void Parser::complete_value(Operand operand) {
  Level& level = levels_.back();
  if (level.negated) {
    operand.begin = *level.negated;
    operand.term = add(TermKind::negation, operand.term, 0, operand.begin, operand.end);
    level.negated.reset();
  }
  if (level.comparison) {
    const std::uint32_t begin = level.compared->begin;
    operand.term = add(level.comparison->kind, level.compared->term, operand.term, begin, operand.end);
    operand.begin = begin;
    level.comparison.reset();
    level.has_comparison = true;
  }
  level.operand = operand;
  wants_value_ = false;
}

void Parser::fold() {
  Level& level = levels_.back();
  if (level.logical) {
    const Operand& left = *level.left;
    const std::uint32_t term = add(level.logical->kind, left.term, level.operand.term, left.begin, level.operand.end);
    level.operand = {term, left.begin, level.operand.end};
    level.logical.reset();
  }
  level.left = level.operand;
  level.has_comparison = false;
}

bool Parser::read_value() {
  skip_space();
  if (at_ >= size()) return value_expected();
  Level& level = levels_.back();
  const char c = text_[at_];
  if (c == '!') {
    if (level.negated) {
      fault(FaultKind::double_not, at_, at_ + 1, "a second '!' before one value: the engine takes one at most",
            "two cancel each other out: write neither, or put the inner one in parentheses");
      return false;
    }
    level.negated = at_;
    last_token_ = text_.substr(at_, 1);
    last_end_ = ++at_;
    return true;
  }
  if (c == '(') {
    Level inner;
    inner.open = at_;
    last_token_ = text_.substr(at_, 1);
    last_end_ = ++at_;
    levels_.push_back(inner);
    return true;
  }
  const std::string_view word = word_at(at_);
  if (word.empty() || logical_operator(word)) return value_expected();
  const std::uint32_t end = at_ + static_cast<std::uint32_t>(word.size());
  const auto value = constant(word);
  const std::uint32_t term = add(value ? TermKind::constant : TermKind::variable, value.value_or(0), 0, at_, end);
  complete_value({term, at_, end});
  last_token_ = word;
  last_end_ = at_ = end;
  return true;
}

bool Parser::value_expected() {
  if (last_token_.empty() && at_ >= size()) {
    fault(FaultKind::empty, 0, size(), "the condition is empty", "leave the attribute out or write 'true'");
    return false;
  }
  std::string message = "a value is expected";
  if (!last_token_.empty()) message += " after " + text::quote(last_token_);
  if (at_ >= size()) {
    fault(FaultKind::missing_value, last_end_, last_end_, message + ", but the condition ends here");
    return false;
  }
  const std::string_view token = token_at(at_);
  std::string hint;
  for (const auto& [written, meant] : kValueHabits) {
    if (token == written) hint = "write " + text::quote(meant);
  }
  if (logical_operator(token) && last_token_.empty()) hint = text::quote(token) + " stands between two values";
  fault(FaultKind::missing_value, at_, at_ + static_cast<std::uint32_t>(token.size()),
        message + ", not " + text::quote(token), hint);
  return false;
}

// The reading changes where the operator does; everything to its left is one operand.
void Parser::warn_of_mixing(const Level& level, const Operator& at) {
  constexpr std::size_t kMaxShown = 60;
  std::string left(
      text_.substr(level.left->begin, std::min<std::size_t>(level.left->end - level.left->begin, kMaxShown)));
  if (left.size() == kMaxShown) left += "...";
  const std::string name(text_.substr(at.begin, at.end - at.begin));
  fault(FaultKind::mixed_operators, at.begin, at.end,
        "'and', 'or' and 'xor' have one precedence: this reads as '(" + left + ") " + name + " ...'",
        "write the parentheses that are meant");
}

bool Parser::read_operator() {
  skip_space();
  Level& level = levels_.back();
  if (at_ >= size()) {
    if (levels_.size() > 1) return unexpected_text();
    fold();
    is_done_ = true;
    return true;
  }
  if (text_[at_] == ')' && levels_.size() > 1) {
    fold();
    const Operand inner{level.operand.term, level.open, at_ + 1};
    levels_.pop_back();
    last_token_ = text_.substr(at_, 1);
    last_end_ = ++at_;
    complete_value(inner);
    return true;
  }
  const std::string_view token = token_at(at_);
  const auto end = at_ + static_cast<std::uint32_t>(token.size());
  if ((token == "==" || token == "!=") && !level.has_comparison) {
    level.compared = level.operand;
    level.comparison = Operator{token == "==" ? TermKind::equal : TermKind::unequal, at_, end};
  } else if (const auto kind = logical_operator(token)) {
    fold();
    level.logical = Operator{*kind, at_, end};
    if (!level.first_kind) level.first_kind = kind;
    if (*level.first_kind != *kind && !level.is_mixed) {
      level.is_mixed = true;
      warn_of_mixing(level, *level.logical);
    }
  } else {
    return unexpected_text();
  }
  last_token_ = token;
  last_end_ = at_ = end;
  wants_value_ = true;
  return true;
}

// A complete condition has been read, and something else follows: the engine ignores it, or inside parentheses gives
// up.
bool Parser::unexpected_text() {
  const Level& level = levels_.back();
  const bool is_open = levels_.size() > 1;
  if (at_ >= size()) {
    fault(FaultKind::unclosed_parenthesis, level.open, level.open + 1, "this parenthesis is never closed",
          "')' is expected at the end");
    return false;
  }
  const std::string_view token = token_at(at_);
  const auto end = at_ + static_cast<std::uint32_t>(token.size());
  std::string hint;
  for (const auto& [written, meant] : kOperatorHabits) {
    if (token == written && hint.empty()) hint = "write " + text::quote(meant) + " for " + text::quote(written);
  }
  const bool after_not = text::equal_any_case(last_token_, "not");
  if (after_not || text::equal_any_case(token, "not")) {
    hint = "write '!' for 'not'";
  } else if (token == "==" || token == "!=") {
    hint = "one comparison at most: put the first in parentheses";
  } else if (token == ")") {
    hint = "no '(' is open here";
  } else if (token == "(" || token == "!" || !word_at(at_).empty()) {
    hint = "an operator is missing: write 'and', 'or' or 'xor' before it";
  }
  if (after_not) {  // it was no variable, which reads as false: one fault is enough
    std::size_t last = parsed_.terms.size() - 1;
    while (parsed_.terms[last].kind != TermKind::variable) --last;
    parsed_.terms[last].kind = TermKind::constant;
  }
  if (is_open) {
    fault(FaultKind::unclosed_parenthesis, at_, end, "')' is expected, not " + text::quote(token), hint);
  } else {
    fold();
    parsed_.has_text_after = true;
    const auto ignored = text::quote(text_.substr(at_));
    fault(FaultKind::text_after, at_, end,
          "the condition ends before " + text::quote(token) + ": the engine ignores " + ignored, hint);
  }
  return false;
}

Parsed Parser::run() {
  bool is_right = true;
  while (is_right && !is_done_) is_right = wants_value_ ? read_value() : read_operator();
  parsed_.is_complete = is_right;
  if (is_right && parsed_.terms.size() > kMaxPortableTerms) {
    fault(FaultKind::large, 0, size(),
          "the condition has " + std::to_string(parsed_.terms.size()) + " operations; beyond " +
              std::to_string(kMaxPortableTerms) + " the engine computes it wrongly",
          "every value and every operator is one; let a signal put a part of it into a variable");
  }
  return std::move(parsed_);
}

}  // namespace

Parsed parse(std::string_view text) { return Parser(text).run(); }

bool can_spell(std::string_view name) {
  if (name.empty() || !is_name_start(name[0]) || logical_operator(name) || constant(name)) return false;
  for (const char c : name) {
    if (!is_name_part(c)) return false;
  }
  return true;
}

}  // namespace espalier::dialects::condition
