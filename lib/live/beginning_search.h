// The search for what an agent may be like where a log begins. See beginning.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <vector>

#include "live/beginning.h"
#include "live/first_entries.h"
#include "live/first_statuses.h"
#include "runtime/poll/place.h"

namespace espalier::live {

// Gives nodes statuses from the root on, each with a memory that goes with it, as long as the log does not contradict.
// A task is a node and what it may be; nodes that rest and nodes that run give tasks to their children, by the ways
// that beginning_ways.h has for each kind.
class BeginningSearch {
 public:
  using Task = std::size_t;                         // by number: what comes next
  using Children = std::vector<Statuses>;           // what each child may be
  static constexpr Statuses kWasSkipped = 1U << 4;  // idle, of a node that may be skipped

  BeginningSearch(const LoggedTree& tree, const Log& log, std::uint32_t first);
  std::vector<Beginning> run(bool is_within_run);

  // ---- For the ways of nodes

  const std::uint32_t* at(std::uint32_t node) const { return view_.node(node); }
  std::uint32_t child_count(std::uint32_t node) const { return view_.polled_of(at(node)).child_count; }
  // The last node below it.
  std::uint32_t last_below(std::uint32_t node) const { return node + nodes_within(at(node)) - 1; }
  PollAgent agent() { return {view_, block_.data()}; }
  unsigned char* memory(std::uint32_t node) { return agent().memory(at(node)); }
  FirstStatuses& told() { return told_; }
  // The number of a port; none: it is not written in the tree.
  std::optional<double> number_of(std::uint32_t node, std::uint32_t port) const;

  // Goes on with the children of a node; or without looking at what is below it.
  void with(std::uint32_t node, Task task, const Children& children);
  void without_children(Task task) { solve(task + 1); }
  // With a list that has come to a child, which it remembers.
  void with_place(std::uint32_t node, Task task, std::uint32_t child, const Children& children);
  // With each number in the memory from 0 to a limit, which is a port's.
  void with_counts(std::uint32_t node, Task task, std::uint32_t port, std::size_t offset, std::int64_t more,
                   const Children& children);
  // With each of these as the first byte of the memory.
  void with_bytes(std::uint32_t node, Task task, std::initializer_list<unsigned> values, const Children& children);
  void with_timer(std::uint32_t node, Task task, std::uint32_t state, std::uint64_t due_us, const Children& children);
  // All below the node is idle and remembers nothing. False: the log says something else.
  bool make_idle_below(std::uint32_t node);
  // What it may be cannot be known.
  void give_up() { is_known_ = false; }

 private:
  struct Open {
    std::uint32_t node;
    Statuses statuses;
  };

  void solve(Task task);
  void add_found(std::size_t entry, std::vector<EntrySet>& sets);
  void clear_memory(std::uint32_t node);
  bool may_be_skipped(std::uint32_t node) const;
  void derive(std::uint32_t node);
  void derive_done(std::uint32_t node);

  const LoggedTree& tree_;
  const PollTreeView& view_;
  const Log& log_;
  FirstStatuses told_;
  const std::uint32_t first_;
  std::vector<std::uint64_t> fresh_;
  std::vector<bool> may_be_skipped_;  // by node
  std::vector<std::uint64_t> block_;
  OpenEntries open_entries_;
  std::vector<Open> tasks_;
  std::map<std::uint32_t, std::uint32_t> kept_places_;  // of nodes: the index of a child
  std::size_t step_count_ = 0;
  bool is_known_ = true;
  std::vector<Beginning> found_;
};

}  // namespace espalier::live
