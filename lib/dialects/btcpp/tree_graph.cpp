// Trees and what they use. See tree_graph.h.
#include "dialects/btcpp/tree_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/tree_reader.h"

namespace espalier::dialects::btcpp {

TreeGraph::TreeGraph(std::span<const File> files, const Summaries& summaries, std::span<const OtherFile> others,
                     bool ignores_misspelt)
    : summaries_(summaries), ignores_misspelt_(ignores_misspelt), packages_(files, others), includes_(files.size()) {
  ProgramFiles loaded;
  find_includes(files, loaded);
  add_files(files, loaded);
  is_used_.resize(trees_.size());
  replaced_by_.resize(trees_.size());
  std::iota(replaced_by_.begin(), replaced_by_.end(), std::size_t{0});
  programs_ = std::make_unique<Programs>(std::move(loaded));
  resolve();
  find_duplicates();
  find_mains();
}

void TreeGraph::find_includes(std::span<const File> files, ProgramFiles& loaded) {
  loaded.includes.resize(files.size());
  for (std::size_t file = 0; file < files.size(); ++file) file_of_path_.emplace(files[file].path, file);
  for (std::size_t file = 0; file < files.size(); ++file) {
    for (std::size_t i = 0; i < std::min(summaries_[file]->includes.size(), files[file].includes.size()); ++i) {
      const std::optional<std::size_t> to = file_at(files[file].includes[i].path);
      if (!to) continue;
      includes_[file].push_back({*to, i});
      loaded.includes[file].push_back(*to);
    }
  }
}

void TreeGraph::add_files(std::span<const File> files, ProgramFiles& loaded) {
  for (std::size_t file = 0; file < files.size(); ++file) {
    firsts_.push_back(trees_.size());
    const FileSummary& summary = *summaries_[file];
    ProgramFiles::File& known = loaded.files.emplace_back();
    known.path = files[file].path;
    known.package = packages_.of(file);
    known.first_tree = trees_.size();
    known.main = summary.main;
    for (const TreeSummary& tree : summary.trees) {
      ProgramFiles::Tree& added = loaded.trees.emplace_back();
      added.file = file;
      if (add_name(file, tree)) added.name = tree.name;
      for (const TreeReference& reference : tree.references) added.references.emplace_back(reference.name);
      // A file that the library has written names no main tree.
      if (!summary.main && tree.path && tree.path->empty()) known.main = tree.name;
      trees_.push_back({file, &tree});
    }
    known.tree_count = trees_.size() - known.first_tree;
  }
}

// Instances of one tree have its name; the first one stands for it, and the others are found by their paths. Returns
// whether the tree is found by its name.
bool TreeGraph::add_name(std::size_t file, const TreeSummary& tree) {
  const std::size_t number = trees_.size();
  const bool is_new_path =
      tree.path && instances_.emplace(std::pair(file, std::string_view(*tree.path)), number).second;
  const bool is_known = is_new_path && std::any_of(trees_.begin() + static_cast<std::ptrdiff_t>(firsts_[file]),
                                                   trees_.end(), [&](const Tree& other) {
                                                     return other.summary->path && other.summary->name == tree.name;
                                                   });
  is_instance_.push_back(is_known);
  return !tree.name.empty() && !is_ignored(tree) && !is_known;
}

std::optional<std::size_t> TreeGraph::file_at(std::string_view path) const {
  const auto found = file_of_path_.find(path);
  return found == file_of_path_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> TreeGraph::find(std::string_view name, std::size_t from,
                                           const std::optional<std::string>& path) {
  if (path) {
    const auto instance = instances_.find({from, *path});
    if (instance != instances_.end() && trees_[instance->second].summary->name == name) return instance->second;
  }
  return programs_->find(name, from);
}

void TreeGraph::resolve() {
  for (Tree& tree : trees_) {
    for (const TreeReference& reference : tree.summary->references) {
      const std::optional<std::size_t> target = find(reference.name, tree.file, reference.path);
      tree.targets.push_back(target);
      if (target) use(*target);
    }
  }
  // In other programs that have the file a name may mean another tree.
  for (const auto& [start, program] : programs_->mixed()) {
    for (const std::size_t file : program.files) {
      for (std::size_t tree = firsts_[file]; tree < trees_.size() && trees_[tree].file == file; ++tree) {
        for (const TreeReference& reference : trees_[tree].summary->references) {
          const auto shared = program.shared.find(reference.name);
          if (shared != program.shared.end()) use(shared->second);
        }
      }
    }
  }
}

// In each order in which files are read: from where a program starts, and from files that no other includes.
void TreeGraph::find_duplicates() {
  std::vector<bool> is_included(summaries_.size());
  for (std::size_t file = 0; file < includes_.size(); ++file) {
    for (const Include& include : includes_[file])
      is_included[include.to] = is_included[include.to] || include.to != file;
  }
  std::vector<bool> is_taken(trees_.size());
  std::vector<bool> is_dropped(trees_.size());
  for (std::size_t top = 0; top < summaries_.size(); ++top) {
    if (is_included[top] && !programs_->is_start(top)) continue;
    std::map<std::string_view, std::vector<std::size_t>> trees;
    for (const std::size_t file : programs_->orders().of(top)) {
      for (std::size_t tree = firsts_[file]; tree < trees_.size() && trees_[tree].file == file; ++tree) {
        const TreeSummary& summary = *trees_[tree].summary;
        const bool is_named = !summary.name.empty() && !is_ignored(summary) && !is_instance_[tree];
        if (is_named && summary.name != kNameOfTreeWithoutId) trees[summary.name].push_back(tree);
      }
    }
    for (const auto& [name, same] : trees) {
      is_taken[same.back()] = true;
      for (std::size_t i = 0; i + 1 < same.size(); ++i) {
        if (is_dropped[same[i]]) continue;
        is_dropped[same[i]] = true;
        const bool is_in_file = trees_[same[i]].file == trees_[same[i + 1]].file;
        duplicates_.push_back(is_in_file ? Duplicate{same[i + 1], same[i]} : Duplicate{same[i], same.back()});
        replaced_by_[same[i]] = same.back();
      }
    }
  }
  std::sort(duplicates_.begin(), duplicates_.end(),
            [](const Duplicate& a, const Duplicate& b) { return a.tree < b.tree; });
  for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
    const TreeSummary& summary = *trees_[tree].summary;
    if (is_taken[tree]) replaced_by_[tree] = tree;
    if (!summary.name.empty() && !is_ignored(summary) && !is_instance_[tree] && replaced_by_[tree] == tree)
      names_[summary.name].push_back(tree);
  }
}

std::vector<std::size_t> TreeGraph::mains_of(std::size_t start) const {
  const FileSummary& summary = *summaries_[start];
  std::vector<std::size_t> own;
  for (std::size_t tree = firsts_[start]; tree < trees_.size() && trees_[tree].file == start; ++tree) {
    const TreeSummary& each = *trees_[tree].summary;
    if (!summary.main && each.path && each.path->empty()) return {tree};  // the library has written it
    if (replaced_by_[tree] == tree && !is_ignored(each) && !is_instance_[tree]) own.push_back(tree);
  }
  if (summary.main) {
    const std::optional<std::size_t> main = programs_->find_in_program(*summary.main, start);
    return main ? std::vector{*main} : std::vector<std::size_t>();
  }
  if (own.size() > 1) std::erase_if(own, [&](std::size_t tree) { return is_used(tree); });
  return own;
}

void TreeGraph::find_mains() {
  std::size_t count = 0;
  for (const std::size_t start : programs_->starts()) {
    for (const std::size_t tree : mains_of(start)) {
      count += trees_[tree].is_main ? 0 : 1;
      trees_[tree].is_main = true;
      main_ = tree;
    }
  }
  if (count != 1) main_.reset();
}

std::vector<std::vector<std::size_t>> TreeGraph::uses() const {
  std::vector<std::vector<std::size_t>> uses(summaries_.size());
  for (const Tree& tree : trees_) {
    for (const std::optional<std::size_t>& target : tree.targets) {
      if (target && trees_[*target].file != tree.file) uses[tree.file].push_back(trees_[*target].file);
    }
  }
  for (std::vector<std::size_t>& each : uses) {
    std::sort(each.begin(), each.end());
    each.erase(std::unique(each.begin(), each.end()), each.end());
  }
  return uses;
}

namespace {

// These, and all that lead from them, directly or through others: `next` of each.
std::vector<std::size_t> closed(std::vector<std::size_t> some, const std::vector<std::vector<std::size_t>>& next) {
  std::vector<bool> is_found(next.size());
  for (const std::size_t each : some) is_found[each] = true;
  for (std::size_t i = 0; i < some.size(); ++i) {
    for (const std::size_t other : next[some[i]]) {
      if (!is_found[other]) some.push_back(other);
      is_found[other] = true;
    }
  }
  return some;
}

}  // namespace

std::vector<std::size_t> TreeGraph::users_of(std::vector<std::size_t> trees) const {
  if (trees.empty()) return trees;
  std::vector<std::vector<std::size_t>> users(trees_.size());
  for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
    for (const std::optional<std::size_t>& target : trees_[tree].targets) {
      if (target) users[taken(*target)].push_back(tree);
    }
  }
  return closed(std::move(trees), users);
}

std::vector<bool> TreeGraph::below(std::vector<std::size_t> files) const {
  std::vector<bool> is_below(summaries_.size());
  while (!files.empty()) {
    const std::size_t file = files.back();
    files.pop_back();
    if (is_below[file]) continue;
    is_below[file] = true;
    const std::vector<std::size_t> needs = programs_->needs_of(file);
    files.insert(files.end(), needs.begin(), needs.end());
  }
  return is_below;
}

std::vector<std::size_t> TreeGraph::above(std::vector<std::size_t> files) const {
  std::vector<std::vector<std::size_t>> needed_by(summaries_.size());
  for (std::size_t file = 0; file < summaries_.size(); ++file) {
    for (const std::size_t needed : programs_->needs_of(file)) needed_by[needed].push_back(file);
  }
  return closed(std::move(files), needed_by);
}

std::vector<TreeGraph::Cycle> TreeGraph::cycles() const {
  std::vector<Cycle> cycles;
  std::vector<std::uint8_t> states(trees_.size());
  for (const bool is_main : {true, false}) {
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
      if (trees_[tree].is_main == is_main) follow(tree, 0, states, cycles);
    }
  }
  return cycles;
}

void TreeGraph::follow(std::size_t tree, std::uint32_t depth, std::vector<std::uint8_t>& states,
                       std::vector<Cycle>& cycles) const {
  constexpr std::uint8_t kOpen = 1;
  constexpr std::uint8_t kDone = 2;
  if (states[tree] != 0 || depth > kMaxDepth) return;  // what is too deep is reported as that
  states[tree] = kOpen;
  for (std::size_t i = 0; i < trees_[tree].targets.size(); ++i) {
    const std::optional<std::size_t> target = trees_[tree].targets[i];
    if (!target) continue;
    if (states[*target] == kOpen) {
      cycles.push_back({tree, i});
    } else {
      follow(*target, depth + 1, states, cycles);
    }
  }
  states[tree] = kDone;
}

}  // namespace espalier::dialects::btcpp
