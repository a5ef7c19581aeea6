// Severities. See severities.h.
#include "project/severities.h"

#include <algorithm>
#include <map>

#include "rules/rules.h"

namespace espalier::project {
namespace {

using text::Finding;

// The configuration of each rule.
struct Table {
  struct Entry {
    bool is_set = false;
    std::optional<rules::Severity> severity;  // none: off
  };
  std::vector<Entry> entries = std::vector<Entry>(rules::kRuleLimit);

  explicit Table(const Severities& severities) {
    for (const auto& [rule, severity] : severities) entries[rules::index_of(rule)] = {true, severity};
  }
  const Entry& operator[](text::Rule rule) const { return entries[rules::index_of(rule)]; }
};

// The overrides that apply to a file, the last one first.
class Overrides {
 public:
  Overrides(const std::vector<Override>& overrides, const std::vector<std::string>& paths_below)
      : overrides_(overrides), paths_below_(paths_below) {
    for (const Override& each : overrides) tables_.emplace_back(each.severities);
  }

  const std::vector<const Table*>& of(text::FileId file) {
    const auto [entry, is_new] = of_file_.try_emplace(file);
    const std::string& below = paths_below_[file];
    if (!is_new || below.empty()) return entry->second;
    for (std::size_t i = overrides_.size(); i-- > 0;) {
      if (overrides_[i].paths.contain(below, false)) entry->second.push_back(&tables_[i]);
    }
    return entry->second;
  }

 private:
  const std::vector<Override>& overrides_;
  const std::vector<std::string>& paths_below_;
  std::vector<Table> tables_;
  std::map<text::FileId, std::vector<const Table*>> of_file_;
};

}  // namespace

void set_severities_of_rules(const std::vector<text::Rule>& lowered, text::Findings& findings) {
  for (Finding& finding : findings.all()) {
    const bool is_lowered = std::find(lowered.begin(), lowered.end(), finding.rule) != lowered.end();
    finding.severity = is_lowered ? rules::Severity::warning : rules::info(finding.rule).severity;
  }
}

void apply_severities(const Configuration& configuration, const std::vector<std::string>& paths_below,
                      text::Findings& findings) {
  const Table common(configuration.severities);
  Overrides overrides(configuration.overrides, paths_below);
  const auto is_off = [&](Finding& finding) {
    Table::Entry entry = common[finding.rule];
    for (const Table* table : overrides.of(finding.span.file)) {
      if (!(*table)[finding.rule].is_set) continue;
      entry = (*table)[finding.rule];
      break;
    }
    if (!entry.is_set) return rules::info(finding.rule).is_off;
    if (entry.severity) finding.severity = *entry.severity;
    return !entry.severity;
  };
  std::vector<Finding> kept;
  for (Finding& finding : findings.all()) {
    if (!is_off(finding)) kept.push_back(std::move(finding));
  }
  findings.all() = std::move(kept);
}

}  // namespace espalier::project
