// What espalier.json says of rules of the Drag[en]gine, under "dragengine".
#pragma once
#include <cstdint>
#include <vector>

#include "dialects/configuration.h"
#include "dialects/options.h"
#include "dialects/reading/host.h"

namespace espalier::dialects {

struct DragengineOptions {
  // Sorted by name; empty: nothing is declared. Of an attribute (here: a parameter), only name, type, range, words and
  // is_required are used; type `text` with is_presence allows any value.
  std::vector<HostDeclaration> actions;
  std::vector<HostDeclaration> conditions;
  std::uint32_t run_limit = 100;  // "runAwayLimit"
};

namespace dragengine {

[[nodiscard]] DialectConfiguration configuration();

}  // namespace dragengine
}  // namespace espalier::dialects
