// The elements of a tree and where they are allowed; for their attributes see nodes.cpp. See tree_reader.h.
#include "dialects/synchronized/tree_reader.h"

#include <utility>

#include "dialects/reading/checks.h"
#include "dialects/reading/wording.h"
#include "runtime/format/records.h"

namespace espalier::dialects::synchronized {
namespace {

constexpr std::string_view kCombine = "put them in a 'Sequence', 'Selector' or 'Parallel'";

bool may_act(Opcode opcode) {
  return opcode == Opcode::store_action || opcode == Opcode::store_child || opcode == Opcode::store_group;
}

}  // namespace

ReadTree TreeReader::read(const File& file) {
  const Element root = file.document->root();
  const Attributes attributes(root, root_row(), table(), reporter_);
  ir::Tree& tree = result_.tree;
  result_.span = root.span();
  result_.name = attributes.filled("name");
  tree.name = result_.name.value();
  tree.span = result_.name ? result_.name.value_span() : root.span();
  crowd_ = attributes["agents"];
  tree.parts = ir::Storing{attributes.whole("maxDepth").value_or(kMaxDepthUnlessGiven), attributes.whole("agents")};
  ir::Node above;
  read_children(root, root_row(), {}, above);
  warn_of_stray_text(root, Rule::SYN_stray_text, reporter_.findings());
  result_.has_root = !above.children.empty();
  if (result_.has_root) tree.root = std::move(above.children.front());
  if (node_count_ > layout::kMaxNodes) {
    reporter_.report(
        Rule::SYN_too_many, root.span(),
        "too many nodes: " + std::to_string(node_count_) + ", at most " + std::to_string(layout::kMaxNodes));
  }
  result_.has_errors = reporter_.has_errors() || root.is_damaged();
  return std::move(result_);
}

// ---- Elements -----------------------------------------------------------------------------------

ir::Node TreeReader::read_node(const Element& element, const ElementRow& row, const Place& place) {
  ++node_count_;
  const std::size_t acting_before = acting_count_;
  if (may_act(row.opcode)) ++acting_count_;
  const bool is_gate = row.opcode == Opcode::store_gate;
  if (is_gate) ++gate_count_;
  const std::size_t gates_before = gate_count_;
  ir::Node node = read_alone(element, row, place);
  Place below = place;
  below.is_in_gate = place.is_in_gate || is_gate;
  if (row.opcode == Opcode::store_monitor) below.watch = Watch::monitor;
  if (row.opcode == Opcode::store_role) {
    below.is_in_role = true;
    if (place.watch != Watch::none) below.watch = Watch::role;
  }
  read_children(element, row, below, node);
  if (row.opcode == Opcode::store_group) check_group(element, node);
  // Without a time, another finding says so.
  const bool is_open = node.opcode == Opcode::store_cooldown_all && (node.flags & kStartsAtEntry) == 0 &&
                       node.as<ir::Duration>().time_us > 0;
  if (is_open && !place.is_in_gate && gate_count_ == gates_before) {
    reporter_.report(Rule::SYN_cooldown_lets_crowd_in, element.span(),
                     "the global cooldown lets other agents in until the first one is done",
                     "use starts=\"entry\", or put a 'Gate' around it");
  }
  const bool is_endless =
      row.opcode == Opcode::store_repeat && node.as<ir::Limit>().maximum == 0 && (node.flags & kEachUpdate) == 0;
  if (is_endless && acting_count_ == acting_before && !node.children.empty()) {
    reporter_.report(Rule::SYN_idle_repeat, element.span(),
                     "nothing that is repeated here for ever is an action: it is asked again at every evaluation");
  }
  return node;
}

// Reads its attributes. A separate function, so that nested nodes take little stack.
ir::Node TreeReader::read_alone(const Element& element, const ElementRow& row, const Place& place) {
  const Attributes attributes(element, row, table(), reporter_);
  check_place(element, row, place);
  warn_of_stray_text(element, Rule::SYN_stray_text, reporter_.findings());
  ir::Node node;
  node.opcode = row.opcode;
  node.name = element.name();
  node.span = element.span();
  read_values(attributes, element, node);
  return node;
}

// For the root element, the parent has no opcode.
void TreeReader::read_children(const Element& element, const ElementRow& row, const Place& place, ir::Node& parent) {
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (row.content.groups == 0) {
      report_unexpected_element(child, element, row, table(), reporter_, kInPlace,
                                row.takes_parameters ? "attributes are parameters for the host" : "");
      read_misplaced(child);
      continue;
    }
    const ElementRow* child_row = table().find(child.name());
    const bool is_known = child_row != nullptr && child_row != &root_row();
    if (!is_known) {
      const bool may_be_host = !child.first_child() && row.opcode != Opcode::store_group;
      child_row = report_unknown_element(child, element, row, table(), reporter_, kInPlace,
                                         may_be_host ? "use an 'Action' or a 'Condition' of the host" : "");
    }
    if (child_row == nullptr) {
      ++acting_count_;  // perhaps
      read_misplaced(child);
      continue;
    }
    const bool may = !is_known || check_child(child, *child_row, element, row, parent, place);
    Place below = place;
    if (!may && parent.opcode == Opcode::store_group) below.is_in_role = true;
    ir::Node node = read_node(child, *child_row, below);
    if (may) parent.children.push_back(std::move(node));
  }
  if (!element.first_child()) report_empty(element, row);
}

// It has been reported, and is read only to report faults in it.
void TreeReader::read_misplaced(const Element& element) {
  const ElementRow* const row = table().find(element.name());
  if (row != nullptr && row != &root_row()) {
    static_cast<void>(read_node(element, *row, {true, true, Watch::none, false}));
    return;
  }
  for (Element child = element.first_child(); child; child = child.next_sibling()) read_misplaced(child);
}

// ---- Allowed places -----------------------------------------------------------------------

// Is the element allowed in its parent? If not, that is reported.
bool TreeReader::check_child(const Element& element, const ElementRow& row, const Element& parent_element,
                             const ElementRow& parent_row, const ir::Node& parent, const Place& place) {
  const bool is_group = parent.opcode == Opcode::store_group;
  const std::size_t before = parent.children.size();
  if (!may_hold(parent_row, row)) {
    if (!is_group && !place.is_understood) return false;
    reporter_.report(is_group ? Rule::SYN_no_role : Rule::SYN_role_outside_group, element.span(),
                     "unexpected element " + quote(element.name()) + " in " + quote(parent_element.name()),
                     is_group ? "put it in a 'Role'" : "put it in a 'Group'");
    return false;
  }
  if (is_group && before == layout::kMaxRoles) {
    reporter_.report(Rule::SYN_too_many, element.span(),
                     "too many roles: at most " + std::to_string(layout::kMaxRoles) + " in a 'Group'", {},
                     {parent_element.span(), "the group"});
    return false;
  }
  // In a role, a condition does not count as the child.
  const bool is_guarded =
      parent_row.content.shape == Shape::guarded && before == 1 && parent.children[0].opcode == Opcode::store_condition;
  if (before < parent_row.content.most || is_guarded) return true;
  report_extra(element, parent_element, parent_row, parent);
  return false;
}

void TreeReader::report_extra(const Element& element, const Element& parent_element, const ElementRow& parent_row,
                              const ir::Node& parent) {
  const bool is_root = &parent_row == &root_row();
  const bool is_role = parent_row.content.shape == Shape::guarded;
  const bool is_late_guard =
      is_role && parent.children.size() == 1 && table().find(element.name())->opcode == Opcode::store_condition;
  const std::string owner = is_root ? "a tree has one root node" : quote(parent_element.name()) + " has one child";
  reporter_.report(
      is_root ? Rule::SYN_second_root : Rule::SYN_extra_child, element.span(),
      "unexpected element " + quote(element.name()) + ": " + owner + (is_role ? ", after an optional 'Condition'" : ""),
      is_late_guard ? "put it first, if it says who may take the role" : std::string(kCombine),
      {parent.children.back().span, is_root ? "the root node" : "the child"});
}

// Checks that do not depend on the parent.
void TreeReader::check_place(const Element& element, const ElementRow& row, const Place& place) {
  const bool is_barrier = row.opcode == Opcode::store_barrier;
  const bool follows = row.opcode == Opcode::store_role || (is_barrier && place.watch == Watch::role);
  if (place.watch != Watch::none && row.opcode == Opcode::store_action) {
    reporter_.report(Rule::SYN_action_in_monitor, element.span(),
                     "an 'Action' in a 'Monitor' is evaluated at every update, and never reset", "use a 'Condition'");
  } else if (place.watch != Watch::none && (row.groups & kWatched) == 0 && !follows) {
    reporter_.report(Rule::SYN_not_below_monitor, element.span(),
                     "unexpected element " + quote(element.name()) + " in a 'Monitor'",
                     row.opcode == Opcode::store_monitor
                         ? "the outer 'Monitor' asks everything in it"
                         : "a 'Monitor' holds conditions, and what combines them or changes their results");
  } else if (is_barrier && !place.is_in_role) {
    reporter_.report(Rule::SYN_barrier_outside_role, element.span(), "'Barrier' outside a 'Role'",
                     "it waits for the other roles of a 'Group'");
  }
}

void TreeReader::report_empty(const Element& element, const ElementRow& row) {
  if (&row == &root_row()) {
    reporter_.report(Rule::SYN_no_root, element.span(), "the tree has no root node",
                     "add an 'Action', or a 'Selector' or 'Sequence' of several nodes");
  } else if (row.content.least > 0) {
    reporter_.report(Rule::SYN_missing_child, element.span(),
                     quote(element.name()) + (row.opcode == Opcode::store_group ? " has no roles" : " has no child"));
  }
}

}  // namespace espalier::dialects::synchronized
