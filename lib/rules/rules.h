// The rule table: every finding that espalier can make, once. Codes are never given to another rule.
// `explain`, the documentation, machine-readable reports and the tests are made from it. Rows are in rules.def; what is
// longer than a line is in the folder CODE-name beside it.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace espalier::rules {

enum class Severity : std::uint8_t { error, warning, note };

enum class FixGrade : std::uint8_t {
  none,
  safe,    // the meaning of the file to the engine stays, or it is clear what a file with an error should have meant
  unsafe,  // what a tree does may change: a person has to look at it
};

enum class Rule : std::uint16_t {
#define RULE(prefix, number, name, severity, fix, since, summary) prefix##_##name,
#include "rules/rules.def"
#undef RULE
  count
};

// A file of an example.
struct ExampleFile {
  std::string_view path;  // in the example's folder: "tree.xml"
  std::string_view text;  // any bytes: some are no UTF-8 on purpose
};

struct RuleInfo {
  std::string_view code;     // "SEL012"
  std::string_view name;     // "duplicate-variable"
  Severity severity;         // unless configured
  bool may_be_lowered;       // an error that espalier.json can make a warning, as the tree has a meaning all the same
  bool is_off;               // reported only if espalier.json gives it a severity
  FixGrade fix;              // the least safe grade of the fixes that its findings carry
  std::string_view since;    // "1.0"
  std::string_view summary;  // one line
  std::string_view why;      // why it matters, and what to do: a paragraph a line
  std::span<const ExampleFile> bad;   // a whole project that gives exactly this finding
  std::span<const ExampleFile> good;  // the same, mended: gives none
};

const RuleInfo& info(Rule rule);
std::span<const RuleInfo> all();
// By code or by name, in any case; Rule::count when there is none. A name that several dialects share gives the first.
Rule find(std::string_view code_or_name);
// The same, but all rules that share the name, in the order of the table.
std::vector<Rule> find_all(std::string_view code_or_name);
// What find() knows: every code, every name. For hints.
std::vector<std::string_view> codes_and_names();
std::string_view severity_name(Severity severity);  // "error", "warning", "note"
// The same for a rule without configuration; "off" if it is not reported.
std::string_view default_severity(const RuleInfo& rule);
std::string_view fix_grade_name(FixGrade grade);  // "none", "safe", "unsafe"

}  // namespace espalier::rules
