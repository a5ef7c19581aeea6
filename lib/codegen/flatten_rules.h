// Trees of rules to units: the rules of a file once in the whole project, however often subtrees name it, and for each
// tree the occurrences of units that make it up, with the ids of its rules.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>

#include "codegen/sections.h"

namespace espalier::codegen {

class RuleFlattener {
 public:
  RuleFlattener(Sections& sections, const NameIds& behaviors, const NameIds& host_conditions)
      : sections_(sections), behaviors_(behaviors), host_conditions_(host_conditions) {}
  // Writes the units that are not there yet and the tree's records. The tree passes find_excess().
  void add(const ir::Tree& source, std::uint32_t tree);

 private:
  class UnitWriter;

  // As an operand: 0 is none, else 1 + index. Equal ones are kept once.
  std::uint32_t add_asking(const ir::Rule& rule);

  Sections& sections_;
  const NameIds& behaviors_;
  const NameIds& host_conditions_;
  std::unordered_map<text::FileId, std::uint32_t> units_;
  std::unordered_map<std::string, std::uint32_t> askings_;  // operands by what is asked and given
};

}  // namespace espalier::codegen
