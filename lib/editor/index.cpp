// Names of a project. See index.h.
#include "editor/index.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace espalier::editor {
namespace {

std::string shared_key(NameKind kind, std::string_view key) {
  std::string result(1, static_cast<char>(kind));
  return result.append(key);
}

constexpr std::uint8_t bit(NameUse use) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(use)); }

// Does the tree of this occurrence declare a block of this name itself? It hides one of the project.
bool is_local(const FileNames& names, const Occurrence& block) {
  return std::any_of(names.all.begin(), names.all.end(), [&](const Occurrence& each) {
    return each.kind == NameKind::block && each.use == NameUse::declares && each.scope == block.scope &&
           each.key == block.key && each.scope != kProjectScope;
  });
}

}  // namespace

void Index::set(FileId file, FileNames names) {
  for (const Occurrence& each : files_[file].all) {
    const auto found = is_shared(each) ? shared_.find(shared_key(each.kind, each.key)) : shared_.end();
    if (found == shared_.end()) continue;
    found->second.erase(file);
    if (found->second.empty()) shared_.erase(found);
  }
  for (const Occurrence& each : names.all) {
    if (is_shared(each)) shared_[shared_key(each.kind, each.key)][file] |= bit(each.use);
  }
  files_[file] = std::move(names);
}

void Index::clear() {
  files_.clear();
  shared_.clear();
}

const FileNames& Index::names_of(FileId file) const {
  static const FileNames kNone;
  const auto found = files_.find(file);
  return found == files_.end() ? kNone : found->second;
}

const Index::Uses* Index::files_with(NameKind kind, std::string_view key) const {
  const auto found = shared_.find(shared_key(kind, key));
  return found == shared_.end() ? nullptr : &found->second;
}

void Index::each_name(NameKind kind, const std::function<void(std::string_view, const Uses&)>& visit) const {
  for (const auto& [key, files] : shared_) {
    if (key.front() == static_cast<char>(kind)) visit(std::string_view(key).substr(1), files);
  }
}

// All declarations of a block and references to it.
std::vector<FileOccurrence> Index::places_of_block(FileId file, const Occurrence& block) const {
  std::vector<FileOccurrence> places;
  const bool is_of_tree = is_local(names_of(file), block);
  const auto add_from = [&](FileId other) {
    const FileNames& names = names_of(other);
    for (const Occurrence& each : names.all) {
      if (each.kind != NameKind::block || each.key != block.key) continue;
      const bool is_same = is_of_tree ? each.scope == block.scope : !is_local(names, each);
      if (is_same) places.push_back({other, &each});
    }
  };
  const Uses* const files = files_with(NameKind::block, block.key);
  if (is_of_tree || files == nullptr) {
    add_from(file);
  } else {
    for (const auto& [other, uses] : *files) add_from(other);
  }
  return places;
}

// The scopes whose names are the same, since references put blocks into them.
std::vector<Index::Scope> Index::joined(Scope from) const {
  std::vector<Scope> open = {from};
  std::set<Scope> seen = {from};
  const auto reach = [&](FileId file, ScopeId id) {
    if (id != kProjectScope && seen.insert({file, id}).second) open.push_back({file, id});
  };
  const auto part_of = [](const Occurrence& each) { return each.part == kProjectScope ? each.tree : each.part; };
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Scope scope = open[i];
    for (const Occurrence& each : names_of(scope.file).all) {
      if (each.kind != NameKind::block || (each.tree != scope.id && part_of(each) != scope.id)) continue;
      for (const FileOccurrence& place : places_of_block(scope.file, each)) {
        const Occurrence& other = *place.occurrence;
        if (other.use == each.use) continue;
        if (each.tree == scope.id) reach(place.file, other.tree);
        if (part_of(each) == scope.id) reach(place.file, part_of(other));
      }
    }
  }
  return {seen.begin(), seen.end()};
}

std::vector<FileOccurrence> Index::same(FileId file, const Occurrence& occurrence) const {
  if (occurrence.kind == NameKind::block) return places_of_block(file, occurrence);
  std::vector<FileOccurrence> places;
  const auto add_from = [&](FileId other, ScopeId scope) {
    for (const Occurrence& each : names_of(other).all) {
      if (each.kind == occurrence.kind && each.scope == scope && each.key == occurrence.key)
        places.push_back({other, &each});
    }
  };
  if (occurrence.scope == kProjectScope) {
    const Uses* const files = files_with(occurrence.kind, occurrence.key);
    if (files == nullptr) return places;
    for (const auto& [other, uses] : *files) add_from(other, kProjectScope);
  } else {
    for (const Scope& scope : joined({file, occurrence.scope})) add_from(scope.file, scope.id);
  }
  std::sort(places.begin(), places.end(), [](const FileOccurrence& a, const FileOccurrence& b) {
    return std::tie(a.file, a.occurrence->range) < std::tie(b.file, b.occurrence->range);
  });
  return places;
}

std::vector<FileOccurrence> Index::known(FileId file, NameKind kind, ScopeId tree, ScopeId part) const {
  std::map<std::string, FileOccurrence> by_key;
  const auto add = [&](FileId other, const Occurrence& each) {
    if (each.is_implied && each.key.starts_with(kAnyTree)) return;
    const auto [entry, is_new] = by_key.emplace(each.key, FileOccurrence{other, &each});
    if (!is_new && each.use == NameUse::declares) entry->second = {other, &each};
  };
  each_name(kind, [&](std::string_view key, const Uses& files) {
    for (const auto& [other, uses] : files) {
      for (const Occurrence& each : names_of(other).all) {
        const bool is_visible = each.scope == kProjectScope || (other == file && each.scope == tree);
        if (each.kind == kind && each.key == key && is_visible) add(other, each);
      }
    }
  });
  std::set<Scope> scopes;
  for (const ScopeId id : {tree, part}) {
    if (id == kProjectScope) continue;
    for (const Scope& scope : joined({file, id})) scopes.insert(scope);
  }
  for (const Scope& scope : scopes) {
    for (const Occurrence& each : names_of(scope.file).all) {
      if (each.kind == kind && each.scope == scope.id) add(scope.file, each);
    }
  }
  std::vector<FileOccurrence> places;
  places.reserve(by_key.size());
  for (const auto& [key, place] : by_key) places.push_back(place);
  return places;
}

}  // namespace espalier::editor
