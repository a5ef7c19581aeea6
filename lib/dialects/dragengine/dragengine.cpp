// A project of rule trees: each file by itself, then how files use one another, then the trees. See dragengine.h.
#include "dialects/dragengine/dragengine.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "dialects/dragengine/elements.h"
#include "dialects/dragengine/expander.h"
#include "dialects/dragengine/file_reader.h"
#include "dialects/dragengine/uses.h"
#include "text/names.h"

namespace espalier::dialects::dragengine {
namespace {

using text::quote;

// Of all trees of a project: a file is put in place in each tree that leads to it.
constexpr std::uint64_t kMaxRulesOfProject = 1'000'000;

// Is the file one of those that trees are named after? Tells what keeps one from it that should be, unless what names
// the file may be lost with another fault.
bool is_tree(RuleFile& file, bool may_lack_uses, text::Findings& findings) {
  if (file.rules.size() == 1) return true;
  if (file.is_used || (may_lack_uses && file.rules.size() > 1)) return false;
  if (file.rules.size() > 1) {
    findings
        .add(Rule::DRA_second_root, file.rules[1].span, "a tree has one rule, this is the second",
             "put them in a 'sequence' or a 'choice'")
        .related.push_back({file.rules[0].span, "the first one"});
    file.has_errors = true;
  } else if (!file.has_faulty_rules) {
    findings.add(Rule::DRA_empty_tree, file.file.document->root().span(), "the tree has no rule: it always fails");
  }
  return true;
}

bool is_name_free(const RuleFile& file, std::unordered_map<std::string, Span>& first_of_name,
                  text::Findings& findings) {
  const Span span = file.file.document->root().span();
  const auto [first, is_new] = first_of_name.try_emplace(file.file.name, span);
  if (is_new) return true;
  findings
      .add(Rule::DRA_duplicate_tree, span, "another tree is named " + quote(file.file.name),
           "a tree is named as its file, without '.xml' or '.debt'")
      .related.push_back({first->second, "the first of the name"});
  return false;
}

}  // namespace

bool owns(std::string_view root_element) { return root_element == kRootElement; }

void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  HostRules hosts(options);
  std::vector<RuleFile> rule_files;
  rule_files.reserve(files.size());
  for (const File& file : files) rule_files.push_back(FileReader(hosts, findings).read(file));
  check_uses(rule_files, resolve_subtrees(rule_files, options.other_files, options.is_partial, findings), findings);

  std::vector<ir::Tree> trees;
  std::unordered_map<std::string, Span> first_of_name;
  std::uint64_t rule_count = 0;
  const auto faulty_count =
      std::count_if(rule_files.begin(), rule_files.end(), [](const RuleFile& file) { return file.has_faulty_rules; });
  for (RuleFile& file : rule_files) {
    const bool may_lack_uses = options.may_lack_files() || faulty_count > (file.has_faulty_rules ? 1 : 0);
    if (!is_tree(file, may_lack_uses, findings) || !is_name_free(file, first_of_name, findings) || file.has_errors)
      continue;
    rule_count += file.rule_count;
    if (rule_count > kMaxRulesOfProject) {
      findings.add(Rule::DRA_too_many_rules, file.file.document->root().span(),
                   "the trees up to this one have " + std::to_string(rule_count) + " rules in all; " +
                       std::to_string(kMaxRulesOfProject) + " are the most");
      break;
    }
    std::optional<ir::Tree> tree = Expander(rule_files, findings).expand(file);
    if (!tree) continue;
    tree->as<ir::Ruling>().run_limit = options.run_limit;
    trees.push_back(std::move(*tree));
  }
  std::sort(trees.begin(), trees.end(), [](const ir::Tree& a, const ir::Tree& b) { return a.name < b.name; });
  std::move(trees.begin(), trees.end(), std::back_inserter(project.trees));
}

}  // namespace espalier::dialects::dragengine
