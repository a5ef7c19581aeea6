// Baselines: files of findings that a project has accepted, so that only new ones count. A finding is identified by its
// rule, its file and the text at its place. Its line number is not used, so editing a file does not bring old findings
// back; its message is not used either, so a newer version of espalier does not.
#pragma once
#include <cstdint>
#include <set>
#include <string>

#include "project/configuration.h"
#include "text/finding.h"
#include "text/source.h"

namespace espalier::project {

// The effect of a baseline.
struct BaselineResult {
  std::uint32_t accepted = 0;  // findings that it removed
  std::uint32_t stale = 0;     // findings that it accepts and that no longer exist
};

// The path of the baseline that the configuration names; empty: it names none.
[[nodiscard]] std::string baseline_of(const Configuration& configuration);

// The findings as the text of a baseline at `baseline_path`: files are named relative to its folder. One finding a
// line, sorted.
std::string write_baseline(const text::Findings& findings, const text::Sources& sources,
                           const std::string& baseline_path);

// Removes the findings that the baseline `bytes` accepts from `findings`; of equal ones the first, up to the number in
// the baseline. Accepted findings in the files `rest`, whose findings are not reported, are not stale. False: `bytes`
// is not a baseline, and `error` says why.
[[nodiscard]] bool apply_baseline(const std::string& bytes, const std::string& baseline_path,
                                  const text::Sources& sources, const std::set<text::FileId>& rest,
                                  text::Findings& findings, BaselineResult& result, std::string& error);

}  // namespace espalier::project
