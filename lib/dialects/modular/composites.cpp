// Nodes that choose among others: Priority with its cases, StateMachine with its states. See tree_reader.h.
#include <utility>

#include "dialects/modular/tree_reader.h"
#include "runtime/format/records.h"

namespace espalier::dialects::modular {
namespace {

constexpr NameRules kStateNames{"state", Rule::MBT_duplicate_state, Rule::MBT_unknown_state, true};

}  // namespace

// ---- Priority -----------------------------------------------------------------------------------

void TreeReader::read_cases(const Element& element, const ElementRow& core, ir::Node& priority) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (const ElementRow* row = expect(child, core)) {
      ir::Node read = read_case(child, *row);
      if (node_count_ <= layout::kMaxNodes) priority.children.push_back(std::move(read));
    } else {
      read_for_faults(child);
    }
  }
  check_count(element, core.content);
}

ir::Node TreeReader::read_case(const Element& element, const ElementRow& row) {
  ir::Node node = start(Opcode::tick_case, row.name, element.span());
  const Attributes attributes(element, row, table(), reporter_);
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
                     "extra child " + quote(second.name()) + " of 'Case' is ignored", kPutInOne,
                     {first.span(), "this child is read"});
  }
  return node;
}

// ---- StateMachine -------------------------------------------------------------------------------

void TreeReader::read_states(const Element& element, const ElementRow& core, ir::Node& machine) {
  MachineNames names(kStateNames);
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (const ElementRow* row = expect(child, core)) {
      ir::Node read = read_state(child, *row, names, machine.children.size());
      if (node_count_ <= layout::kMaxNodes) machine.children.push_back(std::move(read));
    } else {
      read_for_faults(child);
      names.states.lack_one();
    }
  }
  names.resolve(reporter_, [&](std::size_t state, std::size_t transition, std::uint32_t target) {
    if (state >= machine.children.size()) return;  // beyond the limit of nodes
    machine.children[state].as<ir::EventTransitions>().transitions[transition].target = target;
  });
  check_count(element, core.content);
}

ir::Node TreeReader::read_state(const Element& element, const ElementRow& row, MachineNames& machine,
                                std::size_t number) {
  ir::Node node = start(Opcode::tick_state, row.name, element.span());
  const Attribute name = Attributes(element, row, table(), reporter_).filled("name");
  node.label = name.value();
  if (name) {
    machine.states.declare(name.value(), static_cast<std::uint32_t>(number), name.value_span(), reporter_);
  } else {
    machine.states.lack_one();
  }
  const Parts parts = read_parts(element, row);
  const Element& tree = parts.first[0];
  const Element& transitions = parts.first[1];
  ir::EventTransitions& read = node.payload.emplace<ir::EventTransitions>();
  if (transitions) read = read_transitions(transitions, machine, number);
  if (tree) {
    append_children(tree, node);
    check_count(tree, kOneNode);
  }
  report_strays(element, row, parts, Rule::MBT_child_count);
  return node;
}

ir::EventTransitions TreeReader::read_transitions(const Element& section, MachineNames& machine, std::size_t number) {
  const ElementRow& row = *find_row(kTransitionEntries, "Transition");
  std::vector<ir::EventTransition> transitions;
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    check_tag(child, row);
    const Attributes attributes(child, row, table(), reporter_);
    const Attribute target = attributes.filled("to");
    const Attribute on_event = attributes.filled("onEvent");
    if (target) machine.add_jump(number, transitions.size(), target);
    transitions.push_back({event(on_event.value(), on_event.value_span()), 0, child.span()});
  }
  return {std::move(transitions)};
}

}  // namespace espalier::dialects::modular
