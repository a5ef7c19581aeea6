// What chooses among nodes: Priority with its cases, StateMachine with its states. See tree_reader.h.
#include <utility>

#include "dialects/modular/tree_reader.h"
#include "runtime/format/records.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

constexpr std::string_view kPutInCase = "put it in a 'Case'";
constexpr std::string_view kPutInState = "put it in the 'BehaviorTree' of a 'State'";
constexpr std::string_view kStateParts[] = {"BehaviorTree", "Transitions"};

}  // namespace

// ---- Priority -----------------------------------------------------------------------------------

void TreeReader::read_cases(const Element& element, ir::Node& priority) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (!is_expected(child, "Case", kPutInCase)) {
      read_for_faults(child);
      continue;
    }
    ir::Node read = read_case(child);
    if (node_count_ <= layout::kMaxNodes) priority.children.push_back(std::move(read));
  }
  check_count(element, Holds::cases);
}

ir::Node TreeReader::read_case(const Element& element) {
  ir::Node node = start(Opcode::tick_case, "Case", element.span());
  const Attributes attributes(element, kCaseAttributes, Logs::unread, reporter_);
  node.payload = read_guard(attributes);
  node.is_doubtful = attributes.has_misspelt();
  mark_variables(attributes.misspelt("condition"));
  const Element first = element.first_child();
  if (!first) {
    reporter_.report(Rule::MBT_child_count, element.span(), "'Case' must have exactly one child; it has none");
    return node;
  }
  node.children.push_back(read_node(first));
  if (const Element second = first.next_sibling()) {
    reporter_.report(Rule::MBT_unread_element, second.span(),
                     "extra child " + text::quote(second.name()) + " of 'Case' is ignored", std::string(kPutInOne),
                     {first.span(), "this child is read"});
  }
  return node;
}

// ---- StateMachine -------------------------------------------------------------------------------

void TreeReader::read_states(const Element& element, ir::Node& machine) {
  MachineReading reading;
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (!is_expected(child, "State", kPutInState)) {
      read_for_faults(child);
      reading.may_lack_states = true;
      continue;
    }
    ir::Node read = read_state(child, reading, machine.children.size());
    if (node_count_ <= layout::kMaxNodes) machine.children.push_back(std::move(read));
  }
  resolve_jumps(reading, machine);
  check_count(element, Holds::states);
}

ir::Node TreeReader::read_state(const Element& element, MachineReading& machine, std::size_t number) {
  ir::Node node = start(Opcode::tick_state, "State", element.span());
  const Parts parts = read_parts(element, kStateParts);
  const Element& tree = parts.first[0];
  const Element& transitions = parts.first[1];
  node.label = name_state(element, machine, number);
  ir::EventTransitions& read = node.payload.emplace<ir::EventTransitions>();
  if (transitions) read = read_transitions(transitions, machine, number);
  if (tree) {
    append_children(tree, Holds::one, node);
    check_count(tree, Holds::one);
  }
  report_strays(element, parts, kStateParts, Rule::MBT_child_count);
  return node;
}

// Of two states of one name the first is meant by transitions.
std::string TreeReader::name_state(const Element& element, MachineReading& machine, std::size_t number) {
  const Attribute name = Attributes(element, kStateAttributes, Logs::unread, reporter_).filled("name");
  if (!name) {
    machine.may_lack_states = true;
    return {};
  }
  const NamedState state = {static_cast<std::uint32_t>(number), name};
  const auto [first, is_new] = machine.states.try_emplace(text::lower_case(name.value()), state);
  if (is_new) return std::string(name.value());
  const bool is_same = first->second.name.value() == name.value();
  reporter_.report(Rule::MBT_duplicate_state, name.value_span(),
                   "duplicate state " + text::quote(name.value()) + " is never entered" +
                       (is_same ? "" : ": names of states are compared without case"),
                   {}, {first->second.name.value_span(), "first declared here"});
  return std::string(name.value());
}

ir::EventTransitions TreeReader::read_transitions(const Element& section, MachineReading& machine, std::size_t number) {
  std::vector<ir::EventTransition> transitions;
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    expect_tag(child, "Transition");
    const Attributes attributes(child, kTransitionAttributes, Logs::none, reporter_);
    const Attribute target = attributes.filled("to");
    const Attribute on_event = attributes.filled("onEvent");
    if (target) machine.jumps.push_back({number, transitions.size(), target});
    transitions.push_back({event(on_event.value(), on_event.value_span()), 0, child.span()});
  }
  return {std::move(transitions)};
}

void TreeReader::resolve_jumps(const MachineReading& machine, ir::Node& node) {
  for (const Jump& jump : machine.jumps) {
    const std::string_view target = jump.target.value();
    const auto found = machine.states.find(text::lower_case(target));
    if (found != machine.states.end()) {
      if (jump.state >= node.children.size()) continue;  // beyond the limit of nodes
      auto& transitions = node.children[jump.state].as<ir::EventTransitions>().transitions;
      transitions[jump.transition].target = found->second.number;
      continue;
    }
    std::string hint;
    if (reporter_.may_guess(machine.states.size())) {
      std::vector<std::string_view> names;
      for (const auto& [key, state] : machine.states) names.push_back(state.name.value());
      hint = text::did_you_mean(target, names);
    }
    if (hint.empty() && machine.may_lack_states) continue;
    reporter_.report(Rule::MBT_unknown_state, jump.target.value_span(), "unknown state " + text::quote(target),
                     std::move(hint));
  }
}

}  // namespace espalier::dialects::modular
