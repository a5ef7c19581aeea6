// Nodes: which one an element is, and its children; Priority with its cases, StateMachine with its states. See
// tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/modular/tree_reader.h"
#include "dialects/reading/checks.h"
#include "dialects/reading/synonyms.h"
#include "rules/modular.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/format/records.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

constexpr NameRules kStateNames{"state", rules::MBT_duplicate_state, rules::MBT_unknown_state, true};

// The candidate that is similar to `name`. If one of the two is short, a difference of two letters makes it another
// word; nearest() considers only the length of its first name.
std::string nearly(std::string_view name, const std::vector<std::string_view>& candidates) {
  const std::string near = text::nearest(name, candidates);
  return text::nearest(near, {name}).empty() ? std::string() : near;
}

std::string at_line(const Element& element) {
  const std::uint32_t line = element.document().source().position(element.span().begin).line;
  return quote(element.name()) + " at line " + std::to_string(line);
}

// The node in a Case or State; false if it has more than the node.
Element only_node(const Element& element, Groups groups) {
  if (groups == kCases) return element.attributes().empty() ? element.first_child() : Element();
  Element node;
  for (const Element& part : element.children()) {
    if (text::equal_any_case(part.name(), "BehaviorTree")) {
      node = part.first_child();
    } else if (part.first_child()) {
      return {};
    }
  }
  return node;
}

// "must have exactly one child".
std::string demand_of(const Content& content) {
  if (content.most == 0) return "must have no children";
  if (content.most == 1) return "must have exactly one child";
  for (const ElementRow& row : table().elements) {
    if (content.groups != kNodes && (row.groups & content.groups) != 0) {
      return "must have at least one " + quote(row.name);
    }
  }
  return "must have at least one child";
}

// Does the engine ignore its children, rather than refuse them?
bool ignores_children(Opcode opcode) { return opcode == opcode::tick_message || opcode == opcode::tick_time; }

}  // namespace

// ---- Names --------------------------------------------------------------------------------------

ElementName& ProjectNames::element(std::string_view name) {
  if (const auto found = elements_.find(name); found != elements_.end()) return found->second;
  ElementName& facts = elements_[std::string(name)];
  facts.core = find_core_node(name);
  facts.declared = find_declaration(options_.hosts, name);
  if (options_.hosts.empty()) facts.known = find_declaration(options_.engine_hosts, name);
  facts.is_reserved = !place_of(name).empty();
  const std::string_view local = text::local_name(name);  // prefixes are not read: a known name after one is misspelt
  const auto is_same = [&](const ElementRow& row) {
    return row.groups == kNodes && text::equal_any_case(row.name, local);
  };
  const std::span<const ElementRow> rows = table().elements;
  facts.is_core_in_any_case = std::any_of(rows.begin(), rows.end(), is_same);
  const HostDeclaration* const host = options_.hosts.empty() ? facts.known : facts.declared;
  facts.is_raw = host != nullptr && host->children == HostChildren::raw;
  const ElementRow* const section = find_row(kSections, name);
  facts.is_raw_section = section != nullptr && section->content.shape == Shape::raw;
  return facts;
}

const std::string& ProjectNames::near_core(std::string_view name) {
  std::optional<std::string>& near = element(name).near_core;
  if (!near) near = nearly(name, core_node_names());
  return *near;
}

const std::string& ProjectNames::near(std::string_view name) {
  std::optional<std::string>& near = element(name).near;
  if (!near) near = nearly(text::local_name(name), guessed_names);
  return *near;
}

// ---- Nodes --------------------------------------------------------------------------------------

ir::Draft& TreeReader::start(Opcode opcode, std::string_view name, Span span) {
  ++node_count_;
  return drafts_.make(opcode, name, span);
}

// The nesting of elements is limited (text::kMaxNesting), so this recursion is too.
ir::Draft& TreeReader::read_node(const Element& element) {
  const ElementName& name = project_.element(element.name());
  if (name.core != nullptr) return read_core(element, *name.core);
  if (name.declared != nullptr) return read_declared(element, *name.declared);
  if (name.is_reserved) {
    reporter_.report(rules::MBT_unexpected_element, element.span(),
                     "unexpected element " + quote(element.name()) + " in " + quote(element.parent().name()),
                     quote(element.name()) + " belongs " + place_of(element.name()));
    return drafts_.make();
  }
  return read_other(element, name);
}

// An element that is neither a core node nor declared: a node of the host, or a misspelt one. The children of a
// misspelt node are read as those of the node that was meant; its own attributes are not checked, since that would be a
// second finding for one fault.
ir::Draft& TreeReader::read_other(const Element& element, const ElementName& facts) {
  const std::string_view name = element.name();
  if (options_.hosts.empty()) {
    const bool is_slip = facts.is_core_in_any_case || (element.first_child() && !project_.near_core(name).empty());
    if (facts.known != nullptr || !is_slip) {
      if (facts.known == nullptr) note_own(element);
      return read_undeclared(element, facts);
    }
  }
  const std::string near = project_.node_names.nearest(text::local_name(name));
  text::Finding& finding = reporter_.report(rules::MBT_unknown_node, element.span(), "unknown element " + quote(name),
                                            text::element_hint(name, near));
  const bool is_declared = find_declaration(options_.hosts, near) != nullptr;
  reporter_.propose_name(finding, element, near, is_declared ? Guess::Of::name : Guess::Of::word);
  const std::string_view word = near.empty() ? synonym_of_element(name, core_node_names()) : std::string_view();
  if (!word.empty() && finding.hint.empty()) finding.hint = did_you_mean(word);
  if (const ElementRow* core = find_core_node(near.empty() ? word : std::string_view(near))) {
    read_children(element, *core, drafts_.make(core->opcode));
  } else {
    read_for_faults(element);
  }
  return drafts_.make();
}

// An element of the game, or a possible slip that is not certain enough to refuse the tree.
void TreeReader::note_own(const Element& element) {
  if (!own_names_.insert(element.name()).second) return;
  const bool may_guess = reporter_.may_guess(project_.guessed_names.size());
  const std::string_view near = may_guess ? std::string_view(project_.near(element.name())) : std::string_view();
  if (near.empty() || options_.engine_hosts.empty()) {
    own_elements_.push_back(element);
    return;
  }
  text::Finding& finding =
      reporter_.report(rules::MBT_nearly_known_node, element.span(),
                       "unknown element " + quote(element.name()) + " is treated as a node of the game",
                       text::element_hint(element.name(), near));
  reporter_.propose_name(finding, element, near);
}

void TreeReader::read_for_faults(const Element& parent) {
  for (Element child = parent.first_child(); child; child = child.next_sibling()) static_cast<void>(read_node(child));
}

ir::Draft& TreeReader::read_core(const Element& element, const ElementRow& core) {
  ir::Draft& node = read_itself(element, core);
  read_children(element, core, node);
  return with_logs(element, core, node);
}

// Without its children. A separate function, so that nested nodes take little stack.
ir::Draft& TreeReader::read_itself(const Element& element, const ElementRow& core) {
  const Attributes attributes(element, core, reporter_);
  ir::Draft& node = start(core.opcode, core.name, element.span());
  node.flags = core.flags;
  is_doubtful_ = attributes.has_misspelt();
  read_operands(core, attributes, node);
  node.is_doubtful = is_doubtful_;
  return node;
}

// The node, in another one if it logs anything.
ir::Draft& TreeReader::with_logs(const Element& element, const ElementRow& row, ir::Draft& node) {
  if (element.attributes().empty()) return node;
  ir::Texts logs;
  bool has_any = false;
  for (std::size_t i = 0; row.common == Common::read && i < table().common.size(); ++i) {
    logs.texts[i] = element.attribute_any_case(table().common[i].name).value();
    has_any = has_any || !logs.texts[i].empty();
  }
  if (!has_any) return node;
  ir::Draft& log = start(opcode::tick_log, {}, node.span);
  log.set(std::move(logs));
  log.add(node);
  return log;
}

void TreeReader::read_children(const Element& element, const ElementRow& core, ir::Draft& node) {
  if (core.content.groups & kCases) return read_cases(element, core, node);
  if (core.content.groups & kStates) return read_states(element, core, node);
  if (ignores_children(core.opcode)) {
    if (const Element child = element.first_child()) {
      reporter_.report(rules::MBT_ignored_children, element.span(), "children of " + quote(core.name) + " are ignored",
                       {}, {child.span(), "the first of them"});
    }
    return;
  }
  if (core.content.most == 0) {
    read_for_faults(element);
  } else {
    append_children(element, node);
  }
  check_count(element, core.content);
}

// Beyond the limit of nodes, which is reported at the end, children are not read.
void TreeReader::append_children(const Element& element, ir::Draft& node) {
  for (Element child = element.first_child(); child && node_count_ <= layout::kMaxNodes; child = child.next_sibling()) {
    ir::Draft& read = read_node(child);
    if (node.opcode != opcode::tick_parallel) {
      node.add(read);
      continue;
    }
    ir::Draft& branch = start(opcode::tick_branch, {}, read.span);
    branch.add(read);
    node.add(branch);
  }
}

void TreeReader::check_count(const Element& element, const Content& content) {
  std::size_t count = 0;
  Element extra;  // the first one too many
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (count++ == content.most) extra = child;
  }
  if (count >= content.least && count <= content.most && count != 1) return;
  const std::string name = quote(element.name());
  if (count > content.most && content.most > 1) {
    reporter_.report(rules::MBT_too_many_children, element.span(),
                     too_many("children of " + name, count, content.most));
  } else if (count > content.most) {
    const bool is_leaf = content.most == 0;
    reporter_.report(rules::MBT_child_count, element.span(),
                     name + ' ' + demand_of(content) + "; it has " + std::to_string(count),
                     is_leaf ? "'Sequence' can hold several nodes" : kPutInOne,
                     {extra.span(), is_leaf ? "the first child" : "the first extra child"});
  } else if (count < content.least) {
    reporter_.report(rules::MBT_child_count, element.span(), name + ' ' + demand_of(content) + "; it has none");
  } else if (count == 1 && content.most > 1 && find_core_node(element.name()) != nullptr) {
    report_superfluous(element, content, element.first_child());
  }
}

// A node with a log attribute has an effect; so has a case that ends when its condition ceases to hold, and a state
// that an event restarts.
void TreeReader::report_superfluous(const Element& element, const Content& content, const Element& child) {
  const auto has_log = [&](const AttributeRow& log) { return bool(element.attribute_any_case(log.name)); };
  if (std::any_of(table().common.begin(), table().common.end(), has_log)) return;
  const bool holds_nodes = content.groups == kNodes;
  const Element node = holds_nodes ? child : only_node(child, content.groups);
  if (!node) return;
  const std::string what = holds_nodes ? "its only child" : "the node of its only " + quote(child.name());
  reporter_.report(rules::MBT_superfluous_composite, element.span(),
                   at_line(element) + " can be replaced by " + what + ", " + at_line(node));
}

// ---- Priority -----------------------------------------------------------------------------------

void TreeReader::read_cases(const Element& element, const ElementRow& core, ir::Draft& priority) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (const ElementRow* row = expect(child, core)) {
      ir::Draft& read = read_case(child, *row);
      if (node_count_ <= layout::kMaxNodes) priority.add(read);
    } else {
      read_for_faults(child);
    }
  }
  check_count(element, core.content);
}

ir::Draft& TreeReader::read_case(const Element& element, const ElementRow& row) {
  ir::Draft& node = start(opcode::tick_case, row.name, element.span());
  const Attributes attributes(element, row, reporter_);
  node.set(read_guard(attributes));
  node.is_doubtful = attributes.has_misspelt();
  mark_variables(attributes.misspelt("condition"));
  const Element first = element.first_child();
  if (!first) {
    reporter_.report(rules::MBT_child_count, element.span(), "'Case' must have exactly one child; it has none");
    return node;
  }
  node.add(read_node(first));
  if (const Element second = first.next_sibling()) {
    reporter_.report(rules::MBT_unread_element, second.span(),
                     "extra child " + quote(second.name()) + " of 'Case' is ignored", kPutInOne,
                     {first.span(), "this child is read"});
  }
  return node;
}

// ---- StateMachine -------------------------------------------------------------------------------

void TreeReader::read_states(const Element& element, const ElementRow& core, ir::Draft& machine) {
  MachineNames names(kStateNames);
  std::vector<ir::Draft*> states;
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (const ElementRow* row = expect(child, core)) {
      ir::Draft& read = read_state(child, *row, names, states.size());
      if (node_count_ > layout::kMaxNodes) continue;
      machine.add(read);
      states.push_back(&read);
    } else {
      read_for_faults(child);
      names.states.lack_one();
    }
  }
  names.resolve(reporter_, [&](std::size_t state, std::size_t transition, std::uint32_t target) {
    if (state >= states.size()) return;  // beyond the limit of nodes
    states[state]->as<ir::EventTransitions>().transitions[transition].target = target;
  });
  check_count(element, core.content);
}

ir::Draft& TreeReader::read_state(const Element& element, const ElementRow& row, MachineNames& machine,
                                  std::size_t number) {
  ir::Draft& node = start(opcode::tick_state, row.name, element.span());
  const Attribute name = Attributes(element, row, reporter_).filled("name");
  node.set_label(name.value());
  if (name) {
    machine.states.declare(name.value(), static_cast<std::uint32_t>(number), name.value_span(), reporter_);
  } else {
    machine.states.lack_one();
  }
  const Parts parts = read_parts(element, row);
  const Element& tree = parts.first[0];
  const Element& transitions = parts.first[1];
  ir::EventTransitions& read = node.set(ir::EventTransitions());
  if (transitions) read = read_transitions(transitions, machine, number);
  if (tree) {
    append_children(tree, node);
    check_count(tree, kOneNode);
  }
  report_strays(element, row, parts, rules::MBT_child_count);
  return node;
}

ir::EventTransitions TreeReader::read_transitions(const Element& section, MachineNames& machine, std::size_t number) {
  const ElementRow& row = *find_row(kTransitionEntries, "Transition");
  std::vector<ir::EventTransition> transitions;
  for (Element child = section.first_child(); child; child = child.next_sibling()) {
    check_tag(child, row);
    const Attributes attributes(child, row, reporter_);
    const Attribute target = attributes.filled("to");
    const Attribute on_event = attributes.filled("onEvent");
    if (target) machine.add_jump(number, transitions.size(), target);
    transitions.push_back({event(on_event.value(), on_event.value_span()), 0, child.span()});
  }
  return {std::move(transitions)};
}

}  // namespace espalier::dialects::modular
