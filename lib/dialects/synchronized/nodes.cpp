// What the attributes of nodes say. See tree_reader.h.
#include <algorithm>

#include "dialects/decider/old_values.h"
#include "dialects/synchronized/tree_reader.h"
#include "runtime/format/records.h"

namespace espalier::dialects::synchronized {
namespace {

using text::quote;
using decider::read_boolean;
using decider::read_seconds_us;
using decider::read_whole;

constexpr std::uint32_t kMaxCount = 65535;

std::string count_of(std::size_t count, const char* thing) {
  return std::to_string(count) + ' ' + thing + (count == 1 ? "" : "s");
}

// "'all' or 'any'".
std::string list_of(const std::vector<std::string_view>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + quote(words[i]);
  }
  return list;
}

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
      if (read_word(attributes["success"], {"all", "any"}) == 1) node.flags |= kSucceedsWithAny;
      if (read_word(attributes["failure"], {"any", "all"}) == 1) node.flags |= kFailsWithAll;
      break;
    case Opcode::store_repeat:
      read_repeat(attributes, node);
      break;
    case Opcode::store_gate:
      node.payload = read_gate(attributes, element);
      add_name(name);
      break;
    case Opcode::store_cooldown:
      if (read_word(attributes["scope"], {"agent", "global"}) == 1) node.opcode = Opcode::store_cooldown_all;
      node.payload = read_cooldown(attributes, element);
      break;
    case Opcode::store_group:
      node.payload = read_group(attributes);
      add_name(name);
      break;
    case Opcode::store_child:
      node.payload = read_child_tree(attributes, element);
      break;
    default:
      break;
  }
  node.label = name.value();
}

// ---- Each kind ----------------------------------------------------------------------------------

void TreeReader::read_repeat(const Attributes& attributes, ir::Node& node) {
  const Attribute& count = attributes["count"];
  // One that cannot be read is not for ever.
  node.payload = ir::Limit{count ? read_number(count, 0, kMaxCount).value_or(1) : 0, {}};
  if (read_boolean(attributes["untilFailure"], Rule::SYN_bad_value, reporter_)) node.flags |= kUntilFailure;
}

ir::Limit TreeReader::read_gate(const Attributes& attributes, const Element& element) {
  const Attribute agents = attributes.filled("agents");
  if (!agents) return {};
  const std::optional<std::uint32_t> places = read_number(agents, 1, kMaxCount);
  const std::optional<std::uint32_t> crowd = storing().agent_count;
  if (places && crowd && *places >= *crowd) {
    reporter_.report(Rule::SYN_wide_gate, element.span(),
                     "the gate lets " + count_of(*places, "agent") + " in, and the tree has at most " +
                         std::to_string(*crowd) + ": it never keeps anybody out",
                     {}, {crowd_.value_span(), "so many agents there are"});
  }
  return {places.value_or(1), {}};
}

ir::Duration TreeReader::read_cooldown(const Attributes& attributes, const Element& element) {
  const Attribute seconds = attributes.filled("seconds");
  if (!seconds) return {};
  const std::optional<std::uint64_t> time_us = read_seconds_us(seconds, Rule::SYN_bad_value, reporter_);
  if (time_us == std::uint64_t{0}) {
    const bool is_short = seconds.value().find_first_of("123456789") != std::string_view::npos;
    reporter_.report(Rule::SYN_zero_cooldown, element.span(), "a cooldown of zero seconds never refuses",
                     is_short ? "times are kept as whole microseconds" : "");
  }
  return {time_us.value_or(0), 0};
}

ir::Group TreeReader::read_group(const Attributes& attributes) {
  static constexpr layout::OnLeave kLeave[] = {layout::OnLeave::fail, layout::OnLeave::reset, layout::OnLeave::ignore};
  ir::Group group;
  group.on_leave = kLeave[read_word(attributes["onLeave"], {"fail", "reset", "ignore"})];
  if (const Attribute& timeout = attributes["timeout"]) {
    group.timeout_us = read_seconds_us(timeout, Rule::SYN_bad_value, reporter_);
  }
  const Attribute agents = attributes.filled("agents");
  if (agents) group.agents = read_number(agents, 1, kMaxCount).value_or(0);
  return group;
}

ir::ChildTree TreeReader::read_child_tree(const Attributes& attributes, const Element& element) {
  SlotUse use;
  use.span = element.span();
  use.slot = attributes.filled("slot");
  use.default_tree = filled_or_report(attributes["default"]);
  use.accepts = filled_or_report(attributes["accepts"]);
  use.budget = attributes["budget"];
  if (use.budget) use.budget_bytes = read_number(use.budget, 0, layout::kMaxStoreBytes);
  result_.uses.push_back(use);
  if (!attributes.is_meant("default")) {
    reporter_.report(Rule::SYN_child_tree_without_default, element.span(),
                     "without a 'default' this fails until the host puts a tree into the slot");
  }
  return {std::string(use.slot.value()), std::string(use.default_tree.value())};
}

// What stands there in place of a role was perhaps meant to be in one. More roles than may be are told already.
void TreeReader::check_group(const Element& element, const ir::Node& group) {
  const std::uint32_t agents = group.as<ir::Group>().agents;
  const std::size_t roles = group.children.size();
  const std::size_t children = element.children().size();
  const bool is_told = agents == 0 || children == 0 || children > layout::kMaxRoles;
  if (!is_told && agents != roles && agents != children) {
    reporter_.report(Rule::SYN_role_count, element.span(),
                     "the group has " + count_of(agents, "agent") + " and " + count_of(roles, "role") +
                         ": each agent has a role of its own",
                     roles == 0 ? "" : "write agents=\"" + std::to_string(roles) + "\", or change the roles");
    return;
  }
  const std::optional<std::uint32_t> crowd = storing().agent_count;
  if (!crowd || agents <= *crowd) return;
  reporter_.report(Rule::SYN_never_bound, element.span(),
                   "the group needs " + count_of(agents, "agent") + ", and the tree has at most " +
                       std::to_string(*crowd) + ": it can never be bound",
                   {}, {crowd_.value_span(), "so many agents there are"});
}

// ---- Values -------------------------------------------------------------------------------------

void TreeReader::add_name(const Attribute& name) {
  if (!name) return;
  const auto [first, is_new] = names_.try_emplace(std::string(name.value()), name.value_span());
  if (is_new) return;
  reporter_.report(Rule::SYN_duplicate_name, name.value_span(), "a second gate or group " + quote(name.value()), {},
                   {first->second, "the first"});
}

// Which of the words it is; the first one when it is not there, or none of them, which is told.
std::size_t TreeReader::read_word(const Attribute& attribute, const std::vector<std::string_view>& words) {
  if (!attribute) return 0;
  const auto found = static_cast<std::size_t>(std::find(words.begin(), words.end(), attribute.value()) - words.begin());
  if (found < words.size()) return found;
  reporter_.report(Rule::SYN_bad_value, attribute.value_span(),
                   quote(attribute.name()) + " is " + list_of(words) + ", not " + quote(attribute.value()),
                   did_you_mean(reporter_.nearest(attribute.value(), words)));
  return 0;
}

std::optional<std::uint32_t> TreeReader::read_number(const Attribute& attribute, std::uint32_t least,
                                                     std::uint32_t most) {
  return read_whole(attribute, least, most, Rule::SYN_bad_value, reporter_);
}

// Of one that may be left out.
Attribute TreeReader::filled_or_report(const Attribute& attribute) {
  if (!attribute || attribute.value().find_first_not_of(" \t\r\n") != std::string_view::npos) return attribute;
  reporter_.report(Rule::SYN_bad_value, attribute.value_span(), quote(attribute.name()) + " is empty",
                   "name a tree, or leave it out");
  return {};
}

}  // namespace espalier::dialects::synchronized
