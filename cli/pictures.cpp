// What the verbs that write pictures share. See pictures.h.
#include "cli/pictures.h"

#include "rules/rules.h"
#include "system/output_files.h"
#include "text/visible.h"

namespace espalier::cli {

std::vector<report::PictureSource> sources_of(const project::Project& project) {
  std::vector<report::PictureSource> sources;
  for (text::FileId file = 0; file < project.snapshot.sources.size(); ++file) {
    const text::Source& source = project.snapshot.sources[file];
    if (!source.shows_excerpts()) continue;
    report::PictureSource& lines = sources.emplace_back();
    lines.path = text::visible(source.path());
    const std::uint32_t count = source.position(static_cast<std::uint32_t>(source.text().size())).line;
    for (std::uint32_t line = 1; line <= count; ++line) lines.lines.push_back(text::visible(source.line(line)));
  }
  return sources;
}

std::vector<report::PictureNote> notes_of(const project::Project& project) {
  std::vector<report::PictureNote> notes;
  for (const text::Finding& finding : project.findings.all()) {
    const text::Source& source = project.snapshot.sources[finding.span.file];
    const text::Position at = source.position(finding.span.begin);
    const std::string words = std::string(rules::severity_name(finding.severity)) + ": " + finding.message + " [" +
                              std::string(rules::info(finding.rule).code) + ']';
    notes.push_back({text::visible(source.path()), at.line, at.column, text::visible(words)});
  }
  return notes;
}

int fail_without_pages() {
  return fail("this espalier was built without the library for HTML pages",
              "install d3-hierarchy (Debian: node-d3-hierarchy) and build espalier again");
}

int write_picture_file(const std::string& path, std::string_view bytes, const std::vector<std::string>& inputs) {
  system::OutputFault fault;
  return system::write_files({{{path, bytes}}, inputs}, &fault) ? kOk : fail(fault.message, fault.hint);
}

}  // namespace espalier::cli
