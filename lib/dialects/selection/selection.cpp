// The reader of behaviour selection trees (CRYENGINE 3): files with the root element `Blocks`, `SelectionTrees` or
// `SelectionTree`, in any case.
#include "dialects/dialect.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dialects/reading/checks.h"
#include "dialects/reading/name_table.h"
#include "dialects/selection/expander.h"
#include "dialects/selection/tree_reader.h"
#include "rules/selection.h"
#include "text/parallel.h"

namespace espalier::dialects::selection {
namespace {

constexpr NameRules kTreeNames = {"tree", rules::SEL_duplicate_tree, rules::SEL_duplicate_tree, true};

struct ReadTree {
  std::optional<ir::Tree> tree;
  std::string name;
  Span name_span;
};

struct ReadFile {
  text::Findings findings;
  std::vector<ReadTree> trees;
};

// Reads a file that is no library of blocks.
void read_file(const text::XmlDocument& document, World& world, text::Findings& findings,
               std::vector<ReadTree>& trees) {
  Reporter reporter(findings, table());
  warn_of_encoding(document, findings);
  for (const Element& element : trees_of(document.root(), world, reporter)) {
    const Attribute name = element.attribute_any_case("name");
    std::optional<ir::Tree> tree = read_tree(element, world, findings);
    trees.push_back({std::move(tree), std::string(name.value()), name.value_span()});
  }
}

bool owns(std::string_view root_element) {
  const ElementRow* const row = table().find(root_element);
  return row != nullptr && (row->groups & (kSelectionTree | kSelectionTrees | kBlocks)) != 0;
}

bool is_library(const File& file) {
  const ElementRow* const row = table().find(file.document->root_name());
  return row != nullptr && row->groups == kBlocks;
}

void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  World world;
  world.is_partial = options.is_partial;
  world.may_lack_blocks = options.may_lack_files();
  for (const File& file : files) world.files.push_back(file.document);
  Reporter reporter(findings, table());
  bool has_library = false;
  for (const File& file : files) {
    if (!is_library(file)) continue;
    has_library = true;
    warn_of_encoding(*file.document, findings);
    world.global.add(in_place(file.document->root()), "this project", reporter);
  }
  // Trees note which blocks of libraries they use, and report faults in them: then they are read one after another.
  std::vector<ReadFile> read_files(files.size());
  text::run_parallel(files.size(), has_library ? 1 : options.thread_count, kLeastShare, [&]() -> text::Worker {
    auto own = std::make_shared<World>();
    own->files = world.files;
    own->is_partial = world.is_partial;
    own->may_lack_blocks = world.may_lack_blocks;
    return [&, own](std::size_t i) {
      if (is_library(files[i])) return;
      ReadFile& read = read_files[i];
      read_file(*files[i].document, has_library ? world : *own, has_library ? findings : read.findings, read.trees);
      files[i].document->release_tree();
    };
  });

  NameTable names(kTreeNames);
  for (ReadFile& file : read_files) {
    findings.merge(std::move(file.findings));
    for (ReadTree& tree : file.trees) {
      if (tree.name.empty() || !names.declare(tree.name, 0, tree.name_span, reporter)) continue;
      if (tree.tree) project.trees.push_back(std::move(*tree.tree));
    }
  }
  check_unused(world, findings);
  std::sort(project.trees.begin(), project.trees.end(),
            [](const ir::Tree& a, const ir::Tree& b) { return a.name < b.name; });
}

void read_options(const text::JsonValue& value, const ConfigurationFile& file, Options& options) {
  file.json.read_object(value, "'selection'",
                        {{"signalOnly", [&](const text::JsonValue& list) { read_signal_only(list, file, options); }}});
}

constexpr ConfiguredKey kKeys[] = {{"selection", read_options}};

}  // namespace

Dialect dialect() {
  return {layout::Dialect::selection,
          "selection",
          "SEL",
          owns,
          nullptr,
          table,
          nullptr,
          read,
          {.keys = kKeys, .first = R"({"signalOnly": []})"},
          {.conjunction = "and", .conditions = " condition Signal.value "}};
}

}  // namespace espalier::dialects::selection
