// The parser of conditions. See condition.h. One loop and a stack of open parentheses: nesting costs heap, not stack.
#include "dialects/condition/condition.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "dialects/condition/notation.h"
#include "text/characters.h"
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

// A value with its "!": a term, and the range of its text, enclosing parentheses included.
struct Operand {
  std::uint32_t term = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Operator {
  TermKind kind;
  std::string_view token;
};

// A condition that is being parsed: the whole text, or the content of an open parenthesis.
struct Level {
  std::uint32_t open = 0;           // the parenthesis
  std::optional<Operand> left;      // of `logical`
  std::optional<Operator> logical;  // its right side is being parsed
  std::optional<Operand> compared;  // left side of `comparison`
  std::optional<Operator> comparison;
  std::optional<std::uint32_t> negated;  // position of a "!" whose value is being parsed
  bool has_comparison = false;           // in the current comparison
  Operand operand;                       // the last comparison parsed
  std::optional<TermKind> first_kind;
  bool is_mixed = false;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}
  Parsed run();

 private:
  bool read_value();  // each is false when an error has stopped the parser
  bool read_operator();
  bool value_expected();
  bool unexpected_text();
  void complete_value(Operand operand);
  void fold();  // completes a pending logical operator: the result becomes the level's `left`
  std::uint32_t add(TermKind kind, std::uint32_t left, std::uint32_t right, std::uint32_t begin, std::uint32_t end);
  void warn_of_mixing(const Level& level, const Operator& at);
  void fault(FaultKind kind, std::string_view at, std::string message, std::string hint = {});  // `at` is in text_

  void take(std::string_view token) {
    last_token_ = token;
    last_end_ = at_ += static_cast<std::uint32_t>(token.size());
  }
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
  // The word or operator at `begin`: what a caret marks.
  std::string_view token_at(std::uint32_t begin) const;
  std::uint32_t size() const { return static_cast<std::uint32_t>(text_.size()); }

  std::string_view text_;
  std::uint32_t at_ = 0;
  std::uint32_t last_end_ = 0;   // of the last token
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

void Parser::fault(FaultKind kind, std::string_view at, std::string message, std::string hint) {
  const auto begin = static_cast<std::uint32_t>(at.data() - text_.data());
  const auto end = begin + static_cast<std::uint32_t>(at.size());
  parsed_.faults.push_back({kind, begin, end, std::move(message), std::move(hint)});
}

std::string_view Parser::token_at(std::uint32_t begin) const {
  if (const std::string_view word = word_at(begin); !word.empty()) return word;
  const auto rest = text_.substr(begin);
  for (const Habit& habit : kOperatorHabits) {
    const std::size_t size = habit.written.size();
    if (rest.substr(0, size) == habit.written && size > 1) return rest.substr(0, size);
  }
  if (rest.substr(0, 2) == "==" || rest.substr(0, 2) == "!=") return rest.substr(0, 2);
  std::size_t end = 1;  // a number, or one character of UTF-8
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
      fault(FaultKind::double_not, text_.substr(at_, 1), "a second '!' before one value: the engine accepts only one",
            "remove both, or put the inner one in parentheses");
      return false;
    }
    level.negated = at_;
    take(text_.substr(at_, 1));
    return true;
  }
  if (c == '(') {
    if (levels_.size() > kMaxOpenParentheses) {
      fault(FaultKind::unclosed_parenthesis, text_.substr(at_, 1),
            "more than " + std::to_string(kMaxOpenParentheses) + " parentheses are open here");
      return false;
    }
    Level inner;
    inner.open = at_;
    take(text_.substr(at_, 1));
    levels_.push_back(inner);
    return true;
  }
  const std::string_view word = word_at(at_);
  if (word.empty() || logical_operator(word)) return value_expected();
  const std::uint32_t begin = at_;
  take(word);
  const auto value = constant(word);
  const std::uint32_t term = add(value ? TermKind::constant : TermKind::variable, value.value_or(0), 0, begin, at_);
  complete_value({term, begin, at_});
  return true;
}

bool Parser::value_expected() {
  if (last_token_.empty() && at_ >= size()) {
    fault(FaultKind::empty, text_, "the condition is empty", "remove the attribute or use 'true'");
    return false;
  }
  std::string message = "expected a value";
  if (!last_token_.empty()) message += " after " + text::quote(last_token_);
  if (at_ >= size()) {
    fault(FaultKind::missing_value, text_.substr(last_end_, 0), message + ", but the condition ends");
    return false;
  }
  const std::string_view token = token_at(at_);
  const Habit* const habit = text::find_by(&Habit::written, kValueHabits, token);
  std::string hint = habit == nullptr ? "" : "use " + text::quote(habit->meant);
  if (logical_operator(token) && last_token_.empty()) hint = text::quote(token) + " needs a value on each side";
  fault(FaultKind::missing_value, token, message + ", found " + text::quote(token), hint);
  return false;
}

// Reported where the operator changes; everything to its left is one operand.
void Parser::warn_of_mixing(const Level& level, const Operator& at) {
  constexpr std::size_t kMaxShown = 60;
  std::string left(
      text_.substr(level.left->begin, std::min<std::size_t>(level.left->end - level.left->begin, kMaxShown)));
  if (left.size() == kMaxShown) left += "...";
  fault(FaultKind::mixed_operators, at.token,
        "'and', 'or' and 'xor' have the same precedence: this is read as '(" + left + ") " + std::string(at.token) +
            " ...'",
        "add parentheses to make the order explicit");
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
    take(text_.substr(at_, 1));
    const Operand inner{level.operand.term, level.open, at_};
    levels_.pop_back();
    complete_value(inner);
    return true;
  }
  const std::string_view token = token_at(at_);
  if ((token == "==" || token == "!=") && !level.has_comparison) {
    level.compared = level.operand;
    level.comparison = Operator{token == "==" ? TermKind::equal : TermKind::unequal, token};
  } else if (const auto kind = logical_operator(token)) {
    fold();
    level.logical = Operator{*kind, token};
    if (!level.first_kind) level.first_kind = kind;
    if (*level.first_kind != *kind && !level.is_mixed) {
      level.is_mixed = true;
      warn_of_mixing(level, *level.logical);
    }
  } else {
    return unexpected_text();
  }
  take(token);
  wants_value_ = true;
  return true;
}

// Text after a complete condition: the engine ignores it, or inside parentheses rejects the condition.
bool Parser::unexpected_text() {
  const Level& level = levels_.back();
  const bool is_open = levels_.size() > 1;
  if (at_ >= size()) {
    fault(FaultKind::unclosed_parenthesis, text_.substr(level.open, 1), "unclosed '('", "expected ')' at the end");
    return false;
  }
  const std::string_view token = token_at(at_);
  std::string hint;
  const Habit* const habit = text::find_by(&Habit::written, kOperatorHabits, token);
  if (habit != nullptr) hint = "use " + text::quote(habit->meant) + " instead of " + text::quote(token);
  const bool after_not = text::equal_any_case(last_token_, "not");
  if (after_not || text::equal_any_case(token, "not")) {
    hint = "use '!' instead of 'not'";
  } else if (token == "==" || token == "!=") {
    hint = "only one comparison is allowed: put the first in parentheses";
  } else if (token == ")") {
    hint = "there is no matching '('";
  } else if (token == "(" || token == "!" || !word_at(at_).empty()) {
    hint = "missing operator: expected 'and', 'or' or 'xor' before it";
  }
  if (after_not) {  // not a variable: no second fault for it; the engine reads it as false
    std::size_t last = parsed_.terms.size() - 1;
    while (parsed_.terms[last].kind != TermKind::variable) --last;
    parsed_.terms[last].kind = TermKind::constant;
  }
  if (is_open) {
    fault(FaultKind::unclosed_parenthesis, token, "expected ')', found " + text::quote(token), hint);
  } else {
    fold();
    parsed_.has_text_after = true;
    fault(FaultKind::text_after, token,
          "the condition ends before " + text::quote(token) + ": the engine ignores " + text::quote(text_.substr(at_)),
          hint);
  }
  return false;
}

Parsed Parser::run() {
  constexpr std::size_t kUsual = 4;
  parsed_.terms.reserve(kUsual);
  bool is_right = true;
  while (is_right && !is_done_) is_right = wants_value_ ? read_value() : read_operator();
  parsed_.is_complete = is_right;
  if (is_right && parsed_.terms.size() > kMaxPortableTerms) {
    fault(FaultKind::large, text_,
          "the condition has " + std::to_string(parsed_.terms.size()) + " operations: with more than " +
              std::to_string(kMaxPortableTerms) + " the engine evaluates it incorrectly",
          "every value and every operator counts; move a part of it into a variable that a signal sets");
  }
  return std::move(parsed_);
}

}  // namespace

Parsed parse(std::string_view text) { return Parser(text).run(); }

void add_fix(const Fault& fault, const text::Attribute& attribute, text::FixGrade grade, text::Finding& finding) {
  const bool may_be_of_other = fault.kind == FaultKind::missing_value || fault.kind == FaultKind::text_after ||
                               fault.kind == FaultKind::unclosed_parenthesis;
  if (!may_be_of_other || !finding.fixes.empty()) return;
  const std::string_view text = attribute.value();
  const std::vector<Change> changes = translation(text);
  if (changes.empty()) return;
  const bool is_one = changes.size() == 1;
  const std::uint32_t begin = is_one ? changes.front().begin : 0;
  const std::uint32_t end = is_one ? changes.front().end : static_cast<std::uint32_t>(text.size());
  text::Fix fix = text::make_fix(attribute.value_span(begin, end), text.substr(begin, end - begin),
                                 is_one ? changes.front().text : changed(text, changes), grade);
  fix.guess = text::Guess{text::Guess::Of::notation, {}, {}, {}};
  fix.edits.clear();
  for (const Change& change : changes) {
    fix.edits.push_back({attribute.value_span(change.begin, change.end), text::escaped(change.text)});
  }
  finding.fixes.push_back(std::move(fix));
}

bool can_spell(std::string_view name) {
  if (name.empty() || !is_name_start(name[0]) || logical_operator(name) || constant(name)) return false;
  for (const char c : name) {
    if (!is_name_part(c)) return false;
  }
  return true;
}

void place_terms(const text::Attribute& attribute, std::vector<ir::Term>& terms) {
  const std::uint32_t begin = attribute.value_span().begin;
  for (ir::Term& term : terms) {
    const text::Span at = attribute.value_span(term.begin, term.end);
    term.begin = at.begin - begin;
    term.end = at.end - begin;
  }
  terms.shrink_to_fit();
}

}  // namespace espalier::dialects::condition
