// The rule table as objects. See rules.h.
#include "rules/rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "rules/assets.h"
#include "rules/btcpp.h"
#include "rules/commands.h"
#include "rules/configuration.h"
#include "rules/decider.h"
#include "rules/dragengine.h"
#include "rules/logs.h"
#include "rules/modular.h"
#include "rules/rule_texts.h"
#include "rules/selection.h"
#include "rules/synchronized.h"
#include "rules/traces.h"
#include "rules/xml.h"

namespace espalier::rules {
namespace {

// The severity words of the table. `lowerable` is an error that espalier.json can make a warning; `off` is a note that
// it has to ask for.
struct Standing {
  Severity unless_configured;
  bool may_be_lowered = false;
  bool is_off = false;
};
namespace standing {
constexpr Standing error{Severity::error};
constexpr Standing lowerable{Severity::error, true};
constexpr Standing warning{Severity::warning};
constexpr Standing note{Severity::note};
constexpr Standing off{Severity::note, false, true};
}  // namespace standing

constexpr std::size_t kCodeSize = 6;

// Empty texts where there is no such folder, which no test passes.
RuleTexts texts_of(std::string_view folder) {
  const std::span<const RuleTexts> all = rule_texts();
  const auto found =
      std::lower_bound(all.begin(), all.end(), folder,
                       [](const RuleTexts& texts, std::string_view name) { return texts.folder < name; });
  if (found == all.end() || found->folder != folder) return {};
  RuleTexts texts = *found;
  if (texts.why.ends_with('\n')) texts.why.remove_suffix(1);
  return texts;
}

// The rows without their texts; a code is the beginning of its folder's name, such as "SEL012-duplicate_variable".
struct Row {
  Rule rule;
  std::string_view folder;
  Standing standing;
  FixGrade fix;
  Scope scope;
  std::string_view since;
  std::string_view summary;
};
// In the order of lists.
// clang-format off
constexpr Row kRows[] = {
#define RULE(prefix, number, name, severity, fix, scope, since, summary) \
  {prefix##_##name, #prefix #number "-" #name, standing::severity, FixGrade::fix, Scope::scope, since, summary},
#include "rules/xml.def"
#include "rules/commands.def"
#include "rules/configuration.def"
#include "rules/selection.def"
#include "rules/modular.def"
#include "rules/dragengine.def"
#include "rules/decider.def"
#include "rules/synchronized.def"
#include "rules/btcpp.def"
#include "rules/assets.def"
#include "rules/traces.def"
#include "rules/logs.def"
#undef RULE
};
// clang-format on
constexpr std::size_t kRuleCount = std::size(kRows);

struct Table {
  std::vector<std::string> folders = std::vector<std::string>(kRuleCount);
  std::vector<RuleInfo> rows = std::vector<RuleInfo>(kRuleCount);
  std::array<std::uint16_t, kRuleLimit> row_of = {};  // 1 + number of a row; 0: no rule

  Table() {
    for (std::size_t i = 0; i < kRuleCount; ++i) {
      const Row& from = kRows[i];
      folders[i] = from.folder;
      std::replace(folders[i].begin(), folders[i].end(), '_', '-');
      const std::string_view folder = folders[i];
      const RuleTexts texts = texts_of(folder);
      rows[i] = {from.rule,
                 folder.substr(0, kCodeSize),
                 folder.substr(kCodeSize + 1),
                 from.standing.unless_configured,
                 from.standing.may_be_lowered,
                 from.standing.is_off,
                 from.fix,
                 from.scope,
                 from.since,
                 from.summary,
                 texts.why,
                 texts.bad,
                 texts.good};
      row_of[index_of(from.rule)] = static_cast<std::uint16_t>(i + 1);
    }
  }
};

const Table& table() {
  static const Table made;
  return made;
}

// Names that rules had before: configurations and suppressions may still use them.
constexpr struct {
  std::string_view name;
  Rule rule;
} kFormerNames[] = {{"looping-root", DRA_restarting_loop}, {"tree-elsewhere", BTC_trees_elsewhere}};

bool equal_any_case(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

}  // namespace

const RuleInfo& info(Rule rule) {
  const Table& all = table();
  return all.rows[all.row_of[index_of(rule)] - 1u];
}

bool is_rule(std::uint32_t value) { return value < kRuleLimit && table().row_of[value] != 0; }

std::span<const RuleInfo> all() { return table().rows; }

Rule find(std::string_view code_or_name) {
  const std::vector<Rule> found = find_all(code_or_name);
  return found.empty() ? kNoRule : found.front();
}

std::vector<Rule> find_all(std::string_view code_or_name) {
  std::vector<Rule> found;
  for (const RuleInfo& row : all()) {
    if (equal_any_case(row.code, code_or_name) || equal_any_case(row.name, code_or_name)) found.push_back(row.rule);
  }
  for (const auto& [name, rule] : kFormerNames) {
    if (equal_any_case(name, code_or_name)) found.push_back(rule);
  }
  return found;
}

std::vector<std::string_view> codes_and_names() {
  std::vector<std::string_view> result;
  for (const RuleInfo& row : all()) result.insert(result.end(), {row.code, row.name});
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());  // dialects share names
  return result;
}

std::string_view default_severity(const RuleInfo& rule) { return rule.is_off ? "off" : severity_name(rule.severity); }

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

std::string_view fix_grade_name(FixGrade grade) {
  switch (grade) {
    case FixGrade::none:
      return "none";
    case FixGrade::safe:
      return "safe";
    case FixGrade::unsafe:
      return "unsafe";
  }
  return "none";
}

}  // namespace espalier::rules
