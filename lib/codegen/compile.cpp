// IR to an asset: ids, agents' layout, names and debug data around the flattened nodes, written as sections.
#include "codegen/compile.h"

#include <espalier/espalier.hpp>
#include <map>
#include <set>
#include <string_view>

#include "codegen/agent_block.h"
#include "codegen/excess.h"
#include "codegen/flatten.h"
#include "codegen/flatten_decide.h"
#include "codegen/flatten_rules.h"
#include "codegen/flatten_store.h"
#include "codegen/flatten_tick.h"
#include "codegen/sections.h"

namespace espalier::codegen {
namespace {

constexpr std::uint32_t kLeastBytes = 2;  // of an agent, beside its variables

// The behaviour that a node names; empty: none.
std::string_view behavior_of(const ir::Node& node) {
  if (const auto* leaf = node.as_if<ir::Leaf>()) return leaf->behavior;
  if (const auto* rule = node.as_if<ir::Rule>()) return rule->behavior;
  if (const auto* place = node.as_if<ir::PlacedDecider>()) return place->decider->behavior;
  const auto* behavior = node.as_if<ir::Behavior>();
  return behavior != nullptr && node.opcode != Opcode::store_condition ? behavior->name : std::string_view();
}

template <typename Visit>
void for_each_node(const ir::Node& node, const Visit& visit) {
  visit(node);
  for (const ir::Node& child : node.children) for_each_node(child, visit);
}

// What trees name, numbered in the order of the names.
struct HostIds {
  NameIds behaviors;
  NameIds conditions;
};

template <typename Record>
NameIds number_names(const std::set<std::string_view>& names, NamePool& pool, std::vector<Record>& records) {
  NameIds ids;
  for (const std::string_view name : names) {
    ids[name] = static_cast<std::uint32_t>(records.size());
    records.push_back({pool.add(std::string(name))});
  }
  return ids;
}

HostIds number_host_names(const ir::Project& project, Sections& sections) {
  std::set<std::string_view> behaviors;
  std::set<std::string_view> conditions;
  for (const ir::Tree& tree : project.trees) {
    const auto visit = [&](const ir::Node& node) {
      if (const std::string_view behavior = behavior_of(node); !behavior.empty()) behaviors.insert(behavior);
      if (node.opcode == Opcode::store_condition) conditions.insert(node.as<ir::Behavior>().name);
      if (const auto* rule = node.as_if<ir::Rule>()) {
        conditions.insert(rule->conditions.begin(), rule->conditions.end());
      }
      if (const auto* place = node.as_if<ir::PlacedDecider>(); place != nullptr && !place->decider->decide.empty()) {
        conditions.insert(place->decider->decide);
      }
    };
    if (const auto* deciding = std::get_if<ir::Deciding>(&tree.parts)) {
      for (const std::uint32_t shared : stored_shared(tree)) for_each_node(deciding->shared[shared], visit);
    }
    for_each_node(tree.root, visit);
  }
  return {number_names(behaviors, sections.names, sections.behaviors),
          number_names(conditions, sections.names, sections.host_conditions)};
}

void add_signals(const ir::Tree& source, ConditionPool& conditions, Sections& sections) {
  const bool sets_stimuli = engine_id_of(source) == EngineId::decide;
  for (const ir::Signal& signal : source.signals) {
    sections.signals.push_back({sections.names.add(signal.name),
                                static_cast<std::uint32_t>(sections.assignments.size()),
                                static_cast<std::uint32_t>(signal.assignments.size())});
    for (const ir::Assignment& assignment : signal.assignments) {
      const std::uint32_t value = sets_stimuli ? 0 : conditions.add(source.conditions[assignment.condition]);
      sections.assignments.push_back({assignment.variable, value});
    }
  }
}

// What is known before the nodes are written.
void add_tree(const ir::Tree& source, const NameIds& behaviors, ConditionPool& conditions, Sections& sections) {
  layout::Tree tree = {};
  tree.name = sections.names.add(source.name);
  PartNeed& variables = sections.agents.emplace_back()[PartKind::variables];
  variables.first_name = static_cast<std::uint32_t>(sections.variables.size());
  variables.count = static_cast<std::uint32_t>(source.variables.size());
  tree.first_signal = static_cast<std::uint32_t>(sections.signals.size());
  tree.signal_count = static_cast<std::uint32_t>(source.signals.size());
  tree.first_leaf = static_cast<std::uint32_t>(sections.leaves.size());
  for (const ir::Variable& variable : source.variables) {
    sections.variables.push_back({sections.names.add(variable.name), variable.initial ? 1u : 0u});
  }
  add_signals(source, conditions, sections);
  if (engine_id_of(source) == EngineId::select) {
    for_each_node(source.root, [&](const ir::Node& node) {
      if (node.opcode != Opcode::select_leaf) return;
      sections.leaves.push_back(static_cast<std::uint16_t>(behaviors.at(node.as<ir::Leaf>().behavior)));
    });
  }
  tree.leaf_count = static_cast<std::uint32_t>(sections.leaves.size()) - tree.first_leaf;
  tree.engine = static_cast<std::uint8_t>(engine_id_of(source));
  tree.dialect = static_cast<std::uint8_t>(source.dialect.value_or(layout::Dialect::selection));
  sections.agents.back()[PartKind::leaf].is_wide = tree.leaf_count > 0x7FFF;
  sections.trees.push_back(tree);
}

// Units of the trees that select come first, then one for each that ticks, then those of rules; all in the order of the
// trees.
void write_units(const ir::Project& project, const HostIds& ids, ConditionPool& conditions, Sections& sections) {
  Flattener flattener(sections, conditions);
  std::vector<std::uint32_t> selecting;  // trees
  std::vector<std::uint32_t> ticking;
  std::vector<std::uint32_t> of_rules;
  for (std::uint32_t i = 0; i < project.trees.size(); ++i) {
    const ir::Tree& tree = project.trees[i];
    const EngineId engine_id = engine_id_of(tree);
    if (engine_id == EngineId::select) {
      flattener.add(tree);
      selecting.push_back(i);
    }
    add_tree(tree, ids.behaviors, conditions, sections);
    if (engine_id == EngineId::tick) ticking.push_back(i);
    if (engine_id == EngineId::rule) of_rules.push_back(i);
  }
  flattener.write();
  for (std::uint32_t i = 0; i < selecting.size(); ++i) {
    const std::uint32_t unit = flattener.unit_of(i);
    sections.trees[selecting[i]].unit = unit;
    sections.agents[selecting[i]][PartKind::states].count = sections.units[unit].state_bytes;
  }
  TickFlattener tick_flattener(sections, conditions, ids.behaviors);
  for (const std::uint32_t tree : ticking) tick_flattener.add(project.trees[tree], tree);
  RuleFlattener rule_flattener(sections, ids.behaviors, ids.conditions);
  for (const std::uint32_t tree : of_rules) rule_flattener.add(project.trees[tree], tree);
}

void report_large_agent(const ir::Tree& tree, std::uint64_t agent_bytes, text::Findings& findings) {
  const std::string needed = agent_bytes < layout::kMaxNeedBytes ? std::to_string(agent_bytes)
                                                                 : "more than " + std::to_string(layout::kMaxNeedBytes);
  findings.add(rules::Rule::AST_too_large, tree.span,
               "an agent of tree '" + tree.name + "' with all that its slots may hold would take " + needed +
                   " bytes; " + std::to_string(layout::kMaxStoreBytes) + " are the most",
               "give a 'budget' to its ChildTree nodes, or a smaller 'maxDepth' to the tree");
}

// Units of deciders come last, in the order of the trees.
bool write_deciders(const ir::Project& project, const HostIds& ids, Sections& sections, text::Findings& findings) {
  DeciderFlattener flattener(sections, ids.behaviors, ids.conditions);
  bool fits = true;
  for (std::uint32_t i = 0; i < project.trees.size(); ++i) {
    const ir::Tree& tree = project.trees[i];
    if (engine_id_of(tree) != EngineId::decide) continue;
    const Excess excess = flattener.add(tree, i);
    if (excess.node == nullptr) continue;
    report(tree, excess, findings);
    fits = false;
  }
  return fits;
}

// Units of trees that store come behind them, in the order of the trees.
bool write_storing(const ir::Project& project, const HostIds& ids, Sections& sections, text::Findings& findings) {
  StoreFlattener flattener(sections, ids.behaviors, ids.conditions, project);
  bool fits = true;
  for (std::uint32_t i = 0; i < project.trees.size(); ++i) {
    const ir::Tree& tree = project.trees[i];
    if (engine_id_of(tree) != EngineId::store) continue;
    if (i >= layout::kMaxStoreTrees) {
      findings.add(rules::Rule::AST_too_large, tree.span,
                   "tree '" + tree.name + "' comes behind " + std::to_string(layout::kMaxStoreTrees) +
                       " others, and no slot could hold it",
                   "compile fewer trees into one asset");
      return false;
    }
    flattener.add(i);
    if (flattener.needs().fits(project, i)) continue;
    report_large_agent(tree, flattener.needs().agent_bytes(project, i, std::min(tree.as<ir::Storing>().max_depth, 2u)),
                       findings);
    fits = false;
  }
  flattener.finish();
  return fits;
}

// Blocks of decider trees and of those that store were measured when they were written.
bool lay_out_agents(const ir::Project& project, Sections& sections, text::Findings& findings) {
  for (std::uint32_t i = 0; i < sections.trees.size(); ++i) {
    layout::Tree& tree = sections.trees[i];
    const EngineId engine = project.trees[i].engine();
    AgentNeeds& needs = sections.agents[i];
    if (needs[PartKind::held].count > 0) {
      needs[PartKind::held].count = static_cast<std::uint32_t>(sections.scopes.size());
    }
    const AgentBlock block = lay_out_agent(engine, needs);
    if (engine != EngineId::decide && block.size_bytes > layout::kMaxAgentBytes) {
      findings.add(rules::Rule::AST_too_large, project.trees[i].span,
                   "an agent of tree '" + project.trees[i].name + "' would be larger than an asset can tell");
      return false;
    }
    tree.agent_bytes = static_cast<std::uint32_t>(block.size_bytes);
    tree.first_part = static_cast<std::uint32_t>(sections.parts.size());
    sections.parts.insert(sections.parts.end(), block.parts.begin(), block.parts.end());
    const std::string image = image_of(engine, needs, block, sections.variables);
    tree.image = image.empty() ? layout::kNone : static_cast<std::uint32_t>(sections.images.size());
    sections.images += image;
  }
  return true;
}

// Files are in the order of their paths: that in which they were read is not the same in every run.
void add_debug_data(const text::Sources& sources, Sections& sections) {
  struct Place {
    const text::Source* source = nullptr;
    std::uint32_t index = 0;
  };
  std::vector<Place> places(sources.size());
  std::map<std::string_view, std::uint32_t> files;
  for (const Origin& origin : sections.origins) {
    Place& place = places[origin.span.file];
    if (place.source != nullptr) continue;
    place.source = &sources[origin.span.file];
    files.emplace(place.source->path(), 0);
  }
  for (auto& [path, index] : files) {
    index = static_cast<std::uint32_t>(sections.files.size());
    sections.files.push_back({sections.debug_names.add(std::string(path))});
  }
  for (Place& place : places) {
    if (place.source != nullptr) place.index = files.at(place.source->path());
  }
  for (const Origin& origin : sections.origins) {
    const Place& place = places[origin.span.file];
    const text::Position position = place.source->position(origin.span.begin);
    sections.node_places.push_back({origin.word, sections.debug_names.add(origin.name == nullptr ? "" : *origin.name),
                                    place.index, position.line, position.column});
  }
}

bool check_limits(const ir::Project& project, text::Findings& findings) {
  bool fits = true;
  for (const ir::Tree& tree : project.trees) {
    if (tree.variables.size() > std::size_t{8} * (layout::kMaxAgentBytes - kLeastBytes)) {
      findings.add(rules::Rule::AST_too_large, tree.span,
                   "tree '" + tree.name + "' has " + std::to_string(tree.variables.size()) +
                       " variables, more than an agent of an asset can hold");
      fits = false;
    }
    const Excess excess = find_excess(tree);
    if (excess.node == nullptr) continue;
    report(tree, excess, findings);
    fits = false;
  }
  return fits;
}

}  // namespace

std::vector<std::uint64_t> compile(const ir::Project& project, const text::Sources& sources,
                                   const CompileOptions& options, text::Findings& findings, std::size_t* size_bytes) {
  if (!check_limits(project, findings)) return {};
  Sections sections;
  ConditionPool conditions(sections);
  const HostIds ids = number_host_names(project, sections);
  write_units(project, ids, conditions, sections);
  if (!write_deciders(project, ids, sections, findings)) return {};
  if (!write_storing(project, ids, sections, findings)) return {};
  if (!lay_out_agents(project, sections, findings)) return {};
  if (sections.behaviors.size() > 0xFFFF) {
    findings.add(rules::Rule::AST_too_large, project.trees.front().span,
                 "the project has " + std::to_string(sections.behaviors.size()) +
                     " behaviours, more than an asset can number; compile one asset a tree");
    return {};
  }
  if (!options.strip) add_debug_data(sources, sections);
  std::vector<std::uint64_t> bytes = write_asset(sections, options.strip, size_bytes);
  if (bytes.empty()) {
    findings.add(rules::Rule::AST_too_large, project.trees.front().span,
                 "the asset would be larger than 4 GiB; compile one asset a tree");
  }
  return bytes;
}

}  // namespace espalier::codegen
