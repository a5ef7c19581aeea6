// Baselines: files of findings that a project has accepted, so that only new ones count. A finding is known by its
// rule, its file and the text that stands at its place: neither by its line number, so that editing a file does not
// bring old findings back, nor by its message, so that a newer version of espalier does not either.
#pragma once
#include <cstdint>
#include <set>
#include <string>

#include "text/finding.h"
#include "text/source.h"

namespace espalier::project {

// What a baseline came to.
struct BaselineResult {
  std::uint32_t accepted = 0;  // findings that it takes out
  std::uint32_t stale = 0;     // findings that it accepts and that are not there any more
};

// The findings as a baseline that is to lie at `baseline_path`: files are named relative to its folder. One finding a
// line, sorted.
std::string write_baseline(const text::Findings& findings, const text::Sources& sources,
                           const std::string& baseline_path);

// Takes the findings that the baseline `bytes` accepts out of `findings`: of equal ones as many as it counts, the first
// in order. What it accepts in the files `rest`, whose findings are not looked at, is not stale. False: it is no
// baseline, and `error` says why.
[[nodiscard]] bool apply_baseline(const std::string& bytes, const std::string& baseline_path,
                                  const text::Sources& sources, const std::set<text::FileId>& rest,
                                  text::Findings& findings, BaselineResult& result, std::string& error);

}  // namespace espalier::project
