// IR to an asset: ids, agents' layout, names and debug data around the flattened nodes, written as sections.
#include "codegen/compile.h"

#include <espalier/espalier.hpp>
#include <map>
#include <string_view>

#include "codegen/agent_block.h"
#include "codegen/excess.h"
#include "codegen/flatten.h"
#include "codegen/pools.h"
#include "codegen/sections.h"

namespace espalier::codegen {
namespace {

void add_signals(const ir::Tree& source, Pools& pools) {
  Sections& sections = pools.sections;
  const bool sets_stimuli = source.engine() == EngineId::decide;
  for (const ir::Signal& signal : source.signals) {
    sections.signals.push_back(
        {pools.names.add(signal.name), count32(sections.assignments.size()), count32(signal.assignments.size())});
    for (const ir::Assignment& assignment : signal.assignments) {
      const std::uint32_t value = sets_stimuli ? 0 : pools.add_condition(source.conditions[assignment.condition]);
      sections.assignments.push_back({assignment.variable, value});
    }
  }
}

// In the order of the nodes.
void add_leaves(const ir::Node& node, Pools& pools) {
  if (node.opcode == Opcode::select_leaf) {
    pools.sections.leaves.push_back(static_cast<std::uint16_t>(pools.behavior(behavior_of(node))));
  }
  for (const ir::Node& child : node.children) add_leaves(child, pools);
}

// What is known before the nodes are written.
void add_tree(const ir::Tree& source, Pools& pools) {
  Sections& sections = pools.sections;
  layout::Tree tree = {};
  tree.name = pools.names.add(source.name);
  tree.first_variable = count32(sections.variables.size());
  tree.variable_count = count32(source.variables.size());
  tree.first_signal = count32(sections.signals.size());
  tree.signal_count = count32(source.signals.size());
  tree.first_leaf = count32(sections.leaves.size());
  for (const ir::Variable& variable : source.variables) {
    sections.variables.push_back({pools.names.add(variable.name), variable.initial ? 1u : 0u});
  }
  add_signals(source, pools);
  if (source.engine() == EngineId::select) add_leaves(source.root, pools);
  tree.leaf_count = count32(sections.leaves.size()) - tree.first_leaf;
  tree.engine = static_cast<std::uint8_t>(source.engine());
  tree.dialect = static_cast<std::uint8_t>(source.dialect.value_or(layout::Dialect::selection));
  sections.trees.push_back(tree);
}

void add_ticking(const ir::Tree& source, std::uint32_t tree, Pools& pools) {
  Sections& sections = pools.sections;
  layout::Ticking ticking = {};
  ticking.flags = source.as<ir::Ticking>().stays_stopped ? layout::kStaysStopped : 0;
  ticking.first_timestamp = count32(sections.timestamps.size());
  ticking.timestamp_count = static_cast<std::uint32_t>(source.as<ir::Ticking>().timestamps.size());
  for (const ir::Timestamp& timestamp : source.as<ir::Ticking>().timestamps) {
    sections.timestamps.push_back(
        {pools.names.add(timestamp.name), timestamp.signal, timestamp.exclusive_to.value_or(layout::kNone)});
  }
  sections.trees[tree].record = count32(sections.ticking.size());
  sections.ticking.push_back(ticking);
}

bool lay_out_agents(const ir::Project& project, const std::vector<TickingUnit>& needs, Sections& sections,
                    text::Findings& findings) {
  for (std::uint32_t i = 0; i < sections.trees.size(); ++i) {
    layout::Tree& tree = sections.trees[i];
    const ir::Tree& source = project.trees[i];
    const layout::Unit& unit = sections.units[tree.unit];
    const EngineId engine_id = source.engine();
    tree.image = count32(sections.images.size());
    if (engine_id == EngineId::decide || engine_id == EngineId::store) continue;  // are laid out, and begin with zeros
    layout::Ticking* ticking = engine_id == EngineId::tick ? &sections.ticking[tree.record] : nullptr;
    bool fits = true;
    switch (engine_id) {
      case EngineId::select:
        fits = lay_out_agent(unit, tree);
        break;
      case EngineId::tick:
        fits = lay_out_ticking_agent(unit, needs[tree.record], sections.scopes.size(), tree, *ticking);
        break;
      case EngineId::rule:
        lay_out_rule_agent(tree);
        break;
      case EngineId::decide:
      case EngineId::store:
        break;
    }
    if (!fits) {
      findings.add(rules::Rule::AST_too_large, source.span,
                   "an agent of tree '" + source.name + "' would be larger than an asset can tell");
      return false;
    }
    sections.images += engine_id == EngineId::rule ? rule_image_of(source) : image_of(source, tree, ticking);
  }
  return true;
}

// Files are in the order of their paths: that in which they were read is not the same in every run.
void add_debug_data(const text::Sources& sources, Sections& sections) {
  struct Place {
    const text::Source* source = nullptr;
    std::uint32_t index = 0;
  };
  NamePool names(sections.debug_names);
  const std::string no_name;
  std::vector<Place> places(sources.size());
  std::map<std::string_view, std::uint32_t> files;
  for (const Origin& origin : sections.origins) {
    Place& place = places[origin.span.file];
    if (place.source != nullptr) continue;
    place.source = &sources[origin.span.file];
    files.emplace(place.source->path(), 0);
  }
  for (auto& [path, index] : files) {
    index = count32(sections.files.size());
    sections.files.push_back({names.add(std::string(path))});
  }
  for (Place& place : places) {
    if (place.source != nullptr) place.index = files.at(place.source->path());
  }
  for (const Origin& origin : sections.origins) {
    const Place& place = places[origin.span.file];
    const text::Position position = place.source->position(origin.span.begin);
    sections.node_places.push_back({origin.word, names.add(origin.name == nullptr ? no_name : *origin.name),
                                    place.index, position.line, position.column});
  }
}

}  // namespace

std::vector<std::uint64_t> compile(const ir::Project& project, const text::Sources& sources,
                                   const CompileOptions& options, text::Findings& findings, std::size_t* size_bytes) {
  if (!check_limits(project, findings)) return {};
  Sections sections;
  Pools pools(project, sections);
  for (std::uint32_t i = 0; i < project.trees.size(); ++i) {
    const ir::Tree& tree = project.trees[i];
    // Those of the nodes stand before those of the signals.
    if (tree.engine() == EngineId::select) pools.conditions_of(tree);
    add_tree(tree, pools);
    if (tree.engine() == EngineId::tick) add_ticking(tree, i, pools);
  }
  write_selecting(project, pools);
  const std::vector<TickingUnit> needs = write_ticking(project, pools);
  write_rules(project, pools);
  if (!write_deciders(project, pools, findings) || !write_storing(project, pools, findings)) return {};
  if (!lay_out_agents(project, needs, sections, findings)) return {};
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
