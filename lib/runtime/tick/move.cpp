// Moves an agent that ticks to another version of its tree. Nodes of both versions are matched by name and structure.
// Nodes that only the old version has are interrupted, and a parent whose active child was removed begins its first
// child at the next update.
#include "core/match.h"
#include "format/node.h"
#include "format/opcodes/tick.h"
#include "tick/leave.h"
#include "tick/tick.h"

namespace espalier {
namespace {

// Both versions, and the nodes that correspond to each other.
class Pair {
 public:
  Pair(const TickAgent& from, const TickAgent& to) : from_(from), to_(to) {}

  struct Match {
    std::uint32_t from = kNoWord;
    std::uint32_t to = kNoWord;
  };

  // Calls `visit` for each node on the way from the root to `word` that both versions have, from the top.
  template <typename Visit>
  void descend(std::uint32_t word, const Visit& visit) const {
    if (!is_same(0, 0)) return;
    Match match{0, 0};
    bool is_alike_below = false;
    visit(match);
    while (match.from != word) {
      const std::uint32_t child = from_.nodes.child_around(match.from, word);
      if (is_alike_below) {
        match = {child, match.to + (child - match.from)};
      } else {
        match = {child, counterpart(match, child, &is_alike_below)};
        if (match.to == kNoWord) return;
      }
      visit(match);
    }
  }

  // The lowest node on the way from the root to `word` that both versions have; kNoWord if not even the root.
  Match deepest(std::uint32_t word) const {
    Match deepest;
    descend(word, [&](Match match) { deepest = match; });
    return deepest;
  }

  // Can the branches of a parallel be moved? The node of each active branch must be the same in both versions.
  bool has_same_branches(Match parallel) const {
    std::uint32_t to = to_.nodes.first_child(parallel.to);
    for (std::uint32_t from = from_.nodes.first_child(parallel.from); from < from_.nodes.end_of(parallel.from);
         from = from_.nodes.end_of(from), to = to_.nodes.end_of(to)) {
      if (to >= to_.nodes.end_of(parallel.to)) return false;
      if (from_.is_active_branch(from) && !is_same(from_.nodes.first_child(from), to_.nodes.first_child(to)))
        return false;
    }
    return to == to_.nodes.end_of(parallel.to);
  }

  // The number of the state in the new machine that corresponds to a state of the old one, or kNoWord.
  std::uint32_t state_number(Match machine, std::uint32_t number) const {
    bool is_alike_below = false;
    const std::uint32_t found = counterpart(machine, from_.nodes.child_at(machine.from, number), &is_alike_below);
    return found == kNoWord ? kNoWord : flags_of(to_.nodes[found]);
  }

 private:
  // Do two nodes have the same opcode, names and size of memory? Their children are not compared.
  bool is_same(std::uint32_t from, std::uint32_t to) const { return is_same(from_, from, to_, to); }

  static bool is_same(const TickAgent& a, std::uint32_t a_word, const TickAgent& b, std::uint32_t b_word) {
    const Opcode opcode = a.nodes.opcode(a_word);
    if (opcode != b.nodes.opcode(b_word)) return false;
    if (a.memory_bytes_of(a.nodes[a_word]) != b.memory_bytes_of(b.nodes[b_word])) return false;
    if (a.has_times(a.nodes[a_word]) != b.has_times(b.nodes[b_word])) return false;
    const OpcodeInfo& info = opcode_info(opcode);
    for (std::uint32_t i = 0; i < info.operand_count; ++i) {
      const std::uint32_t column = kNodeHeaderWords + i;
      if (!equal_any_case(name_of(a, info.operands[i], opcode, a.nodes[a_word][column]),
                          name_of(b, info.operands[i], opcode, b.nodes[b_word][column]))) {
        return false;
      }
    }
    return true;
  }

  // The name of an operand, if nodes are compared by it; else empty.
  static std::string_view name_of(const TickAgent& agent, OperandKind kind, Opcode opcode, std::uint32_t operand) {
    switch (kind) {
      case OperandKind::behavior:
        return behavior_name(agent.asset, operand);
      case OperandKind::signal:
        return signal_name(agent.view, operand);
      case OperandKind::scope:
        return name_at(agent.asset, records<layout::Scope>(agent.asset, layout::SectionId::scopes)[operand].name);
      case OperandKind::text:
        return opcode == opcode::tick_state ? name_at(agent.asset, operand) : std::string_view();
      default:
        return {};
    }
  }

  // Are the nodes and all their descendants the same?
  static bool is_alike(const TickAgent& a, std::uint32_t a_top, const TickAgent& b, std::uint32_t b_top) {
    if (extent_of(a.nodes[a_top]) != extent_of(b.nodes[b_top])) return false;
    for (std::uint32_t offset = 0; offset < extent_of(a.nodes[a_top]); offset += own_words(a.nodes[a_top + offset])) {
      const std::uint32_t a_word = a_top + offset;
      const std::uint32_t b_word = b_top + offset;
      if (!is_same(a, a_word, b, b_word) || extent_of(a.nodes[a_word]) != extent_of(b.nodes[b_word])) return false;
    }
    return true;
  }

  // The child of the new parent that corresponds to a child of the old one, or kNoWord. Sets `is_alike_below` if all
  // its descendants are the same too.
  std::uint32_t counterpart(Match parent, std::uint32_t child, bool* is_alike_below) const {
    const std::uint32_t number = flags_of(from_.nodes[child]);
    if (opcode_info(from_.nodes.opcode(parent.from)).children == Children::branches) {
      const std::uint32_t found = to_.nodes.child_at(parent.to, number);
      return flags_of(to_.nodes[found]) == number ? found : kNoWord;
    }
    const std::uint32_t alike = same_child(
        from_.nodes, parent.from, child, to_.nodes, parent.to,
        [&](std::uint32_t from) { return is_alike(from_, child, from_, from); },
        [&](std::uint32_t to) { return is_alike(from_, child, to_, to); });
    *is_alike_below = alike != kNoWord;
    if (*is_alike_below) return alike;
    // The child's descendants were edited: ignore children whose descendants were not.
    return same_child(
        from_.nodes, parent.from, child, to_.nodes, parent.to,
        [&](std::uint32_t from) { return is_same(from_, child, from_, from) && !is_kept(from, parent); },
        [&](std::uint32_t to) { return is_same(child, to) && !is_old(to, parent); });
  }

  // is_kept: does the new parent have a child like this old one? is_old: does the old parent have one like this new
  // one?
  bool is_kept(std::uint32_t from, Match parent) const {
    for (std::uint32_t to = to_.nodes.first_child(parent.to); to < to_.nodes.end_of(parent.to);
         to = to_.nodes.end_of(to)) {
      if (is_alike(from_, from, to_, to)) return true;
    }
    return false;
  }
  bool is_old(std::uint32_t to, Match parent) const {
    for (std::uint32_t from = from_.nodes.first_child(parent.from); from < from_.nodes.end_of(parent.from);
         from = from_.nodes.end_of(from)) {
      if (is_alike(from_, from, to_, to)) return true;
    }
    return false;
  }

  const TickAgent& from_;
  const TickAgent& to_;
};

// A parallel whose branches begin at its next update.
void rest_parallel(const TickAgent& agent, std::uint32_t parallel) {
  const std::uint32_t count = agent.branch_count(parallel);
  unsigned char* bits = agent.state_of(agent.nodes[parallel]);
  std::memset(bits, 0, parallel_bytes(count));
  TickAgent::set_bit(bits, count + static_cast<std::uint32_t>(ParallelBit::entering), true);
}

// Interrupts nodes that the new version does not have. Returns whether any node is still running.
bool interrupt_lost(const TickAgent& from, const Pair& pair, const Host& host) {
  HostCaller caller(from.view, from.bytes, host);
  const std::uint32_t root = from.cursor(kRootRegion);
  if (root == kNoWord) return false;
  if (pair.deepest(0).from == kNoWord) {
    interrupt(from, kRootRegion, root, kNoWord, caller, nullptr);
    return false;
  }
  std::uint32_t region = kRootRegion;
  do {
    const std::uint32_t present = from.cursor(region);
    const Pair::Match match = pair.deepest(present);
    const bool is_parallel = from.nodes.opcode(match.from) == opcode::tick_parallel;
    if (match.from != present || (is_parallel && !pair.has_same_branches(match))) {
      interrupt(from, region, present, match.from, caller, nullptr);
      from.set_cursor(region, match.from);
      if (is_parallel) rest_parallel(from, match.from);
    }
    region = from.next_region(region);
  } while (region != kRootRegion);
  return true;
}

// Does the loop have a limit of rounds?
bool counts(const std::uint32_t* loop) { return operand<OperandKind::count, opcode::tick_loop>(loop) != 0; }

void copy_state(const TickAgent& from, const TickAgent& to, const Pair& pair, Pair::Match match) {
  const std::uint32_t* old_node = from.nodes[match.from];
  const std::uint32_t* node = to.nodes[match.to];
  const unsigned char* old_state = from.state_of(old_node);
  unsigned char* state = to.state_of(node);
  switch (opcode_of(node)) {
    case opcode::tick_loop:
      if (counts(node)) *state = counts(old_node) ? *old_state : 0;
      return;
    case opcode::tick_machine: {
      const std::uint32_t waiting =
          *old_state == TickAgent::kNothingWaits ? kNoWord : pair.state_number(match, *old_state);
      *state = waiting == kNoWord ? TickAgent::kNothingWaits : static_cast<unsigned char>(waiting);
      return;
    }
    case opcode::tick_parallel:
      if (from.branch_count(match.from) == to.branch_count(match.to)) {
        std::memcpy(state, old_state, parallel_bytes(to.branch_count(match.to)));
      } else {
        rest_parallel(to, match.to);
      }
      return;
    case opcode::tick_wait:
      store_u64(state, load_u64(old_state));
      return;
    case opcode::tick_wait_event:
      *state = *old_state;
      return;
    case opcode::tick_action:
      std::memcpy(state, old_state, to.memory_bytes_of(node));
      return;
    case opcode::tick_scope:
      if (TickAgent::bit(from.held(), operand<OperandKind::scope, opcode::tick_scope>(old_node))) {
        TickAgent::set_bit(to.held(), operand<OperandKind::scope, opcode::tick_scope>(node), true);
      }
      return;
    default:
      return;
  }
}

// All running nodes of the old version have a counterpart now.
void copy_path(const TickAgent& from, const TickAgent& to, const Pair& pair) {
  std::uint32_t region = kRootRegion;
  do {
    std::uint32_t to_region = kRootRegion;
    std::uint32_t to_present = kNoWord;
    pair.descend(from.cursor(region), [&](Pair::Match match) {
      if (match.from == region) to_region = match.to;
      if (region == kRootRegion || match.from > region) copy_state(from, to, pair, match);
      to_present = match.to;
    });
    to.set_cursor(to_region, to_present);
    region = from.next_region(region);
  } while (region != kRootRegion);
}

}  // namespace

// Interrupts first, because the host may then still change the old agent.
void move_ticking(const Tree& from_view, void* from_block, const Host& from_host, const Tree& to_view, void* to_block,
                  const Host& to_host) {
  const TickAgent from(from_view, from_block);
  const TickAgent to(to_view, to_block);
  const bool stays_stopped = (from.status() & layout::kStopped) != 0 && (to.ticking.flags & layout::kStaysStopped) != 0;
  const Pair pair(from, to);
  const bool runs_on = !stays_stopped && interrupt_lost(from, pair, from_host);
  if (runs_on) {
    copy_path(from, to, pair);
    count_inside(from, from_host, static_cast<std::uint16_t>(-1));
    count_inside(to, to_host, 1);
  }
  // Makes priorities test their conditions again, because these may differ.
  const unsigned waits = from.status() & layout::kTransitionWaits;
  to.set_status(stays_stopped ? layout::kStopped : layout::kChanged | waits);
}

namespace {

constexpr Engine kReloadEngine = with_move(kTickRow, move_ticking);

}  // namespace

}  // namespace espalier

const espalier_engine* espalier_tick_reload_engine(void) { return &espalier::kReloadEngine; }
