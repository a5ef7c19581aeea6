// The rule table as objects. See rules.h.
#include "rules/rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "rules/rule_texts.h"

namespace espalier::rules {
namespace {

constexpr std::size_t kRuleCount = static_cast<std::size_t>(Rule::count);

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

const std::array<RuleInfo, kRuleCount>& table() {
  // The names of the rules' folders, such as "SEL012-duplicate-variable".
  static const std::array<std::string, kRuleCount> folders = [] {
    constexpr std::string_view identifiers[] = {
#define RULE(prefix, number, name, severity, fix, since, summary) std::string_view(#prefix #number "-" #name),
#include "rules/rules.def"
#undef RULE
    };
    std::array<std::string, kRuleCount> result;
    for (std::size_t i = 0; i < kRuleCount; ++i) {
      result[i] = identifiers[i];
      std::replace(result[i].begin(), result[i].end(), '_', '-');
    }
    return result;
  }();
  static const std::array<RuleInfo, kRuleCount> rows = [] {
    constexpr std::array<RuleInfo, kRuleCount> without_texts = {{
#define RULE(prefix, number, name, severity, fix, since, summary) \
  RuleInfo{{},                                                    \
           {},                                                    \
           standing::severity.unless_configured,                  \
           standing::severity.may_be_lowered,                     \
           standing::severity.is_off,                             \
           FixGrade::fix,                                         \
           since,                                                 \
           summary,                                               \
           {},                                                    \
           {},                                                    \
           {}},
#include "rules/rules.def"
#undef RULE
    }};
    std::array<RuleInfo, kRuleCount> result = without_texts;
    for (std::size_t i = 0; i < kRuleCount; ++i) {
      const std::string_view folder = folders[i];
      const RuleTexts texts = texts_of(folder);
      RuleInfo& row = result[i];
      row.code = folder.substr(0, kCodeSize);
      row.name = folder.substr(kCodeSize + 1);
      row.why = texts.why;
      row.bad = texts.bad;
      row.good = texts.good;
    }
    return result;
  }();
  return rows;
}

// Names that rules had before: configurations and suppressions may still use them.
constexpr struct {
  std::string_view name;
  Rule rule;
} kFormerNames[] = {{"looping-root", Rule::DRA_restarting_loop}};

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
  for (const auto& [name, rule] : kFormerNames) {
    if (equal_any_case(name, code_or_name)) found.push_back(rule);
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
