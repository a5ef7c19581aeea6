// Reads scripts. See script.h for what it makes of them; precedence is that of the library's grammar.
#include "ir/poll/script.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <span>
#include <system_error>
#include <utility>

#include "text/names.h"

namespace espalier::ir::poll {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool begins_name(char c) { return is_letter(c) || c == '_' || c == '@'; }

struct Binary {
  std::string_view token;
  Operator op;
};
constexpr Binary kAssignments[] = {{":=", Operator::create},          {"=", Operator::assign},
                                   {"+=", Operator::assign_add},      {"-=", Operator::assign_subtract},
                                   {"*=", Operator::assign_multiply}, {"/=", Operator::assign_divide}};
constexpr Binary kBitOr[] = {{"|", Operator::bit_or}, {"^", Operator::bit_xor}};
constexpr Binary kBitAnd[] = {{"&", Operator::bit_and}};
constexpr Binary kSum[] = {{"+", Operator::add}, {"-", Operator::subtract}, {"..", Operator::join}};
constexpr Binary kProduct[] = {{"*", Operator::multiply}, {"/", Operator::divide}};
constexpr Binary kOr[] = {{"||", Operator::logical_or}};
constexpr Binary kAnd[] = {{"&&", Operator::logical_and}};
// From the weakest to the strongest; comparisons are between kAnd and kBitOr.
constexpr std::array<std::span<const Binary>, 6> kLevels = {kOr, kAnd, kBitOr, kBitAnd, kSum, kProduct};
constexpr std::size_t kAfterAnd = 2;

struct ComparisonToken {
  std::string_view token;
  Comparison with;
};
constexpr ComparisonToken kComparisons[] = {{"==", Comparison::equal},      {"!=", Comparison::unequal},
                                            {"<=", Comparison::less_equal}, {">=", Comparison::greater_equal},
                                            {"<", Comparison::less},        {">", Comparison::greater}};

// All tokens of more than one character, so that "=" is not the beginning of "==".
constexpr std::string_view kLongTokens[] = {":=", "+=", "-=", "*=", "/=", "==", "!=", "<=", ">=", "&&", "||", ".."};

class Parser {
 public:
  Parser(std::string_view source, bool takes_double_quotes)
      : source_(source), takes_double_quotes_(takes_double_quotes) {}

  Script parse() {
    next();
    if (is(";")) fail_here("a script begins with a statement, not with ';'", "remove the ';'");
    if (is_at_end() && !source_.empty()) fail(0, source_.size(), "a script of blanks only");
    bool is_separated = true;
    while (!script_.fault && !is_at_end()) {
      if (take(";")) {
        is_separated = true;
        continue;
      }
      const std::uint32_t statement = read_expression();
      if (script_.fault) break;
      if (!is_separated) script_.unseparated.push_back(statement);
      script_.statements.push_back(statement);
      is_separated = false;
    }
    return std::move(script_);
  }

 private:
  // ---- Tokens

  bool is_at_end() const { return token_.empty(); }
  bool is(std::string_view token) const { return token_ == token; }
  bool take(std::string_view token) {
    if (!is(token)) return false;
    next();
    return true;
  }

  void next() {
    last_end_ = begin_ + token_.size();
    begin_ = last_end_;
    while (begin_ < source_.size() && is_blank(source_[begin_])) ++begin_;
    token_ = source_.substr(begin_, length_of_token());
  }

  bool begins_text(char c) const { return c == '\'' || (c == '"' && takes_double_quotes_); }

  std::size_t length_of_token() {
    const std::string_view rest = source_.substr(begin_);
    if (rest.empty()) return 0;
    if (begins_name(rest[0])) {
      std::size_t size = 1;
      while (size < rest.size() && (is_letter(rest[size]) || is_digit(rest[size]) || rest[size] == '_')) ++size;
      return size;
    }
    if (is_digit(rest[0])) return length_of_number(rest);
    if (begins_text(rest[0])) {
      const std::size_t close = rest.find(rest[0], 1);
      if (close != std::string_view::npos) return close + 1;
      fail(begin_, source_.size(), "the text is not closed",
           rest[0] == '"' ? "a text ends with the quote that it begins with" : "a text ends with a single quote");
      return rest.size();
    }
    for (const std::string_view each : kLongTokens) {
      if (rest.substr(0, 2) == each) return 2;
    }
    return 1;
  }

  static std::size_t length_of_number(std::string_view rest) {
    std::size_t size = 0;
    const auto digits = [&] {
      while (size < rest.size() && is_digit(rest[size])) ++size;
    };
    if (rest.size() > 2 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X')) {
      size = 2;
      while (size < rest.size() && (is_digit(rest[size]) || is_letter(rest[size]))) ++size;
      return size + (size < rest.size() && rest[size] == '.' ? 1 : 0);  // no operator may follow that begins with '.'
    }
    digits();
    if (size + 1 < rest.size() && rest[size] == '.' && is_digit(rest[size + 1])) {
      ++size;
      digits();
    }
    if (size < rest.size() && (rest[size] == 'e' || rest[size] == 'E')) {
      std::size_t after = size + 1;
      if (after < rest.size() && (rest[after] == '+' || rest[after] == '-')) ++after;
      if (after < rest.size() && is_digit(rest[after])) {
        size = after;
        digits();
      }
    }
    return size;
  }

  // ---- Faults. Only the first one counts.

  void fail(std::size_t begin, std::size_t end, std::string message, std::string hint = {}) {
    if (script_.fault) return;
    script_.fault = ScriptFault{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), std::move(message),
                                std::move(hint)};
    token_ = {};
  }
  void fail_here(std::string message, std::string hint = {}) {
    fail(begin_, begin_ + token_.size(), std::move(message), std::move(hint));
  }

  // ---- Expressions

  std::uint32_t add(Expression expression, std::size_t begin) {
    if (script_.expressions.size() == kMaxScriptExpressions) {
      fail(begin, last_end_, "the script is too long: at most 1,000,000 operands and operators");
    }
    expression.begin = static_cast<std::uint32_t>(begin);
    expression.end = static_cast<std::uint32_t>(last_end_);
    script_.expressions.push_back(std::move(expression));
    return static_cast<std::uint32_t>(script_.expressions.size() - 1);
  }

  bool enter() {
    if (++depth_ <= kMaxScriptDepth) return true;
    fail_here("the script is nested too deeply");
    return false;
  }

  std::uint32_t read_expression() {
    if (!enter()) return kNoExpression;
    const std::size_t begin = begin_;
    bool is_choice = false;
    std::uint32_t left = read_choice(&is_choice);
    for (const Binary& each : kAssignments) {
      if (script_.fault || !is(each.token)) continue;
      if (is_choice) {
        fail_here("'a ? b : c' cannot be assigned to", "put the assignment in parentheses: 'a ? b : (c = d)'");
        break;
      }
      next();
      const std::uint32_t right = read_expression();
      if (!script_.fault) left = add({.op = each.op, .a = left, .b = right}, begin);
      break;
    }
    --depth_;
    return left;
  }

  std::uint32_t read_choice(bool* is_choice) {
    const std::size_t begin = begin_;
    const std::uint32_t condition = read_binary(0);
    if (script_.fault || !take("?")) return condition;
    *is_choice = true;
    const std::uint32_t yes = read_expression();
    if (!script_.fault && !take(":")) fail_here("':' is missing", "write 'a ? b : c'");
    if (script_.fault || !enter()) return kNoExpression;
    const std::uint32_t no = read_choice(is_choice);
    --depth_;
    return script_.fault ? kNoExpression : add({.op = Operator::choose, .a = condition, .b = yes, .c = no}, begin);
  }

  std::uint32_t read_binary(std::size_t level) {
    if (level == kLevels.size()) return read_unary();
    const std::size_t begin = begin_;
    const auto read_next = [&] { return level + 1 == kAfterAnd ? read_comparison() : read_binary(level + 1); };
    std::uint32_t left = read_next();
    for (bool is_found = true; is_found && !script_.fault;) {
      is_found = false;
      for (const Binary& each : kLevels[level]) {
        if (!is(each.token)) continue;
        next();
        is_found = true;
        const std::uint32_t right = read_next();
        if (!script_.fault) left = add({.op = each.op, .a = left, .b = right}, begin);
        break;
      }
    }
    return left;
  }

  std::uint32_t read_comparison() {
    const std::size_t begin = begin_;
    const std::uint32_t first = read_binary(kAfterAnd);
    std::vector<Compared> chain;
    while (!script_.fault) {
      const ComparisonToken* found = nullptr;
      for (const ComparisonToken& each : kComparisons) {
        if (is(each.token)) found = &each;
      }
      if (found == nullptr) break;
      next();
      chain.push_back({found->with, read_binary(kAfterAnd)});
    }
    if (script_.fault || chain.empty()) return first;
    const auto place = static_cast<std::uint32_t>(script_.comparisons.size());
    script_.comparisons.insert(script_.comparisons.end(), chain.begin(), chain.end());
    return add({.op = Operator::compare, .a = first, .b = place, .c = static_cast<std::uint32_t>(chain.size())}, begin);
  }

  std::uint32_t read_unary() {
    const std::size_t begin = begin_;
    const Operator op = is("-") ? Operator::negate : is("~") ? Operator::complement : Operator::invert;
    if (is("-") || is("~") || is("!")) {
      if (!enter()) return kNoExpression;
      next();
      const std::uint32_t operand = read_unary();
      --depth_;
      return script_.fault ? kNoExpression : add({.op = op, .a = operand}, begin);
    }
    return read_operand();
  }

  std::uint32_t read_operand() {
    const std::size_t begin = begin_;
    if (take("(")) {
      const std::uint32_t inside = read_expression();
      if (!script_.fault && !take(")")) {
        fail(begin, begin + 1, "the parenthesis is not closed");
      }
      return inside;
    }
    if (is_at_end()) {
      fail(source_.empty() ? 0 : source_.size() - 1, source_.size(), "an operand is missing at the end");
      return kNoExpression;
    }
    const std::string_view token = token_;
    if (is_digit(token[0])) return read_number(token);
    if (begins_text(token[0])) {
      next();
      return add({.op = Operator::text, .text = std::string(token.substr(1, token.size() - 2))}, begin);
    }
    if (begins_name(token[0])) {
      next();
      if (token == "true" || token == "false")
        return add({.op = Operator::number, .number = token == "true" ? 1.0 : 0.0}, begin);
      return add({.op = Operator::name, .text = std::string(token)}, begin);
    }
    if (token[0] == '"') {
      fail_here("a text is written in single quotes since version 4.9", "use 'text' in place of \"text\"");
    } else if (token[0] == ')') {
      fail_here("')' without '(' before it");
    } else {
      fail_here("an operand is missing before " + text::quote(token));
    }
    return kNoExpression;
  }

  std::uint32_t read_number(std::string_view token) {
    const std::size_t begin = begin_;
    Expression number{.op = Operator::number};
    const bool is_hexadecimal = token.size() > 1 && (token[1] == 'x' || token[1] == 'X');
    std::int64_t whole = 0;
    const std::string_view digits = is_hexadecimal ? token.substr(2) : token;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, whole, is_hexadecimal ? 16 : 10);
    const bool is_too_large = error == std::errc::result_out_of_range;
    number.is_whole = (error == std::errc{} || is_too_large) && stop == end;
    constexpr std::int64_t kFirstInexact = std::int64_t{1} << 53;
    if (number.is_whole && (is_too_large || whole >= kFirstInexact))
      number.text = std::to_string(is_too_large ? 0 : whole);
    number.number = is_too_large ? 0 : static_cast<double>(whole);
    if (!number.is_whole) {
      const auto real = std::from_chars(token.data(), token.data() + token.size(), number.number);
      if (is_hexadecimal || real.ec != std::errc{} || real.ptr != token.data() + token.size()) {
        fail_here(text::quote(token) + " is not a number");
        return kNoExpression;
      }
    }
    next();
    if (begin_ == last_end_ && !is_at_end() && begins_name(token_[0])) {
      fail(begin, begin_ + token_.size(),
           text::quote(source_.substr(begin, begin_ + token_.size() - begin)) + " is neither a number nor a name");
      return kNoExpression;
    }
    return add(std::move(number), begin);
  }

  std::string_view source_;
  const bool takes_double_quotes_;
  std::string_view token_;    // the one that is looked at; empty at the end
  std::size_t begin_ = 0;     // of it
  std::size_t last_end_ = 0;  // of the one before
  std::uint32_t depth_ = 0;
  Script script_;
};

}  // namespace

Script parse_script(std::string_view source, bool takes_double_quotes) {
  return Parser(source, takes_double_quotes).parse();
}

}  // namespace espalier::ir::poll
