// Values for random traces. See random_values.h.
#include "explore/poll/random_values.h"

#include <algorithm>
#include <optional>

#include "codegen/dump/listing.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/tree.h"
#include "text/json.h"

namespace espalier::explore {
namespace {

using layout::PollPort;
using layout::PollType;

// As JSON; none: of a type whose values traces do not write.
std::optional<std::string> value_of(PollType type, const std::string& name, std::size_t number) {
  if (type == PollType::boolean) return number % 2 == 0 ? "true" : "false";
  if (type == PollType::status) return std::nullopt;
  const bool is_text = type == PollType::untyped || type == PollType::any || type == PollType::text ||
                       static_cast<std::uint8_t>(type) > static_cast<std::uint8_t>(PollType::reserved);
  return is_text ? text::json_string(name + "-" + std::to_string(number)) : std::to_string(number);
}

}  // namespace

RandomValues random_values(const Tree& tree, const HostFacts& host) {
  RandomValues values;
  if (engine_id_of(tree) != EngineId::poll) return values;
  const PollTreeView view(tree);
  const auto is_written = [&](const std::string& entry) {
    return !host.entries || std::binary_search(host.entries->begin(), host.entries->end(), entry);
  };
  std::size_t number = 0;
  codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
    if (codegen::operand(node, OperandKind::polled) == nullptr) return;
    const std::uint32_t* const at = view.nodes + node.word;
    const layout::Polled& polled = view.polled_of(at);
    for (std::uint32_t i = 0; i < polled.port_count; ++i) {
      const PollPort& port = view.port_of(at, i);
      if (static_cast<layout::PollPortKind>(port.kind) != layout::PollPortKind::key) continue;
      const std::string name(view.name(port.name));
      const std::uint32_t entry = view.keys[port.value].entry;
      const std::optional<std::string> value = value_of(static_cast<PollType>(port.type), name, ++number);
      if (!value) continue;
      const bool is_host = node.opcode == opcode::poll_action || node.opcode == opcode::poll_sync_action;
      if (is_host && static_cast<layout::PollDirection>(port.direction) != layout::PollDirection::input)
        values.outputs[std::string(behavior_name(*tree.asset, polled.host))].emplace(name, *value);
      if (entry >= view.entry_count() || view.entries[entry].board != 0) continue;
      const std::string key(view.name(view.entries[entry].name));
      if (is_written(key)) values.entries.emplace(key, *value);
    }
  });
  return values;
}

}  // namespace espalier::explore
