// A tree's nodes: Priority, StateMachine with its states, Leaf. See tree_reader.h.
#include <utility>

#include "dialects/selection/tree_reader.h"
#include "text/names.h"

namespace espalier::dialects::selection {
namespace {

constexpr std::uint32_t kMaxDepth = layout::kMaxDepth;  // states counted
constexpr std::uint32_t kMaxStates = layout::kMaxStates;

Opcode opcode_of(Kind kind) {
  if (kind == Kind::priority) return Opcode::select_priority;
  return kind == Kind::leaf ? Opcode::select_leaf : Opcode::select_machine;
}

// Unexpected children have been reported.
bool holds_other_than_references(const Element& element) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (kind_of(child.name()) != Kind::ref) return true;
  }
  return false;
}

}  // namespace

ir::Node TreeReader::read_node(const Placed& placed, Kind parent) {
  ir::Node node;
  node.opcode = opcode_of(placed.kind);
  node.span = placed.element.span();
  const Attributes attributes = read_attributes(placed, reporter_);
  if (const auto name = required(placed, attributes, Key::name, reporter_)) {
    node.name = *name;
  } else {
    may_lack_leaves_ = true;
  }
  const std::optional<ir::ConditionIndex> condition = read_node_condition(placed, attributes, parent);
  if (placed.kind == Kind::leaf) {
    node.payload = ir::Leaf{condition, node.name};
  } else {
    node.payload = ir::Guard{condition};
  }
  if (depth_ >= kMaxDepth) {
    may_lack_leaves_ = true;
    if (!std::exchange(is_too_deep_, true)) {
      reporter_.report(Rule::SEL_too_deep, node.span, placed.use,
                       "more than " + with_commas(kMaxDepth) + " nodes and states are nested in one another here");
    }
    return node;
  }
  ++depth_;
  if (placed.kind == Kind::leaf) {
    expander_.expect_no_children(placed);
    may_lack_leaves_ |= bool(placed.element.first_child());
  } else if (placed.kind == Kind::state_machine) {
    read_machine(placed, node);
  } else {
    const Children nodes = children(placed);
    node.children.reserve(nodes.placed.size());
    for (const Placed& child : nodes.placed) node.children.push_back(read_node(child, Kind::priority));
    if (node.children.empty() && !nodes.is_incomplete && !holds_other_than_references(placed.element)) {
      reporter_.report(Rule::SEL_empty_priority, node.span, placed.use,
                       "Priority " + text::quote(node.name) + " has no children: it never selects anything",
                       "add a Priority, StateMachine or Leaf");
    }
  }
  --depth_;
  return node;
}

// Only a Priority reads the conditions of its children.
std::optional<ir::ConditionIndex> TreeReader::read_node_condition(const Placed& placed, const Attributes& attributes,
                                                                  Kind parent) {
  const Attribute& condition = attributes[Key::condition];
  if (!condition) return std::nullopt;
  if (parent == Kind::priority || parent == Kind::block) return read_condition(condition, placed.use);
  if (parent == Kind::selection_tree) warn_of_unread_condition(placed, attributes, "the root node", reporter_);
  if (parent == Kind::state) warn_of_unread_condition(placed, attributes, "a State's node", reporter_);
  return std::nullopt;
}

void TreeReader::read_machine(const Placed& placed, ir::Node& machine) {
  MachineReading reading;
  const Children states = children(placed);
  reading.is_incomplete = states.is_incomplete;
  ++depth_;
  machine.children.reserve(states.placed.size());
  for (const Placed& child : states.placed) {
    machine.children.push_back(read_state(child, reading, machine.children.size()));
    const ir::Node& state = machine.children.back();
    if (state.name.empty()) {
      reading.is_incomplete = true;
      continue;
    }
    const Attribute written = child.element.attribute_any_case("name");
    const Span name = written ? written.value_span() : child.element.span();
    const auto number = static_cast<std::uint32_t>(machine.children.size() - 1);
    const auto [entry, is_new] = reading.states.try_emplace(text::lower_case(state.name), NamedState{number, name});
    if (is_new) continue;
    const bool is_same = machine.children[entry->second.number].name == state.name;
    reporter_.report_repeated(
        Rule::SEL_duplicate_state, name, child.use,
        "duplicate state " + text::quote(state.name) + (is_same ? "" : ": names of states are compared without case"),
        entry->second.name, "first defined here");
  }
  --depth_;
  resolve_jumps(reading, machine);
  const std::size_t count = machine.children.size();
  if (count == 0 && !states.is_incomplete) {
    reporter_.report(Rule::SEL_machine_without_states, machine.span, placed.use,
                     "StateMachine " + text::quote(machine.name) + " has no states: the engine crashes on it");
  } else if (count > kMaxStates) {
    reporter_.report(Rule::SEL_too_many_states, machine.span, placed.use,
                     "too many states in StateMachine " + text::quote(machine.name) + ": " + with_commas(count) +
                         ", at most " + std::to_string(kMaxStates));
  }
}

ir::Node TreeReader::read_state(const Placed& placed, MachineReading& machine, std::size_t number) {
  ir::Node state;
  state.opcode = Opcode::select_state;
  std::vector<ir::Transition>& transitions = state.payload.emplace<ir::Transitions>().transitions;
  state.span = placed.element.span();
  const Attributes attributes = read_attributes(placed, reporter_);
  state.name = required(placed, attributes, Key::name, reporter_).value_or(std::string_view());
  warn_of_unread_condition(placed, attributes, "a State", reporter_);
  const Children content = children(placed);
  std::optional<Placed> node;
  for (const Placed& child : content.placed) {
    if (child.kind == Kind::transition) {
      read_transition(child, transitions, machine, number);
    } else if (!node) {
      node = child;
      state.children.push_back(read_node(child, Kind::state));
    } else {
      reporter_.report_repeated(Rule::SEL_second_node_in_state, child.element.span(), child.use,
                                "unexpected element " + text::quote(child.element.name()) + " in 'State': state " +
                                    text::quote(state.name) + " already has a node",
                                node->element.span(), "its node");
      may_lack_leaves_ = true;
      static_cast<void>(read_node(child, Kind::unknown));
    }
  }
  if (!node && !content.is_incomplete) {
    reporter_.report(Rule::SEL_state_without_node, state.span, placed.use,
                     "state " + text::quote(state.name) + " has no node: the engine crashes on it",
                     "add one Priority, StateMachine or Leaf");
  }
  return state;
}

void TreeReader::read_transition(const Placed& placed, std::vector<ir::Transition>& transitions,
                                 MachineReading& machine, std::size_t number) {
  const Attributes attributes = read_attributes(placed, reporter_);
  expander_.expect_no_children(placed);
  const auto target = required(placed, attributes, Key::state, reporter_);
  std::optional<ir::ConditionIndex> condition;
  if (const Attribute& attribute = attributes[Key::condition]) {
    condition = read_condition(attribute, placed.use);
  } else {
    static_cast<void>(required(placed, attributes, Key::condition, reporter_));
  }
  if (!target) return;
  machine.jumps.push_back({number, transitions.size(), attributes[Key::state], placed.use});
  transitions.push_back({0, condition.value_or(0), placed.element.span()});
}

void TreeReader::resolve_jumps(const MachineReading& reading, ir::Node& machine) {
  for (const Jump& jump : reading.jumps) {
    const std::string_view target = jump.target.value();
    const auto found = reading.states.find(text::lower_case(target));
    if (found != reading.states.end()) {
      machine.children[jump.state].as<ir::Transitions>().transitions[jump.transition].target = found->second.number;
      continue;
    }
    std::string hint;
    if (reporter_.may_guess(machine.children.size())) {
      std::vector<std::string_view> names;
      for (const ir::Node& state : machine.children) names.push_back(state.name);
      hint = text::did_you_mean(target, names);
    }
    if (hint.empty() && reading.is_incomplete) continue;
    reporter_.report(Rule::SEL_unknown_state, jump.target.value_span(), jump.use,
                     "unknown state " + text::quote(target), std::move(hint));
  }
}

}  // namespace espalier::dialects::selection
