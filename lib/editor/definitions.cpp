// Where what is under the cursor is declared: in the program's source, in espalier.json and host files, in models, and
// in trees. See answers.h.
#include "editor/answers.h"

#include <optional>
#include <utility>
#include <vector>

#include "editor/context.h"
#include "editor/entries.h"
#include "editor/rows.h"
#include "editor/same_names.h"
#include "editor/source_places.h"

namespace espalier::editor {
namespace {

using dialects::HostAttribute;
using dialects::HostDeclaration;

constexpr std::string_view kModels = "TreeNodesModel";
constexpr std::string_view kPortTag = "_port";

bool declares(std::uint8_t uses) { return (uses >> static_cast<unsigned>(NameUse::declares) & 1) != 0; }

// Does somebody write it? The host files that are built in are no files.
bool is_written(const LiveProject& project, const text::Span& span) {
  return span.end > span.begin && project.files().is_file(project.path_of(span.file));
}
Location location_of(const text::Span& span) { return {span.file, {span.begin, span.end}}; }

// The node of the host under the cursor, or the one whose port is.
struct NodeAt {
  const HostDeclaration* node = nullptr;
  std::string_view port = {};  // empty: the node itself is meant
};

NodeAt node_at(const Rows& rows, std::string_view text, std::uint32_t offset) {
  using Kind = Context::Kind;
  const Context context = context_at(text, offset);
  const std::string_view word = text.substr(context.word.begin, context.word.end - context.word.begin);
  if (context.kind == Kind::element_name || context.kind == Kind::end_name)
    return {rows.host(context.around, word, {})};
  if (context.kind != Kind::attribute_name && context.kind != Kind::value) return {};
  const bool is_value = context.kind == Kind::value;
  const HostDeclaration* const node = rows.host(context.around, context.element, context.attributes);
  return {node, is_value ? context.attribute : word};
}

// The ports of this name in the models of a node.
std::vector<Location> ports_of_models(const LiveProject& project, NameKind kind, const std::string& node,
                                      std::string_view port) {
  std::vector<Location> result;
  const Index::Uses* const uses = project.index().files_with(kind, node);
  if (uses == nullptr) return result;
  for (const auto& [file, use] : *uses) {
    const project::SnapshotFile* const tree = declares(use) ? project.tree_file(file) : nullptr;
    if (tree == nullptr || !tree->parsed->has_document) continue;
    const text::XmlDocument document(tree->parsed, file);
    for (const text::Element& models : document.root().children()) {
      if (models.name() != kModels) continue;
      for (const text::Element& model : models.children()) {
        const text::Attribute id = model.attribute("ID");
        if (!id || id.value() != node) continue;
        for (const text::Element& each : model.children()) {
          const text::Attribute name = each.name().ends_with(kPortTag) ? each.attribute("name") : text::Attribute();
          if (name && name.value() == port) result.push_back(location_of(name.value_span()));
        }
      }
    }
  }
  return result;
}

Definition definition_of_port(const LiveProject& project, NameKind kind, const HostDeclaration& node,
                              const HostAttribute& port) {
  if (!port.at.empty()) {
    const std::optional<SourcePlace> place = port_in_source(project, node, port);
    return place ? Definition{{}, {*place}} : Definition{};
  }
  if (is_written(project, port.span)) {
    // In a node of C++ it is that of a base class which is not among the sources.
    return node.at.empty() ? Definition{{location_of(port.span)}, {}} : Definition{};
  }
  return {ports_of_models(project, kind, node.name, port.name), {}};
}

// What the project declares under this name.
const HostDeclaration* find_named(const dialects::Dialect& dialect, const dialects::Options& options,
                                  const Occurrence& name) {
  if (dialect.configuration.declared != nullptr) {
    for (const dialects::DeclaredNames& list : dialect.configuration.declared(options)) {
      if (list.naming != NameKind::none && list.naming != name.kind) continue;
      if (const HostDeclaration* const host = dialects::find_declaration(list.hosts, name.key)) return host;
    }
  }
  return dialects::find_declaration(options.own_behaviors, name.key);
}

Definition definition_of_name(const LiveProject& project, const dialects::Dialect& dialect, FileId file,
                              const Occurrence& name) {
  std::vector<Location> of_use[3];
  for (const FileOccurrence& place : same_names(project, file, name)) {
    of_use[static_cast<unsigned>(place.occurrence->use)].push_back({place.file, place.occurrence->range});
  }
  Definition result{std::move(of_use[static_cast<unsigned>(NameUse::declares)]), {}};
  const HostDeclaration* const host = find_named(dialect, project.snapshot().configuration.dialects, name);
  if (host != nullptr && is_written(project, host->span)) {
    if (host->at.empty()) result.places.push_back(location_of(host->span));
    if (std::optional<SourcePlace> place = node_in_source(project, *host)) return {{}, {std::move(*place)}};
  }
  if (result.places.empty()) result.places = std::move(of_use[static_cast<unsigned>(NameUse::writes)]);
  return result;
}

}  // namespace

Definition definition(const LiveProject& project, FileId file, std::uint32_t offset) {
  const project::SnapshotFile* const tree = project.tree_file(file);
  if (tree == nullptr || !tree->parsed->has_document) return {};
  const text::XmlDocument document(tree->parsed, file);
  const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
  if (dialect == nullptr) return {};
  const Occurrence* const name = project.index().names_of(file).at(offset);
  if (name != nullptr) return definition_of_name(project, *dialect, file, *name);
  const std::vector<Location> entry = entry_definition(project, file, offset);
  if (!entry.empty()) return {entry, {}};
  const Rows rows(*dialect, project.snapshot().configuration.dialects);
  const NodeAt at = node_at(rows, project.snapshot().sources[file].text(), offset);
  const HostAttribute* const port = at.node == nullptr ? nullptr : dialects::find_attribute(*at.node, at.port);
  if (port == nullptr) return {};
  Definition result = definition_of_port(project, dialect->table().unknown_elements, *at.node, *port);
  if (!result.is_empty() || !port->at.empty()) return result;
  // The place of the port is not known, but that of its node.
  Occurrence node{dialect->table().unknown_elements, NameUse::reads, at.node->name, {}};
  return definition_of_name(project, *dialect, file, node);
}

}  // namespace espalier::editor
