// Trees that exceed limits of the format. See excess.h.
#include "codegen/excess.h"

#include <string>
#include <string_view>

#include "codegen/sections.h"
#include "rules/assets.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/format/records.h"

namespace espalier::codegen {
namespace {

constexpr std::uint32_t kLeastBytes = 2;  // of an agent, in addition to its variables

// `left`: nodes that still fit.
Excess find_excess(const ir::Node& node, std::uint32_t depth, std::uint32_t parallel_depth, std::uint32_t& left) {
  if (node.opcode == opcode::tick_parallel) ++parallel_depth;
  if (depth == layout::kMaxTickDepth) return {&node, Excess::Kind::depth};
  if (parallel_depth > layout::kMaxRegions) return {&node, Excess::Kind::parallels};
  if (left == 0) return {&node, Excess::Kind::count};
  --left;
  for (const ir::Node& child : node.children()) {
    const Excess excess = find_excess(child, depth + 1, parallel_depth, left);
    if (excess.node != nullptr) return excess;
  }
  return {};
}

std::string describe(const ir::Tree& tree, const Excess& excess) {
  const bool has_rules = tree.engine() == EngineId::rule;
  const bool has_deciders = tree.engine() == EngineId::decide;
  const std::string nodes = has_rules ? " rules" : has_deciders ? " deciders" : " nodes";
  const std::string bytes = std::to_string(layout::kMaxDecideBytes) + " bytes";
  const std::string name = "'" + excess.node->name + "'";
  switch (excess.kind) {
    case Excess::Kind::count:
      return "tree '" + tree.name + "' has more than " +
             std::to_string(has_rules ? layout::kMaxRules : layout::kMaxNodes) + nodes +
             "; this is the first one over the limit";
    case Excess::Kind::depth:
      return "more than " + std::to_string(layout::kMaxTickDepth) + nodes + " of tree '" + tree.name +
             "' are nested here";
    case Excess::Kind::parallels:
      return "more than " + std::to_string(layout::kMaxRegions) + " parallels of tree '" + tree.name +
             "' are nested here";
    case Excess::Kind::levels:
      return "a path from " + name + " would be longer than " + std::to_string(layout::kMaxLevels) + nodes;
    case Excess::Kind::memory:
      return "behaviours and decider blocks of one path from " + name + " would take more than " + bytes;
    case Excess::Kind::agent:
      return "an agent of tree '" + tree.name + "' would take more than " + bytes;
    case Excess::Kind::scratch:
      return "the answers that " + name + " keeps while it chooses would take more than " + bytes;
    case Excess::Kind::asked:
      return name + " would ask more than " + std::to_string(layout::kMaxAsked) + nodes + " at once";
  }
  return {};
}

std::string_view hint_of(const ir::Tree& tree, Excess::Kind kind) {
  if (tree.engine() == EngineId::rule) return "the rules of a subtree count in each place where it is used";
  if (tree.engine() == EngineId::tick) return "each branch of a parallel and each node's log texts count as a node too";
  if (tree.engine() != EngineId::decide) return "";
  switch (kind) {
    case Excess::Kind::count:
      return "a shared decider counts once, and each DeciderRef is one more";
    case Excess::Kind::scratch:
    case Excess::Kind::asked:
      return "groups with 'delegate' ask their children when they are asked, shared ones in each place";
    default:
      return "";
  }
}

// For trees that tick, store or poll and trees of rules. The reader counts the nodes of a tree that selects, where
// references can multiply them. Deciders are counted when they are written.
Excess find_excess(const ir::Tree& tree) {
  const EngineId engine_id = tree.engine();
  const bool has_rules = engine_id == EngineId::rule;
  if (!has_rules && engine_id != EngineId::tick && engine_id != EngineId::store && engine_id != EngineId::poll) {
    return {};
  }
  std::uint32_t left = has_rules ? layout::kMaxRules + 1 : layout::kMaxNodes;  // the root is not a rule itself
  return find_excess(tree.root(), 0, 0, left);
}

}  // namespace

bool check_limits(const ir::Project& project, text::Findings& findings) {
  bool fits = true;
  for (const ir::Tree& tree : project.trees) {
    if (tree.variables.size() > std::size_t{8} * (layout::kMaxAgentBytes - kLeastBytes)) {
      findings.add(rules::AST_too_large, tree.span,
                   "tree '" + tree.name + "' has " + std::to_string(tree.variables.size()) +
                       " variables, more than an agent can hold");
      fits = false;
    }
    if (tree.engine() != EngineId::poll && !check_nodes(tree, findings)) fits = false;
  }
  return fits;
}

bool check_nodes(const ir::Tree& tree, text::Findings& findings) {
  const Excess excess = find_excess(tree);
  if (excess.node != nullptr) report(tree, excess, findings);
  return excess.node == nullptr;
}

void report(const ir::Tree& tree, const Excess& excess, text::Findings& findings) {
  findings.add(rules::AST_too_large, excess.node->span, describe(tree, excess),
               std::string(hint_of(tree, excess.kind)));
}

void report_large_agent(const ir::Tree& tree, std::uint64_t agent_bytes, text::Findings& findings) {
  const std::string needed = agent_bytes < layout::kMaxNeedBytes ? std::to_string(agent_bytes)
                                                                 : "more than " + std::to_string(layout::kMaxNeedBytes);
  findings.add(rules::AST_too_large, tree.span,
               "an agent of tree '" + tree.name + "' with the trees in its slots would take " + needed +
                   " bytes, at most " + std::to_string(layout::kMaxStoreBytes),
               "give a 'budget' to its ChildTree nodes, or a smaller 'maxDepth' to the tree");
}

void report_many_trees(const ir::Tree& tree, text::Findings& findings) {
  findings.add(rules::AST_too_large, tree.span,
               "tree '" + tree.name + "' comes after " + std::to_string(layout::kMaxStoreTrees) +
                   " others; no slot can refer to it",
               "compile fewer trees into one asset");
}

}  // namespace espalier::codegen
