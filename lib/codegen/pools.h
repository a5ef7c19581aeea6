// What nodes and trees of an asset refer to by number or offset: values that are stored once, however often they are
// used.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codegen/sections.h"
#include "ir/tree.h"

namespace espalier::codegen {

// Ids by name.
using NameIds = std::unordered_map<std::string_view, std::uint32_t>;

inline std::uint32_t count32(std::size_t count) { return static_cast<std::uint32_t>(count); }

// NUL-terminated strings in a section, each stored once and identified by its offset. The empty string is at 0.
class NamePool {
 public:
  explicit NamePool(std::string& section) : section_(section) { add(""); }
  std::uint32_t add(const std::string& name) {
    const auto [place, is_new] = offsets_.try_emplace(name, count32(section_.size()));
    if (is_new) section_.append(name).push_back('\0');
    return place->second;
  }

 private:
  std::string& section_;
  std::unordered_map<std::string, std::uint32_t> offsets_;
};

// The bytes of a value without padding, as a part of a key.
template <typename Value>
void append_bytes(std::string& key, const Value& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// An add_...() function returns an index, or, where it says "as an operand", 0 for none and 1 + the index otherwise.
class Pools {
 public:
  // Numbers behaviours and host conditions of the project, which must outlive the pools, in the order of their names.
  Pools(const ir::Project& project, Sections& sections);
  bool has_labels = true;          // see CompileOptions
  std::uint32_t thread_count = 1;  // the same

  // The indices of names that nodes of the project use.
  std::uint32_t behavior(std::string_view name) const { return behaviors_.at(name); }
  bool keeps_times(std::uint32_t behavior) const {
    return !sections.timed_behaviors.empty() && sections.timed_behaviors[behavior] != 0;
  }
  std::uint32_t host_condition(std::string_view name) const { return host_conditions_.at(name); }

  // As an operand; none: always true.
  std::uint32_t add_condition(const ir::Condition& condition);
  // The operands of a tree's conditions, in its order. The first call adds them.
  const std::vector<std::uint32_t>& conditions_of(const ir::Tree& tree);
  std::uint32_t add_number(std::uint64_t number);
  // As an operand; none: empty.
  std::uint32_t add_script(const std::string& source);
  void add_preludes(const std::vector<ir::Prelude>& preludes);
  // Ignores case.
  std::uint32_t add_scope(const std::string& name);
  // The conditions and parameters of a rule, as an operand.
  std::uint32_t add_query(const ir::Rule& rule);
  // As an operand; none: it has no tests.
  std::uint32_t add_precondition(const layout::Precondition& tests);
  // The parameters of one node or rule. Returns the index of the first.
  std::uint32_t add_parameters(const ir::Few<ir::Parameter>& parameters);

  Sections& sections;
  NamePool names;  // NAMES
  // Those of nodes and hosts of trees that are placed, which other parts refer to.
  std::vector<std::shared_ptr<ir::Names>> names_of_nodes;

 private:
  using Keys = std::unordered_map<std::string, std::uint32_t>;  // index by the bytes that identify an entry

  void add_parameter_names(const ir::Project& project);
  void add_declared(const ir::Project& project);
  std::uint32_t add_vector(const std::array<std::uint64_t, 3>& numbers);
  layout::Parameter parameter_record(const ir::Parameter& parameter);

  NameIds behaviors_;
  NameIds host_conditions_;
  Keys conditions_;
  std::unordered_map<const ir::Tree*, std::vector<std::uint32_t>> conditions_of_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  Keys vectors_;
  Keys scripts_;
  Keys scopes_;
  Keys queries_;
  Keys preconditions_;
  Keys parameter_lists_;
};

}  // namespace espalier::codegen
