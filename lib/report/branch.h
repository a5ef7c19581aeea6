// The active branch of a tree as text: the active nodes, each with what it waits for; for a tree of rules the current
// rule and those around it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "codegen/dump/written_conditions.h"
#include "replay/names.h"

namespace espalier::report {

using replay::AgentView;

// An active node. Nodes that correspond to no element of the XML are left out.
struct NodeLine {
  std::uint32_t line = 0;   // of the XML; 0 in stripped assets
  std::size_t depth = 0;    // the root has 0
  std::string name;         // of the element; in stripped assets of the behaviour, or else of the opcode
  std::string text;         // "Combat" of a machine
  std::string time;         // what is left: "0.4 (1.5)" of a wait
  bool is_running = false;  // no node below it is active
};

// `conditions`: of the project; may be null.
std::vector<NodeLine> active_lines(const AgentView& agent, codegen::WrittenConditions* conditions = nullptr);
// The same for a selection tree: the nodes from the root to the selected leaf. Visits the whole tree.
std::vector<NodeLine> select_lines(const AgentView& agent);
// The same for a tree of rules. Ids follow the names; a file name is shown where it differs from the line before.
std::vector<NodeLine> rule_lines(const AgentView& agent);
// The same for the active path of a tree of deciders, with their behaviours.
std::vector<NodeLine> decider_lines(const AgentView& agent);
// The same for a synchronized tree. Trees in slots are below their slots. Defined in branch_store.cpp.
std::vector<NodeLine> store_lines(const AgentView& agent);
// "Spotted [0.10]  Lost [--]": seconds since each timestamp of the tree was set; empty if the tree has none.
std::string timestamps_text(const AgentView& agent);

}  // namespace espalier::report
