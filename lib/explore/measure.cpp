// Watching the replays of given traces. See measure.h.
#include "explore/measure.h"

#include <algorithm>
#include <utility>

#include "replay/names.h"
#include "runtime/asset/view.h"

namespace espalier::explore {

Measure::Measure(const Asset& asset, const ChosenTrees& trees, const HostFacts& host)
    : asset_(asset), cover_of_(tree_count(asset)) {
  for (std::uint32_t i = trees.begin; i < std::min(trees.end, tree_count(asset)); ++i) {
    const Tree of_asset = espalier::tree(asset, i);
    if (!trees.name.empty() && tree_name(of_asset) != trees.name) continue;
    cover_of_[i] = trackers_.size();
    trackers_.push_back(tracker_of(of_asset, host));
    TreeCover& cover = cover_.trees.emplace_back();
    cover.tree = tree_name(of_asset);
    cover.file = replay::file_of(of_asset);
    cover.engine = engine_id_of(of_asset);
    cover.items = trackers_.back().items;
    for (Item& item : cover.items) item.reached = Reached::no;
  }
}

Cover Measure::take() {
  for (TreeCover& tree : cover_.trees) std::erase_if(tree.items, [](const Item& item) { return !item.is_possible; });
  return std::move(cover_);
}

replay::Observer Measure::observe(std::string trace) {
  cover_.traces.push_back({std::move(trace), {}});
  replay::Observer observer;
  observer.watches = true;
  observer.event = [this](const replay::Event& event) { see(event); };
  return observer;
}

void Measure::see(const replay::Event& event) {
  using replay::EventKind;
  if (event.state == nullptr || event.state->tree.asset != &asset_) return;  // of a version that was reloaded
  const Tree& tree = event.state->tree;
  const std::optional<std::size_t> index = cover_of_[tree.index];
  if (!index) return;
  const Tracker& tracker = trackers_[*index];
  Moment moment{tree, event.state->block, marks_, notes_};
  if (event.kind == EventKind::begin) notes_.clear();
  if (event.kind == EventKind::end && tracker.updated) tracker.updated(moment);
  if (event.kind == EventKind::step) {
    if (const auto* step = std::get_if<espalier::Step>(event.step); step != nullptr && tracker.select) {
      tracker.select(moment, *step);
    }
    if (const auto* step = std::get_if<DecideStep>(event.step); step != nullptr && tracker.decide) {
      tracker.decide(moment, *step);
    }
    if (const auto* step = std::get_if<NodeStep>(event.step); step != nullptr && tracker.node) {
      tracker.node(moment, *step);
    }
  }
  std::uint32_t signal = 0;
  if (event.kind == EventKind::signal && tracker.signal && find_signal(tree, event.subject, &signal) == Status::ok) {
    tracker.signal(moment, signal);
  }
  mark(*index);
}

void Measure::mark(std::size_t tree) {
  for (const std::uint64_t index : std::exchange(marks_, {})) {
    if (reached) reached(tree, static_cast<std::size_t>(index));
    Item& item = cover_.trees[tree].items[index];
    if (item.reached == Reached::yes) continue;
    item.reached = Reached::yes;
    item.trace = cover_.traces.size() - 1;
  }
}

}  // namespace espalier::explore
