// Expressions whose value can be read from the source. See values.h.
#include "cpp/values.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

namespace espalier::cpp {
namespace {

constexpr int kMaxConstants = 16;  // that mean one another

// "1.5f", "10u", "0x1F", "1'000": as a decimal number. Nothing: it is none.
std::optional<std::string> plain_number(std::string_view written) {
  std::string digits;
  std::copy_if(written.begin(), written.end(), std::back_inserter(digits), [](char c) { return c != '\''; });
  const bool is_hex = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  const std::string_view suffixes = is_hex ? "uUlL" : "uUlLfF";
  while (!digits.empty() && suffixes.find(digits.back()) != std::string_view::npos) digits.pop_back();
  if (is_hex || (digits.size() > 1 && digits[0] == '0' && digits.find_first_not_of("01234567") == std::string::npos)) {
    std::uint64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data() + (is_hex ? 2 : 1), end, number, is_hex ? 16 : 8);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return std::to_string(number);
  }
  if (digits.empty() || digits.find_first_not_of("0123456789.eE+-") != std::string::npos) return std::nullopt;
  if (digits.front() == '.') digits.insert(0, 1, '0');
  if (digits.back() == '.') digits += '0';
  return digits;
}

std::optional<std::string> literal_at(const Unit& unit, Range expression) {
  std::string text;
  for (std::uint32_t at = expression.begin; at < expression.end; ++at) {
    if (!unit[at].is_text() && !(unit[at].is("s") && at > expression.begin)) return std::nullopt;
    if (unit[at].is_text()) text += value_of(unit[at]);
  }
  return text;
}

std::optional<std::string> number_at(const Unit& unit, Range expression) {
  const bool is_negative = unit[expression.begin].is("-");
  const std::uint32_t at = expression.begin + (is_negative ? 1 : 0);
  if (expression.end != at + 1) return std::nullopt;
  const Token& token = unit[at];
  if (token.is("true") || token.is("false")) return std::string(token.written);
  if (token.kind != TokenKind::number) return std::nullopt;
  const std::optional<std::string> number = plain_number(token.written);
  return number ? std::optional((is_negative ? "-" : "") + *number) : std::nullopt;
}

// `is_text`: numbers are none.
std::optional<std::string> read(const Program& program, const Context& context, Range body, Range expression,
                                bool is_text, int depth) {
  const Unit& unit = *context.unit;
  const Range inside = bare(unit, expression);
  if (inside.is_empty() || depth > kMaxConstants) return std::nullopt;
  if (unit[inside.begin].is_text()) return literal_at(unit, inside);
  if (!is_text) {
    if (const auto number = number_at(unit, inside)) return number;
  }
  std::uint32_t end = inside.begin;
  const std::string path = read_path(unit, end, inside.end);
  if (path.empty() || end != inside.end) return std::nullopt;
  if (const auto local = local_constant(unit, {body.begin, inside.begin}, path)) {
    return read(program, context, {body.begin, local->begin}, *local, is_text, depth + 1);
  }
  if (const Macro* const macro = program.find_macro(path)) {
    if (macro->body.size() == 1 && macro->body.front().is_text()) return value_of(macro->body.front());
    return std::nullopt;
  }
  const auto constant = program.find_constant(context, path);
  if (!constant) return std::nullopt;
  return read(program, {constant->unit, context.scope, {}}, {}, constant->value, is_text, depth + 1);
}

}  // namespace

Range bare(const Unit& unit, Range expression) {
  for (;;) {
    if (expression.is_empty()) return expression;
    std::uint32_t open = expression.begin;
    const std::string path = read_path(unit, open, expression.end);
    const bool is_plain = path.empty() || path == "std::string" || path == "string" || path == "std::move" ||
                          path == "std::string_view" || path == "BT::StringView";
    if (!is_plain || open >= expression.end) return expression;
    const bool is_around = unit[open].is("(") || (unit[open].is("{") && !path.empty());
    if (!is_around || skip_brackets(unit, open, expression.end) != expression.end) return expression;
    expression = {open + 1, expression.end - 1};
  }
}

std::optional<Range> local_constant(const Unit& unit, Range body, std::string_view name) {
  for (std::uint32_t at = body.end; at > body.begin + 1; --at) {
    if (!unit[at - 1].is(name) || at >= body.end) continue;
    std::uint32_t value = at;
    if (unit[value].is("[")) value = skip_brackets(unit, value, body.end);
    if (value + 1 >= body.end || !unit[value].is("=")) continue;
    std::uint32_t begin = at - 1;
    bool is_constant = false;
    while (begin > body.begin && !unit[begin - 1].is(";") && !unit[begin - 1].is("{") && !unit[begin - 1].is("}")) {
      --begin;
      is_constant = is_constant || unit[begin].is("const") || unit[begin].is("constexpr");
    }
    if (!is_constant) return std::nullopt;
    std::uint32_t end = value + 1;
    while (end < body.end && !unit[end].is(";")) ++end;
    return Range{value + 1, end};
  }
  return std::nullopt;
}

std::optional<std::string> text_at(const Program& program, const Context& context, Range body, Range expression) {
  return read(program, context, body, expression, true, 0);
}

std::optional<std::string> value_at(const Program& program, const Context& context, Range body, Range expression) {
  return read(program, context, body, expression, false, 0);
}

}  // namespace espalier::cpp
