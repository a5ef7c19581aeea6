// Selection trees read from text in a test: the results and the findings.
#pragma once
#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/dialect.h"
#include "findings_of.h"
#include "text/xml.h"

struct SelectionReading {
  espalier::text::Sources sources;
  espalier::text::Findings findings;
  std::vector<std::unique_ptr<espalier::text::XmlDocument>> documents;
  espalier::ir::Project project;

  explicit SelectionReading(const std::vector<std::string>& files) {
    using namespace espalier;
    std::vector<dialects::File> parsed;
    for (std::size_t i = 0; i < files.size(); ++i) {
      documents.push_back(text::XmlDocument::parse(std::to_string(i) + ".xml", files[i], sources, findings));
      if (documents.back()) parsed.push_back({documents.back().get(), std::to_string(i)});
    }
    dialects::selection::dialect().read(parsed, {}, project, findings);
    findings.sort(sources);
  }
  // Only for std::string: a list of two literals would otherwise be taken for a range of characters.
  explicit SelectionReading(const std::same_as<std::string> auto& file)
      : SelectionReading(std::vector<std::string>{file}) {}
  explicit SelectionReading(const char* file) : SelectionReading(std::vector<std::string>{file}) {}

  // "0.xml:3 unknown-variable" for each finding, followed by related places: " <- 0.xml:1".
  std::vector<std::string> found() const { return findings_of(findings, sources, true); }
  std::string place(const espalier::text::Span& span) const { return place_of(span, sources, true); }
  std::string text_at(const espalier::text::Span& span) const { return text_of(span, sources); }
};

using Lines = std::vector<std::string>;

// A tree named Guard that holds `content`, each part on a separate line from line 2 on.
inline std::string tree_of(const Lines& content) {
  std::string result = "<SelectionTree name='Guard' type='BehaviorSelectionTree'>\n";
  for (const std::string& line : content) result += line + '\n';
  return result + "</SelectionTree>\n";
}
