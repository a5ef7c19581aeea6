// A project of decider trees: each file by itself, then their names. See decider.h.
#include "dialects/decider/decider.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "dialects/decider/elements.h"
#include "dialects/decider/tree_reader.h"
#include "text/names.h"

namespace espalier::dialects::decider {

bool owns(std::string_view root_element) { return root_element == kRootElement; }

// Trees of all dialects are looked up by their names, without case.
void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  std::unordered_map<std::string, Span> first_of_name;
  for (const ir::Tree& tree : project.trees) first_of_name.try_emplace(text::lower_case(tree.name), tree.span);
  HostNames host_names(options);
  for (const File& file : files) {
    std::optional<ir::Tree> tree = TreeReader(options, host_names, findings).read(file);
    const Attribute name = file.document->root().attribute("name");
    if (name.value().empty()) continue;
    const auto [first, is_new] = first_of_name.try_emplace(text::lower_case(name.value()), name.value_span());
    if (!is_new) {
      findings
          .add(Rule::DEC_duplicate_tree, name.value_span(), "another tree is named " + text::quote(name.value()),
               "names of trees are compared without case")
          .related.push_back({first->second, "the first of the name"});
    } else if (tree) {
      project.trees.push_back(std::move(*tree));
    }
  }
  std::sort(project.trees.begin(), project.trees.end(),
            [](const ir::Tree& a, const ir::Tree& b) { return a.name < b.name; });
}

}  // namespace espalier::dialects::decider
