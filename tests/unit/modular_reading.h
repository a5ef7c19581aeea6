// Modular trees read from text in a test: the results and the findings.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "findings_of.h"
#include "text/xml.h"

struct ModularReading {
  espalier::text::Sources sources;
  espalier::text::Findings findings;
  std::vector<std::unique_ptr<espalier::text::XmlDocument>> documents;
  espalier::ir::Project project;

  explicit ModularReading(const std::string& file, const espalier::dialects::Options& options = {})
      : ModularReading(std::vector<std::pair<std::string, std::string>>{{"Guard", file}}, options) {}
  // Names of files, and their contents.
  explicit ModularReading(const std::vector<std::pair<std::string, std::string>>& files,
                          const espalier::dialects::Options& options = {}) {
    using namespace espalier;
    std::vector<dialects::File> parsed;
    for (const auto& [name, content] : files) {
      documents.push_back(text::XmlDocument::parse(name + ".xml", content, sources, findings));
      if (documents.back()) parsed.push_back({documents.back().get(), name});
    }
    dialects::modular::dialect().read(parsed, options, project, findings);
    findings.sort(sources);
  }

  // "3 unknown-variable" for each finding, followed by related places: " <- 1"; only lines.
  std::vector<std::string> found() const { return findings_of(findings, sources, false); }
  std::string place(const espalier::text::Span& span) const { return place_of(span, sources, false); }
  std::string text_at(const espalier::text::Span& span) const { return text_of(span, sources); }
};

using Lines = std::vector<std::string>;

// A tree with `root` in its Root, each part on a separate line from line 2 on, followed by the sections.
inline std::string modular_tree(const Lines& root, const Lines& sections = {}) {
  std::string result = "<BehaviorTree><Root>\n";
  for (const std::string& line : root) result += line + '\n';
  result += "</Root>\n";
  for (const std::string& line : sections) result += line + '\n';
  return result + "</BehaviorTree>\n";
}
