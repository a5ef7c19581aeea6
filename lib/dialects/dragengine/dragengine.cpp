// Behaviour trees of the Drag[en]gine: the reader. A root element `behaviorTree` holds rules; every file with one rule
// is a tree, and a `subtree` is replaced by the rules of another file.
#include "dialects/dialect.h"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "dialects/dragengine/elements.h"
#include "dialects/dragengine/file_reader.h"
#include "dialects/dragengine/options.h"
#include "dialects/dragengine/uses.h"
#include "dialects/reading/name_table.h"
#include "ir/draft.h"
#include "rules/dragengine.h"
#include "runtime/format/opcodes/rule.h"
#include "text/parallel.h"

namespace espalier::dialects::dragengine {
namespace {

constexpr std::size_t kMaxSavedIdBytes = 255;

// From files to trees: the rules of a file are copied to every place where a subtree names it, with the ids for that
// place. The size of a tree is known before it is expanded.
class Expander {
 public:
  Expander(std::vector<RuleFile>& files, std::shared_ptr<ir::Names> names, text::Findings& findings)
      : files_(files), findings_(findings), drafts_(std::move(names)) {}

  // Returns the tree of a file that uses no faulty file and is not too large; nothing if ids are not unique. A file
  // that no other uses is taken apart.
  std::optional<ir::Tree> expand(RuleFile& file) {
    takes_apart_ = !file.is_used;
    tree_.name = file.file.name;
    tree_.span = file.root;
    tree_.parts.emplace<ir::Ruling>().is_used = file.is_used;
    tree_.is_doubtful = file.is_doubtful;
    ir::Draft& root = drafts_.make(opcode::rule_file, {}, file.root);
    root.set(ir::RuleFile{file.root.file});
    place_all(file.rules, {}, kOwn, root);
    if (has_errors_) return std::nullopt;
    tree_.nodes = drafts_.lay_out(root);
    return std::move(tree_);
  }

 private:
  // The rules of a file at one place of the tree.
  struct Occurrence {
    const FileRule* use = nullptr;  // the subtree that includes them; null: they are in the tree's own file
    std::size_t outer = 0;          // the occurrence that contains the subtree
  };
  static constexpr std::size_t kOwn = 0;  // the occurrence of the tree's own file
  struct Placed {
    const FileRule* rule;
    std::size_t occurrence;
  };

  void place_all(ir::Few<FileRule>& rules, const std::string& prefix, std::size_t occurrence, ir::Draft& node) {
    for (FileRule& rule : rules) node.add(place(rule, prefix, occurrence));
  }

  ir::Draft& place(FileRule& rule, const std::string& prefix, std::size_t occurrence) {
    ir::Draft& node = place_alone(rule, prefix, occurrence);
    if (rule.opcode != opcode::rule_subtree) {
      place_all(rule.children, prefix, occurrence, node);
      return node;
    }
    occurrences_.push_back({&rule, occurrence});
    place_all(files_[rule.used].rules, node.label().empty() ? prefix : node.label() + '.', occurrences_.size() - 1,
              node);
    return node;
  }

  // The rule without its children. A separate function, so that nested rules take little stack.
  ir::Draft& place_alone(FileRule& rule, const std::string& prefix, std::size_t occurrence) {
    ir::Draft& node = drafts_.make(rule.opcode, rule.name, rule.span);
    node.flags = rule.flags;
    if (rule.opcode == opcode::rule_subtree) {
      node.set(ir::RuleFile{files_[rule.used].root.file});
    } else if (takes_apart_ && occurrence == kOwn) {
      node.set(std::move(rule.rule));
    } else {
      node.set(rule.rule);
    }
    if (rule.id.empty()) return node;
    node.set_label(rule.takes_prefix ? prefix + rule.id : rule.id.string());
    check_id(node.label(), rule, occurrence);
    return node;
  }

  void check_id(const std::string& id, const FileRule& rule, std::size_t occurrence) {
    // The prefix itself may be too long, which has been reported.
    const std::size_t written_bytes = rule.id_span.end - rule.id_span.begin;
    if (id.size() > kMaxSavedIdBytes && id.size() <= kMaxSavedIdBytes + written_bytes) {
      findings_.add(rules::DRA_long_id, rule.id_span,
                    "the id " + quote(id) + " is too long to be saved: " + std::to_string(id.size()) +
                        " bytes, at most " + std::to_string(kMaxSavedIdBytes));
    }
    const auto [earlier, is_new] = ids_.try_emplace(id, Placed{&rule, occurrence});
    if (is_new) return;
    has_errors_ = true;
    Span first;
    const Span span = place_of_fault(earlier->second, {&rule, occurrence}, &first);
    const bool are_uses = span != rule.id_span;
    text::Finding& finding = findings_.add(
        rules::DRA_duplicate_id, span, "duplicate id " + quote(id) + (are_uses ? " from two uses of one file" : ""),
        are_uses ? "give one of the subtrees an id, which is put before those in it" : "");
    if (finding.related.empty()) {
      finding.related.push_back({first, are_uses ? "first use" : "first declared here"});
    }
  }

  // For two rules, the later one. For one rule that is in the tree twice, the later of the two uses that include it: of
  // the innermost uses that differ.
  Span place_of_fault(const Placed& earlier, const Placed& later, Span* first) const {
    *first = earlier.rule->id_span;
    if (earlier.rule != later.rule) return later.rule->id_span;
    Occurrence a = occurrences_[earlier.occurrence];
    Occurrence b = occurrences_[later.occurrence];
    while (a.use == b.use) {
      a = occurrences_[a.outer];
      b = occurrences_[b.outer];
    }
    *first = a.use->span;
    return b.use->span;
  }
  std::vector<RuleFile>& files_;
  text::Findings& findings_;
  ir::Drafts drafts_;
  bool takes_apart_ = false;
  ir::Tree tree_;
  std::vector<Occurrence> occurrences_ = std::vector<Occurrence>(1);
  std::unordered_map<std::string, Placed> ids_;
  bool has_errors_ = false;
};

// Of all trees of a project: each tree contains the rules of all files that it uses. Those that are written are as many
// as the files have.
constexpr std::uint64_t kMaxCopiedRules = 1'000'000;

constexpr const char* kNameHint = "a tree is named as its file, without '.xml' or '.debt'";

// Does the file become a tree? Reports why not, unless a use of the file may be lost because of another fault.
bool is_tree(RuleFile& file, bool may_lack_uses, text::Findings& findings) {
  if (file.rules.size() == 1) return true;
  if (file.is_used || (may_lack_uses && file.rules.size() > 1)) return false;
  if (file.rules.size() > 1) {
    findings
        .add(rules::DRA_second_root, file.rules[1].span,
             "a tree has only one rule: only a file that a 'subtree' names can have several",
             "put the rules in a 'sequence' or a 'choice'")
        .related.push_back({file.rules[0].span, "first rule"});
    file.has_errors = true;
  } else if (!file.has_faulty_rules) {
    findings.add(rules::DRA_empty_tree, file.root, "the tree has no rule: it always fails");
  }
  return true;
}

bool owns(std::string_view root_element) { return root_element == kRootElement; }

void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings) {
  std::vector<RuleFile> rule_files(files.size());
  std::vector<text::Findings> found(files.size());
  text::run_parallel(files.size(), options.thread_count, kLeastShare, [&]() -> text::Worker {
    return [&, hosts = std::make_shared<HostRules>(options)](std::size_t i) {
      hosts->begin_file(files.size() + options.files_elsewhere);
      rule_files[i] = read_file(files[i], *hosts, found[i]);
      if (options.release) options.release(*files[i].document);
    };
  });
  for (text::Findings& of_file : found) findings.merge(std::move(of_file));
  check_uses(rule_files, resolve_subtrees(rule_files, options.other_files, options.is_partial, findings), findings);

  std::vector<ir::Tree> trees;
  const auto names_in_trees = std::make_shared<ir::Names>();
  Reporter reporter(findings, table());
  NameTable names({"tree", rules::DRA_duplicate_tree, rules::DRA_duplicate_tree});
  std::uint64_t copied_count = 0;
  const auto faulty_count =
      std::count_if(rule_files.begin(), rule_files.end(), [](const RuleFile& file) { return file.has_faulty_rules; });
  for (RuleFile& file : rule_files) {
    const bool may_lack_uses = options.may_lack_files() || faulty_count > (file.has_faulty_rules ? 1 : 0);
    if (!is_tree(file, may_lack_uses, findings) || !names.declare(file.file.name, 0, file.root, reporter, kNameHint) ||
        file.has_errors) {
      continue;
    }
    copied_count += file.copied_count;
    if (copied_count > kMaxCopiedRules) {
      findings.add(rules::DRA_too_many_rules, file.root,
                   too_many("rules of subtrees in the trees up to this one", copied_count, kMaxCopiedRules));
      break;
    }
    std::optional<ir::Tree> tree = Expander(rule_files, names_in_trees, findings).expand(file);
    if (!file.is_used) file.rules = {};  // no other tree includes them
    if (!tree) continue;
    tree->as<ir::Ruling>().run_limit = options.of<DragengineOptions>().run_limit;
    trees.push_back(std::move(*tree));
  }
  std::sort(trees.begin(), trees.end(), [](const ir::Tree& a, const ir::Tree& b) { return a.name < b.name; });
  std::move(trees.begin(), trees.end(), std::back_inserter(project.trees));
}

}  // namespace

Dialect dialect() {
  Dialect dialect{
      layout::Dialect::dragengine, "dragengine", "DRA", owns, nullptr, table, declare, read, configuration()};
  dialect.has_parts = true;
  dialect.extension = ".debt";
  return dialect;
}

}  // namespace espalier::dialects::dragengine
