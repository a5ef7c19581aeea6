// Decider trees, as Spore had them: the reader. A root element `DeciderTree` declares flags, stimuli and behaviours,
// and holds deciders from one root group down to the behaviours.
#include "dialects/dialect.h"

#include <algorithm>
#include <utility>

#include "dialects/decider/elements.h"
#include "dialects/decider/tree_reader.h"

namespace espalier::dialects::decider {
namespace {

void declare(const Options& options, DeclaredRows& rows) {
  if (!options.decide_functions) return;
  const std::vector<std::string_view> names(options.decide_functions->begin(), options.decide_functions->end());
  for (const std::string_view element : {"Decider", "Group"}) rows.limit(table(), element, "decide", names);
}

bool owns(std::string_view root_element) { return root_element == kRootElement; }

// Trees of all dialects are looked up by their names, without case.
void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  Reporter reporter(findings, table());
  NameTable names({"tree", Rule::DEC_duplicate_tree, Rule::DEC_duplicate_tree, true});
  for (const ir::Tree& tree : project.trees) {
    if (!names.find(tree.name)) names.declare(tree.name, 0, tree.span, reporter);
  }
  Hosts hosts(options);
  for (const File& file : files) {
    std::optional<ir::Tree> tree = TreeReader(hosts, findings).read(file);
    const Attribute name = file.document->root().attribute("name");
    if (name.value().empty()) continue;
    if (names.declare(name.value(), 0, name.value_span(), reporter) && tree) project.trees.push_back(std::move(*tree));
    if (options.release) options.release(*file.document);
  }
  std::sort(project.trees.begin(), project.trees.end(),
            [](const ir::Tree& a, const ir::Tree& b) { return a.name < b.name; });
}

}  // namespace

Dialect dialect() { return {layout::Dialect::decider, "decider", "DEC", owns, nullptr, table, declare, read}; }

}  // namespace espalier::dialects::decider
