// The reader of behaviour selection trees (CRYENGINE 3): files with the root element `Blocks`, `SelectionTrees` or
// `SelectionTree`, in any case.
#include "dialects/dialect.h"

#include <algorithm>

#include "dialects/reading/checks.h"
#include "dialects/reading/name_table.h"
#include "dialects/selection/expander.h"
#include "dialects/selection/tree_reader.h"

namespace espalier::dialects::selection {
namespace {

constexpr NameRules kTreeNames = {"tree", Rule::SEL_duplicate_tree, Rule::SEL_duplicate_tree, true};

void add_own_names(const Element& tree, std::unordered_set<std::string_view>& names) {
  for (Element blocks = tree.first_child(); blocks; blocks = blocks.next_sibling()) {
    if (kind_of(blocks) != kBlocks) continue;
    for (Element block = blocks.first_child(); block; block = block.next_sibling()) {
      names.insert(block.attribute_any_case("name").value());
    }
  }
}

// Collects the trees and global blocks of a file, and reports faults around them.
void collect(const Element& root, std::vector<Element>& trees, World& world, Reporter& reporter) {
  const Placed placed = in_place(root);
  if (placed.is(kSelectionTree)) {
    trees.push_back(root);
  } else if (placed.is(kBlocks)) {
    world.global.add(placed, "this project", reporter);
  } else {
    static_cast<void>(read_attributes(placed, reporter));
    Library none;
    Expander expander(world, none, reporter);
    for (const Placed& tree : expander.children(placed).placed) trees.push_back(tree.element);
  }
}

bool owns(std::string_view root_element) {
  const ElementRow* const row = table().find(root_element);
  return row != nullptr && (row->groups & (kSelectionTree | kSelectionTrees | kBlocks)) != 0;
}

void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  World world;
  world.is_partial = options.is_partial;
  world.may_lack_blocks = options.may_lack_files();
  Reporter reporter(findings, table());
  std::vector<Element> trees;
  for (const File& file : files) {
    warn_of_encoding(*file.document, findings);
    world.files.push_back(file.document);
    collect(file.document->root(), trees, world, reporter);
  }
  for (const Element& tree : trees) add_own_names(tree, world.own_names);

  NameTable names(kTreeNames);
  for (const Element& element : trees) {
    std::optional<ir::Tree> tree = read_tree(element, world, findings);
    const Attribute name = element.attribute_any_case("name");
    if (name.value().empty() || !names.declare(name.value(), 0, name.value_span(), reporter)) continue;
    if (tree) project.trees.push_back(std::move(*tree));
  }
  check_unused(world, findings);
  std::sort(project.trees.begin(), project.trees.end(),
            [](const ir::Tree& a, const ir::Tree& b) { return a.name < b.name; });
}

}  // namespace

Dialect dialect() { return {layout::Dialect::selection, "selection", "SEL", owns, nullptr, table, nullptr, read}; }

}  // namespace espalier::dialects::selection
