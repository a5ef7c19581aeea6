// Modular trees read from text in a test, and the findings of analyses.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "findings_of.h"
#include "lint/lint.h"
#include "rules/rules.h"
#include "text/xml.h"

struct LintReading {
  espalier::text::Sources sources;
  espalier::text::Findings reading;  // the reader's
  espalier::text::Findings findings;
  std::vector<std::unique_ptr<espalier::text::XmlDocument>> documents;
  espalier::ir::Project project;

  explicit LintReading(const std::vector<std::string>& trees, const espalier::dialects::Options& options = {},
                       const espalier::lint::Facts& facts = {}) {
    using namespace espalier;
    std::vector<dialects::File> files;
    for (std::size_t i = 0; i < trees.size(); ++i) {
      const std::string name = "Tree" + std::to_string(i);
      documents.push_back(text::XmlDocument::parse(name + ".xml", trees[i], sources, reading));
      if (documents.back()) files.push_back({documents.back().get(), name});
    }
    dialects::modular::dialect().read(files, options, project, reading);
    lint::Facts all_facts = facts;
    all_facts.events = options.events;
    lint::analyse(project, all_facts, findings);
    findings.sort(sources);
  }

  // "3 never-ticked" for each finding, followed by related places: " <- 2".
  std::vector<std::string> found() const { return findings_of(findings, sources, false); }
  // The same for one rule only: "3 <- 2".
  std::vector<std::string> found(espalier::rules::Rule rule) const {
    const std::string name = ' ' + std::string(espalier::rules::info(rule).name);
    std::vector<std::string> result;
    for (std::string line : found()) {
      const std::size_t at = line.find(name);
      if (at == std::string::npos || (at + name.size() != line.size() && line[at + name.size()] != ' ')) continue;
      result.push_back(line.erase(at, name.size()));
    }
    return result;
  }
};

// A tree whose root node is `root`, from line 2 on; followed by `sections`.
inline std::string modular_tree(const std::string& root, const std::string& sections = {}) {
  return "<BehaviorTree><Root>\n" + root + "\n</Root>" + sections + "</BehaviorTree>\n";
}
