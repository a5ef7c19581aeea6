// A project of synchronized trees: reads each file, then checks their names, then the slots. See synchronized.h.
#include "dialects/synchronized/synchronized.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "dialects/synchronized/elements.h"
#include "dialects/synchronized/slots.h"
#include "dialects/synchronized/tree_reader.h"
#include "text/names.h"

namespace espalier::dialects::synchronized {
namespace {

// Names are exact, but compared with trees of other dialects without case.
void check_names(std::vector<ReadTree>& trees, const ir::Project& project, text::Findings& findings) {
  std::unordered_map<std::string, Span> first_of_name;
  std::unordered_map<std::string, const ir::Tree*> first_of_others;
  for (const ir::Tree& tree : project.trees) first_of_others.try_emplace(text::lower_case(tree.name), &tree);
  for (ReadTree& tree : trees) {
    if (!tree.name) continue;
    const std::string name(tree.name.value());
    const auto other = first_of_others.find(text::lower_case(name));
    const auto [first, is_new] = first_of_name.try_emplace(name, tree.name.value_span());
    if (is_new && other == first_of_others.end()) continue;
    tree.has_errors = true;
    findings
        .add(Rule::SYN_duplicate_tree, tree.name.value_span(), "duplicate tree " + quote(name),
             is_new ? "names of trees of different dialects are compared without case" : "")
        .related.push_back({is_new ? other->second->span : first->second, "first declared here"});
  }
}

}  // namespace

bool owns(std::string_view root_element) { return root_element == kRootElement; }

void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  std::vector<ReadTree> trees;
  trees.reserve(files.size());
  HostNames host_names(options);
  for (const File& file : files) trees.push_back(TreeReader(options, host_names, findings).read(file));
  if (trees.empty()) return;
  check_names(trees, project, findings);
  const bool may_lack_tree = std::any_of(trees.begin(), trees.end(), [](const ReadTree& tree) { return !tree.name; }) ||
                             options.may_lack_files();
  project.slots = check_slots(trees, project.trees, {may_lack_tree, options.is_partial}, findings);
  for (ReadTree& tree : trees) {
    if (!tree.has_errors) project.trees.push_back(std::move(tree.tree));
  }
  std::sort(project.trees.begin(), project.trees.end(),
            [](const ir::Tree& a, const ir::Tree& b) { return a.name < b.name; });
}

}  // namespace espalier::dialects::synchronized
