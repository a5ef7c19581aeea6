// What chooses among nodes: Priority with its cases, StateMachine with its states. See tree_reader.h.
#include <utility>

#include "dialects/modular/tree_reader.h"
#include "runtime/format/records.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

constexpr std::string_view kStateTree = "BehaviorTree";
constexpr std::string_view kTransitions = "Transitions";

}  // namespace

// A child that must be a Case (or a State): reports another, and gives whether it is one or was meant to be.
bool TreeReader::is_expected_child(const Element& element, std::string_view name, std::string_view owner) {
  if (text::equal_any_case(element.name(), name)) {
    check_case(element, name);
    return true;
  }
  const std::string hint = text::element_hint(element.name(), text::nearest(text::local_name(element.name()), {name}));
  const bool is_slip = !hint.empty() && find_core_node(element.name()) == nullptr;
  reporter_.report(Rule::MBT_unexpected_element, element.span(),
                   "unexpected element " + text::quote(element.name()) + ": " + std::string(owner) + " holds " +
                       std::string(name) + " alone",
                   is_slip ? hint : "put it in a " + std::string(name));
  if (!is_slip) read_for_faults(element);
  return is_slip;
}

// ---- Priority -----------------------------------------------------------------------------------

void TreeReader::read_cases(const Element& element, ir::Node& priority) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (!is_expected_child(child, "Case", element.name())) continue;
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
    reporter_.report(Rule::MBT_child_count, element.span(), "a Case has one node, this one has none");
    return node;
  }
  node.children.push_back(read_node(first));
  if (const Element second = first.next_sibling()) {
    reporter_.report(Rule::MBT_unread_element, second.span(),
                     "a Case has one node: " + text::quote(second.name()) + " is never read",
                     "put them in one node, such as a Sequence", {first.span(), "its node"});
  }
  return node;
}

// ---- StateMachine -------------------------------------------------------------------------------

void TreeReader::read_states(const Element& element, ir::Node& machine) {
  MachineReading reading;
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (!is_expected_child(child, "State", element.name())) {
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
  const StateParts parts = parts_of(element);
  node.label = name_state(element, machine, number);
  ir::EventTransitions& transitions = node.payload.emplace<ir::EventTransitions>();
  if (parts.transitions) transitions = read_transitions(parts.transitions, machine, number);
  if (parts.tree) {
    append_children(parts.tree, Holds::one, node);
    check_count(parts.tree, Holds::one);
  }
  report_strays(element, parts);
  return node;
}

TreeReader::StateParts TreeReader::parts_of(const Element& element) {
  StateParts parts;
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    const bool is_tree = text::equal_any_case(child.name(), kStateTree);
    Element& first = is_tree ? parts.tree : parts.transitions;
    if (!is_tree && !text::equal_any_case(child.name(), kTransitions)) {
      parts.strays.push_back(child);
    } else if (first) {
      reporter_.report(Rule::MBT_unread_element, child.span(),
                       "a second " + text::quote(child.name()) + " in a State is never read", {},
                       {first.span(), "the one that is read"});
    } else {
      first = child;
      check_case(child, is_tree ? kStateTree : kTransitions);
      static_cast<void>(Attributes(child, {}, Logs::none, reporter_));
    }
  }
  return parts;
}

// Without a tree, an element that was meant to be one, or to stand in one, is told with that.
void TreeReader::report_strays(const Element& state, const StateParts& parts) {
  Element missed;
  for (const Element& stray : parts.strays) {
    const std::string near = text::nearest(text::local_name(stray.name()), {kStateTree, kTransitions});
    const std::string_view place = place_of(stray.name());
    if (!parts.tree && !missed && near != kTransitions && place.empty()) {
      missed = stray;
      continue;
    }
    std::string hint = text::element_hint(stray.name(), near);
    if (!place.empty()) hint = "it stands " + std::string(place);
    report_unread(stray, "nothing reads " + text::quote(stray.name()) + " in a State", std::move(hint));
  }
  if (parts.tree) return;
  std::string hint = "it holds one node";
  if (missed && text::nearest(text::local_name(missed.name()), {kStateTree}) == kStateTree) {
    hint = text::quote(missed.name()) + " is not read: " + text::element_hint(missed.name(), kStateTree);
    read_for_faults(missed);
  } else if (missed) {
    hint = "put " + text::quote(missed.name()) + " in a BehaviorTree";
    static_cast<void>(read_node(missed));
  }
  reporter_.report(Rule::MBT_child_count, state.span(), "a State needs a BehaviorTree, this one has none",
                   std::move(hint));
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
                   "state " + text::quote(name.value()) + " is never entered: an earlier one has its name" +
                       (is_same ? "" : ", and case does not count"),
                   {}, {first->second.name.value_span(), "the one that transitions go to"});
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
    reporter_.report(Rule::MBT_unknown_state, jump.target.value_span(),
                     "no state of this machine is named " + text::quote(target), std::move(hint));
  }
}

}  // namespace espalier::dialects::modular
