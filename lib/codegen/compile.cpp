// Compiles IR to an asset: adds ids, the layout of agents, names and debug data to the flattened nodes, and writes the
// sections.
#include "codegen/compile.h"

#include <algorithm>
#include <espalier/espalier.hpp>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "codegen/agent_block.h"
#include "codegen/excess.h"
#include "codegen/flatten.h"
#include "codegen/pools.h"
#include "codegen/sections.h"
#include "rules/assets.h"
#include "runtime/format/opcodes/select.h"

namespace espalier::codegen {
namespace {

// Of a tree whose behaviours get signals: those that the project declares and the tree does not name.
std::vector<std::string> other_events(const ir::Project& project, const ir::Tree& tree) {
  if (tree.engine() != EngineId::select && tree.engine() != EngineId::tick) return {};
  std::set<std::string_view> known;
  for (const ir::Signal& signal : tree.signals) known.insert(signal.name);
  std::vector<std::string> events;
  std::copy_if(project.events.begin(), project.events.end(), std::back_inserter(events),
               [&](const std::string& event) { return known.count(event) == 0; });
  return events;
}

void add_signals(const ir::Project& project, const ir::Tree& source, Pools& pools) {
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
  for (const std::string& event : other_events(project, source)) {
    sections.signals.push_back({pools.names.add(event), count32(sections.assignments.size()), 0});
  }
}

// In the order of the nodes.
void add_leaves(const ir::Node& root, Pools& pools) {
  for (const ir::Node& node : ir::nodes_from(root)) {
    if (node.opcode != opcode::select_leaf) continue;
    pools.sections.leaves.push_back(static_cast<std::uint16_t>(pools.behavior(ir::behavior_of(node))));
  }
}

// Has the tree a behaviour that keeps times?
bool has_times(const ir::Project& project, const ir::Node& root) {
  const std::span<const ir::Node> nodes = ir::nodes_from(root);
  return std::any_of(nodes.begin(), nodes.end(), [&](const ir::Node& node) { return ir::keeps_times(project, node); });
}

// Do the trees have different names? Most readers see to it in their dialects, but none between them.
bool have_own_names(const ir::Project& project, text::Findings& findings) {
  std::map<std::string_view, const ir::Tree*> known;
  for (const ir::Tree& tree : project.trees) {
    const auto [first, is_new] = known.try_emplace(tree.name, &tree);
    if (is_new || (first->second->engine() == tree.engine() && tree.engine() != EngineId::poll)) continue;
    text::Finding& finding = findings.add(rules::AST_tree_name_taken, tree.span,
                                          "another tree is named '" + tree.name + "': an asset holds only one of them",
                                          "name one of the files, or give the trees different names");
    finding.related.push_back({first->second->span, "the other one"});
    return false;
  }
  return true;
}

// The records that do not depend on nodes.
void add_tree(const ir::Project& project, const ir::Tree& source, Pools& pools) {
  Sections& sections = pools.sections;
  layout::Tree tree = {};
  tree.name = pools.names.add(source.name);
  tree.first_signal = count32(sections.signals.size());
  tree.first_leaf = count32(sections.leaves.size());
  AgentNeeds& needs = sections.agents.emplace_back();
  needs[PartKind::variables] = {count32(source.variables.size()), count32(sections.variables.size())};
  for (const ir::Variable& variable : source.variables) {
    sections.variables.push_back({pools.names.add(variable.name), variable.initial ? 1u : 0u});
  }
  add_signals(project, source, pools);
  tree.signal_count = count32(sections.signals.size()) - tree.first_signal;
  if (source.engine() == EngineId::select) add_leaves(source.root(), pools);
  tree.leaf_count = count32(sections.leaves.size()) - tree.first_leaf;
  needs.has_times = has_one_behavior(source.engine()) && has_times(project, source.root());
  needs[PartKind::leaf].is_wide = tree.leaf_count > 0x7FFF;
  tree.engine = static_cast<std::uint8_t>(source.engine());
  tree.dialect = static_cast<std::uint8_t>(source.dialect.value_or(layout::Dialect::selection));
  sections.trees.push_back(tree);
}

// The blocks of trees of deciders and of trees that store were checked when they were written.
bool lay_out_agents(const ir::Project& project, Sections& sections, text::Findings& findings) {
  for (std::uint32_t i = 0; i < sections.trees.size(); ++i) {
    layout::Tree& tree = sections.trees[i];
    const EngineId engine = project.trees[i].engine();
    const AgentNeeds& needs = sections.agents[i];
    const AgentBlock block = lay_out_agent(engine, needs);
    const std::uint32_t most =
        engine == EngineId::decide || engine == EngineId::poll ? layout::kMaxDecideBytes : layout::kMaxAgentBytes;
    if (block.size_bytes > most) {
      findings.add(rules::AST_too_large, project.trees[i].span,
                   "an agent of tree '" + project.trees[i].name + "' would be larger than the format allows");
      return false;
    }
    tree.agent_bytes = static_cast<std::uint32_t>(block.size_bytes);
    tree.first_part = count32(sections.parts.size());
    sections.parts.insert(sections.parts.end(), block.parts.begin(), block.parts.end());
    const std::string image = image_of(engine, needs, block, sections.variables);
    tree.image = image.empty() ? layout::kNone : count32(sections.images.size());
    sections.images += image;
  }
  return true;
}

// Of what is no node: its place comes after those of all nodes, as if it was one of the words after them.
void add_transition_origins(Sections& sections) {
  auto word = count32(sections.nodes.size());
  for (const auto* spans : {&sections.transition_spans, &sections.event_transition_spans}) {
    for (const text::Span& span : *spans) sections.origins.push_back({word++, nullptr, span});
  }
}

// Files are sorted by path: the order in which they were read can differ between runs.
void add_debug_data(const text::Sources& sources, Sections& sections) {
  add_transition_origins(sections);
  struct DebugFile {
    const text::Source* source = nullptr;
    std::uint32_t index = 0;
  };
  NamePool names(sections.debug_names);
  const std::string no_name;
  std::vector<DebugFile> places(sources.size());
  std::map<std::string_view, std::uint32_t> files;
  for (const Origin& origin : sections.origins) {
    DebugFile& place = places[origin.span.file];
    if (place.source != nullptr) continue;
    place.source = &sources[origin.span.file];
    files.emplace(place.source->path(), 0);
  }
  for (auto& [path, index] : files) {
    index = count32(sections.files.size());
    sections.files.push_back({names.add(std::string(path))});
  }
  for (DebugFile& place : places) {
    if (place.source != nullptr) place.index = files.at(place.source->path());
  }
  for (const Origin& origin : sections.origins) {
    const DebugFile& place = places[origin.span.file];
    const text::Position position = place.source->position(origin.span.begin);
    sections.node_locations.push_back({origin.word, names.add(origin.name == nullptr ? no_name : *origin.name),
                                       place.index, position.line, position.column});
  }
  sections.origins = {};
  for (const auto& [behavior, text] : sections.texts) {
    sections.behavior_texts.push_back({behavior, names.add(*text)});
  }
}

}  // namespace

std::vector<std::uint64_t> compile(const ir::Project& project, const text::Sources& sources,
                                   const CompileOptions& options, text::Findings& findings, std::size_t* size_bytes) {
  if (!check_limits(project, findings) || !have_own_names(project, findings)) return {};
  Sections sections;
  Pools pools(project, sections);
  pools.has_labels = options.labels;
  pools.thread_count = options.thread_count;
  for (const ir::Tree& tree : project.trees) {
    // The conditions of nodes come before those of signals.
    if (tree.engine() == EngineId::select) pools.conditions_of(tree);
    add_tree(project, tree, pools);
  }
  write_selecting(project, pools);
  write_ticking(project, pools);
  const bool has_scripts = std::any_of(project.trees.begin(), project.trees.end(),
                                       [](const ir::Tree& tree) { return tree.engine() == EngineId::tick; });
  if (has_scripts) pools.add_preludes(project.preludes);
  write_rules(project, pools);
  if (!write_deciders(project, pools, findings) || !write_storing(project, pools, findings)) return {};
  if (!write_polling(project, pools, findings)) return {};
  if (!lay_out_agents(project, sections, findings)) return {};
  if (sections.behaviors.size() > 0xFFFF) {
    findings.add(rules::AST_too_large, project.trees.front().span,
                 "the project has " + std::to_string(sections.behaviors.size()) +
                     " behaviours, more than an asset can have; compile one asset per tree");
    return {};
  }
  const bool has_far_signals =
      !sections.event_transitions.empty() && sections.signals.size() > std::size_t{layout::kMaxEventSignal} + 1;
  if (sections.has_far_parameters || has_far_signals) {
    findings.add(
        rules::AST_too_large, project.trees.front().span,
        "the project has more names of parameters and events than an asset can have; compile one asset per tree");
    return {};
  }
  if (!options.strip) add_debug_data(sources, sections);
  if (options.live != nullptr) {
    sections.live_trees = options.live->trees;
    sections.live_nodes = options.live->nodes;
    sections.live_xml = options.live->xml;
  }
  std::vector<std::uint64_t> bytes = write_asset(std::move(sections), options.strip, size_bytes);
  if (bytes.empty()) {
    findings.add(rules::AST_too_large, project.trees.front().span,
                 "the asset would be larger than 4 GiB; compile one asset per tree");
  }
  return bytes;
}

}  // namespace espalier::codegen
