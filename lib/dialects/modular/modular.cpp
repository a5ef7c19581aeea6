// A project of modular trees: reads each file, then checks their names. See modular.h.
#include "dialects/modular/modular.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "dialects/modular/elements.h"
#include "dialects/modular/tree_reader.h"
#include "dialects/reading/encoding.h"
#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

constexpr std::string_view kTree = "BehaviorTree";
constexpr std::string_view kPalette = "Templates";

}  // namespace

// One spelling of the root element is another engine's.
bool owns(std::string_view root_element) {
  if (root_element == "behaviorTree") return false;
  return text::equal_any_case(root_element, kTree) || text::equal_any_case(root_element, kPalette);
}

bool has_node(std::string_view element) { return find_core_node(element) != nullptr; }

void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  ProjectNames names(options);
  std::unordered_map<std::string, Span> first_of_name;
  for (const File& file : files) {
    warn_of_encoding(*file.document, findings);
    const Element root = file.document->root();
    if (text::equal_any_case(root.name(), kPalette)) {
      findings.add(Rule::MBT_palette, root.span(),
                   "'Templates' is an editor's palette of nodes, not a tree: the file is ignored");
      continue;
    }
    std::optional<ir::Tree> tree = TreeReader(options, names, findings).read(file);
    const auto [first, is_new] = first_of_name.try_emplace(text::lower_case(file.name), root.span());
    if (is_new) {
      if (tree) project.trees.push_back(std::move(*tree));
      continue;
    }
    text::Finding& finding =
        findings.add(Rule::MBT_duplicate_tree, root.span(),
                     "duplicate tree " + text::quote(file.name) + ": names are compared without case");
    finding.related.push_back({first->second, "the first tree of this name"});
  }
  std::sort(project.trees.begin(), project.trees.end(),
            [](const ir::Tree& a, const ir::Tree& b) { return a.name < b.name; });
}

}  // namespace espalier::dialects::modular
