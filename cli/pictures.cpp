// What the verbs that write pictures share. See pictures.h.
#include "cli/pictures.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>

#include "ir/poll/written.h"
#include "replay/names.h"
#include "report/pictures/elements.h"
#include "report/pictures/written.h"
#include "rules/rules.h"
#include "system/output_files.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {

std::vector<report::PictureSource> sources_of(const text::Sources& sources) {
  std::vector<report::PictureSource> all;
  for (text::FileId file = 0; file < sources.size(); ++file) {
    const text::Source& source = sources[file];
    if (!source.shows_excerpts()) continue;
    report::PictureSource& lines = all.emplace_back();
    lines.path = text::visible(source.path());
    const std::uint32_t count = source.position(static_cast<std::uint32_t>(source.text().size())).line;
    for (std::uint32_t line = 1; line <= count; ++line) lines.lines.push_back(text::visible(source.line(line)));
  }
  return all;
}

std::vector<report::PictureNote> notes_of(const text::Findings& findings, const text::Sources& sources) {
  std::vector<report::PictureNote> notes;
  for (const text::Finding& finding : findings.all()) {
    const text::Source& source = sources[finding.span.file];
    const text::Position at = source.position(finding.span.begin);
    const std::string words = std::string(rules::severity_name(finding.severity)) + ": " + finding.message + " [" +
                              std::string(rules::info(finding.rule).code) + ']';
    notes.push_back({text::visible(source.path()), at.line, at.column, text::visible(words)});
  }
  return notes;
}

std::vector<report::PictureTree> written_trees(const project::Project& project, std::span<const ir::Tree> but_these) {
  if (project.ir.written == nullptr) return {};
  std::set<text::Span> others;
  for (const ir::Tree& tree : but_these) others.insert(tree.span);
  return report::outline_written(*project.ir.written, project.snapshot.sources, [&](const ir::poll::WrittenTree& tree) {
    return others.count(tree.span) == 0 && project.snapshot.rest.count(tree.span.file) == 0;
  });
}

std::vector<report::PictureTree> other_files(const project::Project& project, const text::Findings& findings) {
  const text::Sources& sources = project.snapshot.sources;
  std::set<text::FileId> with_trees = project.snapshot.rest;
  if (project.ir.written != nullptr) {
    for (const ir::poll::WrittenTree& tree : project.ir.written->trees) {
      if (tree.has_root()) with_trees.insert(tree.span.file);
    }
  }
  std::vector<text::FileId> others;
  for (text::FileId file = 0; file < sources.size(); ++file) {
    if (!sources[file].path().ends_with(".json") && with_trees.count(file) == 0) others.push_back(file);
  }
  std::set<text::FileId> faulty;
  for (const text::Finding& finding : findings.all()) {
    if (finding.severity == text::Severity::error) faulty.insert(finding.span.file);
  }
  return report::outline_elements(others, faulty, sources);
}

void append(std::vector<report::PictureTree> more, std::vector<report::PictureTree>& trees) {
  trees.insert(trees.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

int leave_tree(const std::string& name, std::vector<report::PictureTree>& trees) {
  if (name.empty()) return kOk;
  std::vector<std::string_view> known;
  for (const report::PictureTree& tree : trees) known.push_back(tree.name);
  const auto is_other = [&](const report::PictureTree& tree) {
    return tree.name != name && !tree.name.ends_with(": " + name);
  };
  if (std::all_of(trees.begin(), trees.end(), is_other)) {
    const std::string hint = text::did_you_mean(name, known);
    return fail("unknown tree " + text::quote(name), hint.empty() ? "expected one of " + replay::listed(known) : hint);
  }
  std::erase_if(trees, is_other);
  return kOk;
}

int draw(const std::vector<report::PictureTree>& trees, std::string_view title, const project::Project& project,
         const CommonOptions& options, const FindingOptions& form) {
  const report::PictureFormat format = report::picture_format(form.format);
  if (form.output.empty()) {
    report::write_picture(trees, sources_of(project.snapshot.sources), title, format, std::cout);
    std::cout << std::flush;
    return kOk;
  }
  std::ostringstream text;
  report::write_picture(trees, sources_of(project.snapshot.sources), title, format, text);
  return write_picture_file(form.output, text.str(), inputs_of(options, project));
}

int write_profile_page(const std::string& path, const std::string& run, const Asset& asset,
                       const project::Project& project, const replay::Timeline& timeline,
                       std::vector<std::string> inputs) {
  std::vector<report::PictureTree> trees = report::outline(asset, project.snapshot.sources);
  report::color_by_profile(trees, asset, timeline);
  std::ostringstream text;
  report::write_picture(trees, sources_of(project.snapshot.sources), run, report::PictureFormat::html, text);
  inputs.push_back(run);
  return write_picture_file(path, text.str(), inputs);
}

int write_picture_file(const std::string& path, std::string_view bytes, const std::vector<std::string>& inputs) {
  system::OutputFault fault;
  return system::write_files({{{path, bytes}}, inputs}, &fault) ? kOk : fail(fault.message, fault.hint);
}

}  // namespace espalier::cli
