// Entries of blackboards. See entries.h.
#include "editor/entries.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "dialects/btcpp/entry_places.h"
#include "dialects/btcpp/tree_reader.h"
#include "editor/trace_names.h"
#include "editor/traces.h"
#include "project/trace_files.h"
#include "text/names.h"

namespace espalier::editor {
namespace {

using dialects::btcpp::EntryName;
using dialects::btcpp::EntryPlace;
using dialects::btcpp::EntryPlaces;
using dialects::btcpp::Written;

constexpr std::size_t kMostListed = 12;

// Those of the files that are connected with one, and of the models of their trees.
EntryPlaces places_of(const LiveProject& project, FileId connected_to) {
  const FileSet connected = project.connections().connected(connected_to);
  std::set<std::string_view> trees;
  for (const FileId file : connected) {
    for (const dialects::btcpp::TreeSummary& tree : dialects::btcpp::summary_of(project.tree_file(file)->place)->trees)
      trees.insert(tree.name);
  }
  std::vector<std::unique_ptr<text::XmlDocument>> documents;
  std::vector<dialects::File> files;
  for (const project::SnapshotFile& file : project.snapshot().files) {
    const auto summary = dialects::btcpp::summary_of(file.place);
    if (summary == nullptr) continue;
    const auto& models = summary->models.subtrees;
    const bool has_models =
        std::any_of(models.begin(), models.end(), [&](const auto& model) { return trees.count(model.first) != 0; });
    files.push_back(file.place);
    if (!has_models && connected.count(file.id) == 0) continue;
    documents.push_back(std::make_unique<text::XmlDocument>(file.parsed, file.id));
    files.back().document = documents.back().get();
  }
  return {files, project.snapshot().configuration.dialects};
}

// Is the file one in which entries can be?
bool may_have_entries(const LiveProject& project, FileId file) { return project.connections().is_joined(file); }

// Null: no entry is named there.
const EntryPlace* place_at(const EntryPlaces& places, FileId file, std::uint32_t offset) {
  for (const EntryPlace& each : places.all()) {
    const bool is_shown = each.written != Written::implied && each.span.file == file;
    if (is_shown && Range{each.span.begin, each.span.end}.holds(offset)) return &each;
  }
  return nullptr;
}

Location location_of(const EntryPlace& place) { return {place.span.file, {place.span.begin, place.span.end}}; }

std::vector<Location> in_order(std::vector<Location> places) {
  const auto key = [](const Location& each) { return std::pair(each.file, each.range); };
  std::sort(places.begin(), places.end(), [&](const Location& a, const Location& b) { return key(a) < key(b); });
  const auto is_same = [&](const Location& a, const Location& b) { return key(a) == key(b); };
  places.erase(std::unique(places.begin(), places.end(), is_same), places.end());
  return places;
}

std::string shown_place(const LiveProject& project, const EntryPlace& place) {
  const text::Source& source = project.snapshot().sources[place.span.file];
  return '`' + source.path() + ':' + std::to_string(source.position(place.span.begin).line) + "` (" + place.by + ')';
}

// "written by: `a.xml:4` (a script), ..."; empty if there are none.
std::string listed_places(const LiveProject& project, std::string_view title,
                          const std::vector<const EntryPlace*>& places) {
  if (places.empty()) return {};
  std::string text = "\n\n" + std::string(title) + ": ";
  for (std::size_t i = 0; i < places.size() && i < kMostListed; ++i)
    text += (i == 0 ? "" : ", ") + shown_place(project, *places[i]);
  if (places.size() > kMostListed) text += " and " + std::to_string(places.size() - kMostListed) + " more";
  return text;
}

bool is_script_word(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// The `ID` of the tree around a place of a text that may be malformed; empty: there is none.
std::string_view tree_around(std::string_view text, std::uint32_t offset) {
  constexpr std::string_view kTag = "<BehaviorTree";
  const std::string_view before = text.substr(0, offset);
  const std::size_t begin = before.rfind(kTag);
  if (begin == std::string_view::npos || before.find("</BehaviorTree", begin) != std::string_view::npos) return {};
  const std::string_view tag = text.substr(begin, text.find('>', begin) - begin);
  const std::size_t id = tag.find("ID=");
  if (id == std::string_view::npos || id + 4 > tag.size()) return {};
  const std::string_view value = tag.substr(id + 4);
  return value.substr(0, value.find(tag[id + 3]));
}

}  // namespace

std::optional<Hover> entry_hover(const LiveProject& project, FileId file, std::uint32_t offset) {
  if (!may_have_entries(project, file)) return std::nullopt;
  const EntryPlaces places = places_of(project, file);
  const EntryPlace* const at = place_at(places, file, offset);
  if (at == nullptr) return std::nullopt;
  const std::set<EntryName> names = places.of_same_entry(at->name);
  std::vector<const EntryPlace*> written;
  std::vector<const EntryPlace*> read;
  const EntryPlace* typed = nullptr;
  for (const EntryPlace& each : places.all()) {
    if (names.count(each.name) == 0) continue;
    if (each.is_written) written.push_back(&each);
    if (each.is_read) read.push_back(&each);
    if (typed == nullptr && each.type.is_kept()) typed = &each;
  }
  std::string also;
  for (const EntryName& each : names) {
    if (each == at->name || each.key == at->name.key) continue;
    also += (also.empty() ? "\n\nother names: `" : ", `") + each.key + "` in " + text::quote(each.tree);
  }
  Hover hover;
  hover.range = {at->span.begin, at->span.end};
  hover.markdown = "**entry** `" + at->name.key + "` of the tree " + text::quote(at->name.tree);
  if (typed != nullptr) hover.markdown += "\n\ntype: `" + dialects::btcpp::shown(typed->type) + "`, of " + typed->by;
  hover.markdown += also + listed_places(project, "written by", written) + listed_places(project, "read by", read);
  return hover;
}

std::vector<Location> entry_definition(const LiveProject& project, FileId file, std::uint32_t offset) {
  if (!may_have_entries(project, file)) return {};
  const EntryPlaces places = places_of(project, file);
  const EntryPlace* const at = place_at(places, file, offset);
  if (at == nullptr) return {};
  const std::set<EntryName> names = places.of_same_entry(at->name);
  std::vector<Location> written;
  std::vector<Location> declared;
  for (const EntryPlace& each : places.all()) {
    if (names.count(each.name) == 0 || each.written == Written::implied) continue;
    if (each.is_written) written.push_back(location_of(each));
    if (!each.is_written && !each.is_read) declared.push_back(location_of(each));
  }
  return in_order(written.empty() ? std::move(declared) : std::move(written));
}

std::vector<Location> entry_references(const LiveProject& project, FileId file, std::uint32_t offset) {
  std::vector<Location> locations;
  if (!may_have_entries(project, file)) return locations;
  const EntryPlaces places = places_of(project, file);
  const EntryPlace* const at = place_at(places, file, offset);
  if (at == nullptr) return locations;
  const std::set<EntryName> names = places.of_same_entry(at->name);
  for (const EntryPlace& each : places.all()) {
    if (names.count(each.name) != 0 && each.written != Written::implied) locations.push_back(location_of(each));
  }
  return in_order(std::move(locations));
}

std::optional<Renaming> entry_renaming(const LiveProject& project, FileId file, std::uint32_t offset) {
  if (!may_have_entries(project, file)) return std::nullopt;
  const EntryPlaces places = places_of(project, file);
  const EntryPlace* const at = place_at(places, file, offset);
  if (at == nullptr) return std::nullopt;
  Renaming result{{at->span.begin, at->span.end}, at->name.key, {}, {}};
  const std::set<EntryName> names = places.of_same_name(at->name);
  for (const EntryPlace& each : places.all()) {
    if (names.count(each.name) == 0 || each.written == Written::follows) continue;
    if (each.written == Written::implied) {
      result.fault = each.by + " has this name without writing it, at " + shown_place(project, each);
    } else {
      result.places.push_back(location_of(each));
    }
  }
  result.places = in_order(std::move(result.places));
  return result;
}

std::vector<TextPlace> entry_places_beside(const LiveProject& project, FileId file, std::uint32_t offset,
                                           const std::vector<TextFile>& texts, Wanted wanted) {
  std::vector<TextPlace> result;
  if (!may_have_entries(project, file)) return result;
  const EntryPlaces places = places_of(project, file);
  const EntryPlace* const at = place_at(places, file, offset);
  if (at == nullptr) return result;
  const std::set<EntryName> names =
      wanted == Wanted::all ? places.of_same_entry(at->name) : places.of_same_name(at->name);
  const FileSet connected = project.connections().connected(file);
  // Other programs can have a tree of the name.
  const auto is_of_program = [&](const NamedTree& tree) {
    const std::vector<FileId> files = files_of_tree(project, tree);
    return std::any_of(files.begin(), files.end(), [&](FileId each) { return connected.count(each) != 0; });
  };
  for (const TextFile& text : texts) {
    const bool is_trace = text.path.ends_with(project::kTraceSuffix);
    const NamedTree about = is_trace ? tree_of_trace(text.text).value_or(NamedTree()) : NamedTree();
    if (!about.is_any() && !is_of_program(about)) continue;
    const std::string& tree = about.name;
    for (const JsonOccurrence& found : names_in_json(text.text, is_trace)) {
      const bool has_escapes = found.range.end - found.range.begin != found.name.size();
      if (found.kinds->front() != NameKind::variable || has_escapes) continue;
      if (!found.tree.is_any() && !is_of_program(found.tree)) continue;
      // A property that names no tree is about all that know its names.
      std::set<std::string> trees = {found.tree.name.empty() ? tree : found.tree.name};
      if (!is_trace && found.tree.name.empty()) {
        for (const EntryName& each : names) trees.insert(each.tree);
      }
      const auto is_of = [&](const std::string& each) {
        const std::optional<EntryName> entry = places.in_trace(each, found.name);
        return entry && names.count(*entry) != 0;
      };
      if (std::none_of(trees.begin(), trees.end(), is_of)) continue;
      const std::size_t path_size = found.name.rfind('/') + 1;  // 0 without one
      const auto size = static_cast<std::uint32_t>(found.name.size() - path_size);
      result.push_back({text.path, {found.range.end - size, found.range.end}});
    }
  }
  return result;
}

std::optional<std::string> why_no_entry_name(const LiveProject& project, FileId file, std::uint32_t offset,
                                             std::string_view name) {
  if (!may_have_entries(project, file)) return std::nullopt;
  const EntryPlaces places = places_of(project, file);
  const EntryPlace* const at = place_at(places, file, offset);
  if (at == nullptr) return std::nullopt;
  if (name == at->name.key) return std::string();
  if (!is_script_word(name)) return "the name of an entry has letters, digits and '_', and does not begin with a digit";
  std::set<EntryName> taken;
  for (EntryName each : places.of_same_name(at->name)) {
    each.key = name;
    taken.insert(std::move(each));
  }
  for (const EntryPlace& each : places.all()) {
    if (taken.count(each.name) != 0) {
      return "the tree " + text::quote(each.name.tree) + " has an entry " + text::quote(name) + " already, at " +
             shown_place(project, each);
    }
  }
  return std::string();
}

std::vector<std::string> entry_names(const LiveProject& project, FileId file, std::string_view text,
                                     std::uint32_t offset) {
  if (!may_have_entries(project, file)) return {};
  const std::string_view tree = tree_around(text, offset);
  std::set<std::string> names;
  const EntryPlaces places = places_of(project, file);
  for (const EntryPlace& each : places.all()) {
    if (each.name.tree == tree) names.insert(each.name.key);
  }
  return {names.begin(), names.end()};
}

}  // namespace espalier::editor
