// The tree that a log is of, as it was compiled: its nodes by their uids, and the values that its leaves may have
// written where that makes a difference to the tree.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explore/host_values.h"
#include "live/formats/log.h"
#include "replay/answers.h"
#include "runtime/poll/tree.h"

namespace espalier::explore {
class PollUses;
}

namespace espalier::live {

struct LoggedNode {
  std::uint32_t word = 0;
  std::string_view name = {};       // as the program calls it
  std::string_view name_in_3 = {};  // as one of BehaviorTree.CPP 3 does, if that is another one; else empty
  bool asks = false;                // it calls the program
  bool is_at_once = false;          // it never runs on
  bool halts_itself = false;        // before it is done: then it is idle in between
  bool is_timed = false;            // below a Timeout, which halts it while something else may be updated
  // What it may write with an answer, if that makes a difference: different values of its outputs.
  std::vector<replay::TraceOutputs> outputs = {};
  std::size_t tried_count = 0;  // of these, that stand for all values; behind them are single ones that are known
  std::vector<bool> is_computed = {};  // of each output: the tree computes with it, so that they stand only for some

  std::uint32_t all_tried() const { return tried_count >= 32 ? ~0u : (1u << tried_count) - 1u; }

  // Of logs without numbers of nodes.
  bool is_called(std::string_view other) const { return other == name || (!name_in_3.empty() && other == name_in_3); }
};

class LoggedTree {
 public:
  // `tree` polls, and its asset has names.
  explicit LoggedTree(const Tree& tree);

  const Tree& tree() const { return view_.tree; }
  const PollTreeView& view() const { return view_; }
  // The node with uid n has the number n - 1.
  const std::vector<LoggedNode>& nodes() const { return nodes_; }
  std::uint32_t number_of(std::uint32_t word) const { return (word - view_.unit.first_word) / kPolledWords; }
  bool is_of(const Change& change, const Log& log, std::uint32_t number) const {
    if (change.uid != 0) return change.uid == number + 1;
    return change.name != 0 && nodes_[number].is_called(log.names[change.name - 1u]);
  }
  // Does anything depend on the time?
  bool has_clock() const { return has_clock_; }
  // Why nodes may have written other values than those that are tried; empty: they make no difference.
  const std::string& limit() const { return limit_; }
  // The entries of the tree's own blackboard that it looks at.
  std::vector<std::string> looked_at() const;
  // Are there no other entries that make a difference, and do values_of() stand for all values of these?
  bool knows_entries() const { return knows_entries_; }
  // The values of an entry of the tree's own blackboard that make a difference; at least one.
  std::vector<explore::EntryValue> values_of(const std::string& entry) const;

  // 1 + the number of these values among those that the node may write, to which they are added.
  std::uint32_t number_of_outputs(std::uint32_t node, const replay::TraceOutputs& outputs);

 private:
  void add_outputs(const explore::PollUses& uses, const explore::HostValues& values);

  PollTreeView view_;
  std::vector<LoggedNode> nodes_;
  std::map<std::string, explore::Literals> entries_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> numbers_;  // of outputs, by node and what they are
  std::string limit_;
  bool has_clock_ = false;
  bool knows_entries_ = true;
};

}  // namespace espalier::live
