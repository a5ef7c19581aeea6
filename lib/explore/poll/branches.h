// Children of nodes that tick all of them in each update, as Parallel does, and the bytes that are theirs alone or that
// they share with others by entries. See BranchRow in engine.h.
#pragma once
#include <cstdint>
#include <set>
#include <vector>

#include "explore/engine.h"
#include "runtime/poll/tree.h"

namespace espalier::explore {

class PollBranches {
 public:
  // Eight bytes of a block from `offset` on, and those of their bits that are meant.
  struct Place {
    std::uint32_t offset = 0;
    std::uint64_t mask = 0;
  };
  struct Branch {
    const std::uint32_t* root = nullptr;
    std::vector<Place> places = {};
    std::vector<const std::uint32_t*> asking = {};  // nodes
  };

  explicit PollBranches(const PollTreeView& tree);

  std::uint32_t branch_of(std::uint32_t word) const;
  const Branch* branch(std::uint32_t number) const { return number < branches_.size() ? &branches_[number] : nullptr; }

 private:
  void add_below(const std::uint32_t* node);
  void add(const std::uint32_t* root);
  bool may_be_in_branch(const std::uint32_t* node) const;
  void add_entries(const std::uint32_t* node, std::set<std::uint32_t>& entries) const;
  void add_script(std::uint32_t script, std::set<std::uint32_t>& entries) const;
  void add_key(std::uint32_t key, std::set<std::uint32_t>& entries) const;
  void add_places(Branch& branch, const std::set<std::uint32_t>& entries) const;

  const PollTreeView& tree_;
  std::vector<Branch> branches_;
  std::vector<std::uint32_t> numbers_;  // 1 + that of the branch, by number of a node; 0: none
};

extern const BranchRow kPollBranches;

}  // namespace espalier::explore
