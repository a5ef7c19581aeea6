// The attributes of nodes. See tree_reader.h.
#include "dialects/reading/wording.h"
#include "dialects/synchronized/tree_reader.h"
#include "runtime/format/records.h"

namespace espalier::dialects::synchronized {
namespace {

constexpr std::string_view kAgentsGiven = "the tree's agents";

}  // namespace

void TreeReader::read_values(const Attributes& attributes, const Element& element, ir::Node& node) {
  const Attribute name = attributes.filled("name");
  switch (node.opcode) {
    case Opcode::store_condition:
    case Opcode::store_action:
      node.payload = read_host(attributes, node.opcode);
      return;
    case Opcode::store_barrier:
      node.payload = ir::Barrier{std::string(name.value())};
      return;
    case Opcode::store_parallel:
      if (attributes.word("success") == 1) node.flags |= kSucceedsWithAny;
      if (attributes.word("failure") == 1) node.flags |= kFailsWithAll;
      break;
    case Opcode::store_repeat:
      // A count that cannot be read does not mean forever.
      node.payload = ir::Limit{attributes.whole("count").value_or(attributes["count"] ? 1 : 0), {}};
      if (attributes.boolean("untilFailure")) node.flags |= kUntilFailure;
      if (attributes.is_meant("each")) read_each(attributes, element, node);
      break;
    case Opcode::store_gate:
      node.payload = read_gate(attributes, element);
      declare(name);
      break;
    case Opcode::store_cooldown:
      if (attributes.word("scope") == 1) node.opcode = Opcode::store_cooldown_all;
      // A word that cannot be read may mean the entry.
      if (attributes.word("starts") == 1 || (attributes.is_meant("starts") && attributes["starts"].value() != "end")) {
        node.flags |= kStartsAtEntry;
      }
      node.payload = read_cooldown(attributes, element);
      break;
    case Opcode::store_group:
      node.payload = read_group(attributes);
      declare(name);
      break;
    case Opcode::store_child:
      node.payload = read_child_tree(attributes, element);
      break;
    default:
      break;
  }
  node.label = name.value();
}

// Of gates and groups.
void TreeReader::declare(const Attribute& name) {
  if (name) static_cast<void>(names_.declare(name.value(), 0, name.value_span(), reporter_));
}

// ---- Each kind ----------------------------------------------------------------------------------

ir::Limit TreeReader::read_gate(const Attributes& attributes, const Element& element) {
  const std::optional<std::uint32_t> places = attributes.whole("agents");
  const std::optional<std::uint32_t> crowd = storing().agent_count;
  if (places && crowd && *places >= *crowd) {
    reporter_.report(Rule::SYN_wide_gate, element.span(),
                     "the gate has no effect: it lets " + count_of(*places, "agent") +
                         " in, and the tree has at most " + std::to_string(*crowd),
                     {}, {crowd_.value_span(), std::string(kAgentsGiven)});
  }
  return {places.value_or(1), {}};
}

// It ends with its child, so it cannot count or end otherwise.
void TreeReader::read_each(const Attributes& attributes, const Element& element, ir::Node& node) {
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
          Rule::SYN_each_with_count, element.span(),
          quote(element.name()) + " with 'each' cannot have " + names + ": it has its child's result at each update",
          "remove 'each', or " + names)
      .related = std::move(related);
}

ir::Duration TreeReader::read_cooldown(const Attributes& attributes, const Element& element) {
  const std::optional<std::uint64_t> time_us = attributes.seconds_us("seconds");
  if (time_us == std::uint64_t{0}) {
    const bool is_short = attributes["seconds"].value().find_first_of("123456789") != std::string_view::npos;
    reporter_.report(Rule::SYN_zero_cooldown, element.span(), "the cooldown has no effect: it takes zero seconds",
                     is_short ? "times are kept as whole microseconds" : "");
  }
  return {time_us.value_or(0), 0};
}

ir::Group TreeReader::read_group(const Attributes& attributes) {
  static constexpr layout::OnLeave kLeave[] = {layout::OnLeave::fail, layout::OnLeave::reset, layout::OnLeave::ignore};
  ir::Group group;
  group.on_leave = kLeave[attributes.word("onLeave")];
  group.timeout_us = attributes.seconds_us("timeout");
  group.agents = attributes.whole("agents").value_or(0);
  return group;
}

ir::ChildTree TreeReader::read_child_tree(const Attributes& attributes, const Element& element) {
  SlotUse use;
  use.span = element.span();
  use.slot = attributes.filled("slot");
  use.default_tree = attributes.not_blank("default");
  use.accepts = attributes.not_blank("accepts");
  use.budget = attributes["budget"];
  use.budget_bytes = attributes.whole("budget");
  result_.uses.push_back(use);
  if (!attributes.is_meant("default")) {
    reporter_.report(Rule::SYN_child_tree_without_default, element.span(),
                     "without a 'default' this fails until the host puts a tree into the slot");
  }
  return {std::string(use.slot.value()), std::string(use.default_tree.value())};
}

// An element in place of a role may have been meant to be in one. More roles than allowed have been reported.
void TreeReader::check_group(const Element& element, const ir::Node& group) {
  const std::uint32_t agents = group.as<ir::Group>().agents;
  const std::size_t roles = group.children.size();
  const std::size_t children = element.children().size();
  const bool is_reported = agents == 0 || children == 0 || children > layout::kMaxRoles;
  if (!is_reported && agents != roles && agents != children) {
    reporter_.report(
        Rule::SYN_role_count, element.span(),
        "the group has " + count_of(agents, "agent") + " and " + count_of(roles, "role") + ": each agent needs a role",
        roles == 0 ? "" : "use agents=\"" + std::to_string(roles) + "\", or change the roles");
    return;
  }
  const std::optional<std::uint32_t> crowd = storing().agent_count;
  if (!crowd || agents <= *crowd) return;
  reporter_.report(Rule::SYN_never_bound, element.span(),
                   "the group can never be bound: it needs " + count_of(agents, "agent") +
                       ", and the tree has at most " + std::to_string(*crowd),
                   {}, {crowd_.value_span(), std::string(kAgentsGiven)});
}

}  // namespace espalier::dialects::synchronized
