// Declarations of hosts. See host.h.
#include "dialects/reading/host.h"

#include <algorithm>

namespace espalier::dialects {

const HostDeclaration* find_declaration(const std::vector<HostDeclaration>& sorted, std::string_view name) {
  const auto found =
      std::lower_bound(sorted.begin(), sorted.end(), name,
                       [](const HostDeclaration& host, std::string_view key) { return host.name < key; });
  return found != sorted.end() && found->name == name ? &*found : nullptr;
}

}  // namespace espalier::dialects
