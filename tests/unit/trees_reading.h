// Trees of one dialect read from text in a test: the results and the findings.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "findings_of.h"
#include "lint/lint.h"
#include "text/xml.h"

using Lines = std::vector<std::string>;

// `dialect`: the function that describes it.
template <auto dialect>
struct TreesReading {
  espalier::text::Sources sources;
  espalier::text::Findings findings;
  std::vector<std::unique_ptr<espalier::text::XmlDocument>> documents;
  espalier::ir::Project project;

  explicit TreesReading(const std::string& file, const espalier::dialects::Options& options = {})
      : TreesReading(Lines{file}, options) {}
  // The contents of the files "0.xml", "1.xml" and so on.
  explicit TreesReading(const Lines& files, const espalier::dialects::Options& options = {}) {
    using namespace espalier;
    std::vector<dialects::File> parsed;
    for (const std::string& content : files) {
      const std::string name = std::to_string(documents.size());
      documents.push_back(text::XmlDocument::parse(name + ".xml", content, sources, findings));
      if (documents.back()) parsed.push_back({documents.back().get(), name});
    }
    dialect().read(parsed, options, project, findings);
    lint::find_errors(project, findings);
    findings.sort(sources);
  }

  // "3 unknown-name" for each finding, followed by related places: " <- 1"; only lines.
  std::vector<std::string> found() const { return findings_of(findings, sources, false); }
  std::string place(const espalier::text::Span& span) const { return place_of(span, sources, false); }
  std::string text_at(const espalier::text::Span& span) const { return text_of(span, sources); }
};
