// Inputs that a node does without. See optional_ports.h.
#include "cpp/optional_ports.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "text/names.h"

namespace espalier::cpp {
namespace {

bool is_at(const Unit& unit, std::uint32_t at, Range body, std::string_view token) {
  return at < body.end && unit[at].is(token);
}

// Behind the statement or block at `at`, if nothing in it leaves the function; else nothing.
std::optional<std::uint32_t> end_without_return(const Unit& unit, std::uint32_t at, Range body) {
  const bool is_block = is_at(unit, at, body, "{");
  std::uint32_t end = is_block ? skip_brackets(unit, at, body.end) : at;
  while (!is_block && end < body.end && !unit[end].is(";")) ++end;
  end += is_block || end == body.end ? 0 : 1;
  for (; at < end; ++at) {
    if (unit[at].is("return") || unit[at].is("throw")) return std::nullopt;
  }
  return end;
}

// Is the condition that ends before `at` that of an "if" without an "else", which only goes on with a value?
bool is_only_used(const Unit& unit, std::uint32_t at, Range body) {
  if (!is_at(unit, at, body, ")")) return false;
  const std::optional<std::uint32_t> end = end_without_return(unit, at + 1, body);
  return end && !is_at(unit, *end, body, "else");
}

bool begins_condition(const Unit& unit, std::uint32_t at, Range body) {
  return at >= body.begin + 2 && unit[at - 1].is("(") && unit[at - 2].is("if");
}

// "value" of "auto value = getInput...;", whose getInput is at `at`.
std::string_view variable_of(const Unit& unit, std::uint32_t at, std::uint32_t end, Range body) {
  const bool is_kept = at >= body.begin + 2 && unit[at - 1].is("=") && unit[at - 2].kind == TokenKind::name;
  return is_kept && is_at(unit, end, body, ";") ? unit[at - 2].written : std::string_view();
}

// Is the variable, from `at` on, asked first of all whether it has a value?
bool is_asked_first(const Unit& unit, std::uint32_t at, std::string_view variable, Range body) {
  while (at < body.end && !unit[at].is(variable)) ++at;
  if (at == body.end) return false;
  if (is_at(unit, at + 1, body, ".") && is_at(unit, at + 2, body, "value_or")) return true;
  if (!begins_condition(unit, at, body)) return false;
  const bool has_call = is_at(unit, at + 1, body, ".") && is_at(unit, at + 2, body, "has_value");
  return is_only_used(unit, has_call ? at + 5 : at + 1, body);
}

void find_asked(const Unit& unit, Range body, std::set<std::string, std::less<>>& names) {
  for (std::uint32_t at = body.begin; at < body.end; ++at) {
    if (!unit[at].is("getInput")) continue;
    std::uint32_t open = at + 1;
    if (is_at(unit, open, body, "<")) open = skip_brackets(unit, open, body.end);
    if (!is_at(unit, open, body, "(") || open + 1 >= body.end || !unit[open + 1].is_text()) continue;
    const std::uint32_t end = skip_brackets(unit, open, body.end);
    const bool has_other = is_at(unit, end, body, ".") && is_at(unit, end + 1, body, "value_or");
    const bool is_condition = begins_condition(unit, at, body) && is_only_used(unit, end, body);
    const std::string_view variable = variable_of(unit, at, end, body);
    const bool is_asked = !variable.empty() && is_asked_first(unit, end, variable, body);
    if (has_other || is_condition || is_asked) names.insert(value_of(unit[open + 1]));
  }
}

using Names = std::set<std::string, std::less<>>;

constexpr int kMostBases = 16;  // one above the other

void find_asked(const Program& program, const std::deque<Unit>& units, const UsedClass& of, int level, Names& names) {
  const std::string_view name = of.found.definition->name;
  for (const Unit& unit : units) {
    for (const Function& function : unit.functions) {
      const std::string_view full = function.name;
      if (full.size() > name.size() && full.starts_with(name) && full.substr(name.size(), 2) == "::")
        find_asked(unit, function.body, names);
    }
  }
  for (const Base& base : bases_of(program, of)) {
    if (base.own && level < kMostBases) find_asked(program, units, *base.own, level + 1, names);
  }
}

}  // namespace

void make_optional(const Program& program, const std::deque<Unit>& units, const UsedClass& of,
                   std::vector<Port>& ports) {
  Names asked;
  find_asked(program, units, of, 0, asked);
  for (Port& port : ports) {
    const bool is_documented = text::lower_case(port.doc).find("optional") != std::string::npos;
    if (port.direction == Direction::input && (is_documented || asked.count(port.name) != 0)) port.has_default = true;
  }
}

}  // namespace espalier::cpp
