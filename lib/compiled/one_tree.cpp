// One of a project's trees. See one_tree.h.
#include "compiled/one_tree.h"

#include <cstdint>
#include <vector>

#include "ir/store_needs.h"
#include "replay/names.h"
#include "text/names.h"

namespace espalier::compiled {

std::size_t leave_tree(std::string_view name, ir::Project& project) {
  std::vector<std::uint32_t> called;
  for (const bool is_exact : {true, false}) {
    for (std::uint32_t i = 0; i < project.trees.size(); ++i) {
      const std::string_view own = project.trees[i].name;
      const bool is_alike = text::equal_any_case(replay::last_part(own), name);
      if (is_exact ? own == name : is_alike || replay::with_file(project.trees[i].file, own) == name)
        called.push_back(i);
    }
    if (!called.empty()) break;
  }
  if (!called.empty()) ir::leave_reached(project, ir::store_needs(project), called);
  return called.size();
}

}  // namespace espalier::compiled
