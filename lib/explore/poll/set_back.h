// Entries that a tree that polls sets and sets back by itself, as a flag or a lock: "true" and "false", or 1 and 0.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "explore/world.h"

namespace espalier::explore {

struct SetBackEntry {
  std::uint32_t entry = 0;
  std::string name = {};     // as in `variables` of a trace: "busy", "PATH/busy"
  EntryValue value = {};     // that it is set to
  std::uint32_t part = 0;    // the word of the lowest node that has all that write the entry
  std::uint32_t setter = 0;  // the word of the first node that sets it
};

// Those of which everything that writes them is known: scripts and SetBlackboard nodes, with these values alone.
std::vector<SetBackEntry> find_set_back(const Tree& tree);

// Does the entry have the value that it is set to? Of an agent's block.
bool is_set(const Tree& tree, const void* block, const SetBackEntry& entry);
// Does the node at this word run?
bool runs(const Tree& tree, const void* block, std::uint32_t word);

}  // namespace espalier::explore
