// The rule table as objects. See rules.h.
#include "rules/rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace espalier::rules {
namespace {

constexpr std::size_t kRuleCount = static_cast<std::size_t>(Rule::count);

// The severity words of the table. `lowerable` is an error that espalier.json can make a warning.
struct Standing {
  Severity unless_configured;
  bool may_be_lowered = false;
};
namespace standing {
constexpr Standing error{Severity::error};
constexpr Standing lowerable{Severity::error, true};
constexpr Standing warning{Severity::warning};
constexpr Standing note{Severity::note};
}  // namespace standing

// Names are written as identifiers in the table; this gives each its '-' form, once.
const std::array<RuleInfo, kRuleCount>& table() {
  static const std::array<std::string, kRuleCount> names = [] {
    std::array<std::string, kRuleCount> result = {
#define RULE(prefix, number, name, severity, summary, why, bad, good) #name,
#include "rules/rules.def"
#undef RULE
    };
    for (std::string& name : result) {
      for (char& c : name) c = c == '_' ? '-' : c;
    }
    return result;
  }();
  static const std::array<RuleInfo, kRuleCount> rows = [] {
    std::array<RuleInfo, kRuleCount> result = {{
#define RULE(prefix, number, name, severity, summary, why, bad, good) \
  RuleInfo{#prefix #number,                                           \
           {},                                                        \
           standing::severity.unless_configured,                      \
           standing::severity.may_be_lowered,                         \
           summary,                                                   \
           why,                                                       \
           bad,                                                       \
           good},
#include "rules/rules.def"
#undef RULE
    }};
    for (std::size_t i = 0; i < kRuleCount; ++i) result[i].name = names[i];
    return result;
  }();
  return rows;
}

bool equal_any_case(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

}  // namespace

const RuleInfo& info(Rule rule) { return table()[static_cast<std::size_t>(rule)]; }

std::span<const RuleInfo> all() { return table(); }

Rule find(std::string_view code_or_name) {
  const std::vector<Rule> found = find_all(code_or_name);
  return found.empty() ? Rule::count : found.front();
}

std::vector<Rule> find_all(std::string_view code_or_name) {
  std::vector<Rule> found;
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const RuleInfo& row = table()[i];
    if (equal_any_case(row.code, code_or_name) || equal_any_case(row.name, code_or_name)) {
      found.push_back(static_cast<Rule>(i));
    }
  }
  return found;
}

std::vector<std::string_view> codes_and_names() {
  std::vector<std::string_view> result;
  for (const RuleInfo& row : table()) result.insert(result.end(), {row.code, row.name});
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());  // dialects share names
  return result;
}

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "error";
}

std::string_view example_file(Rule rule) {
  const std::string_view prefix = info(rule).code.substr(0, 3);
  if (prefix == "CFG") return "espalier.json";
  if (prefix == "AST") return "tree.espb";
  return prefix == "TRC" ? "tree.trace.jsonl" : "tree.xml";
}

}  // namespace espalier::rules
