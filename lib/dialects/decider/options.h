// What espalier.json says of deciders, under "decider".
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "dialects/configuration.h"
#include "dialects/options.h"

namespace espalier::dialects {

// Sorted; none: nothing is declared.
struct DeciderOptions {
  std::optional<std::vector<std::string>> decide_functions;
  std::optional<std::vector<std::string>> behavior_flags;
};

namespace decider {

[[nodiscard]] DialectConfiguration configuration();

}  // namespace decider
}  // namespace espalier::dialects
