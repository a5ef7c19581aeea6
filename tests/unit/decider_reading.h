// Trees of deciders read from text in a test: what came of them, and what was found.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "dialects/decider/decider.h"
#include "dialects/dialect.h"
#include "findings_of.h"
#include "text/xml.h"

using Lines = std::vector<std::string>;

struct DeciderReading {
  espalier::text::Sources sources;
  espalier::text::Findings findings;
  std::vector<std::unique_ptr<espalier::text::XmlDocument>> documents;
  espalier::ir::Project project;

  explicit DeciderReading(const std::string& file, const espalier::dialects::Options& options = {})
      : DeciderReading(Lines{file}, options) {}
  // What is in the files "0.xml", "1.xml" and so on.
  explicit DeciderReading(const Lines& files, const espalier::dialects::Options& options = {}) {
    using namespace espalier;
    std::vector<dialects::File> parsed;
    for (const std::string& content : files) {
      const std::string name = std::to_string(documents.size());
      documents.push_back(text::XmlDocument::parse(name + ".xml", content, sources, findings));
      if (documents.back()) parsed.push_back({documents.back().get(), name});
    }
    dialects::decider::read(parsed, options, project, findings);
    findings.sort(sources);
  }

  // "3 unknown-flag" for each finding, related places behind it: " <- 1"; lines alone.
  std::vector<std::string> found() const { return findings_of(findings, sources, false); }
  std::string place(const espalier::text::Span& span) const { return place_of(span, sources, false); }
  std::string text_at(const espalier::text::Span& span) const { return text_of(span, sources); }
};

// What trees of tests declare, all on one line: the flags Dead, Night and Herd, the stimuli TookHit and Smell, and the
// behaviours flee, guard and idle.
inline constexpr const char* kDeclarations =
    "<DecisionFlags><Flag name='Dead'/><Flag name='Night'/><Flag name='Herd'/></DecisionFlags>"
    "<Stimuli><Stimulus name='TookHit' timeout='2'/><Stimulus name='Smell'/></Stimuli>"
    "<Behaviors><Behavior name='flee'/><Behavior name='guard' memory='8'/><Behavior name='idle'/></Behaviors>";

// A tree with these lines in its root group, from line 3 on.
inline std::string decider_tree(const Lines& children, const std::string& policy = "prioritizedList",
                                const Lines& behind = {}) {
  std::string result =
      std::string("<DeciderTree name='Guard'>") + kDeclarations + "\n<Group name='Root' policy='" + policy + "'>\n";
  for (const std::string& line : children) result += line + '\n';
  result += "</Group>\n";
  for (const std::string& line : behind) result += line + '\n';
  return result + "</DeciderTree>\n";
}
