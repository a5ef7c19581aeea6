// When which node of a log ran, and with which result: what a profile and a timeline are made from. Nothing is inferred
// for it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "live/formats/log.h"
#include "live/logged_tree.h"

namespace espalier::live {

struct Interval {
  std::uint32_t node = 0;      // its number
  std::uint64_t begin_us = 0;  // since the log's first change
  std::uint64_t end_us = 0;    // the same time: it was done at once
  Status end = Status::idle;   // its result; idle: it was halted; running: the log ends
};

// In the order in which they begin, outer ones first.
[[nodiscard]] std::vector<Interval> intervals_of(const LoggedTree& tree, const Log& log);

// A table for people: a line a node that was active, in the order of the tree.
[[nodiscard]] std::string profile_of(const LoggedTree& tree, const Log& log);
// The same of two logs, side by side: nodes are the same if they are at the same path from the root. Those that only
// the second one has come last.
struct Profiled {
  const LoggedTree& tree;
  const Log& log;
};
[[nodiscard]] std::string compared_profiles(const Profiled& first, const Profiled& second);
// Trace events as Chrome and Perfetto read them, in a list of JSON: a slice a time that a node ran.
[[nodiscard]] std::string chrome_of(const LoggedTree& tree, const Log& log);

}  // namespace espalier::live
