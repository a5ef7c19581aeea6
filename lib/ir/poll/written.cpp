// Trees as they are written. See written.h.
#include "ir/poll/written.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <system_error>

#include "ir/poll/built.h"
#include "runtime/format/opcodes/poll.h"

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

constexpr auto kIsForbidden = [] {
  std::array<bool, 256> is_forbidden{};
  for (unsigned char c = 0; c < 0x20; ++c) is_forbidden[c] = true;
  for (const unsigned char c : std::string_view(" \x7f<>&\"'/\\:*?|.")) is_forbidden[c] = true;
  return is_forbidden;
}();

bool begins_port(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

bool is_checked_when_made(const Type& type) {
  return type.is_kept() && type.kind != TypeKind::text && type.kind != TypeKind::status;
}

PortValue read_default_of_tree(std::string_view written) {
  std::string_view inner = written;
  while (!inner.empty() && inner.front() == ' ') inner.remove_prefix(1);
  while (!inner.empty() && inner.back() == ' ') inner.remove_suffix(1);
  if (inner.size() > 2 && inner.front() == '{' && inner.back() == '}') {
    return {inner.substr(1, inner.size() - 2), true};
  }
  return {written, false};
}

PortValue read_subtree_value(std::string_view written, std::string_view port) {
  return written == "{=}" ? PortValue{port, true} : read_default_of_tree(written);
}

PortValue read_port_value(std::string_view written, std::string_view port, const Type& type) {
  const bool has_braces = written.size() > 2 && written.front() == '{' && written.back() == '}';
  if (!has_braces && is_checked_when_made(type)) return {written, false};
  return written == "=" ? PortValue{port, true} : read_subtree_value(written, port);
}

bool is_valid_name(std::string_view name) {
  return !name.empty() && name != "Root" && name != "root" && !has_forbidden(name);
}

bool is_port_name(std::string_view name) { return !name.empty() && begins_port(name[0]) && !has_forbidden(name); }

bool has_forbidden(std::string_view name) {
  return std::any_of(name.begin(), name.end(), [](char c) { return kIsForbidden[static_cast<unsigned char>(c)]; });
}

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
  if (built == built::loop) node.flags = element_of(node.id);
  if (built != built::none) return;
  const NodeKind kind = node.declaration->kind;
  node.opcode = kind == NodeKind::decorator   ? opcode::poll_gate
                : kind == NodeKind::condition ? opcode::poll_condition
                : node.declaration->is_sync   ? opcode::poll_sync_action
                                              : opcode::poll_action;
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

const Nav2Entry* WrittenProject::nav2_entry(std::string_view entry) const {
  const auto found =
      std::find_if(nav2_entries.begin(), nav2_entries.end(), [&](const Nav2Entry& each) { return each.name == entry; });
  return found == nav2_entries.end() ? nullptr : &*found;
}

bool WrittenProject::is_written_by_nav2(std::string_view entry) const {
  const Nav2Entry* const known = has_nav2 ? nav2_entry(entry) : nullptr;
  return known != nullptr && known->releases.has(nav2_release);
}

std::vector<WrittenPort> WrittenProject::defaults_of(const WrittenNode& subtree) const {
  std::vector<WrittenPort> defaults;
  if (subtree.model == nullptr || subtree.has_autoremap) return defaults;
  for (const Port& port : subtree.model->ports) {
    if (!port.otherwise || subtree.find_port(port.name) != nullptr) continue;
    defaults.push_back({port.name, &port, read_default_of_tree(*port.otherwise), subtree.span, subtree.span, true});
  }
  return defaults;
}

}  // namespace espalier::ir::poll
