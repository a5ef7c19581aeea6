// The variables that only signals set. See signal_only.h.
#include "lint/signal_only.h"

#include <algorithm>
#include <string>

#include "text/names.h"

namespace espalier::lint {

bool is_signal_only(const ir::Tree& tree, std::uint32_t variable, const Facts& facts) {
  const std::string& name = tree.variables[variable].name;
  return std::any_of(facts.signal_only.begin(), facts.signal_only.end(), [&](const std::string& declared) {
    return text::equal_any_case(declared, name) || text::equal_any_case(declared, tree.name + '/' + name);
  });
}

std::vector<bool> signal_only_variables(const ir::Tree& tree, const Facts& facts) {
  std::vector<bool> result(tree.variables.size());
  for (std::uint32_t i = 0; i < result.size(); ++i) result[i] = is_signal_only(tree, i, facts);
  return result;
}

}  // namespace espalier::lint
