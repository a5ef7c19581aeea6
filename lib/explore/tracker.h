// The items of a tree that runs can reach, and which of them an update reaches. The same for exploration and for
// replays.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <span>
#include <vector>

#include "explore/results.h"

namespace espalier::explore {

// An agent while something happens to it.
struct Moment {
  const Tree& tree;  // of the agent
  const void* block = nullptr;
  std::vector<std::uint64_t>& marks;              // gets the indices of items that are reached
  std::vector<std::uint64_t>& notes;              // for the tracker's own use; empty before each update
  std::span<const unsigned char> is_marked = {};  // by index, not 0: those that need not be marked again

  void mark(std::uint64_t item) {
    if (item >= is_marked.size() || is_marked[static_cast<std::size_t>(item)] == 0) marks.push_back(item);
  }
};

struct Tracker {
  std::vector<Item> items;                // in the order of the file, none of them reached
  std::vector<std::uint32_t> words = {};  // of their nodes; empty: not known
  // What updates report; may be empty.
  std::function<void(Moment& moment, const NodeStep& step)> node;
  std::function<void(Moment& moment, const DecideStep& step)> decide;
  std::function<void(Moment& moment, const espalier::Step& step)> select;
  // Before a signal of the tree is delivered; and after each update.
  std::function<void(Moment& moment, std::uint32_t signal)> signal;
  std::function<void(Moment& moment)> updated;
};

// The asset must have names and places, and outlive the tracker. Results that
// a node cannot give are among the items, and not possible.
Tracker tracker_of(const Tree& tree, const HostFacts& host);

// Of single engines.
Tracker track_selecting(const Tree& tree);
Tracker track_ticking(const Tree& tree, const HostFacts& host);
Tracker track_rules(const Tree& tree);
Tracker track_deciders(const Tree& tree);
Tracker track_storing(const Tree& tree, const HostFacts& host);
Tracker track_polling(const Tree& tree, const HostFacts& host);

}  // namespace espalier::explore
