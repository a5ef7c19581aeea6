// A tree's nodes: Priority, StateMachine with its states, Leaf. See tree_reader.h.
#include <utility>

#include "dialects/reading/wording.h"
#include "dialects/selection/tree_reader.h"

namespace espalier::dialects::selection {
namespace {

constexpr std::uint32_t kMaxDepth = layout::kMaxDepth;  // states counted
constexpr std::uint32_t kMaxStates = layout::kMaxStates;

constexpr NameRules kStateNames = {"state", Rule::SEL_duplicate_state, Rule::SEL_unknown_state, true};

// Unexpected children have been reported.
bool holds_other_than_references(const Element& element) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (kind_of(child) != kRef) return true;
  }
  return false;
}

}  // namespace

ir::Node TreeReader::read_node(const Placed& placed, Groups parent) {
  ir::Node node;
  node.opcode = placed.row->opcode;
  node.span = placed.element.span();
  const Attributes attributes = read_attributes(placed, reporter_);
  const Attribute& name = given(attributes, "name");
  node.name = name.value();
  may_lack_leaves_ |= node.name.empty();
  const std::optional<ir::ConditionIndex> condition = read_node_condition(attributes["condition"], placed.use, parent);
  if (placed.is(kLeaf)) {
    node.payload = ir::Leaf{condition, node.name, name.value_span()};
  } else {
    node.payload = ir::Guard{condition};
  }
  if (depth_ >= kMaxDepth) {
    may_lack_leaves_ = true;
    if (!std::exchange(is_too_deep_, true)) {
      reporter_.report(Rule::SEL_too_deep, placed.where(),
                       "more than " + with_commas(kMaxDepth) + " nodes and states are nested in one another here");
    }
    return node;
  }
  ++depth_;
  if (placed.is(kLeaf)) {
    expander_.expect_no_children(placed);
    may_lack_leaves_ |= bool(placed.element.first_child());
  } else if (placed.is(kStateMachine)) {
    read_machine(placed, node);
  } else {
    const Children nodes = children(placed);
    node.children.reserve(nodes.placed.size());
    for (const Placed& child : nodes.placed) node.children.push_back(read_node(child, kPriority));
    if (node.children.empty() && !nodes.is_incomplete && !holds_other_than_references(placed.element)) {
      reporter_.report(Rule::SEL_empty_priority, placed.where(),
                       "Priority " + quote(node.name) + " has no children: it never selects anything",
                       "add a Priority, StateMachine or Leaf");
    }
  }
  --depth_;
  return node;
}

// Only a Priority reads the conditions of its children.
std::optional<ir::ConditionIndex> TreeReader::read_node_condition(const Attribute& condition, UseIndex use,
                                                                  Groups parent) {
  if (parent == kPriority || parent == kBlock) return read_condition(condition, use);
  if (condition && parent != 0) {
    reporter_.report(Rule::SEL_unread_condition, {condition.name_span(), use},
                     "attribute " + quote(condition.name()) + " of " +
                         (parent == kSelectionTree ? "the root node" : "a State's node") + " is ignored",
                     "only a Priority reads conditions: those of its children");
  }
  return std::nullopt;
}

void TreeReader::read_machine(const Placed& placed, ir::Node& machine) {
  MachineNames names(kStateNames);
  const Children states = children(placed);
  if (states.is_incomplete) names.states.lack_one();
  ++depth_;
  machine.children.reserve(states.placed.size());
  for (const Placed& child : states.placed) {
    machine.children.push_back(read_state(child, static_cast<std::uint32_t>(machine.children.size()), &names));
  }
  --depth_;
  names.resolve(reporter_, [&](std::size_t state, std::size_t transition, std::uint32_t target) {
    machine.children[state].as<ir::Transitions>().transitions[transition].target = target;
  });
  const std::size_t count = machine.children.size();
  if (count == 0 && !states.is_incomplete) {
    reporter_.report(Rule::SEL_machine_without_states, placed.where(),
                     "StateMachine " + quote(machine.name) + " has no states: the engine crashes on it");
  } else if (count > kMaxStates) {
    reporter_.report(Rule::SEL_too_many_states, placed.where(),
                     "too many states in StateMachine " + quote(machine.name) + ": " + with_commas(count) +
                         ", at most " + std::to_string(kMaxStates));
  }
}

ir::Node TreeReader::read_state(const Placed& placed, std::uint32_t number, MachineNames* machine) {
  ir::Node state;
  state.opcode = placed.row->opcode;
  state.span = placed.element.span();
  std::vector<ir::Transition>& transitions = state.payload.emplace<ir::Transitions>().transitions;
  const Attribute name = given(read_attributes(placed, reporter_), "name");
  state.name = name.value();
  if (machine != nullptr && !name) machine->states.lack_one();
  if (machine != nullptr && name) {
    machine->states.declare(name.value(), number, {name.value_span(), placed.use}, reporter_);
  }
  const Children content = children(placed);
  std::optional<Placed> node;
  for (const Placed& child : content.placed) {
    if (child.is(kTransition)) {
      read_transition(child, transitions, number, machine);
    } else if (!node) {
      node = child;
      state.children.push_back(read_node(child, kState));
    } else {
      reporter_.report(Rule::SEL_second_node_in_state, child.where(),
                       "unexpected element " + quote(child.element.name()) + " in 'State': state " + quote(state.name) +
                           " already has a node",
                       {}, {node->element.span(), "its node"});
      may_lack_leaves_ = true;
      static_cast<void>(read_node(child, 0));
    }
  }
  if (!node && !content.is_incomplete) {
    reporter_.report(Rule::SEL_state_without_node, placed.where(),
                     "state " + quote(state.name) + " has no node: the engine crashes on it",
                     "add one Priority, StateMachine or Leaf");
  }
  return state;
}

void TreeReader::read_transition(const Placed& placed, std::vector<ir::Transition>& transitions, std::size_t state,
                                 MachineNames* machine) {
  const Attributes attributes = read_attributes(placed, reporter_);
  expander_.expect_no_children(placed);
  const Attribute target = given(attributes, "state");
  const std::optional<ir::ConditionIndex> condition = read_condition(meant(attributes, "condition"), placed.use);
  if (!target || machine == nullptr) return;
  machine->add_jump(state, transitions.size(), target, placed.use);
  transitions.push_back({0, condition.value_or(0), placed.element.span()});
}

}  // namespace espalier::dialects::selection
