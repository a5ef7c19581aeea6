// Values of ports, and names. See port_values.h.
#include "ir/poll/port_values.h"

#include <algorithm>
#include <array>

namespace espalier::ir::poll {
namespace {

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

}  // namespace espalier::ir::poll
