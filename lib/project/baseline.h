// Baselines: files of findings that a project has accepted, so that only new ones count. Line numbers are not part of
// it, so that editing a file does not bring old findings back.
#pragma once
#include <string>

#include "text/finding.h"
#include "text/source.h"

namespace espalier::project {

// The findings as a baseline that is to lie at `baseline_path`: files are named relative to its folder. One finding a
// line, sorted.
std::string write_baseline(const text::Findings& findings, const text::Sources& sources,
                           const std::string& baseline_path);

// Takes the findings that the baseline `bytes` accepts out of `findings`: of equal ones as many as it counts, the first
// in order. `stale_count`: how many it accepts that are not there any more. False: it is no baseline, and `error` says
// why.
[[nodiscard]] bool apply_baseline(const std::string& bytes, const std::string& baseline_path,
                                  const text::Sources& sources, text::Findings& findings, std::size_t& stale_count,
                                  std::string& error);

}  // namespace espalier::project
