// Trees and what they use. See tree_graph.h.
#include "dialects/btcpp/tree_graph.h"

#include <algorithm>
#include <numeric>

#include "dialects/btcpp/elements.h"

namespace espalier::dialects::btcpp {

TreeGraph::TreeGraph(std::span<const File> files, const Summaries& summaries, std::span<const OtherFile> others,
                     Format3 format_3, bool ignores_misspelt)
    : summaries_(summaries),
      format_3_(format_3),
      ignores_misspelt_(ignores_misspelt),
      programs_(files, others),
      includes_(files.size()) {
  find_includes(files);
  add_files(files);
  is_used_.resize(trees_.size());
  replaced_by_.resize(trees_.size());
  std::iota(replaced_by_.begin(), replaced_by_.end(), std::size_t{0});
  find_mains();
  resolve();
  find_duplicates();
}

void TreeGraph::find_includes(std::span<const File> files) {
  for (std::size_t file = 0; file < files.size(); ++file) file_of_path_.emplace(files[file].path, file);
  for (std::size_t file = 0; file < files.size(); ++file) {
    if (is_left_out(file)) continue;
    for (std::size_t i = 0; i < std::min(summaries_[file]->includes.size(), files[file].includes.size()); ++i) {
      const std::optional<std::size_t> to = file_at(files[file].includes[i].path);
      if (!to) continue;
      includes_[file].push_back({*to, i});
      programs_.include(file, *to);
    }
  }
}

void TreeGraph::add_files(std::span<const File> files) {
  for (std::size_t file = 0; file < files.size(); ++file) {
    firsts_.push_back(trees_.size());
    const FileSummary& summary = *summaries_[file];
    if (is_left_out(file)) continue;
    if (summary.main) programs_.set_main(file);
    for (const TreeSummary& tree : summary.trees) {
      if (tree.path && tree.path->empty()) programs_.set_main(file);
      add_name(file, tree);
      trees_.push_back({file, &tree});
    }
  }
}

// Instances of one tree have its name; the first one stands for it, and the others are found by their paths.
void TreeGraph::add_name(std::size_t file, const TreeSummary& tree) {
  const std::size_t number = trees_.size();
  std::vector<std::size_t>* const known = tree.name.empty() || is_ignored(tree) ? nullptr : &all_names_[tree.name];
  const bool is_new_path =
      tree.path && instances_.emplace(std::pair(file, std::string_view(*tree.path)), number).second;
  const bool is_known = known != nullptr && std::any_of(known->begin(), known->end(), [&](std::size_t other) {
                          return trees_[other].file == file && trees_[other].summary->path;
                        });
  is_instance_.push_back(is_new_path && is_known);
  if (known != nullptr && !is_instance_.back()) known->push_back(number);
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
  const auto found = all_names_.find(name);
  if (found == all_names_.end()) return std::nullopt;
  const std::vector<std::size_t>& trees = found->second;
  if (trees.size() == 1) return trees.front();
  auto meant = meant_.find(name);
  if (meant == meant_.end()) {
    std::vector<std::size_t> files;
    files.reserve(trees.size());
    for (const std::size_t tree : trees) files.push_back(trees_[tree].file);
    meant = meant_.emplace(found->first, MeantFiles(programs_, files)).first;
  }
  return taken(trees[meant->second.meant(from)]);
}

// The project's is that of the first file that names one.
void TreeGraph::find_mains() {
  bool has_main = false;
  for (std::size_t file = 0; file < summaries_.size(); ++file) {
    const FileSummary& summary = *summaries_[file];
    if (!summary.main || is_left_out(file)) continue;
    const std::optional<std::size_t> tree = find(*summary.main, file);
    if (!has_main) main_ = tree;
    has_main = true;
    if (tree) trees_[*tree].is_main = true;
  }
  // A file that the library has written names none.
  for (const auto& [place, tree] : instances_) {
    if (!place.second.empty() || summaries_[place.first]->main) continue;
    if (!has_main) main_ = tree;
    has_main = true;
    trees_[tree].is_main = true;
  }
  if (has_main || trees_.size() != 1) return;
  main_ = 0;
  trees_[0].is_main = true;
}

void TreeGraph::resolve() {
  for (Tree& tree : trees_) {
    for (const TreeReference& reference : tree.summary->references) {
      const std::optional<std::size_t> target = find(reference.name, tree.file, reference.path);
      tree.targets.push_back(target);
      if (!target) continue;
      use(*target);
      programs_.refer(tree.file, trees_[*target].file);
    }
  }
}

void TreeGraph::find_duplicates() {
  for (const auto& [name, trees] : all_names_) {
    std::vector<std::size_t>& kept = names_[name];
    if (trees.size() == 1) {
      kept = trees;
      continue;
    }
    SameNames same(programs_);
    for (const std::size_t tree : trees) {
      const std::size_t file = trees_[tree].file;
      const FileSummary& summary = *summaries_[file];
      const bool is_main = summary.main ? *summary.main == name : summary.trees.size() == 1;
      const std::optional<std::size_t> place = same.add(file, is_main);
      if (!place) {
        kept.push_back(tree);
        continue;
      }
      duplicates_.push_back({tree, kept[*place]});
      replaced_by_[kept[*place]] = tree;
      kept[*place] = tree;
    }
  }
  if (duplicates_.empty()) return;
  for (std::size_t tree = trees_.size(); tree-- > 0;) replaced_by_[tree] = replaced_by_[replaced_by_[tree]];
  for (Tree& tree : trees_) {
    for (std::optional<std::size_t>& target : tree.targets) {
      if (target) target = taken(*target);
    }
  }
  if (!main_) return;
  main_ = taken(*main_);
  trees_[*main_].is_main = true;
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

std::vector<std::size_t> TreeGraph::users_of(std::vector<std::size_t> trees) const {
  if (trees.empty()) return trees;
  std::vector<std::vector<std::size_t>> users(trees_.size());
  for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
    for (const std::optional<std::size_t>& target : trees_[tree].targets) {
      if (target) users[taken(*target)].push_back(tree);
    }
  }
  std::vector<bool> is_found(trees_.size());
  for (const std::size_t tree : trees) is_found[tree] = true;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    for (const std::size_t user : users[trees[i]]) {
      if (!is_found[user]) trees.push_back(user);
      is_found[user] = true;
    }
  }
  return trees;
}

std::vector<bool> TreeGraph::starts() const {
  std::vector<bool> starts(summaries_.size(), true);
  for (const Tree& tree : trees_) {
    for (const std::optional<std::size_t>& target : tree.targets) {
      if (target && trees_[*target].file != tree.file) starts[trees_[*target].file] = false;
    }
  }
  for (std::size_t file = 0; file < includes_.size(); ++file) {
    for (const Include& include : includes_[file]) starts[include.to] = starts[include.to] && include.to == file;
  }
  for (std::size_t file = 0; file < summaries_.size(); ++file) {
    if (summaries_[file]->main) starts[file] = true;
  }
  return starts;
}

std::vector<TreeGraph::Cycle> TreeGraph::cycles() const {
  std::vector<Cycle> cycles;
  std::vector<std::uint8_t> states(trees_.size());
  if (main_) follow(*main_, 0, states, cycles);
  for (std::size_t tree = 0; tree < trees_.size(); ++tree) follow(tree, 0, states, cycles);
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
