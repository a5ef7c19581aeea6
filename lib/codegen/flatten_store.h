// Trees that store their results to units, one a tree: nodes in preorder with the way to their parents, where each
// keeps what it has in an instance, places and groups of the shared block; and slots with what they need, level by
// level.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "codegen/sections.h"
#include "ir/store_needs.h"

namespace espalier::codegen {

class StoreFlattener {
 public:
  StoreFlattener(Sections& sections, const NameIds& behaviors, const NameIds& host_conditions,
                 const ir::Project& project)
      : sections_(sections),
        behaviors_(behaviors),
        host_conditions_(host_conditions),
        project_(project),
        needs_(ir::store_needs(project)) {}
  // Writes the unit and the records of the tree. It passes find_excess().
  void add(std::uint32_t tree);
  // Behind all trees: slots, the shared block, and what depends on them in the trees' records.
  void finish();
  const ir::StoreNeeds& needs() const { return needs_; }

 private:
  class TreeWriter;

  std::uint32_t add_number(std::uint64_t number);
  void add_slots();

  Sections& sections_;
  const NameIds& behaviors_;
  const NameIds& host_conditions_;
  const ir::Project& project_;
  const ir::StoreNeeds needs_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::uint32_t place_count_ = 0;  // of all trees
};

}  // namespace espalier::codegen
