// A project of rule trees: reads each file, then resolves how files use one another, then builds the trees. See
// dragengine.h.
#include "dialects/dragengine/dragengine.h"

#include <algorithm>
#include <utility>

#include "dialects/dragengine/elements.h"
#include "dialects/dragengine/expander.h"
#include "dialects/dragengine/file_reader.h"
#include "dialects/dragengine/uses.h"
#include "dialects/reading/name_table.h"

namespace espalier::dialects::dragengine {
namespace {

// Of all trees of a project: each tree contains the rules of all files that it uses.
constexpr std::uint64_t kMaxRulesOfProject = 1'000'000;

constexpr const char* kNameHint = "a tree is named as its file, without '.xml' or '.debt'";

// Does the file become a tree? Reports why not, unless a use of the file may be lost because of another fault.
bool is_tree(RuleFile& file, bool may_lack_uses, text::Findings& findings) {
  if (file.rules.size() == 1) return true;
  if (file.is_used || (may_lack_uses && file.rules.size() > 1)) return false;
  if (file.rules.size() > 1) {
    findings
        .add(Rule::DRA_second_root, file.rules[1].span,
             "a tree has only one rule: only a file that a 'subtree' names can have several",
             "put the rules in a 'sequence' or a 'choice'")
        .related.push_back({file.rules[0].span, "first rule"});
    file.has_errors = true;
  } else if (!file.has_faulty_rules) {
    findings.add(Rule::DRA_empty_tree, file.file.document->root().span(), "the tree has no rule: it always fails");
  }
  return true;
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
  Reporter reporter(findings);
  NameTable names({"tree", Rule::DRA_duplicate_tree, Rule::DRA_duplicate_tree});
  std::uint64_t rule_count = 0;
  const auto faulty_count =
      std::count_if(rule_files.begin(), rule_files.end(), [](const RuleFile& file) { return file.has_faulty_rules; });
  for (RuleFile& file : rule_files) {
    const bool may_lack_uses = options.may_lack_files() || faulty_count > (file.has_faulty_rules ? 1 : 0);
    const Span span = file.file.document->root().span();
    if (!is_tree(file, may_lack_uses, findings) || !names.declare(file.file.name, 0, span, reporter, kNameHint) ||
        file.has_errors) {
      continue;
    }
    rule_count += file.rule_count;
    if (rule_count > kMaxRulesOfProject) {
      findings.add(Rule::DRA_too_many_rules, span,
                   "too many rules in the trees up to this one: " + std::to_string(rule_count) + ", at most " +
                       std::to_string(kMaxRulesOfProject));
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
