// A tree without the parts that a question is not about. One node of the program stands for each of these, which gives
// any of the part's results whenever it is asked. What the tree can do, its slice can do too: what no run of the slice
// shows, no run of the tree shows. But a slice can do more, so that its traces are not those of the tree.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "explore/properties.h"
#include "explore/results.h"
#include "runtime/asset/view.h"

namespace espalier::explore {

// What must be as it is in the tree.
struct SliceQuestion {
  std::vector<std::string> texts = {};  // all nodes and entries whose names are in these
  std::set<std::uint32_t> words = {};   // nodes
  bool measures_time = false;
  bool has_free_times = false;  // as Facts have it: then it makes no difference which times pass
  bool keeps_tests = false;     // also all nodes that entries decide
  bool keeps_errors = false;    // also all nodes that may end an update with an error

  // Is it about what has this name? Empty: no.
  bool names(std::string_view name) const;
};

// `asset` is a view of the tree's asset with sections of its own. Neither may be moved.
struct Slice {
  // As the tree is, until parts of it are left out.
  Slice(const Tree& whole, const HostFacts& of_host, std::size_t parts)
      : asset(*whole.asset), tree(whole.index), host(of_host), part_count(parts) {}
  Slice(const Slice&) = delete;
  Tree of_tree() const { return {&asset, tree}; }

  Asset asset = {};
  std::uint32_t tree = 0;
  HostFacts host = {};  // what is known of the tree's, and of the nodes that stand for parts
  std::size_t part_count = 0;
  std::vector<std::vector<std::uint64_t>> sections = {};
};

// Gives the slice a section of its own: a copy of the one that its asset has, with room for so many records more.
unsigned char* own_section(Slice& slice, layout::SectionId id, std::uint32_t more);
// The same, of a section whose records are as this version has them.
template <typename Record>
Record* own_records(Slice& slice, layout::SectionId id, std::uint32_t more) {
  return reinterpret_cast<Record*>(own_section(slice, id, more));
}

// Can nodes that stand for parts be behaviours? Those with times or memory have sections beside that of their names.
bool may_add_behaviors(const Asset& asset);
// What the node that stands for a part is called, as no node of a file is.
std::string name_of_part(std::uint32_t part);
// Gives the slice the records and the names of the nodes that stand for its parts, in a section of actions or of
// conditions. Returns the number of the first.
std::uint32_t add_parts(Slice& slice, layout::SectionId id);

// Null: the engine makes none, or there is nothing to leave out.
std::unique_ptr<const Slice> slice_of(const Tree& tree, const SliceQuestion& question, const HostFacts& host);

// Null: the property may be about any part of a tree.
std::unique_ptr<const Slice> slice_of(const Tree& tree, const Property& property, const HostFacts& host,
                                      bool keeps_tests, bool has_free_times = false);

}  // namespace espalier::explore
