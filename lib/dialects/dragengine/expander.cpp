// Trees from the rules of files. See expander.h.
#include "dialects/dragengine/expander.h"

#include <utility>


namespace espalier::dialects::dragengine {
namespace {

constexpr std::size_t kMaxSavedIdBytes = 255;

}  // namespace

std::optional<ir::Tree> Expander::expand(const RuleFile& file) {
  tree_ = {};
  ids_.clear();
  has_errors_ = false;
  occurrences_.assign(1, {});
  const Element root = file.file.document->root();
  tree_.name = file.file.name;
  tree_.span = root.span();
  tree_.parts.emplace<ir::Ruling>().is_used = file.is_used;
  tree_.root.opcode = Opcode::rule_file;
  tree_.root.span = root.span();
  tree_.root.payload = ir::RuleFile{file.file.document->file()};
  place_all(file.rules, {}, 0, tree_.root);
  if (has_errors_) return std::nullopt;
  return std::move(tree_);
}

void Expander::place_all(const std::vector<FileRule>& rules, const std::string& prefix, std::size_t occurrence,
                         ir::Node& node) {
  node.children.reserve(rules.size());
  for (const FileRule& rule : rules) node.children.push_back(place(rule, prefix, occurrence));
}

ir::Node Expander::place(const FileRule& rule, const std::string& prefix, std::size_t occurrence) {
  ir::Node node = place_alone(rule, prefix, occurrence);
  if (rule.opcode != Opcode::rule_subtree) {
    place_all(rule.children, prefix, occurrence, node);
    return node;
  }
  occurrences_.push_back({&rule, occurrence});
  place_all(files_[rule.used].rules, node.label.empty() ? prefix : node.label + '.', occurrences_.size() - 1, node);
  return node;
}

// The rule without its children. A separate function, so that nested rules take little stack.
ir::Node Expander::place_alone(const FileRule& rule, const std::string& prefix, std::size_t occurrence) {
  ir::Node node;
  node.opcode = rule.opcode;
  node.flags = rule.flags;
  node.name = rule.name;
  node.span = rule.span;
  if (rule.opcode == Opcode::rule_subtree) {
    node.payload = ir::RuleFile{files_[rule.used].file.document->file()};
  } else {
    node.payload = rule.rule;
  }
  if (rule.id.empty()) return node;
  node.label = rule.takes_prefix ? prefix + rule.id : rule.id;
  check_id(node.label, rule, occurrence);
  return node;
}

void Expander::check_id(const std::string& id, const FileRule& rule, std::size_t occurrence) {
  // The prefix itself may be too long, which has been reported.
  const std::size_t written_bytes = rule.id_span.end - rule.id_span.begin;
  if (id.size() > kMaxSavedIdBytes && id.size() <= kMaxSavedIdBytes + written_bytes) {
    findings_.add(Rule::DRA_long_id, rule.id_span,
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
      Rule::DRA_duplicate_id, span, "duplicate id " + quote(id) + (are_uses ? " from two uses of one file" : ""),
      are_uses ? "give one of the subtrees an id, which is put before those in it" : "");
  if (finding.related.empty()) {
    finding.related.push_back({first, are_uses ? "first use" : "first declared here"});
  }
}

// For two rules, the later one. For one rule that is in the tree twice, the later of the two uses that include it: of
// the innermost uses that differ.
Span Expander::place_of_fault(const Placed& earlier, const Placed& later, Span* first) const {
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

}  // namespace espalier::dialects::dragengine
