// The rule table: every finding that espalier can make, once. Codes are never given to another rule.
// `explain`, the documentation, machine-readable reports and the tests are made from it. Rows are in a .def for each
// prefix; what is longer than a line is in the folder CODE-name beside it.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rules/rule.h"

namespace espalier::rules {

// What a finding depends on, from which follows which edits can change it.
enum class Scope : std::uint8_t {
  file,     // on what its own file is connected with
  names,    // it ends when any other file declares, or sends, the name
  project,  // there is one for all files that it is about
};

// A file of an example.
struct ExampleFile {
  std::string_view path;  // in the example's folder: "tree.xml"
  std::string_view text;  // any bytes: some are no UTF-8 on purpose
};

struct RuleInfo {
  Rule rule;
  std::string_view code;  // "SEL012"
  std::string_view name;  // "duplicate-variable"
  Severity severity;      // unless configured
  bool may_be_lowered;    // an error that espalier.json can make a warning, as the tree has a meaning all the same
  bool is_off;            // reported only if espalier.json gives it a severity
  FixGrade fix;           // the least safe grade of the fixes that its findings carry
  Scope scope;
  std::string_view since;             // "1.0"
  std::string_view summary;           // one line
  std::string_view why;               // why it matters, and what to do: a paragraph a line
  std::span<const ExampleFile> bad;   // a whole project that gives exactly this finding
  std::span<const ExampleFile> good;  // the same, mended: gives none
};

const RuleInfo& info(Rule rule);
bool is_rule(std::uint32_t value);
std::span<const RuleInfo> all();
// By code or by name, in any case; kNoRule when there is none. A name that several dialects share gives the first.
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
