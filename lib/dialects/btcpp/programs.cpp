// Files of programs. See programs.h.
#include "dialects/btcpp/programs.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

namespace espalier::dialects::btcpp {

std::size_t folders_between(std::string_view path, std::string_view other) {
  const std::size_t length = std::min(path.size(), other.size());
  std::size_t common = 0;
  for (std::size_t i = 0; i < length && path[i] == other[i]; ++i) {
    if (path[i] == '/') common = i + 1;
  }
  const auto below = [common](std::string_view file) {
    return static_cast<std::size_t>(std::count(file.begin() + static_cast<std::ptrdiff_t>(common), file.end(), '/'));
  };
  return below(path) + below(other);
}

Programs::Programs(ProgramFiles files)
    : files_(std::move(files)),
      orders_(files_.includes),
      needs_(files_.files.size()),
      depends_on_program_(files_.files.size()),
      is_start_(files_.files.size()),
      homes_(files_.files.size()) {
  for (std::size_t tree = 0; tree < files_.trees.size(); ++tree) {
    if (!files_.trees[tree].name.empty()) named_[files_.trees[tree].name].push_back(tree);
  }
  find_needs();
  find_mixed();
  find_starts();
  find_other_starts();
  find_homes();
}

std::span<const std::size_t> Programs::called(std::string_view name) const {
  const auto found = named_.find(name);
  return found == named_.end() ? std::span<const std::size_t>() : found->second;
}

// visit(tree, number, name)
template <typename Visit>
void Programs::each_reference(std::size_t file, const Visit& visit) const {
  const ProgramFiles::File& own = files_.files[file];
  for (std::size_t tree = own.first_tree; tree < own.first_tree + own.tree_count; ++tree) {
    const std::vector<std::string_view>& references = files_.trees[tree].references;
    for (std::size_t i = 0; i < references.size(); ++i) visit(tree, i, references[i]);
  }
}

// ---- Which file has a tree

std::optional<std::size_t> Programs::find_included(std::string_view name, std::size_t from) {
  const std::span<const std::size_t> trees = called(name);
  if (trees.empty()) return std::nullopt;
  const auto last_of = [&](std::size_t file) -> std::optional<std::size_t> {
    const ProgramFiles::File& own = files_.files[file];
    const auto end = std::lower_bound(trees.begin(), trees.end(), own.first_tree + own.tree_count);
    if (end == trees.begin() || *std::prev(end) < own.first_tree) return std::nullopt;
    return *std::prev(end);
  };
  if (const auto own = last_of(from); own || orders_.is_alone(from)) return own;
  const std::span<const std::size_t> order = orders_.of(from);
  for (std::size_t i = order.size(); i-- > 0;) {
    if (const auto found = last_of(order[i])) return found;
  }
  return std::nullopt;
}

// The trees of the name in the package of the file, or in the others if it has none; of each file the last one.
std::vector<std::size_t> Programs::candidates(std::string_view name, std::size_t from) const {
  std::vector<std::size_t> all;
  for (const bool is_own : {true, false}) {
    for (const std::size_t tree : called(name)) {
      const std::size_t file = files_.trees[tree].file;
      if ((files_.files[file].package == files_.files[from].package) != is_own) continue;
      if (!all.empty() && files_.trees[all.back()].file == file) all.pop_back();
      all.push_back(tree);
    }
    if (!all.empty()) break;
  }
  return all;
}

std::size_t Programs::nearest(std::string_view name, std::size_t from) const {
  const std::vector<std::size_t> all = candidates(name, from);
  return *std::min_element(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](std::size_t tree) {
      const std::string_view path = files_.files[files_.trees[tree].file].path;
      return std::pair(folders_between(files_.files[from].path, path), path);
    };
    return key(a) < key(b);
  });
}

void Programs::find_needs() {
  for (std::size_t file = 0; file < files_.files.size(); ++file) {
    std::set<std::size_t> needs(files_.includes[file].begin(), files_.includes[file].end());
    each_reference(file, [&](std::size_t, std::size_t, std::string_view name) {
      const std::span<const std::size_t> trees = called(name);
      if (trees.size() == 1) needs.insert(files_.trees[trees.front()].file);
      if (trees.size() > 1) depends_on_program_[file] = true;
    });
    needs.erase(file);
    needs_[file].assign(needs.begin(), needs.end());
  }
}

std::vector<std::size_t> Programs::needs_of(std::size_t file) {
  std::vector<std::size_t> needs = needs_[file];
  if (!depends_on_program_[file]) return needs;
  each_reference(file, [&](std::size_t, std::size_t, std::string_view name) {
    if (!is_shared(name)) return;
    const std::optional<std::size_t> included = find_included(name, file);
    const std::size_t target = included ? *included : nearest(name, file);
    if (files_.trees[target].file != file) needs.push_back(files_.trees[target].file);
  });
  std::sort(needs.begin(), needs.end());
  needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  return needs;
}

// Backwards from each file whose trees or references have names that are not unique.
void Programs::find_mixed() {
  std::vector<std::vector<std::size_t>> needed_by(files_.files.size());
  std::vector<std::size_t> open;
  is_mixed_.resize(files_.files.size());
  for (std::size_t file = 0; file < files_.files.size(); ++file) {
    for (const std::size_t other : needs_[file]) needed_by[other].push_back(file);
    const ProgramFiles::File& own = files_.files[file];
    bool has_shared = depends_on_program_[file];
    for (std::size_t tree = own.first_tree; tree < own.first_tree + own.tree_count; ++tree)
      has_shared = has_shared || is_shared(files_.trees[tree].name);
    if (has_shared) open.push_back(file);
    each_reference(file, [&](std::size_t, std::size_t, std::string_view name) {
      if (is_shared(name) && !find_included(name, file)) is_mixed_[file] = true;
    });
  }
  std::vector<bool> is_followed(files_.files.size());
  while (!open.empty()) {
    const std::size_t file = open.back();
    open.pop_back();
    if (is_followed[file]) continue;
    is_followed[file] = true;
    for (const std::size_t user : needed_by[file]) {
      is_mixed_[user] = true;
      open.push_back(user);
    }
  }
}

// ---- Programs whose files have trees of the same names

const Programs::Program& Programs::program_at(std::size_t start) {
  const auto [place, is_new] = programs_.try_emplace(start);
  Program& program = place->second;
  if (!is_new) return program;
  std::set<std::size_t> has;
  const auto take = [&](std::size_t file) {
    std::map<std::string_view, std::size_t> group;
    for (const std::size_t each : orders_.of(file)) {
      if (!has.insert(each).second) continue;
      program.files.push_back(each);
      const ProgramFiles::File& own = files_.files[each];
      for (std::size_t tree = own.first_tree; tree < own.first_tree + own.tree_count; ++tree) {
        if (is_shared(files_.trees[tree].name)) group[files_.trees[tree].name] = tree;
      }
    }
    for (const auto& [name, tree] : group) {
      const auto [known, is_taken] = program.shared.emplace(name, tree);
      if (!is_taken) program.left_out.push_back({tree, known->second});
    }
  };
  take(start);
  for (std::size_t i = 0; i < program.files.size(); ++i) {
    const std::size_t file = program.files[i];
    each_reference(file, [&](std::size_t tree, std::size_t number, std::string_view name) {
      const std::span<const std::size_t> trees = called(name);
      if (trees.empty() || (trees.size() > 1 && program.shared.count(name) != 0)) return;
      const std::size_t target = trees.size() == 1 ? trees.front() : nearest(name, file);
      if (has.count(files_.trees[target].file) != 0) return;
      if (std::vector<std::size_t> others = candidates(name, file); others.size() > 1) {
        others.erase(std::find(others.begin(), others.end(), target));
        program.ambiguous.push_back({tree, number, target, std::move(others)});
      }
      take(files_.trees[target].file);
    });
  }
  return program;
}

const std::map<std::size_t, Programs::Program>& Programs::mixed() {
  if (!has_all_mixed_) {
    for (const std::size_t start : starts_) {
      if (is_mixed_[start]) static_cast<void>(program_at(start));
    }
    has_all_mixed_ = true;
  }
  return programs_;
}

// ---- Where programs start

template <typename Visit>
void Programs::each_file(std::size_t start, std::vector<bool>& seen, const Visit& visit) {
  if (is_mixed_[start]) {
    for (const std::size_t file : program_at(start).files) {
      if (!seen[file]) visit(file);
      seen[file] = true;
    }
    return;
  }
  std::vector<std::size_t> open = {start};
  while (!open.empty()) {
    const std::size_t file = open.back();
    open.pop_back();
    if (seen[file]) continue;
    seen[file] = true;
    visit(file);
    open.insert(open.end(), needs_[file].begin(), needs_[file].end());
  }
}

// A file that others include names a main tree for itself only if it has that.
void Programs::find_starts() {
  std::vector<bool> is_included(files_.files.size());
  for (std::size_t file = 0; file < files_.files.size(); ++file) {
    for (const std::size_t other : files_.includes[file]) is_included[other] = is_included[other] || other != file;
  }
  for (std::size_t file = 0; file < files_.files.size(); ++file) {
    const auto& main = files_.files[file].main;
    if (main && (!is_included[file] || find_included(*main, file))) start_at(file);
  }
}

// Those that no program has so far: one that no other of them needs, and the first of several that need each other.
// Tarjan's algorithm gives such groups, those that are needed before those that need them.
void Programs::find_other_starts() {
  const std::size_t count = files_.files.size();
  std::vector<bool> has(count);
  for (std::size_t file = 0; file < count; ++file) {
    if (is_start_[file]) each_file(file, has, [](std::size_t) {});
  }
  constexpr std::size_t kUnseen = std::numeric_limits<std::size_t>::max();
  struct Open {
    std::size_t file;
    std::vector<std::size_t> needs;
    std::size_t next = 0;
  };
  std::vector<std::size_t> numbers(count, kUnseen);
  std::vector<std::size_t> lowest(count);
  std::vector<bool> is_waiting(count);
  std::vector<std::size_t> waiting;
  std::vector<std::vector<std::size_t>> groups;
  std::vector<Open> open;
  std::size_t number = 0;
  const auto enter = [&](std::size_t file) {
    numbers[file] = lowest[file] = number++;
    waiting.push_back(file);
    is_waiting[file] = true;
    open.push_back({file, needs_of(file)});
  };
  for (std::size_t file = 0; file < count; ++file) {
    if (has[file] || numbers[file] != kUnseen) continue;
    enter(file);
    while (!open.empty()) {
      Open& at = open.back();
      if (at.next < at.needs.size()) {
        const std::size_t other = at.needs[at.next++];
        if (has[other]) continue;
        if (numbers[other] == kUnseen) {
          enter(other);
        } else if (is_waiting[other]) {
          lowest[at.file] = std::min(lowest[at.file], numbers[other]);
        }
        continue;
      }
      const std::size_t done = at.file;
      open.pop_back();
      if (!open.empty()) lowest[open.back().file] = std::min(lowest[open.back().file], lowest[done]);
      if (lowest[done] != numbers[done]) continue;
      std::vector<std::size_t>& group = groups.emplace_back();
      do {
        group.push_back(waiting.back());
        is_waiting[waiting.back()] = false;
        waiting.pop_back();
      } while (group.back() != done);
    }
  }
  for (std::size_t i = groups.size(); i-- > 0;) {
    std::vector<std::size_t>& group = groups[i];
    std::sort(group.begin(), group.end());
    const auto first = std::find_if(group.begin(), group.end(), [&](std::size_t file) {
      return files_.files[file].tree_count != 0 && !files_.files[file].main;
    });
    if (first == group.end() || has[*first]) continue;
    start_at(*first);
    each_file(*first, has, [](std::size_t) {});
  }
}

void Programs::find_homes() {
  for (std::size_t file = 0; file < files_.files.size(); ++file) {
    if (is_start_[file]) starts_.push_back(file);
  }
  std::vector<bool> seen(files_.files.size());
  for (const std::size_t start : starts_) {
    each_file(start, seen, [&](std::size_t file) { homes_[file] = is_start_[file] ? file : start; });
  }
}

// ---- What names mean

std::optional<std::size_t> Programs::find(std::string_view name, std::size_t from) {
  const std::span<const std::size_t> trees = called(name);
  if (trees.empty()) return std::nullopt;
  if (trees.size() == 1) return trees.front();
  if (const std::optional<std::size_t> start = homes_[from]) {
    if (const auto found = find_included(name, *start)) return found;
    const auto& shared = program_at(*start).shared;
    if (const auto found = shared.find(name); found != shared.end()) return found->second;
  }
  if (const auto found = find_included(name, from)) return found;
  return nearest(name, from);
}

std::optional<std::size_t> Programs::find_in_program(std::string_view name, std::size_t start) {
  if (const auto found = find_included(name, start)) return found;
  const Program& program = program_at(start);
  for (const std::size_t tree : called(name)) {
    const auto shared = program.shared.find(name);
    if (shared != program.shared.end()) return shared->second;
    if (std::find(program.files.begin(), program.files.end(), files_.trees[tree].file) != program.files.end())
      return tree;
  }
  return std::nullopt;
}

std::vector<Programs::Taken> Programs::of_other_packages() {
  std::vector<Taken> all;
  for (std::size_t file = 0; file < files_.files.size(); ++file) {
    each_reference(file, [&](std::size_t tree, std::size_t number, std::string_view name) {
      const std::optional<std::size_t> target = find(name, file);
      if (!target) return;
      const std::size_t other = files_.trees[*target].file;
      if (files_.files[other].package == files_.files[file].package) return;
      const std::size_t start = homes_[file].value_or(file);
      if (!orders_.has(file, other) && !orders_.has(start, other)) all.push_back({tree, number, *target, {}});
    });
  }
  return all;
}

}  // namespace espalier::dialects::btcpp
