// The elements of a tree, where they are allowed, and their attributes. See tree_reader.h.
#include "dialects/synchronized/tree_reader.h"

#include <algorithm>
#include <map>
#include <utility>

#include "dialects/reading/attributes.h"
#include "dialects/reading/checks.h"
#include "dialects/reading/name_table.h"
#include "dialects/synchronized/elements.h"
#include "dialects/synchronized/options.h"
#include "ir/draft.h"
#include "rules/synchronized.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/records.h"

namespace espalier::dialects::synchronized {
namespace {

constexpr std::string_view kAgentsGiven = "the tree's agents";
constexpr std::string_view kCombine = "put them in a 'Sequence', 'Selector' or 'Parallel'";

const ParameterRules kParameterRules{rules::SYN_deprecated, rules::SYN_bad_value, rules::SYN_missing_parameter,
                                     rules::SYN_parameter_never_read};

bool may_act(Opcode opcode) {
  return opcode == opcode::store_action || opcode == opcode::store_child || opcode == opcode::store_group;
}

class TreeReader {
 public:
  TreeReader(Hosts& hosts, text::Findings& findings)
      : hosts_(hosts), reporter_(findings, table()), drafts_(hosts.names), behavior_(result_.behavior, table()) {}

  ReadTree read(const File& file) {
    const Element root = file.document->root();
    const Attributes attributes(root, root_row(), reporter_);
    ir::Tree& tree = result_.tree;
    result_.span = root.span();
    result_.name = KeptValue(attributes.filled("name"));
    tree.name = result_.name.value();
    tree.span = result_.name ? result_.name.value_span() : root.span();
    crowd_ = attributes["agents"];
    // One that cannot be read may be small.
    const bool is_depth_lost = attributes.is_meant("maxDepth") || root.is_damaged();
    const std::uint32_t depth = attributes.whole("maxDepth").value_or(is_depth_lost ? 1 : kMaxDepthUnlessGiven);
    tree.parts = ir::Storing{depth, attributes.whole("agents")};
    ir::Draft& above = drafts_.make();
    read_children(root, root_row(), {}, above);
    warn_of_stray_text(root, reporter_);
    result_.has_root = above.child_count() > 0;
    if (result_.has_root) tree.nodes = drafts_.lay_out(*above.first_child());
    if (node_count_ > layout::kMaxNodes) {
      reporter_.report(rules::SYN_too_many, root.span(), too_many("nodes", node_count_, layout::kMaxNodes));
    }
    result_.has_errors = reporter_.has_errors() || root.is_damaged();
    return std::move(result_);
  }

 private:
  enum class Watch : std::uint8_t { none, monitor, role };  // role: in a group that is not allowed below a monitor
  struct Context {
    bool is_in_role = false;
    bool is_in_gate = false;
    Watch watch = Watch::none;  // the rules for nodes below a monitor
    bool is_understood = true;  // false: in an unknown element
  };

  // ---- Elements -----------------------------------------------------------------------------------

  ir::Draft& read_node(const Element& element, const ElementRow& row, const Context& place) {
    ++node_count_;
    const std::size_t acting_before = acting_count_;
    if (may_act(row.opcode)) ++acting_count_;
    const bool is_gate = row.opcode == opcode::store_gate;
    if (is_gate) ++gate_count_;
    const std::size_t gates_before = gate_count_;
    Context below = place;
    ir::Draft& node = read_alone(element, row, place, below);
    below.is_in_gate = place.is_in_gate || is_gate;
    if (row.opcode == opcode::store_monitor) below.watch = Watch::monitor;
    if (row.opcode == opcode::store_role) {
      below.is_in_role = true;
      if (place.watch != Watch::none) below.watch = Watch::role;
    }
    read_children(element, row, below, node);
    if (row.opcode == opcode::store_group) check_group(element, node);
    // Without a time, another finding says so.
    const bool is_open = node.opcode == opcode::store_cooldown_all && (node.flags & kStartsAtEntry) == 0 &&
                         node.as<ir::Duration>().time_us > 0;
    if (is_open && !place.is_in_gate && gate_count_ == gates_before) {
      behavior_.report(rules::SYN_cooldown_lets_crowd_in, element.span(),
                       "the global cooldown lets other agents in until the first one is done",
                       "use starts=\"entry\", or put a 'Gate' around it");
    }
    const bool is_endless =
        row.opcode == opcode::store_repeat && node.as<ir::Limit>().maximum == 0 && (node.flags & kEachUpdate) == 0;
    if (is_endless && acting_count_ == acting_before && node.child_count() > 0) {
      behavior_.report(rules::SYN_idle_repeat, element.span(),
                       "this repeats forever without an action: its child is asked again at every evaluation");
    }
    return node;
  }

  // Reads its attributes. A separate function, so that nested nodes take little stack.
  // `below`: changes where the element itself is refused, since what is in it is not judged again.
  ir::Draft& read_alone(const Element& element, const ElementRow& row, const Context& place, Context& below) {
    const Attributes attributes(element, row, reporter_);
    if (!check_place(element, row, place)) below.watch = Watch::none;
    warn_of_stray_text(element, reporter_);
    ir::Draft& node = drafts_.make(row.opcode, element.name(), element.span());
    read_values(attributes, element, node);
    return node;
  }

  // For the root element, the parent has no opcode.
  void read_children(const Element& element, const ElementRow& row, const Context& place, ir::Draft& parent) {
    for (Element child = element.first_child(); child; child = child.next_sibling()) {
      if (row.content.groups == 0) {
        report_unexpected_element(child, row, reporter_, row.takes_parameters ? "its parameters are attributes" : "");
        read_misplaced(child);
        continue;
      }
      const ElementRow* child_row = table().find(child.name());
      const bool is_known = child_row != nullptr && child_row != &root_row();
      if (!is_known) {
        const bool may_be_host = !child.first_child() && row.opcode != opcode::store_group;
        child_row = report_unknown_element(child, row, reporter_,
                                           may_be_host ? "use an 'Action' or a 'Condition' of the program" : "");
      }
      if (child_row == nullptr) {
        ++acting_count_;  // perhaps
        read_misplaced(child);
        continue;
      }
      const bool may = !is_known || check_child(child, *child_row, element, row, parent, place);
      Context below = place;
      if (!may && parent.opcode == opcode::store_group) below.is_in_role = true;
      ir::Draft& node = read_node(child, *child_row, below);
      if (may) parent.add(node);
    }
    if (!element.first_child()) report_empty(element, row);
  }

  // It has been reported, and is read only to report faults in it.
  void read_misplaced(const Element& element) {
    const ElementRow* const row = table().find(element.name());
    if (row != nullptr && row != &root_row()) {
      static_cast<void>(read_node(element, *row, {true, true, Watch::none, false}));
      return;
    }
    for (Element child = element.first_child(); child; child = child.next_sibling()) read_misplaced(child);
  }

  // ---- Allowed places -----------------------------------------------------------------------

  // Is the element allowed in its parent? If not, that is reported.
  bool check_child(const Element& element, const ElementRow& row, const Element& parent_element,
                   const ElementRow& parent_row, const ir::Draft& parent, const Context& place) {
    const bool is_group = parent.opcode == opcode::store_group;
    const std::size_t before = parent.child_count();
    if (!may_hold(parent_row, row)) {
      if (!is_group && !place.is_understood) return false;
      reporter_.report(is_group ? rules::SYN_no_role : rules::SYN_role_outside_group, element.span(),
                       "unexpected element " + quote(element.name()) + " in " + quote(parent_element.name()),
                       is_group ? "put it in a 'Role'" : "put it in a 'Group'");
      return false;
    }
    if (is_group && before == layout::kMaxRoles) {
      reporter_.report(rules::SYN_too_many, element.span(),
                       "too many roles: at most " + std::to_string(layout::kMaxRoles) + " in a 'Group'", {},
                       {parent_element.span(), "the group"});
      return false;
    }
    // In a role, a condition does not count as the child.
    const bool is_guarded = parent_row.content.shape == Shape::guarded && before == 1 &&
                            parent.first_child()->opcode == opcode::store_condition;
    if (before < parent_row.content.most || is_guarded) return true;
    report_extra(element, parent_element, parent_row, parent);
    return false;
  }

  void report_extra(const Element& element, const Element& parent_element, const ElementRow& parent_row,
                    const ir::Draft& parent) {
    const bool is_root = &parent_row == &root_row();
    const bool is_role = parent_row.content.shape == Shape::guarded;
    const bool is_late_guard =
        is_role && parent.child_count() == 1 && table().find(element.name())->opcode == opcode::store_condition;
    const std::string owner = is_root ? "a tree has one root node" : quote(parent_element.name()) + " has one child";
    if (is_role && all_only_ask(parent)) {
      report_roles_children(element, parent_element, parent);
      return;
    }
    reporter_.report(is_root ? rules::SYN_second_root : rules::SYN_extra_child, element.span(),
                     "unexpected element " + quote(element.name()) + ": " + owner +
                         (is_role ? ", after an optional 'Condition'" : ""),
                     is_late_guard ? "put it first, if it says who may take the role" : std::string(kCombine),
                     {parent.last_child()->span, is_root ? "the root node" : "the child"});
  }

  // Is it a condition, or does it change the result of one?
  static bool only_asks(const ir::Draft& node) {
    if (node.opcode == opcode::store_condition) return true;
    return node.opcode != opcode::store_action && node.child_count() == 1 && only_asks(*node.first_child());
  }

  static bool all_only_ask(const ir::Draft& parent) {
    const ir::Draft* child = parent.first_child();
    while (child != nullptr && only_asks(*child)) child = child->next_sibling();
    return child == nullptr;
  }

  // All before the child are conditions, of which only one may be there: the child itself is innocent.
  void report_roles_children(const Element& extra, const Element& role, const ir::Draft& node) {
    text::Finding& finding = reporter_.report(
        rules::SYN_extra_child, role.span(),
        "a 'Role' takes one child, after an optional 'Condition'; this one has " +
            count_of(role.child_count(), "element"),
        "put what the role does in one 'Sequence' or 'Selector'; what more must hold can stand first in a 'Sequence'");
    if (finding.related.empty()) {
      finding.related.push_back({node.last_child()->span, "the child"});
      finding.related.push_back({extra.span(), "the first one that is too many"});
    }
  }

  // Checks that do not depend on the parent. Is the element allowed?
  bool check_place(const Element& element, const ElementRow& row, const Context& place) {
    const bool is_barrier = row.opcode == opcode::store_barrier;
    const bool follows = row.opcode == opcode::store_role || (is_barrier && place.watch == Watch::role);
    if (place.watch != Watch::none && row.opcode == opcode::store_action) {
      behavior_.report(rules::SYN_action_in_monitor, element.span(),
                       "an 'Action' in a 'Monitor' is evaluated at every update, and never reset", "use a 'Condition'");
    } else if (place.watch != Watch::none && (row.groups & kWatched) == 0 && !follows) {
      reporter_.report(rules::SYN_not_below_monitor, element.span(),
                       "unexpected element " + quote(element.name()) + " in a 'Monitor'",
                       row.opcode == opcode::store_monitor
                           ? "the outer 'Monitor' asks everything in it"
                           : "a 'Monitor' holds conditions, and what combines them or changes their results");
    } else if (is_barrier && !place.is_in_role) {
      reporter_.report(rules::SYN_barrier_outside_role, element.span(), "'Barrier' outside a 'Role'",
                       "it waits for the other roles of a 'Group'");
    } else {
      return true;
    }
    return false;
  }

  void report_empty(const Element& element, const ElementRow& row) {
    if (&row == &root_row()) {
      reporter_.report(rules::SYN_no_root, element.span(), "the tree has no root node",
                       "add an 'Action', or a 'Selector' or 'Sequence' of several nodes");
    } else if (row.content.least > 0) {
      reporter_.report(rules::SYN_missing_child, element.span(),
                       quote(element.name()) + (row.opcode == opcode::store_group ? " has no roles" : " has no child"));
    }
  }

  // ---- Attributes ---------------------------------------------------------------------------------

  void read_values(const Attributes& attributes, const Element& element, ir::Draft& node) {
    const Attribute name = attributes.filled("name");
    switch (node.opcode) {
      case opcode::store_condition:
      case opcode::store_action:
        node.set(read_host(attributes, node.opcode));
        return;
      case opcode::store_barrier:
        node.set(ir::Barrier{drafts_.text(name.value())});
        return;
      case opcode::store_parallel:
        if (attributes.word("success") == 1) node.flags |= kSucceedsWithAny;
        if (attributes.word("failure") == 1) node.flags |= kFailsWithAll;
        break;
      case opcode::store_repeat:
        // A count that cannot be read does not mean forever.
        node.set(ir::Limit{attributes.whole("count").value_or(attributes.is_meant("count") ? 1 : 0), {}});
        if (attributes.boolean("untilFailure")) node.flags |= kUntilFailure;
        if (attributes.is_meant("each")) read_each(attributes, element, node);
        break;
      case opcode::store_gate:
        node.set(read_gate(attributes, element));
        declare(name);
        break;
      case opcode::store_cooldown:
        if (attributes.word("scope") == 1) node.opcode = opcode::store_cooldown_all;
        // A word that cannot be read may mean the entry.
        if (attributes.word("starts") == 1 ||
            (attributes.is_meant("starts") && attributes["starts"].value() != "end")) {
          node.flags |= kStartsAtEntry;
        }
        node.set(read_cooldown(attributes, element));
        break;
      case opcode::store_group:
        node.set(read_group(attributes));
        declare(name);
        break;
      case opcode::store_child:
        node.set(read_child_tree(attributes, element));
        break;
      default:
        break;
    }
    node.set_label(name.value());
  }

  // Of gates and groups.
  void declare(const Attribute& name) {
    if (name) static_cast<void>(names_.declare(name.value(), 0, name.value_span(), reporter_));
  }

  // ---- Each kind ----------------------------------------------------------------------------------

  ir::Limit read_gate(const Attributes& attributes, const Element& element) {
    const std::optional<std::uint32_t> places = attributes.whole("agents");
    const std::optional<std::uint32_t> crowd = storing().agent_count;
    if (places && crowd && *places >= *crowd) {
      reporter_.report(rules::SYN_wide_gate, element.span(),
                       "the gate has no effect: it lets " + count_of(*places, "agent") +
                           " in, and the tree has at most " + std::to_string(*crowd),
                       {}, {crowd_.value_span(), std::string(kAgentsGiven)});
    }
    return {places.value_or(1), {}};
  }

  // It ends with its child, so it cannot count or end otherwise.
  void read_each(const Attributes& attributes, const Element& element, ir::Draft& node) {
    static_cast<void>(attributes.word("each"));  // which reports other words
    node.flags |= kEachUpdate;
    std::vector<text::Related> related;
    std::string names;
    for (const std::string_view name : {"count", "untilFailure"}) {
      if (!attributes[name]) continue;
      names += (names.empty() ? "" : " or ") + quote(name);
      related.push_back({attributes[name].name_span(), "this has no meaning with 'each'"});
    }
    if (related.empty()) return;
    reporter_
        .report(
            rules::SYN_each_with_count, element.span(),
            quote(element.name()) + " with 'each' cannot have " + names + ": it has its child's result at each update",
            "remove 'each', or " + names)
        .related = std::move(related);
  }

  ir::Duration read_cooldown(const Attributes& attributes, const Element& element) {
    const std::optional<std::uint64_t> time_us = attributes.seconds_us("seconds");
    if (time_us == std::uint64_t{0}) {
      const bool is_short = attributes["seconds"].value().find_first_of("123456789") != std::string_view::npos;
      reporter_.report(rules::SYN_zero_cooldown, element.span(), "the cooldown has no effect: it takes zero seconds",
                       is_short ? "times are kept as whole microseconds" : "");
    }
    return {time_us.value_or(0), 0};
  }

  ir::Group read_group(const Attributes& attributes) {
    static constexpr layout::OnLeave kLeave[] = {layout::OnLeave::fail, layout::OnLeave::reset,
                                                 layout::OnLeave::ignore};
    ir::Group group;
    group.on_leave = kLeave[attributes.word("onLeave")];
    group.timeout_us = attributes.seconds_us("timeout");
    group.agents = attributes.whole("agents").value_or(0);
    return group;
  }

  ir::ChildTree read_child_tree(const Attributes& attributes, const Element& element) {
    SlotUse use;
    use.span = element.span();
    use.slot = attributes.filled("slot");
    use.default_tree = attributes.not_blank("default");
    use.accepts = attributes.not_blank("accepts");
    use.budget = attributes["budget"];
    use.budget_bytes = attributes.whole("budget");
    use.knows_accepts = !attributes.misspelt("accepts");
    use.knows_budget = !attributes.misspelt("budget");
    result_.uses.push_back(use);
    if (!attributes.is_meant("default") && !attributes.has_misspelt()) {
      reporter_.report(rules::SYN_child_tree_without_default, element.span(),
                       "without a 'default' this fails until the program puts a tree into the slot");
    }
    return {drafts_.text(use.slot.value()), drafts_.text(use.default_tree.value())};
  }

  // An element in place of a role may have been meant to be in one. More roles than allowed have been reported.
  void check_group(const Element& element, const ir::Draft& group) {
    check_names_of_roles(element);
    const std::uint32_t agents = group.as<ir::Group>().agents;
    const std::size_t roles = group.child_count();
    const std::size_t children = element.children().size();
    const bool is_reported = agents == 0 || children == 0 || children > layout::kMaxRoles;
    if (!is_reported && agents != roles && agents != children) {
      reporter_.report(rules::SYN_role_count, element.span(),
                       "the group has " + count_of(agents, "agent") + " and " + count_of(roles, "role") +
                           ": each agent needs a role",
                       roles == 0 ? "" : "use agents=\"" + std::to_string(roles) + "\", or change the roles");
      return;
    }
    const std::optional<std::uint32_t> crowd = storing().agent_count;
    if (!crowd || agents <= *crowd) return;
    reporter_.report(rules::SYN_never_bound, element.span(),
                     "the group can never be bound: it needs " + count_of(agents, "agent") +
                         ", and the tree has at most " + std::to_string(*crowd),
                     {}, {crowd_.value_span(), std::string(kAgentsGiven)});
  }

  void check_names_of_roles(const Element& group) {
    std::map<std::string_view, Span> names;
    for (Element role = group.first_child(); role; role = role.next_sibling()) {
      const Attribute name = role.attribute("name");
      if (name.value().empty()) continue;
      const auto [first, is_new] = names.emplace(name.value(), name.value_span());
      if (is_new) continue;
      reporter_.report(rules::SYN_repeated_role, name.value_span(),
                       "another role of the group is named " + quote(name.value()),
                       "give each role a name of its own: stories and reports identify roles by their names",
                       {first->second, "the other one"});
    }
  }

  ir::Behavior read_host(const Attributes& attributes, Opcode opcode) {
    const Attribute name = attributes.filled("name");
    ir::Behavior behavior;
    behavior.name = drafts_.text(name.value());
    behavior.parameters.reserve(attributes.parameters().size());
    for (const Attribute& attribute : attributes.parameters()) {
      ir::Parameter& parameter = behavior.parameters.emplace_back();
      parameter.name = drafts_.text(attribute.name());
      parameter.text = drafts_.text(attribute.value());
    }
    const bool is_action = opcode == opcode::store_action;
    HostSet& hosts = is_action ? hosts_.actions : hosts_.conditions;
    const HostDeclaration* const host = name ? hosts.find(name.value(), name.value_span(), reporter_) : nullptr;
    if (host == nullptr) return behavior;
    if (is_action) behavior.results = host->results;
    std::vector<GivenParameter> given;
    for (const Attribute& attribute : attributes.parameters()) {
      given.push_back({attribute.name(), attribute.name_span(), attribute.value(), attribute.value_span()});
    }
    const ParameterReader reader{host, name.value_span()};
    check_parameters(given, {&reader, 1}, kParameterRules, reporter_);
    return behavior;
  }

  ir::Storing& storing() { return result_.tree.as<ir::Storing>(); }

  Hosts& hosts_;
  Reporter reporter_;
  ReadTree result_;
  ir::Drafts drafts_;
  Reporter behavior_;  // of what the tree does
  Attribute crowd_;    // the greatest number of agents that have the tree
  NameTable names_{{"gate or group", rules::SYN_duplicate_name, rules::SYN_duplicate_name}};
  std::size_t node_count_ = 0;
  std::size_t gate_count_ = 0;
  std::size_t acting_count_ = 0;  // nodes that may be more than conditions
};

}  // namespace

Hosts::Hosts(const Options& options)
    : actions("action", rules::SYN_unknown_action, rules::SYN_name_is_a_call,
              options.of<SynchronizedOptions>().actions),
      conditions("condition", rules::SYN_unknown_condition, rules::SYN_name_is_a_call,
                 options.of<SynchronizedOptions>().conditions) {}

ReadTree read_tree(const File& file, Hosts& hosts, text::Findings& findings) {
  return TreeReader(hosts, findings).read(file);
}

}  // namespace espalier::dialects::synchronized
