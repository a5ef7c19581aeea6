// A project of selection trees: all blocks first, then tree by tree. See selection.h.
#include "dialects/selection/selection.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "dialects/reading/encoding.h"
#include "dialects/selection/blocks.h"
#include "dialects/selection/tree_reader.h"
#include "text/names.h"

namespace espalier::dialects::selection {
namespace {

void add_own_names(const Element& tree, std::unordered_set<std::string_view>& names) {
  for (Element blocks = tree.first_child(); blocks; blocks = blocks.next_sibling()) {
    if (kind_of(blocks.name()) != Kind::blocks) continue;
    for (Element block = blocks.first_child(); block; block = block.next_sibling()) {
      names.insert(block.attribute_any_case("name").value());
    }
  }
}

// The trees of a file, and what is wrong around them.
void collect(const Element& root, std::vector<Element>& trees, World& world, Reporter& reporter) {
  const Placed placed{root, kind_of(root.name()), kInPlace};
  if (placed.kind == Kind::selection_tree) {
    trees.push_back(root);
  } else if (placed.kind == Kind::blocks) {
    world.global.add(root, "this project", reporter);
  } else {
    static_cast<void>(read_attributes(placed, reporter));
    Library none;
    Expander expander(world, none, reporter);
    for (const Placed& tree : expander.children(placed).placed) trees.push_back(tree.element);
  }
}

}  // namespace

bool owns(std::string_view root_element) {
  const Kind kind = kind_of(root_element);
  return kind == Kind::selection_tree || kind == Kind::selection_trees || kind == Kind::blocks;
}

void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  World world;
  world.is_partial = options.is_partial;
  world.may_lack_blocks = options.may_lack_files();
  std::vector<const text::XmlDocument*> documents;
  for (const File& file : files) {
    documents.push_back(file.document);
    warn_of_encoding(*file.document, findings);
  }
  world.files = documents;
  Reporter reporter(findings);
  std::vector<Element> trees;
  for (const text::XmlDocument* file : documents) collect(file->root(), trees, world, reporter);
  for (const Element& tree : trees) add_own_names(tree, world.own_names);

  std::unordered_map<std::string, Span> first_of_name;
  for (const Element& element : trees) {
    std::optional<ir::Tree> tree = TreeReader(world, findings).read(element);
    const Attribute name = element.attribute_any_case("name");
    if (name.value().empty()) continue;
    const auto [first, is_new] = first_of_name.try_emplace(text::lower_case(name.value()), name.value_span());
    if (is_new) {
      if (tree) project.trees.push_back(std::move(*tree));
      continue;
    }
    reporter.report_repeated(
        Rule::SEL_duplicate_tree, name.value_span(), kInPlace,
        "another tree is named " + text::quote(name.value()) + ": names of trees are compared without case",
        first->second, "the first of the name");
  }
  TreeReader(world, findings).check_unused(world.global.all(), true);
  std::sort(project.trees.begin(), project.trees.end(),
            [](const ir::Tree& a, const ir::Tree& b) { return a.name < b.name; });
}

}  // namespace espalier::dialects::selection
