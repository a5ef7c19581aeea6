// Formats the trees of a project. See format_files.h.
#include "rewrite/format_files.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dialects/dialect.h"
#include "project/files.h"
#include "project/parsed_files.h"
#include "rewrite/edits.h"
#include "rewrite/format.h"
#include "text/xml.h"

namespace espalier::rewrite {
namespace {

const dialects::Dialect* dialect_of(const project::SnapshotFile& file) {
  const text::XmlDocument document(file.parsed, file.id);
  return dialects::find_owner(document.root_name());
}

// The text in canonical layout, or as an older format becomes it; nothing if the file is not of that format.
std::optional<std::string> new_text(const project::SnapshotFile& file, const dialects::Dialect& dialect,
                                    const project::Configuration& configuration, std::string_view migration) {
  if (migration.empty()) {
    const Layout layout = layout_of(*file.parsed, file.place.path, configuration, project::Files());
    return formatted(*file.parsed, dialect.table(), layout);
  }
  if (dialect.migration == nullptr || dialect.migration->name != migration) return std::nullopt;
  const text::XmlDocument document(file.parsed, file.id);
  return edited(file.parsed->source->text(), dialect.migration->edits(document, configuration.dialects));
}

void format_file(const project::SnapshotFile& file, const project::Configuration& configuration,
                 std::string_view migration, FormattedFiles& result) {
  const text::ParsedXml& parsed = *file.parsed;
  std::string_view reason = why_not_formatted(parsed);
  const dialects::Dialect* dialect = reason.empty() ? dialect_of(file) : nullptr;
  std::optional<RewrittenFile> changed;
  if (dialect != nullptr) {
    const std::optional<std::string> text = new_text(file, *dialect, configuration, migration);
    if (text) changed = rewritten(file, *text);
    if (!text) reason = "it is of another dialect";
  }
  if (!changed) {
    result.left.push_back({parsed.source->path(), std::string(reason.empty() ? "it is not a tree" : reason)});
  } else if (changed->before == changed->after && changed->path != project::kStandardInput) {
    ++result.unchanged_count;
  } else {
    result.changed.push_back(std::move(*changed));
  }
}

bool is_left(const project::SnapshotFile& file, const project::Configuration& configuration) {
  return file.parsed == nullptr || !file.place.is_tree || configuration.has_errors;
}

void learn(std::string_view migration, project::Snapshot& snapshot) {
  for (const project::SnapshotFile& file : snapshot.files) {
    if (is_left(file, snapshot.configuration)) continue;
    const dialects::Dialect* const dialect = dialect_of(file);
    if (dialect == nullptr || dialect->migration == nullptr || dialect->migration->name != migration) continue;
    dialect->migration->learn(text::XmlDocument(file.parsed, file.id), snapshot.configuration.dialects);
  }
}

}  // namespace

bool format_files(const project::LoadOptions& options, std::string_view migration, FormattedFiles& result,
                  project::LoadErrors& errors, project::Progress* progress) {
  project::LoadOptions only_named = options;
  only_named.is_isolated = true;
  project::Snapshot snapshot;
  project::ParsedFiles kept_by_nobody(0);
  if (!take_snapshot(only_named, {}, kept_by_nobody, snapshot, errors, progress)) return false;
  if (!migration.empty()) learn(migration, snapshot);
  for (const project::SnapshotFile& file : snapshot.files) {
    if (is_left(file, snapshot.configuration)) continue;
    format_file(file, snapshot.configuration, migration, result);
    for (const text::Finding& finding : snapshot.findings.all()) {
      if (finding.span.file == file.id && finding.severity == text::Severity::error) result.findings.add(finding);
    }
  }
  if (snapshot.configuration.has_errors) {
    for (const text::Finding& finding : snapshot.findings.all()) {
      if (finding.severity == text::Severity::error) result.findings.add(finding);
    }
  }
  result.sources = snapshot.sources;
  return true;
}

std::string migrations() {
  std::string names;
  for (const dialects::Dialect& dialect : dialects::all()) {
    if (dialect.migration == nullptr) continue;
    if (!names.empty()) names += '|';
    names += dialect.migration->name;
  }
  return names;
}

}  // namespace espalier::rewrite
