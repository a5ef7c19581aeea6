// One selection tree: from its element to IR, with everything that is wrong in it.
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

  // The tree; nothing when it has errors. That its name is the only one of its kind is the caller's to see to.
  [[nodiscard]] std::optional<ir::Tree> read(const Element& element);

  // Says what is wrong with blocks that no reference brings in, as far as that does not depend on where they would
  // stand. The reader can read no tree after that.
  void check_unused(std::deque<Block>& blocks, bool is_global);

 private:
  // A transition whose target is looked up when all states of its machine are known.
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
  text::NameIndex variable_names_;                                   // made when a hint is looked for
  std::unordered_map<std::string_view, std::uint32_t> signal_numbers_;
  std::unordered_map<const char*, std::optional<ir::ConditionIndex>> known_conditions_;  // in blocks, by their text
  std::vector<TranslationSection> sections_;
  bool may_lack_variables_ = false;  // a fault that has been reported may have taken declarations away
  bool may_lack_leaves_ = false;
  bool is_unused_ = false;  // blocks are checked: names of variables and states are not known
  std::uint32_t depth_ = 0;
  bool is_too_deep_ = false;
};

}  // namespace espalier::dialects::selection
