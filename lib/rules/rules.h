// The rule table: every finding that espalier can make, once. Codes are never given to another rule.
// `explain`, the documentation, machine-readable reports and the tests are made from it. Rows are in rules_*.def.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace espalier::rules {

enum class Severity : std::uint8_t { error, warning, note };

enum class Rule : std::uint16_t {
#define RULE(prefix, number, name, severity, summary, why, bad, good) prefix##_##name,
#include "rules/rules.def"
#undef RULE
  count
};

struct RuleInfo {
  std::string_view code;     // "SEL012"
  std::string_view name;     // "duplicate-variable"
  Severity severity;         // unless configured
  bool may_be_lowered;       // an error that espalier.json can make a warning: the tree has a meaning all the same
  std::string_view summary;  // one line
  std::string_view why;      // why it matters, and what to do
  std::string_view bad;      // a whole file that gives exactly this finding (see example_file)
  std::string_view good;     // the same, mended: gives nothing
};

const RuleInfo& info(Rule rule);
std::span<const RuleInfo> all();
// By code or by name, without case; Rule::count when there is none. A name that several dialects share gives the first.
Rule find(std::string_view code_or_name);
// The same, but all rules that share the name, in the order of the table.
std::vector<Rule> find_all(std::string_view code_or_name);
// What find() knows: every code, every name. For hints.
std::vector<std::string_view> codes_and_names();
std::string_view severity_name(Severity severity);  // "error", "warning", "note"
// The name of the file that a rule's examples stand for: "tree.xml", "espalier.json", ... by its prefix.
std::string_view example_file(Rule rule);

}  // namespace espalier::rules
