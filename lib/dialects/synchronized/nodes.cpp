// What the attributes of nodes say. See tree_reader.h.
#include <algorithm>

#include "dialects/attribute_values.h"
#include "dialects/synchronized/tree_reader.h"
#include "runtime/format/records.h"

namespace espalier::dialects::synchronized {
namespace {

using text::quote;

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

void TreeReader::read_values(const Attributes& attributes, const Element& element, ir::Node& node,
                             ir::Details& details) {
  const Attribute name = attributes.filled("name");
  switch (node.opcode) {
    case Opcode::store_condition:
    case Opcode::store_action:
      node.behavior = name.value();
      read_host(attributes, node, details);
      return;
    case Opcode::store_barrier:
      node.behavior = name.value();
      return;
    case Opcode::store_parallel:
      read_parallel(attributes, details);
      break;
    case Opcode::store_repeat:
      read_repeat(attributes, details);
      break;
    case Opcode::store_gate:
      read_gate(attributes, element, details);
      add_name(name);
      break;
    case Opcode::store_cooldown:
      read_cooldown(attributes, element, node, details);
      break;
    case Opcode::store_group:
      read_group(attributes, details);
      add_name(name);
      break;
    case Opcode::store_child:
      read_child_tree(attributes, element, details);
      break;
    default:
      break;
  }
  details.label = name.value();
}

// ---- Each kind ----------------------------------------------------------------------------------

void TreeReader::read_parallel(const Attributes& attributes, ir::Details& details) {
  if (read_word(attributes["success"], {"all", "any"}) == 1) details.flags |= kSucceedsWithAny;
  if (read_word(attributes["failure"], {"any", "all"}) == 1) details.flags |= kFailsWithAll;
}

void TreeReader::read_repeat(const Attributes& attributes, ir::Details& details) {
  const Attribute& count = attributes["count"];
  // One that cannot be read is not for ever.
  if (count) details.count = read_number(count, 0, kMaxCount).value_or(1);
  if (read_boolean(attributes["untilFailure"], Rule::SYN_bad_value, reporter_)) details.flags |= kUntilFailure;
}

void TreeReader::read_gate(const Attributes& attributes, const Element& element, ir::Details& details) {
  const Attribute agents = attributes.filled("agents");
  if (!agents) return;
  const std::optional<std::uint32_t> places = read_number(agents, 1, kMaxCount);
  details.count = places.value_or(1);
  const std::optional<std::uint32_t> crowd = result_.tree.agent_count;
  if (!places || !crowd || *places < *crowd) return;
  reporter_.report(Rule::SYN_wide_gate, element.span(),
                   "the gate lets " + count_of(*places, "agent") + " in, and the tree has at most " +
                       std::to_string(*crowd) + ": it never keeps anybody out",
                   {}, {crowd_.value_span(), "so many agents there are"});
}

void TreeReader::read_cooldown(const Attributes& attributes, const Element& element, ir::Node& node,
                               ir::Details& details) {
  if (read_word(attributes["scope"], {"agent", "global"}) == 1) node.opcode = Opcode::store_cooldown_all;
  const Attribute seconds = attributes.filled("seconds");
  if (!seconds) return;
  const std::optional<std::uint64_t> time_us = read_seconds_us(seconds, Rule::SYN_bad_value, reporter_);
  details.numbers[0] = time_us.value_or(0);
  if (time_us != std::uint64_t{0}) return;
  const bool is_short = seconds.value().find_first_of("123456789") != std::string_view::npos;
  reporter_.report(Rule::SYN_zero_cooldown, element.span(), "a cooldown of zero seconds never refuses",
                   is_short ? "times are kept as whole microseconds" : "");
}

void TreeReader::read_group(const Attributes& attributes, ir::Details& details) {
  static constexpr layout::OnLeave kLeave[] = {layout::OnLeave::fail, layout::OnLeave::reset, layout::OnLeave::ignore};
  details.on_leave = kLeave[read_word(attributes["onLeave"], {"fail", "reset", "ignore"})];
  if (const Attribute& timeout = attributes["timeout"]) {
    details.timeout_us = read_seconds_us(timeout, Rule::SYN_bad_value, reporter_);
  }
  const Attribute agents = attributes.filled("agents");
  if (agents) details.count = read_number(agents, 1, kMaxCount).value_or(0);
}

void TreeReader::read_child_tree(const Attributes& attributes, const Element& element, ir::Details& details) {
  SlotUse use;
  use.span = element.span();
  use.slot = attributes.filled("slot");
  use.default_tree = filled_or_report(attributes["default"]);
  use.accepts = filled_or_report(attributes["accepts"]);
  use.budget = attributes["budget"];
  if (use.budget) use.budget_bytes = read_number(use.budget, 0, layout::kMaxStoreBytes);
  details.slot = use.slot.value();
  details.default_tree = use.default_tree.value();
  result_.uses.push_back(use);
  if (attributes.is_meant("default")) return;
  reporter_.report(Rule::SYN_child_tree_without_default, element.span(),
                   "without a 'default' this fails until the host puts a tree into the slot");
}

// What stands there in place of a role was perhaps meant to be in one. More roles than may be are told already.
void TreeReader::check_group(const Element& element, const ir::Node& group) {
  const std::uint32_t agents = result_.tree.details[group.details].count;
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
  const std::optional<std::uint32_t> crowd = result_.tree.agent_count;
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
