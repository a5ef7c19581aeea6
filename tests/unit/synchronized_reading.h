// Synchronized trees read from text in a test: what came of them, and what was found.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "dialects/synchronized/synchronized.h"
#include "findings_of.h"
#include "text/xml.h"

using Lines = std::vector<std::string>;

struct SynchronizedReading {
  espalier::text::Sources sources;
  espalier::text::Findings findings;
  std::vector<std::unique_ptr<espalier::text::XmlDocument>> documents;
  espalier::ir::Project project;

  explicit SynchronizedReading(const std::string& file, const espalier::dialects::Options& options = {})
      : SynchronizedReading(Lines{file}, options) {}
  // What is in the files "0.xml", "1.xml" and so on.
  explicit SynchronizedReading(const Lines& files, const espalier::dialects::Options& options = {}) {
    using namespace espalier;
    std::vector<dialects::File> parsed;
    for (const std::string& content : files) {
      const std::string name = std::to_string(documents.size());
      documents.push_back(text::XmlDocument::parse(name + ".xml", content, sources, findings));
      if (documents.back()) parsed.push_back({documents.back().get(), name});
    }
    dialects::synchronized::read(parsed, options, project, findings);
    findings.sort(sources);
  }

  // "3 unknown-attribute" for each finding, related places behind it: " <- 1"; lines alone.
  std::vector<std::string> found() const { return findings_of(findings, sources, false); }
  std::string text_at(const espalier::text::Span& span) const { return text_of(span, sources); }
};

// A tree with these lines in its root, a Selector, from line 2 on.
inline std::string synchronized_tree(const Lines& children, const std::string& attributes = "") {
  std::string result = "<SynchronizedTree name='T'" + attributes + "><Selector>\n";
  for (const std::string& line : children) result += line + '\n';
  return result + "</Selector></SynchronizedTree>\n";
}
