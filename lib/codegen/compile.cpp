// IR to an asset: ids, agents' layout, names and debug data around the flattened nodes, written as sections.
#include "codegen/compile.h"

#include <algorithm>
#include <cstring>
#include <espalier/espalier.hpp>
#include <map>
#include <string_view>

#include "codegen/flatten.h"
#include "runtime/hash.h"
#include "runtime/layout.h"

namespace espalier::codegen {
namespace {

using layout::SectionId;

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

// All sections but those of the nodes, which are in Flat.
struct Sections {
  std::vector<layout::Tree> trees;
  std::vector<layout::Variable> variables;
  std::vector<layout::Signal> signals;
  std::vector<layout::Assignment> assignments;
  std::vector<layout::Behavior> behaviors;
  std::vector<std::uint16_t> leaves;
  std::string images;
  NamePool names;
  std::vector<layout::File> files;
  std::vector<layout::NodePlace> places;
  NamePool debug_names;
};

template <typename Visit>
void for_each_leaf(const ir::Node& node, const Visit& visit) {
  if (node.opcode == Opcode::select_leaf) visit(node);
  for (const ir::Node& child : node.children) for_each_leaf(child, visit);
}

// Ids of behaviours by name, in the order of their names.
using BehaviorIds = std::map<std::string_view, std::uint32_t>;

BehaviorIds number_behaviors(const ir::Project& project, Sections& sections) {
  BehaviorIds ids;
  for (const ir::Tree& tree : project.trees) {
    for_each_leaf(tree.root, [&](const ir::Node& leaf) { ids.emplace(leaf.behavior, 0); });
  }
  for (auto& [name, id] : ids) {
    id = static_cast<std::uint32_t>(sections.behaviors.size());
    sections.behaviors.push_back({sections.names.add(std::string(name))});
  }
  return ids;
}

// The agent's block: variables, then the leaf, then the nodes' state. The dirty bit goes where a bit is free: behind
// the variables, in the padding, in a node's byte, above the leaf. Where none is, the tree has no node with state, so
// that evaluating it always gives the same answers.
void lay_out_agent(const layout::Unit& unit, layout::Tree& tree) {
  const std::uint32_t variable_bytes = (tree.variable_count + 7) / 8;
  tree.leaf_offset = variable_bytes;
  tree.state_offset = variable_bytes + 2;
  tree.state_bytes = unit.state_bytes;
  const std::uint32_t used_bytes = tree.state_offset + tree.state_bytes;
  tree.agent_bytes = (used_bytes + layout::kAlignment - 1) / layout::kAlignment * layout::kAlignment;
  if (tree.variable_count % 8 != 0) {
    tree.dirty_bit = tree.variable_count;
  } else if (used_bytes < tree.agent_bytes) {
    tree.dirty_bit = used_bytes * 8;
  } else if (tree.state_bytes > 0) {
    tree.dirty_bit = tree.state_offset * 8 + 7;
  } else {
    tree.dirty_bit = tree.leaf_count <= 0x7FFF ? tree.leaf_offset * 8 + 15 : layout::kNone;
  }
}

std::string image_of(const ir::Tree& source, const layout::Tree& tree) {
  std::string image(tree.agent_bytes, '\0');
  for (std::uint32_t i = 0; i < source.variables.size(); ++i) {
    if (source.variables[i].initial) image[i / 8] = static_cast<char>(image[i / 8] | (1 << (i % 8)));
  }
  image[tree.leaf_offset] = '\xFF';
  image[tree.leaf_offset + 1] = tree.dirty_bit == tree.leaf_offset * 8 + 15 ? '\x7F' : '\xFF';
  return image;
}

void add_signals(const ir::Tree& source, ConditionPool& conditions, Sections& sections) {
  for (const ir::Signal& signal : source.signals) {
    sections.signals.push_back({sections.names.add(signal.name),
                                static_cast<std::uint32_t>(sections.assignments.size()),
                                static_cast<std::uint32_t>(signal.assignments.size())});
    for (const ir::Assignment& assignment : signal.assignments) {
      sections.assignments.push_back({assignment.variable, conditions.add(source.conditions[assignment.condition])});
    }
  }
}

// What is known before the nodes are written.
void add_tree(const ir::Tree& source, const BehaviorIds& behaviors, ConditionPool& conditions, Sections& sections) {
  layout::Tree tree = {};
  tree.name = sections.names.add(source.name);
  tree.first_variable = static_cast<std::uint32_t>(sections.variables.size());
  tree.variable_count = static_cast<std::uint32_t>(source.variables.size());
  tree.first_signal = static_cast<std::uint32_t>(sections.signals.size());
  tree.signal_count = static_cast<std::uint32_t>(source.signals.size());
  tree.first_leaf = static_cast<std::uint32_t>(sections.leaves.size());
  for (const ir::Variable& variable : source.variables) {
    sections.variables.push_back({sections.names.add(variable.name), variable.initial ? 1u : 0u});
  }
  add_signals(source, conditions, sections);
  for_each_leaf(source.root, [&](const ir::Node& leaf) {
    sections.leaves.push_back(static_cast<std::uint16_t>(behaviors.at(leaf.behavior)));
  });
  tree.leaf_count = static_cast<std::uint32_t>(sections.leaves.size()) - tree.first_leaf;
  sections.trees.push_back(tree);
}

void add_debug_data(const Flat& flat, const text::Sources& sources, Sections& sections) {
  std::map<std::string_view, std::uint32_t>
      files;  // by path: the order in which files were read is not the same in every run
  for (const Origin& origin : flat.origins) files.emplace(sources[origin.span.file].path(), 0);
  for (auto& [path, index] : files) {
    index = static_cast<std::uint32_t>(sections.files.size());
    sections.files.push_back({sections.debug_names.add(std::string(path))});
  }
  for (const Origin& origin : flat.origins) {
    const text::Source& source = sources[origin.span.file];
    const text::Position position = source.position(origin.span.begin);
    sections.places.push_back(
        {origin.word, sections.debug_names.add(*origin.name), files.at(source.path()), position.line, position.column});
  }
}

// Sections one behind the other, in the order of their ids, and at last the header.
class AssetWriter {
 public:
  template <typename Records>
  void add(SectionId id, const Records& records) {
    const std::size_t size_bytes = records.size() * sizeof(records[0]);
    const bool is_optional = static_cast<std::uint32_t>(id) >= layout::kFirstOptionalSection;
    table_.push_back({static_cast<std::uint32_t>(id), is_optional ? layout::kSectionOptional : 0, 0,
                      static_cast<std::uint32_t>(size_bytes)});
    parts_.emplace_back(reinterpret_cast<const char*>(records.data()), size_bytes);
  }

  // Empty when the asset would be larger than its 32-bit offsets can tell.
  std::vector<std::uint64_t> finish(std::size_t* size_bytes) {
    std::uint64_t end = sizeof(layout::Header) + table_.size() * sizeof(layout::Section);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      table_[i].offset_bytes = static_cast<std::uint32_t>(end);
      end = (end + parts_[i].size() + layout::kAlignment - 1) / layout::kAlignment * layout::kAlignment;
    }
    if (end > 0xFFFFFFF8) return {};
    std::vector<std::uint64_t> words(end / sizeof(std::uint64_t));
    char* bytes = reinterpret_cast<char*>(words.data());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].empty()) std::memcpy(bytes + table_[i].offset_bytes, parts_[i].data(), parts_[i].size());
    }
    std::memcpy(bytes + sizeof(layout::Header), table_.data(), table_.size() * sizeof(layout::Section));
    layout::Header header = {layout::kMagic,
                             layout::kMajorVersion,
                             layout::kMinorVersion,
                             end,
                             0,
                             static_cast<std::uint32_t>(table_.size()),
                             0};
    std::memcpy(bytes, &header, sizeof header);
    header.hash = asset_hash(bytes, end);
    std::memcpy(bytes, &header, sizeof header);
    *size_bytes = end;
    return words;
  }

 private:
  std::vector<layout::Section> table_;
  std::vector<std::string_view> parts_;
};

std::vector<std::uint64_t> write_asset(const Flat& flat, const Sections& sections, bool strip,
                                       std::size_t* size_bytes) {
  AssetWriter writer;
  writer.add(SectionId::trees, sections.trees);
  writer.add(SectionId::units, flat.units);
  writer.add(SectionId::nodes, flat.nodes);
  writer.add(SectionId::conditions, flat.conditions);
  writer.add(SectionId::tests, flat.tests);
  writer.add(SectionId::transitions, flat.transitions);
  writer.add(SectionId::variables, sections.variables);
  writer.add(SectionId::signals, sections.signals);
  writer.add(SectionId::assignments, sections.assignments);
  writer.add(SectionId::behaviors, sections.behaviors);
  writer.add(SectionId::leaves, sections.leaves);
  writer.add(SectionId::images, sections.images);
  writer.add(SectionId::names, sections.names.bytes());
  if (!strip) {
    writer.add(SectionId::files, sections.files);
    writer.add(SectionId::node_places, sections.places);
    writer.add(SectionId::debug_names, sections.debug_names.bytes());
  }
  return writer.finish(size_bytes);
}

// Bytes of an agent with this many variables and bytes of state, before rounding up.
bool fits_agent(std::size_t variable_count, std::size_t state_bytes) {
  return (variable_count + 7) / 8 + 2 + state_bytes <= layout::kMaxAgentBytes;
}

bool check_limits(const ir::Project& project, text::Findings& findings) {
  bool fits = true;
  for (const ir::Tree& tree : project.trees) {
    if (fits_agent(tree.variables.size(), 0)) continue;
    findings.add(rules::Rule::AST_too_large, tree.span,
                 "tree '" + tree.name + "' has " + std::to_string(tree.variables.size()) +
                     " variables, more than an agent of an asset can hold");
    fits = false;
  }
  return fits;
}

}  // namespace

std::vector<std::uint64_t> compile(const ir::Project& project, const text::Sources& sources,
                                   const CompileOptions& options, text::Findings& findings, std::size_t* size_bytes) {
  if (!check_limits(project, findings)) return {};
  Flat flat;
  Sections sections;
  ConditionPool conditions(flat);
  Flattener flattener(flat, conditions);
  const BehaviorIds behaviors = number_behaviors(project, sections);
  for (const ir::Tree& tree : project.trees) {
    flattener.add(tree);
    add_tree(tree, behaviors, conditions, sections);
  }
  flattener.write();
  for (std::uint32_t i = 0; i < sections.trees.size(); ++i) {
    layout::Tree& tree = sections.trees[i];
    const ir::Tree& source = project.trees[i];
    tree.unit = flattener.unit_of(i);
    const layout::Unit& unit = flat.units[tree.unit];
    if (!fits_agent(tree.variable_count, unit.state_bytes)) {
      findings.add(rules::Rule::AST_too_large, source.span,
                   "an agent of tree '" + source.name + "' would be larger than an asset can tell");
      return {};
    }
    lay_out_agent(unit, tree);
    tree.image = static_cast<std::uint32_t>(sections.images.size());
    sections.images += image_of(source, tree);
  }
  if (sections.behaviors.size() > 0xFFFF) {
    findings.add(rules::Rule::AST_too_large, project.trees.front().span,
                 "the project has " + std::to_string(sections.behaviors.size()) +
                     " behaviours, more than an asset can number; compile one asset a tree");
    return {};
  }
  if (!options.strip) add_debug_data(flat, sources, sections);
  std::vector<std::uint64_t> bytes = write_asset(flat, sections, options.strip, size_bytes);
  if (bytes.empty()) {
    findings.add(rules::Rule::AST_too_large, project.trees.front().span,
                 "the asset would be larger than 4 GiB; compile one asset a tree");
  }
  return bytes;
}

}  // namespace espalier::codegen
