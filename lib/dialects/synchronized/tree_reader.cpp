// The elements of a tree, and what may stand where; their attributes have files of their own. See tree_reader.h.
#include "dialects/synchronized/tree_reader.h"

#include <utility>

#include "dialects/reading/stray_text.h"
#include "runtime/format/records.h"

namespace espalier::dialects::synchronized {
namespace {

using text::quote;

constexpr std::uint32_t kMaxDepthUnlessGiven = 8;
constexpr std::uint32_t kMaxAgents = 1'000'000'000;

bool may_act(Opcode opcode) {
  return opcode == Opcode::store_action || opcode == Opcode::store_child || opcode == Opcode::store_group;
}

}  // namespace

ReadTree TreeReader::read(const File& file) {
  const Element root = file.document->root();
  const Attributes attributes(root, kTreeAttributes, kAttributeRules, reporter_);
  ir::Tree& tree = result_.tree;
  result_.span = root.span();
  result_.name = attributes.filled("name");
  tree.name = result_.name.value();
  tree.span = result_.name ? result_.name.value_span() : root.span();
  tree.parts = ir::Storing{kMaxDepthUnlessGiven, {}};
  if (const Attribute& depth = attributes["maxDepth"]) {
    storing().max_depth = read_number(depth, 1, layout::kMaxTreeLevels).value_or(kMaxDepthUnlessGiven);
  }
  crowd_ = attributes["agents"];
  if (crowd_) storing().agent_count = read_number(crowd_, 1, kMaxAgents);
  read_root(root);
  if (node_count_ > layout::kMaxNodes) {
    reporter_.report(Rule::SYN_too_many, root.span(),
                     "the tree has " + std::to_string(node_count_) + " nodes; " + std::to_string(layout::kMaxNodes) +
                         " are the most");
  }
  result_.has_errors = reporter_.has_errors();
  return std::move(result_);
}

// ---- Elements -----------------------------------------------------------------------------------

void TreeReader::read_root(const Element& element) {
  ir::Node parent;
  read_children(element, {}, parent);
  warn_of_text(element);
  result_.has_root = !parent.children.empty();
  if (result_.has_root) result_.tree.root = std::move(parent.children.front());
}

ir::Node TreeReader::read_node(const Element& element, const ElementRow& row, const Place& place) {
  ++node_count_;
  const std::size_t acting_before = acting_count_;
  if (may_act(row.opcode)) ++acting_count_;
  ir::Node node = read_alone(element, row, place);
  Place below = place;
  if (row.opcode == Opcode::store_monitor) below.watch = Watch::monitor;
  if (row.opcode == Opcode::store_role) {
    below.is_in_role = true;
    if (place.watch != Watch::none) below.watch = Watch::role;
  }
  read_children(element, below, node);
  if (row.opcode == Opcode::store_group) check_group(element, node);
  const bool is_endless = row.opcode == Opcode::store_repeat && node.as<ir::Limit>().maximum == 0;
  if (is_endless && acting_count_ == acting_before && !node.children.empty()) {
    reporter_.report(Rule::SYN_idle_repeat, element.span(),
                     "there is no action in what is repeated for ever: it is asked again at every evaluation");
  }
  return node;
}

// Its attributes. Apart, so that nodes within nodes take little stack.
ir::Node TreeReader::read_alone(const Element& element, const ElementRow& row, const Place& place) {
  const bool takes_parameters = row.opcode == Opcode::store_condition || row.opcode == Opcode::store_action;
  const Attributes attributes(element, row.attributes, kAttributeRules, reporter_, takes_parameters);
  check_place(element, row, place);
  warn_of_text(element);
  ir::Node node;
  node.opcode = row.opcode;
  node.name = element.name();
  node.span = element.span();
  read_values(attributes, element, node);
  return node;
}

// Of the root element, the parent has no opcode.
void TreeReader::read_children(const Element& element, const Place& place, ir::Node& parent) {
  const Children kind = children_of(parent.opcode);
  for (Element child = element.first_child(); child; child = child.next_sibling()) {
    if (kind == Children::none) {
      const bool takes_parameters = parent.opcode == Opcode::store_condition || parent.opcode == Opcode::store_action;
      reporter_.report(Rule::SYN_extra_child, child.span(), quote(element.name()) + " has no children",
                       takes_parameters ? "what the host is to know besides is told in attributes" : "");
      read_misplaced(child);
      continue;
    }
    const ElementRow* row = find_element(child.name());
    const bool is_known = row != nullptr;
    if (!is_known) row = report_unknown(child, element, parent.opcode);
    if (row == nullptr) {
      ++acting_count_;  // perhaps
      read_misplaced(child);
      continue;
    }
    const bool may = !is_known || may_stand(child, row->opcode, element, parent, place);
    Place below = place;
    if (!may && parent.opcode == Opcode::store_group) below.is_in_role = true;
    ir::Node node = read_node(child, *row, below);
    if (may) parent.children.push_back(std::move(node));
  }
  if (!element.first_child()) report_empty(element, parent.opcode);
}

// What was meant by it, or null.
const ElementRow* TreeReader::report_unknown(const Element& element, const Element& parent, Opcode opcode) {
  std::string hint(hint_of_element(element.name()));
  std::string near;
  if (hint.empty()) {
    near = reporter_.nearest(text::local_name(element.name()), elements_below(opcode));
    hint = text::element_hint(element.name(), near);
  }
  if (hint.empty() && !element.first_child() && opcode != Opcode::store_group) {
    hint = "what the host does is an 'Action', what it is asked a 'Condition'";
  }
  reporter_.report(Rule::SYN_unknown_element, element.span(),
                   "there is no element " + quote(element.name()) + " in " + quote(parent.name()), std::move(hint));
  return find_element(near);
}

// Told already; read for its own faults.
void TreeReader::read_misplaced(const Element& element) {
  const Place place{true, Watch::none, false};
  const ElementRow* const row = find_element(element.name());
  if (row != nullptr) {
    static_cast<void>(read_node(element, *row, place));
    return;
  }
  for (Element child = element.first_child(); child; child = child.next_sibling()) read_misplaced(child);
}

// ---- What may stand where -----------------------------------------------------------------------

// Else that is told.
bool TreeReader::may_stand(const Element& element, Opcode opcode, const Element& parent_element, const ir::Node& parent,
                           const Place& place) {
  const std::string owner = quote(parent_element.name());
  const std::size_t before = parent.children.size();
  const bool is_role = opcode == Opcode::store_role;
  const bool is_group = parent.opcode == Opcode::store_group;
  const Children kind = children_of(parent.opcode);
  if (is_role && !is_group) {
    if (place.is_understood) {
      reporter_.report(Rule::SYN_role_outside_group, element.span(), "a 'Role' stands only in a 'Group'");
    }
    return false;
  }
  if (is_group && !is_role) {
    reporter_.report(Rule::SYN_no_role, element.span(), "only roles stand in a 'Group', not " + quote(element.name()),
                     "put it in a 'Role'");
    return false;
  }
  if (is_group && before == layout::kMaxRoles) {
    reporter_.report(Rule::SYN_too_many, element.span(),
                     "a 'Group' has at most " + std::to_string(layout::kMaxRoles) + " roles, this is one more", {},
                     {parent_element.span(), "the group"});
    return false;
  }
  if (parent.opcode == Opcode::count && before == 1) {
    reporter_.report(Rule::SYN_second_root, element.span(), "a tree has one root node, this is one more",
                     "put them in a 'Sequence', 'Selector' or 'Parallel'", {parent.children[0].span, "the first"});
    return false;
  }
  if (kind == Children::one && before == 1) {
    reporter_.report(Rule::SYN_extra_child, element.span(), owner + " has one child, this is one more",
                     "put them in a 'Sequence', 'Selector' or 'Parallel'", {parent.children[0].span, "the first"});
    return false;
  }
  const bool has_condition = before != 0 && parent.children[0].opcode == Opcode::store_condition;
  if (kind == Children::work && before != 0 && (before == 2 || !has_condition)) {
    reporter_.report(
        Rule::SYN_extra_child, element.span(), "only a 'Condition' may stand before a role's child, this is one more",
        opcode == Opcode::store_condition && before == 1 ? "put it first, if it says who may have the role"
                                                         : "put them in a 'Sequence', 'Selector' or 'Parallel'",
        {parent.children.back().span, "the child"});
    return false;
  }
  return true;
}

// Whatever its parent.
void TreeReader::check_place(const Element& element, const ElementRow& row, const Place& place) {
  const bool is_barrier = row.opcode == Opcode::store_barrier;
  const bool follows = row.opcode == Opcode::store_role || (is_barrier && place.watch == Watch::role);
  if (place.watch != Watch::none && row.opcode == Opcode::store_action) {
    reporter_.report(Rule::SYN_action_in_monitor, element.span(),
                     "a monitor should only ask: what is below it is asked at every update, and cleared without reset",
                     "ask in a 'Condition'");
  } else if (place.watch != Watch::none && !row.may_be_watched && !follows) {
    reporter_.report(
        Rule::SYN_not_below_monitor, element.span(), quote(element.name()) + " may not stand below a 'Monitor'",
        row.opcode == Opcode::store_monitor ? "one 'Monitor' asks all that is below it"
                                            : "conditions may, and what combines them or changes their result");
  } else if (is_barrier && !place.is_in_role) {
    reporter_.report(Rule::SYN_barrier_outside_role, element.span(), "a 'Barrier' stands only inside a 'Role'",
                     "it waits for the other roles of a 'Group'");
  }
}

void TreeReader::report_empty(const Element& element, Opcode opcode) {
  if (opcode == Opcode::count) {
    reporter_.report(Rule::SYN_no_root, element.span(), "the tree has no root node",
                     "it has one, such as an 'Action', or a 'Selector' or 'Sequence' of several");
  } else if (children_of(opcode) != Children::none) {
    reporter_.report(
        Rule::SYN_missing_child, element.span(),
        opcode == Opcode::store_group ? "a 'Group' needs roles" : quote(element.name()) + " needs a child");
  }
}

void TreeReader::warn_of_text(const Element& element) {
  warn_of_stray_text(element, Rule::SYN_stray_text, reporter_.findings());
}

}  // namespace espalier::dialects::synchronized
