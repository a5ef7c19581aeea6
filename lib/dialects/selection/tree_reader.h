// Reads one selection tree: its element to IR, with its findings.
#pragma once
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialects/reading/name_table.h"
#include "dialects/selection/blocks.h"
#include "dialects/selection/expander.h"
#include "dialects/selection/translations.h"
#include "ir/tree.h"

namespace espalier::dialects::selection {

class TreeReader {
 public:
  TreeReader(World& world, text::Findings& findings);

  // Returns the tree, or nothing if it has errors. The caller checks that its name is unique.
  [[nodiscard]] std::optional<ir::Tree> read(const Element& element);

  // Reports those faults in blocks that no reference includes that do not depend on the place of the reference. The
  // reader cannot read a tree after this.
  void check_unused(std::deque<Block>& blocks, bool is_global);

 private:
  // tree_reader.cpp
  Children children(const Placed& parent);
  void read_content(const Placed& tree, const Children& content);
  void read_section(const Placed& section);
  void read_entry(const Placed& entry);
  void read_variable(const Attributes& attributes, UseIndex use);
  void read_signal(const Attributes& attributes, UseIndex use);
  std::optional<ir::ConditionIndex> read_condition(const Attribute& attribute, UseIndex use);
  std::optional<std::uint32_t> find_variable(std::string_view name, Where where);
  void check_unused(const Block& block);

  // nodes.cpp. `machine` is null in a block that no reference includes.
  ir::Node read_node(const Placed& placed, Groups parent);
  std::optional<ir::ConditionIndex> read_node_condition(const Attribute& condition, UseIndex use, Groups parent);
  void read_machine(const Placed& placed, ir::Node& machine);
  ir::Node read_state(const Placed& placed, std::uint32_t number, MachineNames* machine);
  void read_transition(const Placed& placed, std::vector<ir::Transition>& transitions, std::size_t state,
                       MachineNames* machine);

  Library own_;
  Reporter reporter_;
  Expander expander_;
  ir::Tree tree_;
  NameTable variables_;
  std::unordered_map<std::string_view, std::uint32_t> signal_numbers_;
  std::unordered_map<const char*, ir::ConditionIndex> known_conditions_;  // in blocks, by the address of their text
  std::vector<TranslationSection> sections_;
  bool may_lack_leaves_ = false;
  bool is_unused_ = false;  // in check_unused(): variables and states are not known
  std::uint32_t depth_ = 0;
  bool is_too_deep_ = false;
};

}  // namespace espalier::dialects::selection
