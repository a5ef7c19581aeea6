// Subtrees. See uses.h.
#include "dialects/dragengine/uses.h"

#include <algorithm>
#include <string>
#include <utility>

#include "dialects/dragengine/elements.h"
#include "dialects/dragengine/file_paths.h"
#include "runtime/format/records.h"
#include "text/names.h"

namespace espalier::dialects::dragengine {
namespace {

using text::quote;

constexpr std::uint64_t kMaxUseDepth = 256;  // subtrees within one another
constexpr std::uint64_t kUncountable = std::uint64_t{1} << 32;
constexpr std::size_t kMaxCycleShown = 20;

// Its subtrees, in the order of the file. Elements within elements are limited, and so is this recursion.
template <class Rules, class Uses>
void collect_uses(Rules& rules, Uses& uses) {
  for (auto& rule : rules) {
    if (rule.opcode == Opcode::rule_subtree) uses.push_back(&rule);
    collect_uses(rule.children, uses);
  }
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kUncountable); }

// ---- Cycles -------------------------------------------------------------------------------------

class CycleFinder {
 public:
  CycleFinder(std::vector<RuleFile>& files, text::Findings& findings) : files_(files), findings_(findings) {}

  // The files, each behind those that it uses.
  std::vector<std::size_t> run() {
    states_.assign(files_.size(), State::unseen);
    for (std::size_t i = 0; i < files_.size(); ++i) walk(i);
    return std::move(order_);
  }

 private:
  enum class State : std::uint8_t { unseen, open, done };
  struct Step {
    std::size_t file;
    std::vector<FileRule*> uses;
    std::size_t next = 0;
  };

  void enter(std::size_t file) {
    if (states_[file] != State::unseen) return;
    states_[file] = State::open;
    Step step{file, {}};
    collect_uses(files_[file].rules, step.uses);
    steps_.push_back(std::move(step));
  }

  void walk(std::size_t start) {
    enter(start);
    while (!steps_.empty()) {
      Step& step = steps_.back();
      if (step.next == step.uses.size()) {
        states_[step.file] = State::done;
        order_.push_back(step.file);
        steps_.pop_back();
        continue;
      }
      FileRule& use = *step.uses[step.next++];
      if (use.used == kNoFile) continue;
      if (states_[use.used] != State::open) {
        enter(use.used);
        continue;
      }
      report(use.used);
      files_[step.file].has_errors = true;
      cut_ends(step, use.used);
    }
  }

  // What is left of the file's subtrees is no way back to the same file again.
  static void cut_ends(Step& step, std::size_t back) {
    for (std::size_t i = step.next - 1; i < step.uses.size(); ++i) {
      if (step.uses[i]->used == back) step.uses[i]->used = kNoFile;
    }
  }

  // The cycle that the last step closes by leading to `back`; told where its first file leads on.
  void report(std::size_t back) {
    std::size_t begin = steps_.size() - 1;
    while (steps_[begin].file != back) --begin;
    std::size_t first = begin;
    for (std::size_t i = begin; i < steps_.size(); ++i) {
      if (steps_[i].file < steps_[first].file) first = i;
    }
    const std::size_t count = steps_.size() - begin;
    const auto at = [&](std::size_t i) -> const Step& { return steps_[begin + (first - begin + i) % count]; };
    std::string cycle = shown(steps_[first]);
    for (std::size_t i = 1; i < std::min(count, kMaxCycleShown); ++i) cycle += " -> " + shown(at(i));
    cycle += count > kMaxCycleShown ? " -> ..." : " -> " + shown(steps_[first]);
    text::Finding& finding =
        findings_.add(Rule::DRA_subtree_cycle, use_of(steps_[first]).path_span, "the file leads to itself: " + cycle,
                      "the engine would put it into itself without end");
    if (!finding.related.empty()) return;
    for (std::size_t i = 1; i < std::min(count, kMaxCycleShown); ++i) {
      finding.related.push_back({use_of(at(i)).path_span, "and from there to " + quote(use_of(at(i)).path)});
    }
  }

  static const FileRule& use_of(const Step& step) { return *step.uses[step.next - 1]; }
  std::string shown(const Step& step) const { return files_[step.file].file.document->source().path(); }

  std::vector<RuleFile>& files_;
  text::Findings& findings_;
  std::vector<State> states_;
  std::vector<Step> steps_;
  std::vector<std::size_t> order_;
};

// ---- Sizes --------------------------------------------------------------------------------------

// Of a file's rules in one place of a tree. Its ids take `id_bytes`, and `prefixed_ids` times what is put before them.
struct Size {
  std::uint64_t rules = 0;
  std::uint64_t id_bytes = 0;
  std::uint64_t prefixed_ids = 0;
  std::uint64_t use_depth = 0;
  std::uint64_t depth = 0;
};

class Sizer {
 public:
  explicit Sizer(const std::vector<Size>& known) : known_(known) {}

  Size run(const std::vector<FileRule>& rules) {
    add(rules, 0);
    return size_;
  }

 private:
  void add(const std::vector<FileRule>& rules, std::uint64_t depth) {
    for (const FileRule& rule : rules) {
      size_.rules = sum(size_.rules, 1);
      size_.depth = std::max(size_.depth, depth + 1);
      if (const std::size_t length = rule.id.size(); length != 0) {
        size_.id_bytes = sum(size_.id_bytes, length);
        if (rule.takes_prefix) size_.prefixed_ids = sum(size_.prefixed_ids, 1);
      }
      if (rule.used != kNoFile) add_use(rule, known_[rule.used], depth + 1);
      add(rule.children, depth + 1);
    }
  }

  void add_use(const FileRule& rule, const Size& used, std::uint64_t depth) {
    const std::uint64_t length = rule.id.size();
    size_.rules = sum(size_.rules, used.rules);
    size_.id_bytes = sum(size_.id_bytes, used.id_bytes);
    if (length != 0) size_.id_bytes = sum(size_.id_bytes, std::min(used.prefixed_ids * (length + 1), kUncountable));
    if (length == 0 || rule.takes_prefix) size_.prefixed_ids = sum(size_.prefixed_ids, used.prefixed_ids);
    size_.use_depth = std::max(size_.use_depth, used.use_depth + 1);
    size_.depth = std::max(size_.depth, depth + used.depth);
  }

  const std::vector<Size>& known_;
  Size size_;
};

// Is it within all limits? Else that is told, at the file's root element.
bool check_size(const RuleFile& file, const Size& size, text::Findings& findings) {
  const Span span = file.file.document->root().span();
  const std::string expanded = " when its subtrees are put in their places; ";
  const auto amount = [](std::uint64_t number) {
    return number == kUncountable ? "more than four thousand million" : std::to_string(number);
  };
  if (size.rules > layout::kMaxRules) {
    findings.add(Rule::DRA_too_many_rules, span,
                 "the file has " + amount(size.rules) + " rules" + expanded + std::to_string(layout::kMaxRules) +
                     " are the most");
  } else if (size.id_bytes > kMaxIdBytes) {
    findings.add(Rule::DRA_too_many_rules, span,
                 "the ids in the file have " + amount(size.id_bytes) + " bytes" + expanded +
                     std::to_string(kMaxIdBytes) + " are the most");
  } else if (size.use_depth > kMaxUseDepth) {
    findings.add(Rule::DRA_too_deep, span,
                 std::to_string(size.use_depth) + " subtrees stand within one another; " +
                     std::to_string(kMaxUseDepth) + " are the most");
  } else if (size.depth > text::kMaxNesting) {
    findings.add(Rule::DRA_too_deep, span,
                 std::to_string(size.depth) + " rules stand within one another" + expanded +
                     std::to_string(text::kMaxNesting) + " are the most");
  } else {
    return true;
  }
  return false;
}

}  // namespace

void resolve_subtrees(std::vector<RuleFile>& files, std::span<const OtherFile> others, bool is_partial,
                      text::Findings& findings) {
  FilePaths paths(files, others, is_partial);
  for (RuleFile& file : files) {
    std::vector<FileRule*> uses;
    collect_uses(file.rules, uses);
    for (FileRule* const use : uses) {
      if (use->path.empty()) continue;
      FilePaths::Target target = paths.find(use->path, file.file);
      use->used = target.file;
      if (target.file != kNoFile) {
        if (&files[target.file] != &file) files[target.file].is_used = true;
        continue;
      }
      file.has_errors = true;
      if (target.meant != kNoFile) files[target.meant].is_used = true;  // or it might be told for what it holds
      const bool is_reported = target.other != nullptr && !target.other->root && target.other->is_tree;
      if (is_reported) continue;
      if (target.other != nullptr) target.fault = quote(use->path) + " is no file of rules";
      text::Finding& finding = findings.add(target.is_fault ? Rule::DRA_subtree_path : Rule::XML_unchecked_reference,
                                            use->path_span, std::move(target.fault), std::move(target.hint));
      if (target.other != nullptr && target.other->root) {
        finding.related.push_back({*target.other->root, "its root element is not " + quote(kRootElement)});
      }
    }
  }
}

void check_uses(std::vector<RuleFile>& files, text::Findings& findings) {
  std::vector<Size> sizes(files.size());
  for (const std::size_t i : CycleFinder(files, findings).run()) {
    RuleFile& file = files[i];
    std::vector<const FileRule*> uses;
    collect_uses(std::as_const(file.rules), uses);
    for (const FileRule* const use : uses) {
      const bool is_whole = use->used != kNoFile && !files[use->used].has_errors;
      file.has_errors = file.has_errors || !is_whole;
    }
    if (file.has_errors) continue;
    sizes[i] = Sizer(sizes).run(file.rules);
    file.rule_count = sizes[i].rules;
    file.has_errors = !check_size(file, sizes[i], findings);
  }
}

}  // namespace espalier::dialects::dragengine
