// How results flow from children to their parents, in the trees of all engines: the table flow.def, and what follows
// from it.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "ir/results.h"
#include "runtime/format/kinds.h"

namespace espalier::lint {

using ir::Results;

enum class FlowShape : std::uint8_t {
  chooses,
  leaf,
  flagged,
  host,
  row,
  tries,
  wrapper,
  choice,
  condition,
  parallel,
  loop
};

// What a result of a child leads to.
enum class FlowTo : std::uint8_t { nothing, runs, fails, succeeds, skips, next, again, last, if_all };

struct Flow {
  Opcode opcode;
  std::uint32_t flags;  // that its nodes have
  FlowShape shape;
  FlowTo success;
  FlowTo failure;
  FlowTo skip;
  Results also;
};

// The row of an opcode; of its rows, the one for these flags.
const Flow& flow_of(Opcode opcode, std::uint32_t flags = 0);

// The result of a child after which a row goes on to the next; of a loop: after which there is another round. None: it
// is neither.
Results goes_on_after(const Flow& flow);

// What follows directly from a result of a child: a result, or none.
Results result_after(const Flow& flow, Result result);

// Does a wrapper give another result than its child's?
bool changes_results(const Flow& flow);

// What is known of a node beside its opcode.
struct FlowNode {
  Opcode opcode;
  std::uint32_t flags = 0;
  Results own = 0;             // declared of a host's leaf; of others what the table cannot know
  bool can_open = true;        // its children can be run at all
  bool can_close = true;       // what is in `also` can come
  bool is_endless = false;     // of a loop
  bool has_one_round = false;  // of a loop: it is done after the first
};

// What a node can give in all its runs, if its children can give these. More than it really gives is possible, never
// less.
Results results_of(const FlowNode& node, std::span<const Results> children);

// A row whose children are added one by one.
class RowFlow {
 public:
  explicit RowFlow(Results goes_on) : goes_on_(goes_on) {}

  // Can the next child begin?
  bool is_reached() const { return is_reached_; }
  // It can, whatever the ones before it give: something jumps there.
  void reach() { is_reached_ = true; }
  void add(Results child);
  // What the row gives after its last child.
  Results results() const;

 private:
  Results goes_on_;
  Results results_ = 0;
  bool is_reached_ = true;
  bool is_any_done_ = false;
  bool are_all_skipped_ = true;
};

// ---- Parallels. A mix is the set of results that at least one child has.

// The result of a parallel with this mix.
Results result_of_mix(const Flow& flow, std::uint32_t flags, Results mix);

// How many children of a parallel can give each set of results.
struct MixCounts {
  std::array<std::uint32_t, ir::kAnyResult + 1> of = {};
  void add(Results child) { ++of[child & ir::kAnyResult]; }
  void remove(Results child) { --of[child & ir::kAnyResult]; }
};
// What a parallel with such children can give.
Results parallel_results(const Flow& flow, std::uint32_t flags, const MixCounts& children);

}  // namespace espalier::lint
