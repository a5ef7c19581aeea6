// Timelines of logs. See intervals.h.
#include "live/intervals.h"

#include <algorithm>
#include <map>
#include <optional>

namespace espalier::live {
namespace {

constexpr std::uint64_t kOwnHalt_us = 1000;  // from when a node halts itself until it is done

std::uint32_t node_of(const LoggedTree& tree, const Log& log, const Change& change) {
  if (change.uid != 0) return std::min<std::uint32_t>(change.uid - 1u, static_cast<std::uint32_t>(tree.nodes().size()));
  std::uint32_t node = 0;
  while (node < tree.nodes().size() && !tree.is_of(change, log, node)) ++node;
  return node;
}

struct Interval {
  std::uint32_t node = 0;      // its number
  std::uint64_t begin_us = 0;  // since the log's first change
  std::uint64_t end_us = 0;    // the same time: it was done at once
  Status end = Status::idle;   // its result; idle: it was halted; running: the log ends
};

// In the order in which they begin, outer ones first.
std::vector<Interval> intervals_of(const LoggedTree& tree, const Log& log) {
  std::vector<Interval> intervals;
  std::vector<std::optional<std::size_t>> running(tree.nodes().size());
  std::vector<std::optional<std::size_t>> lasts(tree.nodes().size());
  std::uint64_t now_us = 0;
  for (const Change& change : log.changes) {
    now_us = std::max(now_us,
                      static_cast<std::uint64_t>(std::max<std::int64_t>(0, change.at_us - log.changes.front().at_us)));
    const std::uint32_t node = node_of(tree, log, change);
    if (node == tree.nodes().size()) continue;
    if (running[node]) {
      intervals[*running[node]].end_us = now_us;
      intervals[*running[node]].end = change.status;
      running[node].reset();
      continue;
    }
    if (change.status == Status::idle) continue;
    Interval* const last = lasts[node] ? &intervals[*lasts[node]] : nullptr;
    if (tree.nodes()[node].halts_itself && last != nullptr && last->end == Status::idle &&
        change.status != Status::running && now_us - last->end_us < kOwnHalt_us) {
      last->end = change.status;
      continue;
    }
    lasts[node] = intervals.size();
    if (change.status == Status::running) running[node] = intervals.size();
    intervals.push_back({node, now_us, now_us, change.status});
  }
  for (const std::optional<std::size_t>& each : running) {
    if (each) intervals[*each].end_us = now_us;
  }
  std::stable_sort(intervals.begin(), intervals.end(),
                   [](const Interval& a, const Interval& b) { return a.begin_us < b.begin_us; });
  return intervals;
}

replay::Ending ending_of(Status status) {
  switch (status) {
    case Status::success:
      return replay::Ending::success;
    case Status::failure:
      return replay::Ending::failure;
    case Status::running:
      return replay::Ending::running;
    case Status::idle:
      break;
  }
  return replay::Ending::halted;
}

}  // namespace

replay::Timeline timeline_of(const LoggedTree& tree, const Log& log, bool keeps_runs) {
  replay::Timeline timeline;
  timeline.keeps_runs = keeps_runs;
  if (!log.changes.empty()) timeline.begin_us = static_cast<std::uint64_t>(log.changes.front().at_us);
  std::map<std::uint32_t, std::uint32_t> rows;
  static_cast<void>(timeline.add_tree(tree.tree(), rows));
  for (const Interval& interval : intervals_of(tree, log)) {
    const auto row = rows.find(tree.nodes()[interval.node].word);
    if (row == rows.end()) continue;
    timeline.add({row->second, 0, interval.begin_us, interval.end_us, ending_of(interval.end)});
  }
  return timeline;
}

}  // namespace espalier::live
