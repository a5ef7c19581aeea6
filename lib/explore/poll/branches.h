// Children of nodes that tick all of them in each update, as Parallel does, and the bytes that are theirs alone or that
// they share with others by entries. See BranchRow in engine.h.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "explore/engine.h"
#include "explore/poll/uses.h"
#include "runtime/poll/tree.h"

namespace espalier::explore {

class PollBranches {
 public:
  struct Branch {
    const std::uint32_t* root = nullptr;
    Places places = {};
    std::vector<const std::uint32_t*> asking = {};  // nodes
  };

  explicit PollBranches(const PollUses& uses);

  std::uint32_t branch_of(std::uint32_t word) const;
  const Branch* branch(std::uint32_t number) const { return number < branches_.size() ? &branches_[number] : nullptr; }
  // See BranchRow. `visits`: as PollVisit.
  std::optional<Places> places_of(const Visits& visits, const unsigned char* before, const unsigned char* after) const;
  // Is the value of one of these entries a text? What it is stands elsewhere in the block.
  bool holds_text(const std::vector<std::uint32_t>& entries, const unsigned char* block) const;
  // Are entries told by their values and types alone?
  bool has_plain_entries() const { return has_plain_entries_; }
  // Has the tree nothing that keeps more than its nodes and entries tell?
  bool is_plain() const { return has_plain_entries_ && tree_.record.timer_count == 0; }
  // Of an entry, if has_plain_entries().
  const Places* entry(std::uint32_t number) const { return &entries_[number]; }
  // What is zero after a halt, if PollUses::halts_quietly().
  const Places& cleared() const { return cleared_; }

 private:
  // What of a block is meant.
  class Mask;
  void find_cleared(const PollUses& uses);
  void add_below(const std::uint32_t* node);
  void add(const std::uint32_t* root);
  bool is_known(const std::uint32_t* node) const;
  bool may_be_in_branch(const std::uint32_t* node) const;
  void add_entries(const std::uint32_t* node, Mask& mask) const;
  void add_script(std::uint32_t script, Mask& mask) const;
  void add_key(std::uint32_t key, Mask& mask) const;

  const PollTreeView& tree_;
  const bool has_plain_entries_;
  Places cleared_;
  std::vector<Places> entries_;
  std::vector<Branch> branches_;
  std::vector<std::uint32_t> numbers_;  // 1 + that of the branch, by number of a node; 0: none
};

// Are the entries all that there is of the blackboards, and is none a text?
bool has_plain_entries(const Side& side);
// EngineRow::entry_places.
const Places* places_of_polled_entry(const Side& side, std::uint32_t entry);
// Makes all nodes idle, as a walk does it that halts them quietly.
void halt_polled_nodes(const Side& side, unsigned char* block);

extern const BranchRow kPollBranches;

}  // namespace espalier::explore
