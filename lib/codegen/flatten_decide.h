// Trees of deciders to units: shared deciders that the root reaches, each once and behind those it refers to, and last
// the root; a record for each decider; preconditions as masks, equal ones once.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/excess.h"
#include "codegen/sections.h"

namespace espalier::codegen {

// Shared deciders that the root reaches, through others too: indices into Deciding::shared, in ascending order.
std::vector<std::uint32_t> stored_shared(const ir::Tree& tree);

class DeciderFlattener {
 public:
  DeciderFlattener(Sections& sections, const NameIds& behaviors, const NameIds& host_conditions)
      : sections_(sections), behaviors_(behaviors), host_conditions_(host_conditions) {}
  // Writes the tree's units and records, and into its record where the parts of an agent lie. With an excess what was
  // written is of no use.
  Excess add(const ir::Tree& source, std::uint32_t tree);

 private:
  class TreeWriter;

  // As an operand: 0 is none, else 1 + index. Equal ones are kept once.
  std::uint32_t add_precondition(const ir::Decider& decider);

  Sections& sections_;
  const NameIds& behaviors_;
  const NameIds& host_conditions_;
  std::unordered_map<std::string, std::uint32_t> preconditions_;  // operands by their bytes
};

}  // namespace espalier::codegen
