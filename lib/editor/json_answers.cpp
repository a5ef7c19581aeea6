// Names and keys in JSON. See json_answers.h.
#include "editor/json_answers.h"

#include <algorithm>
#include <vector>

#include "editor/json_completion.h"
#include "editor/trace_names.h"
#include "editor/traces.h"
#include "project/trace_files.h"
#include "text/names.h"

namespace espalier::editor {
namespace {

constexpr std::string_view kBeginsPlace = ":@";  // "Charge:dock", "Charge@12": some of the nodes of a name

std::optional<JsonOccurrence> name_at(const std::string& path, std::string_view text, std::uint32_t offset) {
  for (JsonOccurrence& each : names_in_json(text, path.ends_with(project::kTraceSuffix))) {
    if (each.range.holds(offset)) return std::move(each);
  }
  return std::nullopt;
}

// The files that have the name, best first.
std::vector<FileId> files_of(const LiveProject& project, std::string_view text, const JsonOccurrence& name,
                             NameKind kind, const std::string& key) {
  const bool is_of_text = kind != NameKind::tree && name.tree.name.empty();
  std::vector<FileId> files =
      files_of_tree(project, is_of_text ? tree_of_trace(text).value_or(NamedTree()) : name.tree);
  if (kind == NameKind::tree) return files;
  if (const Index::Uses* const uses = project.index().files_with(kind, key)) {
    for (const auto& [file, use] : *uses) files.push_back(file);
  }
  return files;
}

// Occurrences in trees of what is named, one a file; of a tree, where it is declared.
std::vector<Location> found_in_trees(const LiveProject& project, std::string_view text, const JsonOccurrence& name) {
  std::vector<Location> found;
  for (const NameKind kind : *name.kinds) {
    const std::string written =
        kind == NameKind::host_node ? name.name.substr(0, name.name.find_first_of(kBeginsPlace)) : name.name;
    for (const FileId file : files_of(project, text, name, kind, written)) {
      const auto& all = project.index().names_of(file).all;
      const auto is_it = [&](const Occurrence& each) {
        const bool is_meant = kind != NameKind::tree || each.use == NameUse::declares;
        return is_meant && each.kind == kind && !each.is_implied && text::equal_any_case(each.key, written);
      };
      const auto occurrence = std::find_if(all.begin(), all.end(), is_it);
      if (occurrence != all.end()) found.push_back({file, occurrence->range});
    }
  }
  return found;
}

std::vector<FileId> files_called(const LiveProject& project, std::string_view name) {
  std::vector<FileId> files;
  for (const project::SnapshotFile& file : project.snapshot().files) {
    if (file.parsed != nullptr && is_called(project, file.id, name)) files.push_back(file.id);
  }
  return files;
}

std::string about_file(const LiveProject& project, FileId file) {
  std::string trees;
  for (const Occurrence& each : project.index().names_of(file).all) {
    const bool is_tree = each.kind == NameKind::tree && each.use == NameUse::declares && !each.is_implied;
    if (is_tree) trees += (trees.empty() ? "" : ", ") + text::quote(each.key);
  }
  return "**file** `" + name_of_file(project, file) + '`' + (trees.empty() ? "" : "\n\ntrees: " + trees);
}

}  // namespace

Definition definition_in_json(const LiveProject& project, const std::string& path, std::string_view text,
                              std::uint32_t offset) {
  const std::optional<JsonOccurrence> name = name_at(path, text, offset);
  if (!name) return {};
  Definition result;
  if (name->kinds->front() == NameKind::file) {
    for (const FileId file : files_called(project, name->name)) result.places.push_back({file, {0, 0}});
    return result;
  }
  result.places = found_in_trees(project, text, *name);
  if (name->kinds->front() == NameKind::tree || result.places.empty()) return result;
  return definition(project, result.places.front().file, result.places.front().range.begin);
}

std::optional<Hover> hover_in_json(const LiveProject& project, const std::string& path, std::string_view text,
                                   std::uint32_t offset) {
  const std::optional<JsonOccurrence> name = name_at(path, text, offset);
  if (!name) return describe_key(project, path, text, offset);
  if (name->kinds->front() == NameKind::file) {
    const std::vector<FileId> files = files_called(project, name->name);
    return files.empty() ? std::nullopt : std::optional<Hover>({about_file(project, files.front()), name->range});
  }
  const std::vector<Location> found = found_in_trees(project, text, *name);
  if (found.empty()) return std::nullopt;
  std::optional<Hover> result = hover(project, found.front().file, found.front().range.begin);
  if (result) result->range = name->range;
  return result;
}

}  // namespace espalier::editor
