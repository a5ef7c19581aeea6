// Timelines of replays. See timeline_recorder.h.
#include "replay/timeline_recorder.h"

#include <algorithm>

#include "replay/names.h"

namespace espalier::replay {
namespace {

Ending ending_of(std::string_view result) {
  if (result == "success") return Ending::success;
  return result == "skipped" ? Ending::skipped : Ending::failure;
}

}  // namespace

Observer TimelineRecorder::observer() {
  Observer observer;
  observer.watches = true;
  observer.gets_nodes = true;
  observer.event = [this](const Event& event) { take_event(event); };
  return observer;
}

void TimelineRecorder::take_event(const Event& event) {
  time_us_ = std::max(time_us_, event.time_us);
  std::uint32_t row = 0;
  switch (event.kind) {
    case EventKind::begin:
      count_update(event.agent);
      ++timeline_.rows[title_of(event.state->tree)].ticked_count;
      ticked_.try_emplace(event.agent);
      return;
    case EventKind::begin_node:
      if (find_row(event, &row)) begin({event.agent, row});
      return;
    case EventKind::complete_node:
      if (find_row(event, &row)) end({event.agent, row}, ending_of(event.value));
      return;
    case EventKind::interrupt_node:
      if (find_row(event, &row)) end({event.agent, row}, Ending::halted);
      return;
    case EventKind::destroy:
      return end_agent(event.agent, Ending::halted);
    default:
      return;
  }
}

void TimelineRecorder::begin(const NodeKey& node) {
  active_.try_emplace(node, time_us_);
  note_ticked(node);
}

// Of rules, what runs is only told when it is done. A node that is halted was not ticked for that.
void TimelineRecorder::end(const NodeKey& node, Ending ending) {
  const auto [active, is_new] = active_.try_emplace(node, time_us_);
  timeline_.add({node.second, node.first, active->second, time_us_, ending});
  active_.erase(active);
  if (ending != Ending::halted) note_ticked(node);
}

void TimelineRecorder::note_ticked(const NodeKey& node) {
  if (const auto ticked = ticked_.find(node.first); ticked != ticked_.end()) ticked->second.insert(node.second);
}

// What happens after an update and before the next one is counted with it.
void TimelineRecorder::count_update(std::uint32_t agent) {
  const auto found = ticked_.find(agent);
  if (found == ticked_.end()) return;
  std::set<std::uint32_t> rows = std::move(found->second);
  ticked_.erase(found);
  for (auto active = active_.lower_bound({agent, 0}); active != active_.end() && active->first.first == agent; ++active)
    rows.insert(active->first.second);
  for (const std::uint32_t row : rows) ++timeline_.rows[row].ticked_count;
}

void TimelineRecorder::end_agent(std::uint32_t agent, Ending ending) {
  count_update(agent);
  for (auto active = active_.lower_bound({agent, 0}); active != active_.end() && active->first.first == agent;) {
    const NodeKey node = (active++)->first;
    end(node, ending);
  }
}

Timeline TimelineRecorder::take() {
  while (!ticked_.empty()) count_update(ticked_.begin()->first);
  while (!active_.empty()) end_agent(active_.begin()->first.first, Ending::running);
  timeline_.whole_us = time_us_;
  return std::move(timeline_);
}

// None: the file does not have the node.
bool TimelineRecorder::find_row(const Event& event, std::uint32_t* row) {
  static_cast<void>(title_of(event.state->tree));
  const std::map<std::uint32_t, std::uint32_t>& rows = rows_[event.node.asset];
  const auto found = rows.find(event.node.word);
  if (found != rows.end()) *row = found->second;
  return found != rows.end();
}

std::uint32_t TimelineRecorder::title_of(const Tree& tree) {
  const auto [known, is_new] = titles_.try_emplace({tree.asset, tree.index}, 0);
  if (is_new) known->second = timeline_.add_tree(tree, rows_[tree.asset]);
  return known->second;
}

}  // namespace espalier::replay
