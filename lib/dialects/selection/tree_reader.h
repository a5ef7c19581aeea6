// Reads one selection tree: its element to IR, with its findings.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialects/selection/blocks.h"
#include "dialects/selection/expander.h"
#include "dialects/selection/reporter.h"
#include "dialects/selection/translations.h"
#include "ir/tree.h"
#include "text/name_index.h"

namespace espalier::dialects::selection {

class TreeReader {
 public:
  TreeReader(World& world, text::Findings& findings) : reporter_(findings), expander_(world, own_, reporter_) {}

  // The tree; nothing when it has errors. The caller checks that its name is unique.
  [[nodiscard]] std::optional<ir::Tree> read(const Element& element);

  // Reports faults in blocks that no reference brings in, as far as they do not depend on the place of the reference.
  // The reader cannot read a tree after this.
  void check_unused(std::deque<Block>& blocks, bool is_global);

 private:
  // A transition whose target is resolved when all states of its machine are known.
  struct Jump {
    std::size_t state;
    std::size_t transition;
    Attribute target;
    UseIndex use;
  };
  struct NamedState {
    std::uint32_t number;
    Span name;
  };
  struct MachineReading {
    std::unordered_map<std::string, NamedState> states;  // by lower-case name
    std::vector<Jump> jumps;
    bool is_incomplete = false;
  };

  // tree_reader.cpp
  Children children(const Placed& parent);
  void read_content(const Placed& tree, const Children& content);
  void read_section(const Placed& section);
  void read_variable(const Placed& placed);
  void read_signal(const Placed& placed);
  void read_map(const Placed& placed, TranslationSection& section);
  std::optional<ir::ConditionIndex> read_condition(const Attribute& attribute, UseIndex use);
  std::optional<std::uint32_t> find_variable(std::string_view name, Span span, UseIndex use);
  void check_unused(const Block& block);

  // nodes.cpp
  ir::Node read_node(const Placed& placed, Kind parent);
  std::optional<ir::ConditionIndex> read_node_condition(const Placed& placed, const Attributes& attributes,
                                                        Kind parent);
  void read_machine(const Placed& placed, ir::Node& machine);
  ir::Node read_state(const Placed& placed, MachineReading& machine, std::size_t number);
  void read_transition(const Placed& placed, std::vector<ir::Transition>& transitions, MachineReading& machine,
                       std::size_t number);
  void resolve_jumps(const MachineReading& reading, ir::Node& machine);

  Library own_;
  Reporter reporter_;
  Expander expander_;
  ir::Tree tree_;
  std::unordered_map<std::string, std::uint32_t> variable_numbers_;  // by lower-case name
  text::NameIndex variable_names_;                                   // made on demand, for hints
  std::unordered_map<std::string_view, std::uint32_t> signal_numbers_;
  std::unordered_map<const char*, std::optional<ir::ConditionIndex>>
      known_conditions_;  // in blocks, by the address of their text
  std::vector<TranslationSection> sections_;
  bool may_lack_variables_ = false;  // declarations may be missing because of a reported fault
  bool may_lack_leaves_ = false;
  bool is_unused_ = false;  // in check_unused(): variables and states are not known
  std::uint32_t depth_ = 0;
  bool is_too_deep_ = false;
};

}  // namespace espalier::dialects::selection
