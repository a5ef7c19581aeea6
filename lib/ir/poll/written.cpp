// Trees as they are written. See written.h.
#include "ir/poll/written.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>

namespace espalier::ir::poll {
namespace {

constexpr std::string_view kHooks[] = {"_failureIf", "_successIf", "_skipIf",   "_while",
                                       "_onSuccess", "_onFailure", "_onHalted", "_post"};
static_assert(std::size(kHooks) == layout::kHookCount);

// What a loop hands to its child.
std::uint8_t element_of(std::string_view loop) {
  const layout::PollType type = loop == "LoopInt"      ? layout::PollType::int32
                                : loop == "LoopBool"   ? layout::PollType::boolean
                                : loop == "LoopDouble" ? layout::PollType::real64
                                                       : layout::PollType::text;
  return static_cast<std::uint8_t>(type);
}

}  // namespace

std::string_view name_of(Hook hook) { return kHooks[static_cast<std::size_t>(hook)]; }

std::optional<Hook> hook_of(std::string_view name) {
  const auto* const found = std::find(std::begin(kHooks), std::end(kHooks), name);
  if (found == std::end(kHooks)) return std::nullopt;
  return static_cast<Hook>(found - std::begin(kHooks));
}

const WrittenScript* WrittenNode::script(Hook hook) const {
  const auto found =
      std::find_if(scripts.begin(), scripts.end(), [&](const WrittenScript& each) { return each.hook == hook; });
  return found == scripts.end() ? nullptr : &*found;
}

void set_opcode(WrittenNode& node) {
  const Built built = node.built();
  node.opcode = opcode_of(built).opcode;
  node.flags = opcode_of(built).flags;
  if (built == Built::loop) node.flags = element_of(node.id);
  if (built != Built::none) return;
  const NodeKind kind = node.declaration->kind;
  node.opcode = kind == NodeKind::decorator   ? Opcode::poll_gate
                : kind == NodeKind::condition ? Opcode::poll_condition
                : node.declaration->is_sync   ? Opcode::poll_sync_action
                                              : Opcode::poll_action;
}

std::optional<double> number_of(std::string_view literal) {
  double number = 0;
  const char* const end = literal.data() + literal.size();
  const auto [stop, error] = std::from_chars(literal.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

std::optional<double> literal_number(const WrittenNode& node, std::string_view port) {
  const WrittenPort* const found = node.find_port(port);
  if (found != nullptr) return found->value.is_pointer ? std::nullopt : number_of(found->value.literal());
  const Port* const declared = node.declaration == nullptr ? nullptr : node.declaration->find_port(port);
  return declared != nullptr && declared->otherwise ? number_of(*declared->otherwise) : std::nullopt;
}

bool WrittenProject::has_listed(std::string_view entry) const {
  return entries && std::binary_search(entries->begin(), entries->end(), entry);
}

std::vector<WrittenPort> WrittenProject::defaults_of(const WrittenNode& subtree) const {
  std::vector<WrittenPort> defaults;
  const auto model = nodes.subtrees.find(subtree.id);
  if (model == nodes.subtrees.end() || subtree.has_autoremap) return defaults;
  for (const Port& port : model->second.ports) {
    if (!port.otherwise || subtree.find_port(port.name) != nullptr) continue;
    defaults.push_back({port.name, &port, read_default_of_tree(*port.otherwise), subtree.span, subtree.span, true});
  }
  return defaults;
}

}  // namespace espalier::ir::poll
