// Trees that tick to units: one unit a tree, its nodes in preorder with the way to their parents, and state that
// overlaps where nodes are never active together.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>

#include "codegen/sections.h"

namespace espalier::codegen {

// What a unit asks of its tree's records.
class TickFlattener {
 public:
  TickFlattener(Sections& sections, ConditionPool& conditions, const NameIds& behaviors)
      : sections_(sections), conditions_(conditions), behaviors_(behaviors) {}
  // Writes the unit and the record of the tree. It passes find_excess().
  void add(const ir::Tree& source, std::uint32_t tree);

 private:
  class UnitWriter;

  std::uint32_t add_number(std::uint64_t number);
  std::uint32_t add_vector(const double* numbers);
  std::uint32_t add_script(const std::string& source);  // as an operand
  std::uint32_t add_scope(const std::string& name, AgentNeeds& needs);
  void add_parameter(const ir::Parameter& parameter);

  Sections& sections_;
  ConditionPool& conditions_;
  const NameIds& behaviors_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::unordered_map<std::string, std::uint32_t> vectors_;  // by their bytes
  std::unordered_map<std::string, std::uint32_t> scripts_;
  std::unordered_map<std::string, std::uint32_t> scopes_;  // by name without case
};

}  // namespace espalier::codegen
