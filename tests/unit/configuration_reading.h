// An espalier.json read from text in a test: its contents, and the findings.
#pragma once
#include <string>
#include <string_view>

#include "project/configuration.h"
#include "rules/rules.h"
#include "temporary_folder.h"
#include "unit.h"

struct ConfigurationReading {
  espalier::project::Configuration configuration;
  std::string findings;  // "line:column-endColumn rule: message (hint)", one per line; with the name of the file before
                         // it if that is another one
};

// Reads it in `folder`, which may contain other files that the text names.
inline ConfigurationReading read(std::string_view text, const espalier::TemporaryFolder& folder = {}) {
  using namespace espalier;
  folder.write("espalier.json", text);
  folder.write("tree.xml", "");
  text::Sources sources;
  text::Findings findings;
  ConfigurationReading result;
  std::string error;
  REQUIRE(
      project::read_configuration(folder.path() / "espalier.json", {}, sources, result.configuration, findings, error));
  for (const text::Finding& finding : findings.all()) {
    const text::Source& source = sources[finding.span.file];
    const text::Position begin = source.position(finding.span.begin);
    const text::Position end = source.position(finding.span.end);
    if (source.path() != "espalier.json") result.findings += source.path() + ':';
    result.findings += std::to_string(begin.line) + ':' + std::to_string(begin.column) + '-' +
                       std::to_string(end.column) + ' ' + std::string(rules::info(finding.rule).name) + ": " +
                       finding.message;
    if (!finding.hint.empty()) result.findings += " (" + finding.hint + ')';
    result.findings += '\n';
  }
  return result;
}
