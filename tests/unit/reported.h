// Everything that reports show of a project's findings, as one text.
#pragma once
#include <string>

#include "project/project.h"
#include "rules/rules.h"

namespace espalier {

inline void add_place(text::Span span, const text::Sources& sources, std::string& report) {
  const text::Source& source = sources[span.file];
  const text::Position place = source.position(span.begin);
  report += source.path() + ':' + std::to_string(place.line) + ':' + std::to_string(place.column) + '-' +
            std::to_string(span.end - span.begin) + ' ' + std::string(source.line(place.line)) + '\n';
}

inline std::string reported(const project::Project& project) {
  const text::Sources& sources = project.snapshot.sources;
  std::string report = std::to_string(project.snapshot.file_count) + " files\n";
  for (const text::Finding& finding : project.findings.all()) {
    report += std::string(rules::info(finding.rule).code) + ' ' + std::string(severity_name(finding.severity)) + ": " +
              finding.message + " (" + finding.hint + ")\n";
    add_place(finding.span, sources, report);
    for (const text::Related& each : finding.related) {
      report += each.message + '\n';
      add_place(each.span, sources, report);
    }
    for (const text::Fix& fix : finding.fixes) {
      report += std::string(fix_grade_name(fix.grade)) + ' ' + fix.title + '\n';
      for (const text::Edit& edit : fix.edits) {
        report += "-> " + edit.replacement + '\n';
        add_place(edit.span, sources, report);
      }
    }
    if (finding.witness)
      report += finding.witness->shows + finding.witness->trace.back() + finding.witness->expect + '\n';
  }
  return report;
}

}  // namespace espalier
