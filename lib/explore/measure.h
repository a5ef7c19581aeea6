// What given traces reach: watches their replays.
#pragma once
#include <espalier/espalier.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "explore/results.h"
#include "explore/tracker.h"
#include "replay/names.h"
#include "replay/replay.h"

namespace espalier::explore {

class Measure {
 public:
  // Of these trees. The items are those of cover() with these facts. The asset must have names and places, and outlive
  // the measure.
  Measure(const Asset& asset, const ChosenTrees& trees, const HostFacts& host);

  // Watches the replay of one more trace, whose file has this name. Valid as long as the measure.
  replay::Observer observe(std::string trace);
  // Called for each item that a trace reaches, each time: the number of its tree in the cover, and its own among those
  // of the tracker.
  std::function<void(std::size_t tree, std::size_t item)> reached;
  // As far as it is measured, with all items of the trackers.
  const std::vector<TreeCover>& trees() const { return cover_.trees; }
  // An item that several traces reach has the first one.
  Cover take();

 private:
  void see(const replay::Event& event);
  void mark(std::size_t tree);

  const Asset& asset_;
  Cover cover_;
  std::vector<Tracker> trackers_;                     // of the trees of the cover
  std::vector<std::optional<std::size_t>> cover_of_;  // by index of the tree in the asset
  std::vector<std::uint64_t> marks_;
  std::vector<std::uint64_t> notes_;
};

}  // namespace espalier::explore
