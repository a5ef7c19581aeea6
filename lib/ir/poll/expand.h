// From trees as they are written to trees that can be compiled: subtrees are copied to their places, keys are connected
// to entries, scripts become instructions. As all copies together can be far more than what is written, a tree is
// placed when it is needed, and not kept.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/poll/written.h"
#include "ir/tree.h"

namespace espalier::ir::poll {

// The numbers of types that only the host knows, in the order in which they are added.
class TypeNumbers {
 public:
  void add(const Type& type);
  [[nodiscard]] layout::PollType of(const Type& type) const;  // of one that was added, or that all know

 private:
  std::map<std::string, std::uint32_t, std::less<>> own_;
};

// What written trees are placed with.
class Placing {
 public:
  Placing(std::shared_ptr<const WrittenProject> project, TypeNumbers types)
      : project_(std::move(project)), types_(std::move(types)) {}

  [[nodiscard]] const WrittenProject& project() const { return *project_; }
  // The tree with its nodes and parts. `names`: for its nodes; several trees may have the same.
  [[nodiscard]] Tree place(const Tree& head, const std::shared_ptr<Names>& names) const;

 private:
  std::shared_ptr<const WrittenProject> project_;
  TypeNumbers types_;
};

// Adds each written tree that has a name of its own to the trees of the project, if its subtrees are all known, and
// neither it nor one of them is faulty or has errors. They are placed by with_nodes().
void expand(Project& project, const std::function<bool(const WrittenTree& tree)>& is_faulty);

// Calls visit(const Tree&) with all of a tree. Nodes of one that is placed for that are gone afterwards, but not their
// names.
template <typename Visit>
void with_nodes(const Tree& tree, const std::shared_ptr<Names>& names, const Visit& visit) {
  if (tree.placing == nullptr) return visit(tree);
  const Tree placed = tree.placing->place(tree, names);
  visit(placed);
}

// Visits the nodes of trees that poll which call the host, with what is known of its answers. Of nodes for which that
// is the same, one is enough, and their ports and scripts may be missing.
void each_host(const Project& project, const std::function<void(const PolledNode& node)>& visit);

// A script as instructions. `key_of(name)`: the number of a key; enumerations come first.
[[nodiscard]] std::vector<PollInstruction> instructions_of(
    const Script& script, const Enumeration& enumeration,
    const std::function<std::uint32_t(std::string_view name)>& key_of);

}  // namespace espalier::ir::poll
