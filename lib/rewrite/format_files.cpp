// Formats the trees of a project. See format_files.h.
#include "rewrite/format_files.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dialects/dialect.h"
#include "project/files.h"
#include "project/parsed_files.h"
#include "rewrite/format.h"
#include "text/xml.h"

namespace espalier::rewrite {
namespace {

const dialects::Dialect* dialect_of(const project::SnapshotFile& file) {
  const text::XmlDocument document(file.parsed, file.id);
  const std::string_view root = document.root_name();
  const auto all = dialects::all();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const dialects::Dialect& each) { return each.owns(root); });
  return found == all.end() ? nullptr : &*found;
}

void format_file(const project::SnapshotFile& file, FormattedFiles& result) {
  const text::ParsedXml& parsed = *file.parsed;
  const std::string_view reason = why_not_formatted(parsed);
  const dialects::Dialect* dialect = reason.empty() ? dialect_of(file) : nullptr;
  std::optional<RewrittenFile> changed;
  if (dialect != nullptr) changed = rewritten(file, formatted(parsed, dialect->table()));
  if (!changed) {
    result.left.push_back({parsed.source->path(), std::string(reason.empty() ? "it is not a tree" : reason)});
  } else if (changed->before == changed->after && changed->path != project::kStandardInput) {
    ++result.unchanged_count;
  } else {
    result.changed.push_back(std::move(*changed));
  }
}

}  // namespace

bool format_files(const project::LoadOptions& options, FormattedFiles& result, project::LoadErrors& errors,
                  project::Progress* progress) {
  project::LoadOptions only_named = options;
  only_named.is_isolated = true;
  project::Snapshot snapshot;
  project::ParsedFiles kept_by_nobody(0);
  if (!take_snapshot(only_named, {}, kept_by_nobody, snapshot, errors, progress)) return false;
  for (const project::SnapshotFile& file : snapshot.files) {
    if (file.parsed == nullptr || !file.place.is_tree) continue;
    format_file(file, result);
    for (const text::Finding& finding : snapshot.findings.all()) {
      if (finding.span.file == file.id && finding.severity == text::Severity::error) result.findings.add(finding);
    }
  }
  result.sources = snapshot.sources;
  return true;
}

}  // namespace espalier::rewrite
