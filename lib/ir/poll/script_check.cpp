// Checks scripts. See script_check.h.
#include "ir/poll/script_check.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ir/poll/types.h"
#include "rules/btcpp.h"
#include "text/names.h"
#include "text/wording.h"

namespace espalier::ir::poll {
namespace {

using rules::Rule;

constexpr double kTolerance = 1.0 / (1 << 23);  // within which numbers are equal

struct Known {
  enum class Kind : std::uint8_t { nothing, number, text, some_number };  // some_number: it is not known which
  Kind kind = Kind::nothing;
  double number = 0;
  bool is_whole = false;  // a whole number as written; what operators compute is not
  std::string text = {};

  bool is_number() const { return kind == Kind::number; }
  bool is_any_number() const { return kind == Kind::number || kind == Kind::some_number; }
  bool is_text() const { return kind == Kind::text; }
};

Known number_of(double number, bool is_whole = false) { return {Known::Kind::number, number, is_whole, {}}; }
Known some_number() { return {Known::Kind::some_number, 0, false, {}}; }
Known truth_of(bool is_true) { return number_of(is_true ? 1 : 0); }

// All but equality hold for numbers that cannot be compared (nan).
bool compare(Comparison with, double a, double b) {
  const bool is_equal = std::abs(a - b) <= kTolerance;
  switch (with) {
    case Comparison::equal:
      return is_equal;
    case Comparison::unequal:
      return !is_equal;
    case Comparison::less:
      return !(a >= b);
    case Comparison::greater:
      return !(a <= b);
    case Comparison::less_equal:
      return !(a > b);
    case Comparison::greater_equal:
      return !(a < b);
  }
  return false;
}

bool compare(Comparison with, const std::string& a, const std::string& b) { return compare(with, a.compare(b), 0); }

std::optional<Constant> constant_of(const Known& value) {
  if (value.is_number()) return Constant{value.number, value.is_whole, {}};
  if (value.is_text()) return Constant{0, false, value.text};
  return std::nullopt;
}

bool is_whole_value(double number) { return std::isfinite(number) && number == std::trunc(number); }

class Checker {
 public:
  Checker(const Script& script, const Enumeration& enumeration, const Constants* constants)
      : script_(script), enumeration_(enumeration), constants_(constants) {}

  CheckedScript check(bool is_condition) {
    Known last;
    find_words();
    for (const std::uint32_t statement : script_.statements) {
      if (is_word_of_logic(statement)) {
        last = {};
        continue;
      }
      const std::size_t before = result_.findings.size();
      last = value_of(statement);
      if (is_assignment(at(statement).op)) note_assigned(statement, last);
      if (is_condition && at(statement).op == Operator::assign) {
        report_assignment(statement, before);
        last = {};
      }
    }
    report_unseparated();
    if (is_condition && !script_.statements.empty() && words_.empty()) {
      const std::uint32_t statement = script_.statements.back();
      result_.truth = check_truth(last, statement);
      if (result_.truth) {
        report(rules::BTC_constant_condition, statement,
               *result_.truth ? "the condition is always true" : "the condition is always false");
      }
    }
    return std::move(result_);
  }

 private:
  const Expression& at(std::uint32_t expression) const { return script_.expressions[expression]; }

  void report(Rule rule, std::uint32_t expression, std::string message, std::string hint = {}) {
    const Expression& marked = at(expression);
    result_.findings.push_back({{marked.begin, marked.end, std::move(message), std::move(hint)}, rule});
  }
  void report_type(std::uint32_t expression, std::string message, std::string hint = {}) {
    report(rules::BTC_script_type, expression, std::move(message), std::move(hint));
  }

  // What follows from an assignment where a comparison is meant is not reported too, and the entry counts as compared.
  void report_assignment(std::uint32_t statement, std::size_t first_finding) {
    const auto first = result_.findings.begin() + static_cast<std::ptrdiff_t>(first_finding);
    const auto follows = [](const ScriptFinding& each) { return each.rule == rules::BTC_script_type; };
    result_.findings.erase(std::remove_if(first, result_.findings.end(), follows), result_.findings.end());
    report(rules::BTC_assignment_in_condition, statement, "this assigns a value, and does not compare",
           "write '==' to compare");
    const Expression& name = at(at(statement).a);
    const auto is_this = [&](const ScriptUse& each) { return name.op == Operator::name && each.begin == name.begin; };
    const auto found = std::find_if(result_.uses.rbegin(), result_.uses.rend(), is_this);
    if (found != result_.uses.rend()) *found = {name.text, EntryUse::read, name.begin, name.end};
  }

  // Words that other languages have for operators: "a and b" is three statements here.
  static std::string_view operator_of(std::string_view word) {
    if (text::equal_any_case(word, "and")) return "&&";
    if (text::equal_any_case(word, "or")) return "||";
    return text::equal_any_case(word, "not") ? "!" : std::string_view();
  }

  // Those that stand next to another statement without a ';' between them.
  void find_words() {
    const auto is_unseparated = [&](std::uint32_t statement) {
      return std::find(script_.unseparated.begin(), script_.unseparated.end(), statement) != script_.unseparated.end();
    };
    for (std::size_t i = 0; i < script_.statements.size() && !script_.unseparated.empty(); ++i) {
      const Expression& expression = at(script_.statements[i]);
      if (expression.op != Operator::name || operator_of(expression.text).empty()) continue;
      const bool has_next = i + 1 < script_.statements.size() && is_unseparated(script_.statements[i + 1]);
      const bool is_between = is_unseparated(script_.statements[i]) || operator_of(expression.text) == "!";
      if (has_next && is_between) words_.push_back(script_.statements[i]);
    }
  }
  bool is_word_of_logic(std::uint32_t statement) const {
    return std::find(words_.begin(), words_.end(), statement) != words_.end();
  }

  // One finding for all words of a script, and then none for what stands between them.
  void report_unseparated() {
    if (words_.empty()) {
      for (const std::uint32_t statement : script_.unseparated) {
        report(rules::BTC_missing_semicolon, statement, "a second statement begins here without a ';' before it");
      }
      return;
    }
    std::string hint;
    for (const std::string_view each : {"and", "or", "not"}) {
      const auto is_one = [&](std::uint32_t word) { return operator_of(at(word).text) == operator_of(each); };
      if (std::none_of(words_.begin(), words_.end(), is_one)) continue;
      hint += hint.empty() ? "write " : " and ";
      hint.append(text::quote(operator_of(each))).append(" for ").append(text::quote(each));
    }
    report(rules::BTC_missing_semicolon, words_.front(),
           text::quote(at(words_.front()).text) + " is not an operator: it is taken as the name of an entry", hint);
  }

  ScriptUse& use(std::uint32_t name, EntryUse how) {
    const Expression& expression = at(name);
    // In its place: of one that is moved there, g++ 12 warns about what an optional does not hold.
    ScriptUse& added = result_.uses.emplace_back();
    added.name = expression.text;
    added.use = how;
    added.begin = expression.begin;
    added.end = expression.end;
    return added;
  }

  // The operand, if it is an entry, throws if it is a text.
  void mark_operand(std::uint32_t operand) {
    if (at(operand).op != Operator::name) return;
    const auto is_this = [&](const ScriptUse& each) {
      return each.use == EntryUse::read && each.begin == at(operand).begin;
    };
    const auto found = std::find_if(result_.uses.rbegin(), result_.uses.rend(), is_this);
    if (found != result_.uses.rend()) found->is_operand = true;
  }

  // Of a statement that assigns. Assignments inside of others are as good as unknown.
  void note_assigned(std::uint32_t statement, const Known& value) {
    const Expression& expression = at(statement);
    if (at(expression.a).op != Operator::name) return;
    std::optional<Constant>& assigned = result_.assigned[at(expression.a).text];
    assigned.reset();
    if (expression.op == Operator::create || expression.op == Operator::assign) assigned = constant_of(value);
  }

  // Nothing: not known, or it throws, which is reported.
  std::optional<bool> check_truth(const Known& value, std::uint32_t expression) {
    if (value.is_text()) {
      report_type(expression, "a string is not a Boolean: the library throws");
      return std::nullopt;
    }
    mark_operand(expression);
    if (!value.is_number()) return std::nullopt;
    const bool is_valid = value.is_whole ? value.number == 0 || value.number == 1 : !(value.number < 0);
    if (!is_valid) {
      report_type(expression, text::shown(value.number) + " is not a Boolean: the library throws", "compare it with 0");
      return std::nullopt;
    }
    return value.number != 0;
  }

  Known value_of(std::uint32_t index) {
    const Expression& expression = at(index);
    switch (expression.op) {
      case Operator::number:
        if (expression.text == "0") {
          report(rules::BTC_number_too_large, index, "the number does not fit in 64 bits: the library reads 0");
          return {};  // nothing is said of what follows from the fault
        }
        return number_of(expression.number, expression.is_whole);
      case Operator::text:
        return {Known::Kind::text, 0, false, expression.text};
      case Operator::name:
        return value_of_name(index, false);
      case Operator::negate:
      case Operator::complement:
      case Operator::invert:
        return value_of_unary(index);
      case Operator::compare:
        return value_of_comparison(index);
      case Operator::choose:
        return value_of_choice(index);
      default:
        return is_assignment(expression.op) ? value_of_assignment(index) : value_of_binary(index);
    }
  }

  Known value_of_name(std::uint32_t index, bool is_joined) {
    const Expression& expression = at(index);
    if (const auto found = enumeration_.find(expression.text); found != enumeration_.end())
      return number_of(found->second);
    for (const std::string_view word : {"True", "TRUE", "False", "FALSE"}) {
      if (expression.text != word) continue;
      const char* const usual = word[0] == 'T' ? "true" : "false";
      report(rules::BTC_capital_boolean, index, text::quote(word) + " is the name of an entry here",
             "write " + text::quote(usual));
    }
    use(index, EntryUse::read).is_joined = is_joined;
    return constants_ == nullptr ? Known{} : value_of_entry(expression.text);
  }

  Known value_of_entry(std::string_view name) const {
    const auto known = constants_->find(name);
    if (known == constants_->end() || result_.assigned.count(name) != 0) return {};
    if (known->second.text) return {Known::Kind::text, 0, false, *known->second.text};
    return number_of(known->second.number, known->second.is_whole);
  }

  Known value_of_unary(std::uint32_t index) {
    const Expression& expression = at(index);
    const Known operand = check_operand(value_of(expression.a), expression.a);
    mark_operand(expression.a);
    if (operand.is_text()) {
      report_type(index, "a string is not a number: the library throws");
      return {};
    }
    if (!operand.is_number()) return some_number();
    if (expression.op == Operator::negate) return number_of(-operand.number);
    if (expression.op == Operator::invert) return truth_of(operand.number == 0);
    return number_of(static_cast<double>(~static_cast<std::int64_t>(operand.number)));
  }

  // From 2^53 on a whole number can be assigned, but not computed with.
  Known check_operand(Known value, std::uint32_t index) {
    constexpr double kFirst = 9007199254740992.0;
    if (!value.is_number() || !value.is_whole || std::abs(value.number) < kFirst) return value;
    report_type(index, "an integer of 2^53 or more cannot be an operand: the library throws");
    return {};
  }

  Known value_of_operand(std::uint32_t index, bool is_joined) {
    return is_joined && at(index).op == Operator::name ? value_of_name(index, true) : value_of(index);
  }

  // A chain such as 'a + b + c' is as deep as it is long on its left side, which is therefore followed in a loop.
  Known value_of_binary(std::uint32_t index) {
    std::vector<std::uint32_t> chain;
    for (; is_binary(at(index).op); index = at(index).a) chain.push_back(index);
    Known left = value_of_operand(index, at(chain.back()).op == Operator::join);
    for (std::size_t i = chain.size(); i-- > 0;) {
      const Expression& expression = at(chain[i]);
      Known right = value_of_operand(expression.b, expression.op == Operator::join);
      left = value_of_two(chain[i], std::move(left), std::move(right));
    }
    return left;
  }

  Known value_of_two(std::uint32_t index, Known&& a, Known&& b) {
    const Expression& expression = at(index);
    if (expression.op != Operator::join) {
      a = check_operand(std::move(a), expression.a);
      b = check_operand(std::move(b), expression.b);
    }
    switch (expression.op) {
      case Operator::logical_and:
      case Operator::logical_or: {
        const std::optional<bool> left = check_truth(a, expression.a);
        const std::optional<bool> right = check_truth(b, expression.b);
        const bool decides = expression.op == Operator::logical_or;
        if (!left || !right) return some_number();
        return truth_of(decides ? *left || *right : *left && *right);
      }
      case Operator::join:
        return value_of_join(index, std::move(a), b);
      case Operator::add:
        return value_of_sum(index, std::move(a), b);
      case Operator::bit_and:
      case Operator::bit_or:
      case Operator::bit_xor:
        return value_of_bits(index, a, b);
      default:
        return value_of_arithmetic(index, a, b);
    }
  }

  // The left text grows in its place, so that joining many takes time in proportion to the result.
  static Known joined(Known&& a, const Known& b) {
    a.text += b.text;
    return std::move(a);
  }

  Known value_of_join(std::uint32_t index, Known&& a, const Known& b) {
    if (a.is_any_number() && b.is_any_number())
      report_type(index, "'..' joins strings, and neither side is one: the library throws");
    return a.is_text() && b.is_text() ? joined(std::move(a), b) : Known{};
  }

  Known value_of_sum(std::uint32_t index, Known&& a, const Known& b) {
    if (a.is_any_number()) mark_operand(at(index).b);
    if (b.is_any_number()) mark_operand(at(index).a);
    if ((a.is_text() && b.is_any_number()) || (a.is_any_number() && b.is_text())) {
      report_type(index, "'+' of a string and a number throws", "'..' joins a string and a number");
    }
    if (a.is_text() && b.is_text()) return joined(std::move(a), b);
    if (a.is_number() && b.is_number()) return number_of(a.number + b.number);
    return a.is_any_number() || b.is_any_number() ? some_number() : Known{};
  }

  Known value_of_bits(std::uint32_t index, const Known& a, const Known& b) {
    mark_operand(at(index).a);
    mark_operand(at(index).b);
    for (const Known* each : {&a, &b}) {
      if (each->is_text() || (each->is_number() && !is_whole_value(each->number))) {
        report_type(index, "bitwise operators need integers: the library throws");
        return {};
      }
    }
    return some_number();
  }

  Known value_of_arithmetic(std::uint32_t index, const Known& a, const Known& b) {
    mark_operand(at(index).a);
    mark_operand(at(index).b);
    if (a.is_text() || b.is_text()) {
      report_type(index, "a string is not a number: the library throws");
      return {};
    }
    if (!a.is_number() || !b.is_number()) return some_number();
    switch (at(index).op) {
      case Operator::subtract:
        return number_of(a.number - b.number);
      case Operator::multiply:
        return number_of(a.number * b.number);
      default:
        return number_of(a.number / b.number);
    }
  }

  Known value_of_comparison(std::uint32_t index) {
    const Expression& expression = at(index);
    Known left = check_operand(value_of(expression.a), expression.a);
    bool is_known = true;
    bool holds = true;
    for (std::uint32_t i = 0; i < expression.c; ++i) {
      const Compared& compared = script_.comparisons[expression.b + i];
      Known right = check_operand(value_of(compared.expression), compared.expression);
      const std::optional<bool> result = compare_two(compared.with, left, right);
      // What follows on one that does not hold is not looked at.
      if (is_known && holds && !result) check_comparable(index, left, right);
      is_known = is_known && result;
      holds = holds && result.value_or(true);
      left = std::move(right);
    }
    return is_known ? truth_of(holds) : some_number();
  }

  static std::optional<bool> compare_two(Comparison with, const Known& a, const Known& b) {
    if (a.is_number() && b.is_number()) return compare(with, a.number, b.number);
    if (a.is_text() && b.is_text()) return compare(with, a.text, b.text);
    return std::nullopt;
  }

  // Beside a number a text must be one too.
  void check_comparable(std::uint32_t index, const Known& a, const Known& b) {
    if (!(a.is_text() && b.is_any_number()) && !(a.is_any_number() && b.is_text())) return;
    const std::string& text = a.is_text() ? a.text : b.text;
    if (!is_number_text(text, enumeration_))
      report_type(index, "the string " + text::quote(text) + " is compared with a number: the library throws");
  }

  Known value_of_choice(std::uint32_t index) {
    const Expression& expression = at(index);
    const Known condition = value_of(expression.a);
    if (condition.is_text() && check_literal(kRealType, condition.text) == LiteralFault::bad)
      report_type(expression.a, "a string is not a Boolean: the library throws");
    const Known yes = value_of(expression.b);
    const Known no = value_of(expression.c);
    if (condition.is_number()) return condition.number != 0 ? yes : no;
    return yes.is_any_number() && no.is_any_number() ? some_number() : Known{};
  }

  Known value_of_assignment(std::uint32_t index) {
    const Expression& expression = at(index);
    const bool is_name = at(expression.a).op == Operator::name;
    if (!is_name) {
      static_cast<void>(value_of(expression.b));
      report_type(index, "only an entry can be assigned: the library throws");
      return {};
    }
    const bool reads = expression.op != Operator::create && expression.op != Operator::assign;
    const Known value = value_of(expression.b);
    const bool is_number_needed = expression.op != Operator::assign_add || value.is_any_number();
    if (reads) use(expression.a, EntryUse::read).is_operand = is_number_needed;
    if (value.is_text() && (expression.op == Operator::assign_subtract || expression.op == Operator::assign_multiply ||
                            expression.op == Operator::assign_divide)) {
      report_type(index, "a string is not a number: the library throws");
    }
    ScriptUse& assigned = use(expression.a, expression.op == Operator::create ? EntryUse::create : EntryUse::assign);
    assigned.is_text = value.is_text();
    assigned.is_number = value.is_any_number();
    assigned.is_kept = reads;
    assigned.value = constant_of(value);
    result_.assigned[at(expression.a).text].reset();
    return reads ? Known{} : value;
  }

  const Script& script_;
  const Enumeration& enumeration_;
  const Constants* constants_;
  std::vector<std::uint32_t> words_;  // statements: of "and", "or" and "not"
  CheckedScript result_;
};

}  // namespace

CheckedScript check_script(const Script& script, const Enumeration& enumeration, bool is_condition,
                           const Constants* constants) {
  return Checker(script, enumeration, constants).check(is_condition);
}

bool is_number_text(std::string_view text, const Enumeration& enumeration) {
  return text == "true" || text == "false" || enumeration.count(text) != 0 ||
         check_literal(kRealType, text) != LiteralFault::bad;
}

bool is_plain_truth(std::string_view script) {
  const std::size_t begin = script.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return false;
  const std::string_view word = script.substr(begin, script.find_last_not_of(" \t\r\n") + 1 - begin);
  return word == "true" || word == "false";
}

}  // namespace espalier::ir::poll
