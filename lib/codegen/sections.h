// The sections of an asset while they are made, and writing them as bytes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codegen/agent_block.h"
#include "ir/tree.h"
#include "runtime/format/opcode.h"
#include "runtime/format/records.h"
#include "runtime/format/section.h"

namespace espalier::codegen {

// Strings that end in NUL, each once, known by their offsets.
class NamePool {
 public:
  NamePool() { add(""); }
  std::uint32_t add(const std::string& name) {
    const auto [place, is_new] = offsets_.emplace(name, static_cast<std::uint32_t>(bytes_.size()));
    if (is_new) bytes_.append(name).push_back('\0');
    return place->second;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::unordered_map<std::string, std::uint32_t> offsets_;
};

inline EngineId engine_id_of(const ir::Tree& tree) { return tree.engine(); }

// Where a node came from, for the debug sections.
struct Origin {
  std::uint32_t word = 0;             // first word of the node in NODES
  const std::string* name = nullptr;  // null: it has none
  text::Span span;
};

struct Sections {
  std::vector<layout::Tree> trees;
  std::vector<layout::Unit> units;
  std::vector<std::uint32_t> nodes;
  std::vector<layout::Condition> conditions;
  std::vector<layout::Test> tests;
  std::vector<layout::Transition> transitions;
  std::vector<layout::Variable> variables;
  std::vector<layout::Signal> signals;
  std::vector<layout::Assignment> assignments;
  std::vector<layout::Behavior> behaviors;
  std::vector<std::uint16_t> leaves;
  std::string images;
  NamePool names;
  std::vector<layout::Ticking> ticking;
  std::vector<layout::Timestamp> timestamps;
  std::vector<layout::EventTransition> event_transitions;
  std::vector<std::uint64_t> numbers;
  std::vector<layout::Parameter> parameters;
  std::vector<layout::Script> scripts;
  std::vector<layout::Scope> scopes;
  std::vector<layout::RuleTree> rule_trees;
  std::vector<layout::Occurrence> occurrences;
  std::vector<layout::Use> uses;
  std::vector<layout::Asking> askings;
  std::vector<std::uint32_t> questions;
  std::vector<std::uint32_t> rule_ids;
  std::vector<layout::HostCondition> host_conditions;
  std::vector<layout::DeciderTree> decider_trees;
  std::vector<layout::Decider> deciders;
  std::vector<layout::Precondition> preconditions;
  std::vector<layout::Stimulus> stimuli;
  std::vector<layout::BehaviorFlag> behavior_flags;
  std::vector<layout::StoreTree> store_trees;
  std::vector<layout::Group> groups;
  std::vector<layout::Barrier> barriers;
  std::vector<layout::Slot> slots;
  std::vector<std::uint32_t> accepts;
  std::vector<std::uint32_t> tree_needs;
  std::vector<std::uint32_t> slot_rooms;
  std::vector<layout::File> files;
  std::vector<layout::NodePlace> node_places;
  NamePool debug_names;
  std::vector<layout::Part> parts;
  std::vector<Origin> origins;     // of all nodes, no section; points into the project
  std::vector<AgentNeeds> agents;  // of the trees, no section; laid out when all is written
};

// The asset's bytes. Empty when it would be larger than its 32-bit offsets can tell.
std::vector<std::uint64_t> write_asset(const Sections& sections, bool strip, std::size_t* size_bytes);

}  // namespace espalier::codegen
