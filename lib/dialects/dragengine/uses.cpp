// Subtrees. See uses.h.
#include "dialects/dragengine/uses.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "dialects/dragengine/elements.h"
#include "dialects/reading/use_order.h"
#include "rules/dragengine.h"
#include "rules/xml.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/records.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::dialects::dragengine {
namespace {

constexpr std::uint64_t kMaxUseDepth = 256;  // nested subtrees
constexpr std::uint64_t kUncountable = std::uint64_t{1} << 32;

// ---- Paths --------------------------------------------------------------------------------------

// Guessing thousands of wrong paths among thousands of files would take minutes.
constexpr std::size_t kMaxComparedPaths = 200'000;

// The absolute path of `path` in `folder`, without ".", ".." and a '/' at the end.
std::string absolute_path(std::string_view folder, std::string_view path) {
  const system::filesystem::path joined = std::string(folder) + '/' + std::string(path);
  std::string result = joined.lexically_normal().generic_string();
  if (result.back() == '/') result.pop_back();
  return result;
}

std::string_view folder_of(std::string_view path) { return path.substr(0, std::min(path.rfind('/'), path.size())); }

bool is_below(std::string_view folder, std::string_view path) {
  if (folder.ends_with('/')) folder.remove_suffix(1);  // a root
  return path.size() > folder.size() && path.substr(0, folder.size()) == folder && path[folder.size()] == '/';
}

// Which file of a project the path in a subtree means. Nothing is looked up on the disk: only the given files are
// known.
class FilePaths {
 public:
  // The arguments must outlive this. The number of a file is its index in `files`.
  FilePaths(const std::vector<RuleFile>& files, std::span<const OtherFile> others, bool is_partial)
      : files_(files), is_partial_(is_partial) {
    for (std::size_t i = 0; i < files.size(); ++i) file_of_path_.try_emplace(files[i].file.path, i);
    for (const OtherFile& other : others) other_of_path_.try_emplace(other.path, &other);
    for (const RuleFile& file : files) {
      std::string_view folder = folder_of(file.file.path);
      while (folders_.insert(std::string(folder)).second) folder = folder_of(folder);
    }
  }

  // What a subtree's path leads to.
  struct Target {
    std::size_t file = kNoFile;
    const OtherFile* other = nullptr;
    std::string fault;     // empty: `file` or `other` is set
    bool is_fault = true;  // false: the file may be one that is not given
    std::string hint;
    std::size_t meant = kNoFile;  // for a faulty path: the file that the hint names
  };
  // `path` is not empty; `from` is the file that contains it.
  Target find(std::string_view path, const File& from) {
    const std::string absolute = absolute_path(path[0] == '/' ? from.folder : folder_of(from.path), path);
    Target target;
    if (path.back() != '/') {
      if (const auto own = file_of_path_.find(absolute); own != file_of_path_.end()) {
        target.file = own->second;
        return target;
      }
      if (const auto other = other_of_path_.find(absolute); other != other_of_path_.end()) {
        target.other = other->second;
        return target;
      }
    }
    return missing(path, absolute, from);
  }

 private:
  Target missing(std::string_view path, const std::string& absolute, const File& from) {
    Target target;
    if (path.back() == '/' || folders_.count(absolute) != 0) {
      target.fault = quote(path) + " is a folder, not a file";
      return target;
    }
    target.is_fault = !is_partial_;
    if (!is_partial_ && !is_below(from.folder, absolute)) {
      target.fault = quote(path) + " is outside the project";
      target.hint = "only files of the project are read";
      return target;
    }
    target.fault = is_partial_ ? quote(path) + " is not one of the given files: the rest of the project was not given"
                               : "unknown file " + quote(path);
    std::vector<std::string> others;
    compared_paths_ += files_.size();
    const bool may_guess = compared_paths_ <= kMaxComparedPaths;
    for (std::size_t i = 0; may_guess && i < files_.size(); ++i) {
      const system::filesystem::path other = files_[i].file.path;
      const std::string_view folder = path[0] == '/' ? std::string_view(from.folder) : folder_of(from.path);
      const std::string relative = other.lexically_relative(folder.empty() ? "/" : folder).generic_string();
      others.push_back(path[0] == '/' ? '/' + relative : relative);
    }
    const auto is_same = [&](const std::string& other) {
      return other == std::string(path) + ".debt" || other == std::string(path) + ".xml";
    };
    const auto same = std::find_if(others.begin(), others.end(), is_same);
    const std::string near = same != others.end() ? *same : text::nearest(path, {others.begin(), others.end()});
    if (!near.empty()) {
      target.hint = "did you mean " + quote(near) + "?";
      target.meant = static_cast<std::size_t>(std::find(others.begin(), others.end(), near) - others.begin());
    } else if (!is_partial_) {
      target.hint = path[0] == '/'
                        ? "a path that begins with '/' is relative to the project folder; only given files are read"
                        : "paths are relative to the folder of the file that contains them; only given files are read";
    }
    return target;
  }

  const std::vector<RuleFile>& files_;
  const bool is_partial_;
  std::unordered_map<std::string, std::size_t> file_of_path_;
  std::unordered_map<std::string, const OtherFile*> other_of_path_;
  std::unordered_set<std::string> folders_;
  std::size_t compared_paths_ = 0;
};

// In the order of the file. Elements within elements are limited, and so is this recursion.
void collect_uses(ir::Few<FileRule>& rules, std::size_t user, std::vector<FileUse>& uses) {
  for (FileRule& rule : rules) {
    if (rule.opcode == opcode::rule_subtree) uses.push_back({user, &rule});
    collect_uses(rule.children, user, uses);
  }
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kUncountable); }

// ---- Sizes --------------------------------------------------------------------------------------

// The size of a file's rules at one place of a tree. Its ids take `id_bytes`, plus `prefixed_ids` times the length of
// the prefix.
struct Size {
  std::uint64_t rules = 0;
  std::uint64_t id_bytes = 0;
  std::uint64_t prefixed_ids = 0;
  std::uint64_t use_depth = 0;
  std::uint64_t depth = 0;
};

// Adds rules with all that they contain. `known`: the sizes of files that are used.
void add_rules(const ir::Few<FileRule>& rules, const std::vector<Size>& known, std::uint64_t depth, Size& size) {
  for (const FileRule& rule : rules) {
    const std::uint64_t length = rule.id.size();
    size.rules = sum(size.rules, 1);
    size.depth = std::max(size.depth, depth + 1);
    size.id_bytes = sum(size.id_bytes, length);
    if (length != 0 && rule.takes_prefix) size.prefixed_ids = sum(size.prefixed_ids, 1);
    add_rules(rule.children, known, depth + 1, size);
    if (rule.used == kNoFile) continue;
    const Size& used = known[rule.used];
    size.rules = sum(size.rules, used.rules);
    size.id_bytes = sum(size.id_bytes, used.id_bytes);
    if (length != 0) size.id_bytes = sum(size.id_bytes, std::min(used.prefixed_ids * (length + 1), kUncountable));
    if (length == 0 || rule.takes_prefix) size.prefixed_ids = sum(size.prefixed_ids, used.prefixed_ids);
    size.use_depth = std::max(size.use_depth, used.use_depth + 1);
    size.depth = std::max(size.depth, depth + 1 + used.depth);
  }
}

// Is it within all limits? If not, that is reported at the file's root element.
bool check_size(const RuleFile& file, const Size& size, text::Findings& findings) {
  const struct {
    Rule rule;
    const char* what;
    std::uint64_t number;
    std::uint64_t most;
  } limits[] = {
      {rules::DRA_too_many_rules, "rules with all subtrees", size.rules, layout::kMaxRules},
      {rules::DRA_too_many_rules, "bytes in ids with all subtrees", size.id_bytes, kMaxIdBytes},
      {rules::DRA_too_deep, "nested subtrees", size.use_depth, kMaxUseDepth},
      {rules::DRA_too_deep, "nested rules with all subtrees", size.depth, text::kMaxNesting},
  };
  for (const auto& [rule, what, number, most] : limits) {
    if (number <= most) continue;
    const std::string shown = number == kUncountable ? "more than four thousand million" : std::to_string(number);
    findings.add(rule, file.root, std::string("too many ") + what + ": " + shown + ", at most " + std::to_string(most));
    return false;
  }
  return true;
}

}  // namespace

std::vector<FileUse> resolve_subtrees(std::vector<RuleFile>& files, std::span<const OtherFile> others, bool is_partial,
                                      text::Findings& findings) {
  FilePaths paths(files, others, is_partial);
  std::vector<FileUse> uses;
  for (std::size_t i = 0; i < files.size(); ++i) collect_uses(files[i].rules, i, uses);
  for (const auto& [user, use] : uses) {
    RuleFile& file = files[user];
    if (use->path.empty()) continue;
    FilePaths::Target target = paths.find(use->path, file.file);
    use->used = target.file;
    if (target.file != kNoFile) {
      if (target.file != user) files[target.file].is_used = true;
      continue;
    }
    file.has_errors = true;
    if (target.meant != kNoFile) files[target.meant].is_used = true;  // otherwise its rules might be reported
    const bool is_reported =
        target.other != nullptr && target.other->is_tree && (!target.other->root || target.other->has_near_root);
    if (is_reported) continue;
    if (target.other != nullptr) target.fault = quote(use->path) + " is not a file of rules";
    text::Finding& finding = findings.add(target.is_fault ? rules::DRA_subtree_path : rules::XML_unchecked_reference,
                                          use->value_span, std::move(target.fault), std::move(target.hint));
    if (target.other != nullptr && target.other->root) {
      finding.related.push_back({*target.other->root, "its root element is not " + quote(kRootElement)});
    }
  }
  return uses;
}

void check_uses(std::vector<RuleFile>& files, const std::vector<FileUse>& all_uses, text::Findings& findings) {
  std::vector<Use> uses;
  std::vector<const FileRule*> rules;
  std::vector<std::vector<std::size_t>> used_by(files.size());
  for (const auto& [user, rule] : all_uses) {
    files[user].has_errors = files[user].has_errors || rule->used == kNoFile;
    if (rule->used == kNoFile) continue;
    uses.push_back({user, rule->used});
    rules.push_back(rule);
    used_by[user].push_back(rule->used);
  }
  const auto [order, cycles] = order_by_use(files.size(), uses);
  for (const std::vector<std::size_t>& cycle : cycles) {
    std::vector<CycleStep> steps;
    for (const std::size_t use : cycle) {
      const RuleFile& user = files[uses[use].user];
      steps.push_back({user.shown_path, rules[use]->value_span});
    }
    text::Finding& finding =
        findings.add(rules::DRA_subtree_cycle, steps[0].use, "subtree cycle: " + describe_cycle(steps),
                     "the engine would expand it without end");
    if (finding.related.empty()) finding.related = places_of_cycle(steps);
  }
  std::vector<Size> sizes(files.size());
  // Visited and without errors; still false for a file that a cycle leads back to.
  std::vector<bool> is_whole(files.size());
  for (const std::size_t i : order) {
    RuleFile& file = files[i];
    for (const std::size_t used : used_by[i]) {
      file.has_errors = file.has_errors || !is_whole[used];
      file.is_doubtful = file.is_doubtful || files[used].is_doubtful;
      file.copied_count += sizes[used].rules;
    }
    if (file.has_errors) continue;
    add_rules(file.rules, sizes, 0, sizes[i]);
    file.has_errors = !check_size(file, sizes[i], findings);
    is_whole[i] = !file.has_errors;
  }
}

}  // namespace espalier::dialects::dragengine
