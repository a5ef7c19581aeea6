// Moves an agent that selects to another version of its tree. The current leaf and the states of machines are found by
// name.
#include "core/frame.h"
#include "core/match.h"
#include "format/node.h"
#include "format/opcodes/select.h"
#include "select/select.h"

#include "select/share.h"

namespace espalier {
namespace {

// One version of the tree. Shared units are visited at each place where they are used.
class SelectVersion {
 public:
  explicit SelectVersion(const Tree& tree)
      : view(tree),
        record(tree_record(tree)),
        block(tree),
        states(part_of<EngineId::select, PartKind::states>(tree)),
        nodes(nodes_of(*tree.asset)) {}

  // A node that is not a share, and the frame of the unit that contains it.
  struct Node {
    std::uint32_t word = 0;
    Frame frame;
  };

  Node root() const {
    const Frame frame = frame_of(*view.asset, record.unit);
    return resolved({frame.first_word, frame});
  }
  // `node` may be a share or the root of its unit.
  Node resolved(Node node) const {
    while (nodes.opcode(node.word) == opcode::select_share) {
      const Frame frame = entered(*view.asset, node.frame, nodes[node.word]);
      node = {frame.first_word, frame};
    }
    return node;
  }
  Node child(const Node& parent, std::uint32_t word) const { return resolved({word, parent.frame}); }

  std::uint32_t leaf(const Node& leaf) const { return leaf.frame.leaf_base + leaf_of(nodes[leaf.word]); }
  // For a machine: the position of its byte in the nodes' state.
  std::uint32_t state(const Node& machine) const {
    return machine.frame.state_base + state_offset_of(nodes[machine.word]);
  }
  std::string_view name(const Node& node) const { return node_debug_name(*view.asset, node.word); }
  std::string_view behavior(const Node& node) const {
    return nodes.opcode(node.word) == opcode::select_leaf ? behavior_name(*view.asset, leaf_behavior(view, leaf(node)))
                                                          : std::string_view();
  }

  // The node in the unit of `top`, `top` or a descendant, that is this leaf or a share that contains it.
  std::uint32_t find_leaf(const Node& top, std::uint32_t wanted) const {
    for (std::uint32_t word = top.word;;) {
      const std::uint32_t* node = nodes[word];
      const std::uint32_t ordinal = wanted - top.frame.leaf_base;
      switch (opcode_of(node)) {
        case opcode::select_leaf:
          if (ordinal == leaf_of(node)) return word;
          break;
        case opcode::select_share:
          if (ordinal - operand<OperandKind::leaf, opcode::select_share>(node) < unit_of(node).leaf_count) return word;
          break;
        case opcode::select_machine:
          if (ordinal - operand<OperandKind::leaf, opcode::select_machine>(node) >=
              operand<OperandKind::leaf_count, opcode::select_machine>(node)) {
            word = nodes.end_of(word);
            continue;
          }
          break;
        default:
          break;
      }
      word = nodes.first_child(word);
    }
  }
  // The same for the machine whose state is in this byte.
  std::uint32_t find_machine(const Node& top, std::uint32_t wanted) const {
    for (std::uint32_t word = top.word;; word = nodes.first_child(word)) {
      const std::uint32_t* node = nodes[word];
      const std::uint32_t offset = wanted - top.frame.state_base - state_offset_of(node);
      if (opcode_of(node) == opcode::select_machine && offset == 0) return word;
      if (opcode_of(node) == opcode::select_share && offset < unit_of(node).state_bytes) return word;
    }
  }

  const Tree& view;
  const layout::Tree& record;
  const SelectBlock block;
  const layout::Part& states;
  const NodeWords nodes;

 private:
  const layout::Unit& unit_of(const std::uint32_t* share) const {
    return unit_record(*view.asset, entered_unit<opcode::select_share>(*view.asset, share));
  }
};

using Node = SelectVersion::Node;

// Both versions, and the nodes that correspond to each other.
class SelectPair {
 public:
  SelectPair(const SelectVersion& from, const SelectVersion& to) : from_(from), to_(to) {}

  struct Match {
    Node old;
    Node now;
  };

  // Finds the leaf with this number, or the machine with this byte. False if the new version does not have it, by the
  // names from the root to it.
  bool find_leaf(std::uint32_t leaf, Match* match) const {
    return descend([&](const Node& top) { return from_.find_leaf(top, leaf); }, match);
  }
  bool find_machine(std::uint32_t state, Match* match) const {
    return descend([&](const Node& top) { return from_.find_machine(top, state); }, match);
  }

  // Finds the state of the new machine that corresponds to the old one's. False if there is none.
  bool find_state(const Match& machine, std::uint32_t number, std::uint32_t* found) const {
    const NodeWords& nodes = from_.nodes;
    std::uint32_t state = nodes.first_child(machine.old.word);
    for (; number > 0 && state != nodes.end_of(machine.old.word); --number) state = nodes.end_of(state);
    Match match = machine;
    if (state == nodes.end_of(machine.old.word) || !go_down(state, &match)) return false;
    *found = flags_of(to_.nodes[match.now.word]) & kStateMask;
    return true;
  }

 private:
  template <typename Find>
  bool descend(const Find& find, Match* match) const {
    *match = {from_.root(), to_.root()};
    if (!is_same(from_, match->old, to_, match->now)) return false;
    for (std::uint32_t wanted = find(match->old); wanted != match->old.word;) {
      const std::uint32_t child = from_.nodes.child_around(match->old.word, wanted);
      if (!go_down(child, match)) return false;
      if (child == wanted) wanted = find(match->old);  // a share was entered: continue in its unit
    }
    return true;
  }

  // Goes to a child of the old node and the corresponding child of the new node. If there are several, takes the one
  // with the same rank.
  bool go_down(std::uint32_t child, Match* match) const {
    const Node old = from_.child(match->old, child);
    const std::uint32_t word = same_child(
        from_.nodes, match->old.word, child, to_.nodes, match->now.word,
        [&](std::uint32_t each) { return is_same(from_, old, from_, from_.child(match->old, each)); },
        [&](std::uint32_t each) { return is_same(from_, old, to_, to_.child(match->now, each)); });
    if (word == layout::kNone) return false;
    *match = {old, to_.child(match->now, word)};
    return true;
  }

  // Without debug data all names are empty, and so equal.
  static bool is_same(const SelectVersion& a_version, const Node& a, const SelectVersion& b_version, const Node& b) {
    return a_version.nodes.opcode(a.word) == b_version.nodes.opcode(b.word) && a_version.name(a) == b_version.name(b) &&
           a_version.behavior(a) == b_version.behavior(b);
  }

  const SelectVersion& from_;
  const SelectVersion& to_;
};

void copy_states(const SelectVersion& from, const unsigned char* old_agent, const SelectVersion& to,
                 unsigned char* agent) {
  const SelectPair pair(from, to);
  for (std::uint32_t i = 0; i < from.states.count; ++i) {
    SelectPair::Match machine;
    std::uint32_t state = 0;
    const std::uint32_t stored = old_agent[offset_bytes(from.states) + i] & kStateMask;
    if (!pair.find_machine(i, &machine) || !pair.find_state(machine, stored, &state)) continue;
    unsigned char& byte = agent[offset_bytes(to.states) + to.state(machine.now)];
    byte = static_cast<unsigned char>((byte & ~kStateMask) | state);
  }
}

std::uint64_t hash_of(const Tree& tree) {
  return reinterpret_cast<const layout::Header*>(first_byte(*tree.asset))->hash;
}

}  // namespace

// First ends the old leaf's behaviour, which may still change the old agent.
void move_selecting(const Tree& from_view, void* from_block, const Host& from_host, const Tree& to_view, void* to_block,
                    const Host& to_host) {
  const SelectVersion from(from_view);
  const SelectVersion to(to_view);
  auto* old_agent = static_cast<unsigned char*>(from_block);
  auto* agent = static_cast<unsigned char*>(to_block);
  const std::uint32_t old_leaf = from.block.leaf(old_agent);
  SelectPair::Match leaf;
  if (old_leaf < from.record.leaf_count) {
    if (SelectPair(from, to).find_leaf(old_leaf, &leaf)) {
      const std::uint32_t new_leaf = to.leaf(leaf.now);
      to.block.set_leaf(agent, new_leaf);
      times_of_current(to_view, agent, leaf_behavior(to_view, new_leaf))
          .move_from(times_of_current(from_view, old_agent, leaf_behavior(from_view, old_leaf)), to_host.clock_us);
    } else {
      from.block.set_leaf(old_agent, from.block.none);
      call_behavior(from_view, old_agent, old_leaf, &BoundBehavior::leave, from_host);
    }
  }
  copy_states(from, old_agent, to, agent);
  // The next update must evaluate the new version, because its conditions may differ.
  const bool was_changed = load_bit(old_agent, from.block.changed_bit);
  const bool is_edited = hash_of(from_view) != hash_of(to_view) || from_view.index != to_view.index;
  store_bit(agent, to.block.changed_bit, was_changed || is_edited);
}

namespace {

constexpr Engine kReloadEngine = with_move(kSelectRow, move_selecting);

}  // namespace

}  // namespace espalier

const espalier_engine* espalier_select_reload_engine(void) { return &espalier::kReloadEngine; }
