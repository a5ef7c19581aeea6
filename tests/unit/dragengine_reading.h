// Trees of rules read from text in a test: the results and the findings.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "findings_of.h"
#include "text/xml.h"

struct DragengineReading {
  espalier::text::Sources sources;
  espalier::text::Findings findings;
  std::vector<std::unique_ptr<espalier::text::XmlDocument>> documents;
  espalier::ir::Project project;

  explicit DragengineReading(const std::string& file, const espalier::dialects::Options& options = {})
      : DragengineReading(std::vector<std::pair<std::string, std::string>>{{"tree.xml", file}}, options) {}
  // Paths of files below the project's folder, and their contents; sorted by path.
  explicit DragengineReading(const std::vector<std::pair<std::string, std::string>>& files,
                             espalier::dialects::Options options = {}) {
    using namespace espalier;
    std::vector<dialects::File> own;
    for (const auto& [path, content] : files) {
      documents.push_back(text::XmlDocument::parse(path, content, sources, findings));
      const bool is_sound = documents.back() != nullptr && !documents.back()->is_damaged();
      const text::XmlDocument* const document = is_sound ? documents.back().get() : nullptr;
      if (document != nullptr && dialects::dragengine::dialect().owns(document->root().name())) {
        own.push_back({document, path.substr(0, path.rfind('.')), "/project/" + path, "/project"});
        continue;
      }
      options.other_files.push_back({"/project/" + path, {}});
      if (document != nullptr) options.other_files.back().root = document->root().span();
    }
    dialects::dragengine::dialect().read(own, options, project, findings);
    findings.sort(sources);
  }

  // "tree.xml:3 unknown-element" for each finding, followed by related places: " <- tree.xml:1".
  std::vector<std::string> found() const { return findings_of(findings, sources, true); }
  std::string place(const espalier::text::Span& span) const { return place_of(span, sources, true); }
  std::string text_at(const espalier::text::Span& span) const { return text_of(span, sources); }
};

using Lines = std::vector<std::string>;

// A file with these lines below its root element, from line 2 on.
inline std::string rule_file(const Lines& lines) {
  std::string result = "<behaviorTree>\n";
  for (const std::string& line : lines) result += line + '\n';
  return result + "</behaviorTree>\n";
}
