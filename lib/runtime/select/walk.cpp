// Selecting a leaf: the walk of the `select` engine (opcodes.def). It is iterative, over nodes in preorder: a node
// whose condition is false is skipped by its extent, a node that is entered is followed by its children, and the end of
// the last child is the next sibling of the parent. A machine enters the node of one of its states; at the end of that
// node the walk skips the other states and continues after the machine. So only shared units need a stored way back.
#include "core/check.h"
#include "core/condition.h"
#include "core/frame.h"
#include "core/variables.h"
#include "core/watch.h"
#include "format/node.h"
#include "format/opcodes/select.h"
#include "select/prepared.h"
#include "select/select.h"
#include "select/share.h"

namespace espalier {
namespace {

// One walk over a tree for one agent.
class SelectWalk {
 public:
  SelectWalk(const PreparedTree& tree, unsigned char* agent, std::uint32_t current_leaf, const Watcher* watcher)
      : tree_(tree),
        nodes_(tree.nodes()),
        conditions_(tree.conditions()),
        tests_(tree.tests()),
        agent_(agent),
        current_leaf_(current_leaf),
        watcher_(watcher),
        frame_{tree.first_word(), tree.end_word()} {}

  // The leaf that is selected, or kNoLeaf. Machines' states are stored in the agent as they are reached.
  std::uint32_t run() {
    std::uint32_t word = frame_.first_word;
    for (;;) {
      const std::uint32_t* node = nodes_[word];
      const Opcode opcode = opcode_of(node);
      if (node_holds(word, node)) {
        switch (opcode) {
          case opcode::select_priority:
            if (extent_of<opcode::select_priority>(node) == kPriorityWords) break;
            word += kPriorityWords;
            continue;
          case opcode::select_leaf:
            return frame_.leaf_base + leaf_of(node);
          case opcode::select_machine:
            word = enter_machine(word, node);
            continue;
          case opcode::select_share:
            word = enter_unit(word, node);
            continue;
          default:
            return kNoLeaf;
        }
      }
      word = next_behind(word + (opcode == opcode::select_leaf ? own_words<opcode::select_leaf>() : extent_of(node)));
      if (word == layout::kNone) return kNoLeaf;
    }
  }

 private:
  static constexpr std::uint32_t kPriorityWords = own_words<opcode::select_priority>();

  bool node_holds(std::uint32_t word, const std::uint32_t* node) {
    const std::uint32_t condition = operand<OperandKind::condition, EngineId::select>(node);
    const bool result = holds(conditions_, tests_, condition, agent_);
    tell_step(watcher_, word, frame_.leaf_base, condition, -1, result);
    return result;
  }

  // The node to try after one that ends here and has selected nothing, or kNone.
  std::uint32_t next_behind(std::uint32_t word) {
    for (;;) {
      if (word == frame_.end_word) {
        if (share_count_ == 0) return layout::kNone;
        word = leave_unit();
      } else if (nodes_.opcode(word) == opcode::select_state) {
        word += extent_of<opcode::select_state>(nodes_[word]);
      } else {
        return word;
      }
    }
  }

  // Returns the first word of the unit.
  std::uint32_t enter_unit(std::uint32_t word, const std::uint32_t* node) {
    shares_[share_count_++] = word;
    frame_ = entered(tree_.asset(), frame_, node);
    return frame_.first_word;
  }

  // Returns the word after the share.
  std::uint32_t leave_unit() {
    const std::uint32_t word = shares_[--share_count_];
    const std::uint32_t* node = nodes_[word];
    const std::uint32_t around =
        share_count_ == 0 ? tree_record(tree_.tree()).unit
                          : entered_unit<opcode::select_share>(tree_.asset(), nodes_[shares_[share_count_ - 1]]);
    frame_ = left(tree_.asset(), frame_, node, around);
    return word + own_words<opcode::select_share>();
  }

  std::uint32_t enter_machine(std::uint32_t word, const std::uint32_t* node) {
    unsigned char& stored = agent_[tree_.states_offset() + frame_.state_base + state_offset_of(node)];
    const std::uint32_t state = follow_transitions(word, node, stored & kStateMask);
    stored = static_cast<unsigned char>((stored & ~kStateMask) | (flags_of(nodes_[state]) & kStateMask));
    return state + own_words<opcode::select_state>();
  }

  // Takes the first transition of the present state whose condition is true, until there is none or a state is reached
  // again, which is then the result. The present state is the stored one if the current leaf is in the machine, else
  // the first state; the stored one counts as visited in both cases. Returns the word of the resulting state.
  std::uint32_t follow_transitions(std::uint32_t word, const std::uint32_t* node, std::uint32_t stored) {
    const std::uint32_t machine_end = word + extent_of<opcode::select_machine>(node);
    const std::uint32_t first_leaf = frame_.leaf_base + operand<OperandKind::leaf, opcode::select_machine>(node);
    const bool active = current_leaf_ - first_leaf < operand<OperandKind::leaf_count, opcode::select_machine>(node);
    std::uint32_t state = state_word(word, machine_end, active ? stored : 0);
    std::uint32_t visited = std::uint32_t{1} << stored;
    for (;;) {
      const std::uint32_t target = taken_transition(state);
      if (target == layout::kNone) return state;
      state = state_word(word, machine_end, target);
      if ((visited >> target & 1) != 0) return state;
      visited |= std::uint32_t{1} << target;
    }
  }

  // The state with this number; the first one if it does not exist, which happens only with a damaged block.
  std::uint32_t state_word(std::uint32_t machine, std::uint32_t machine_end, std::uint32_t number) const {
    const std::uint32_t first = machine + own_words<opcode::select_machine>();
    std::uint32_t state = first;
    for (; number > 0 && state != machine_end; --number) state += extent_of<opcode::select_state>(nodes_[state]);
    return state == machine_end ? first : state;
  }

  // The target of the state's first transition whose condition is true, or kNone.
  std::uint32_t taken_transition(std::uint32_t state) {
    const std::uint32_t* node = nodes_[state];
    const layout::Transition* transitions = array<layout::Transition>(tree_.asset(), layout::SectionId::transitions) +
                                            operand<OperandKind::transition, opcode::select_state>(node);
    const std::uint32_t count = operand<OperandKind::transition_count, opcode::select_state>(node);
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool result = holds(conditions_, tests_, transitions[i].condition, agent_);
      tell_step(watcher_, state, frame_.leaf_base, transitions[i].condition, static_cast<std::int32_t>(i), result);
      if (result) return transitions[i].state;
    }
    return layout::kNone;
  }

  const PreparedTree tree_;
  const NodeWords nodes_;
  const layout::Condition* const conditions_;
  const layout::Test* const tests_;
  unsigned char* agent_;
  std::uint32_t current_leaf_;
  const Watcher* const watcher_;
  Frame frame_;
  std::uint32_t share_count_ = 0;
  std::uint32_t shares_[layout::kMaxRegions];  // words of the shares around the current unit
};

// Variables that the host sets meanwhile count as changed after this evaluation.
Result evaluate(const PreparedTree& tree, unsigned char* agent, const Host& host, const Watcher* watcher) {
  const SelectBlock own = tree.block();
  const std::uint32_t old_leaf = own.leaf(agent);
  own.clear_changed(agent);
  return take_leaf(tree, own, agent, old_leaf, SelectWalk(tree, agent, old_leaf, watcher).run(), host);
}

}  // namespace

espalier_result evaluate_by_nodes(const Prepared* prepared, void* block, const Host* host) {
  const PreparedTree tree(*prepared);
  if (!check_update(tree, block, host)) return Result::error;
  auto* agent = static_cast<unsigned char*>(block);
  return tree.block().needs_evaluation(agent) ? evaluate(tree, agent, *host, nullptr) : Result::running;
}

void switch_leaf(const PreparedTree& tree, unsigned char* agent, std::uint32_t old_leaf, std::uint32_t leaf,
                 const Host& host) {
  const SelectBlock own = tree.block();
  own.set_leaf(agent, own.none);  // a signal that is raised meanwhile reaches neither behaviour
  call_behavior(tree.tree(), agent, old_leaf, &BoundBehavior::leave, host);
  own.set_leaf(agent, leaf);
  call_behavior(tree.tree(), agent, leaf, &BoundBehavior::enter, host);
}

void prepare_selecting(const Tree& tree, Prepared* prepared) { *prepared = PreparedTree::prepare(tree); }

Result evaluate_selecting(const Tree& tree, void* block, const Host& host, const Watcher* watcher) {
  const Prepared prepared = PreparedTree::prepare(tree);
  return evaluate(PreparedTree(prepared), static_cast<unsigned char*>(block), host, watcher);
}

Result update_selecting(const Tree& tree, const Batch& agents, const Watcher* watcher) {
  const Prepared prepared = PreparedTree::prepare(tree);
  const PreparedTree own(prepared);
  const SelectBlock layout = own.block();
  Result result = Result::running;
  for (std::size_t i = 0; (i = pass_quiet(prepared, agents, i)) < agents.count(); ++i) {
    unsigned char* agent = agents.block(i);
    if (layout.needs_evaluation(agent)) result = evaluate(own, agent, agents.host(i), watcher);
  }
  return result;
}

}  // namespace espalier
