// Trees one by one. See alone.h.
#include "codegen/alone.h"

#include <utility>

#include "codegen/compile.h"

namespace espalier::codegen {
namespace {

std::vector<std::uint64_t> stripped(const ir::Project& project, const text::Sources& sources) {
  text::Findings findings;
  std::size_t size_bytes = 0;
  return compile(project, sources, {.strip = true, .labels = false}, findings, &size_bytes);
}

}  // namespace

std::map<std::string, std::vector<std::uint64_t>> compiled_alone(const ir::Project& project,
                                                                 const text::Sources& sources) {
  std::map<std::string, std::vector<std::uint64_t>> compiled;
  ir::Project storing = ir::without_trees(project);
  storing.slots = project.slots;
  for (const ir::Tree& tree : project.trees) {
    if (tree.engine() == EngineId::store) {
      storing.trees.push_back(tree);
      continue;
    }
    ir::Project one = ir::without_trees(project);
    one.trees.push_back(tree);
    one.trees.back().name = "tree";
    if (auto bytes = stripped(one, sources); !bytes.empty()) compiled.emplace(tree.name, std::move(bytes));
  }
  if (storing.trees.empty()) return compiled;
  const std::vector<std::uint64_t> together = stripped(storing, sources);
  for (const ir::Tree& tree : storing.trees) {
    if (!together.empty()) compiled.emplace(tree.name, together);
  }
  return compiled;
}

}  // namespace espalier::codegen
