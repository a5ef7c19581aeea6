// What espalier.json says of synchronized trees, under "synchronized".
#pragma once
#include <vector>

#include "dialects/configuration.h"
#include "dialects/options.h"
#include "dialects/reading/host.h"

namespace espalier::dialects {

// As those of the Drag[en]gine's rules.
struct SynchronizedOptions {
  std::vector<HostDeclaration> actions;
  std::vector<HostDeclaration> conditions;
};

namespace synchronized {

[[nodiscard]] DialectConfiguration configuration();

}  // namespace synchronized
}  // namespace espalier::dialects
