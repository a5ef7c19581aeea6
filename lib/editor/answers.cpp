// Names: hover, definitions, references and renaming. See answers.h.
#include "editor/answers.h"

#include <algorithm>
#include <set>

#include "dialects/condition/condition.h"
#include "editor/context.h"
#include "editor/entries.h"
#include "editor/rows.h"
#include "editor/same_names.h"
#include "editor/trace_names.h"
#include "editor/traces.h"
#include "project/explain_element.h"
#include "project/trace_files.h"
#include "rules/rules.h"
#include "text/names.h"

namespace espalier::editor {
namespace {

constexpr std::size_t kMaxListed = 12;

std::string_view text_of(const LiveProject& project, FileId file) { return project.snapshot().sources[file].text(); }

std::string written(const LiveProject& project, const FileOccurrence& place) {
  const Range range = place.occurrence->range;
  const std::string_view text = text_of(project, place.file);
  return range.end > text.size() ? std::string() : std::string(text.substr(range.begin, range.end - range.begin));
}

std::string shown(const LiveProject& project, const FileOccurrence& place) {
  const text::Source& source = project.snapshot().sources[place.file];
  return '`' + source.path() + ':' + std::to_string(source.position(place.occurrence->range.begin).line) + '`';
}

std::string listed(const LiveProject& project, const std::vector<FileOccurrence>& places) {
  std::string list;
  for (std::size_t i = 0; i < places.size() && i < kMaxListed; ++i)
    list += (i == 0 ? "" : ", ") + shown(project, places[i]);
  if (places.size() > kMaxListed) list += " and " + std::to_string(places.size() - kMaxListed) + " more";
  return list;
}

// Who declares, sets and reads a name: for a state, a block or a tree, what leads to it.
std::string about_name(const LiveProject& project, FileId file, const Occurrence& occurrence) {
  std::vector<FileOccurrence> of_use[3];
  for (const FileOccurrence& place : same_names(project, file, occurrence)) {
    if (!place.occurrence->is_implied) of_use[static_cast<unsigned>(place.occurrence->use)].push_back(place);
  }
  const bool is_reached = occurrence.kind == NameKind::state || occurrence.kind == NameKind::block ||
                          occurrence.kind == NameKind::tree || occurrence.kind == NameKind::decider;
  const bool is_signal = occurrence.kind == NameKind::signal;
  const std::string_view words[] = {is_reached  ? "led to by"
                                    : is_signal ? "received by"
                                                : "read by",
                                    is_signal ? "sent by" : "set by", "declared"};
  std::string text =
      "**" + std::string(word_of(occurrence.kind)) + "** `" + written(project, {file, &occurrence}) + '`';
  for (const NameUse use : {NameUse::declares, NameUse::writes, NameUse::reads}) {
    const std::vector<FileOccurrence>& places = of_use[static_cast<unsigned>(use)];
    if (!places.empty())
      text += "\n\n" + std::string(words[static_cast<unsigned>(use)]) + ": " + listed(project, places);
  }
  return text;
}

std::string about_element(const LiveProject& project, const dialects::Dialect& dialect, std::string_view name) {
  for (const project::ExplainedElement& each :
       project::explain_element(name, project.snapshot().configuration.dialects)) {
    if (each.dialect != dialect.name) continue;
    std::string text = "**" + each.reference.name + "** (" + std::string(each.kind) + ")\n\n" + each.reference.doc;
    if (!each.reference.holds.empty()) text += "\n\nHolds: " + each.reference.holds;
    return text;
  }
  return {};
}

std::string about_attribute(const dialects::AttributeRow& row) {
  std::string text = "**" + std::string(row.name) + "**\n\n" + std::string(row.doc);
  if (const std::string value = dialects::describe(row.value); !value.empty()) text += "\n\nValue: " + value;
  if (!row.otherwise.empty()) text += "\n\nDefault: `" + std::string(row.otherwise) + '`';
  return text;
}

void add_section(std::string& markdown, const std::string& section) {
  if (!section.empty()) markdown += (markdown.empty() ? "" : "\n\n---\n\n") + section;
}

// Of a port, `doc` has the direction and the type too.
std::string listed(const dialects::HostAttribute& port) {
  std::string line = "\n- `" + port.name + '`';
  if (!port.doc.empty()) line += ": " + port.doc;
  if (port.otherwise) line += port.otherwise->empty() ? " (default: empty)" : " (default `" + *port.otherwise + "`)";
  return line;
}

// The ports, or parameters, of a node of the host, and where its source declares it.
std::string about_host(const dialects::HostDeclaration& host, std::string_view what_it_has) {
  std::string text;
  for (std::size_t i = 0; i < host.attributes.size() && i < kMaxListed; ++i) text += listed(host.attributes[i]);
  if (host.attributes.size() > kMaxListed)
    text += "\n- and " + std::to_string(host.attributes.size() - kMaxListed) + " more";
  if (!text.empty()) text = "\n\n" + std::string(what_it_has) + ":\n" + text;
  if (!host.at.empty()) {
    const std::string what = host.class_name.empty() ? std::string() : '`' + host.class_name + "` in ";
    text += "\n\nIn C++: " + what + '`' + host.at + '`';
  }
  return text;
}

// The element or attribute whose name is at the place, or the node that a value names.
void add_markup(const LiveProject& project, const dialects::Dialect& dialect, std::string_view text,
                std::uint32_t offset, Hover& hover) {
  const Context context = context_at(text, offset);
  using Kind = Context::Kind;
  const Rows rows(dialect, project.snapshot().configuration.dialects);
  const std::string_view word = text.substr(context.word.begin, context.word.end - context.word.begin);
  const auto add_node = [&](const dialects::HostDeclaration* host, std::string_view name) {
    std::string section = about_element(project, dialect, name);
    const bool has_ports = dialect.table().unknown_elements == NameKind::host_node;
    if (host != nullptr) section += about_host(*host, has_ports ? "Ports" : "Parameters");
    add_section(hover.markdown, section);
  };
  if (context.kind == Kind::element_name || context.kind == Kind::end_name) {
    add_node(rows.host(context.around, word, {}), word);
    hover.range = context.word;
  } else if (context.kind == Kind::attribute_name || context.kind == Kind::value) {
    const dialects::ElementRow* const row = rows.find(context.around, context.element);
    const bool is_value = context.kind == Kind::value;
    const std::string_view name = is_value ? context.attribute : word;
    const auto* const attribute = row == nullptr ? nullptr : rows.attribute(*row, context.attributes, name);
    const dialects::HostDeclaration* const host = rows.host(context.around, context.element, context.attributes);
    const bool is_name_of_node =
        is_value && host != nullptr && row != nullptr && row->takes_parameters && attribute == row->attributes.data();
    if (is_name_of_node) {
      add_node(host, host->name);
    } else if (attribute != nullptr) {
      add_section(hover.markdown, about_attribute(*attribute));
      const auto* const port = host == nullptr ? nullptr : dialects::find_attribute(*host, name);
      if (port != nullptr && !port->at.empty()) hover.markdown += "\n\nIn C++: `" + port->at + '`';
    }
    hover.range = is_value ? context.value : context.word;
  }
}

// Names that are not written as they are compared cannot be replaced: those of paths, and of whole files.
bool is_renamed(const Occurrence& each) { return !each.is_implied; }

const Occurrence* name_at(const LiveProject& project, FileId file, std::uint32_t offset) {
  return project.index().names_of(file).at(offset);
}

}  // namespace

std::optional<Hover> hover(const LiveProject& project, FileId file, std::uint32_t offset) {
  const project::SnapshotFile* const tree = project.tree_file(file);
  if (tree == nullptr || !tree->parsed->has_document) return std::nullopt;
  const text::XmlDocument document(tree->parsed, file);
  const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
  Hover result;
  const Occurrence* const name = name_at(project, file, offset);
  if (name != nullptr) add_section(result.markdown, about_name(project, file, *name));
  const std::optional<Hover> entry = entry_hover(project, file, offset);
  if (entry) add_section(result.markdown, entry->markdown);
  if (dialect != nullptr) add_markup(project, *dialect, text_of(project, file), offset, result);
  if (name != nullptr) result.range = name->range;
  if (entry) result.range = entry->range;
  for (const text::Finding& finding : project.findings_of(file)) {
    if (!Range{finding.span.begin, finding.span.end}.holds(offset)) continue;
    const rules::RuleInfo& rule = rules::info(finding.rule);
    add_section(result.markdown, "**" + std::string(rule.name) + "** (" + std::string(rule.code) +
                                     "): " + std::string(rule.summary) + "\n\n" + std::string(rule.why));
  }
  if (result.markdown.empty()) return std::nullopt;
  return result;
}

std::vector<Location> references(const LiveProject& project, FileId file, std::uint32_t offset,
                                 bool with_declarations) {
  const Occurrence* const name = name_at(project, file, offset);
  std::vector<Location> locations;
  if (name == nullptr) return entry_references(project, file, offset);
  for (const FileOccurrence& place : same_names(project, file, *name)) {
    const Occurrence& each = *place.occurrence;
    if (!each.is_implied && (with_declarations || each.use != NameUse::declares))
      locations.push_back({place.file, each.range});
  }
  return locations;
}

std::vector<TextPlace> places_beside(const LiveProject& project, FileId file, std::uint32_t offset,
                                     const std::vector<TextFile>& texts, Wanted wanted) {
  std::vector<TextPlace> places;
  const Occurrence* const name = name_at(project, file, offset);
  if (name == nullptr) return entry_places_beside(project, file, offset, texts, wanted);
  std::set<FileId> files;
  for (const FileOccurrence& place : same_names(project, file, *name)) files.insert(place.file);
  const bool is_of_project = name->scope == kProjectScope;
  const bool any_case = text::lower_case(written(project, {file, name})) == name->key;
  for (const TextFile& each : texts) {
    const bool is_trace = each.path.ends_with(project::kTraceSuffix);
    const NamedTree tree = is_trace ? tree_of_trace(each.text).value_or(NamedTree()) : NamedTree();
    const std::vector<FileId> about = files_of_tree(project, tree);
    const auto is_ours = [&](FileId of_tree) { return files.count(of_tree) != 0; };
    if (!is_of_project && std::none_of(about.begin(), about.end(), is_ours)) continue;
    for (const JsonOccurrence& found : names_in_json(each.text, is_trace)) {
      const bool is_kind = std::find(found.kinds->begin(), found.kinds->end(), name->kind) != found.kinds->end();
      const bool is_same = any_case ? text::lower_case(found.name) == name->key : found.name == name->key;
      if (!is_kind || !is_same) continue;
      if (name->kind == NameKind::tree) {  // others can have the name
        const std::vector<FileId> meant = files_of_tree(project, found.tree);
        if (std::none_of(meant.begin(), meant.end(), is_ours)) continue;
      }
      places.push_back({each.path, found.range});
    }
  }
  return places;
}

std::optional<Renaming> renaming(const LiveProject& project, FileId file, std::uint32_t offset) {
  const Occurrence* const name = name_at(project, file, offset);
  if (name == nullptr) return entry_renaming(project, file, offset);
  Renaming result{name->range, written(project, {file, name}), {}, {}};
  for (const FileOccurrence& place : same_names(project, file, *name)) {
    if (is_renamed(*place.occurrence)) {
      result.places.push_back({place.file, place.occurrence->range});
    } else if (name->kind != NameKind::tree || !place.occurrence->key.starts_with(kAnyTree)) {
      result.fault = "this is the name of a file: rename the file";
    }
  }
  if (name->kind == NameKind::file) result.fault = "a path is changed by moving its file";
  return result;
}

std::string why_no_name(const LiveProject& project, FileId file, std::uint32_t offset, std::string_view name) {
  const Occurrence* const old = name_at(project, file, offset);
  if (old == nullptr) return why_no_entry_name(project, file, offset, name).value_or("there is no name here");
  if (name.empty()) return "a name cannot be empty";
  if (name.find_first_of("\"'<>&") != std::string_view::npos) return "a name cannot contain quotes, '<', '>' or '&'";
  if (old->kind == NameKind::variable && !dialects::condition::can_spell(name)) {
    return text::quote(name) + " is not a name that conditions can contain";
  }
  const bool is_word = old->kind == NameKind::flag || old->kind == NameKind::stimulus || old->kind == NameKind::tree ||
                       old->kind == NameKind::behavior_flag;
  if (is_word && name.find_first_of(" \t\r\n!") != std::string_view::npos) {
    return "the name occurs in lists, so it cannot contain blanks or '!'";
  }
  Occurrence other = *old;
  other.key = text::lower_case(old->key) == old->key ? text::lower_case(name) : std::string(name);
  if (other.key == old->key) return {};
  for (const FileOccurrence& place : project.index().same(file, other)) {
    if (place.occurrence->use == NameUse::declares) {
      return "the " + std::string(word_of(old->kind)) + ' ' + text::quote(name) + " already exists, at " +
             shown(project, place);
    }
  }
  return {};
}

}  // namespace espalier::editor
