// What the readers of trees in tests share: findings as lines that can be compared.
#pragma once
#include <string>
#include <vector>

#include "rules/rules.h"
#include "text/finding.h"
#include "text/source.h"

// "3", or "tree.xml:3" if files are to be distinguished.
inline std::string place_of(const espalier::text::Span& span, const espalier::text::Sources& sources, bool tells_file) {
  const espalier::text::Source& source = sources[span.file];
  const std::string line = std::to_string(source.position(span.begin).line);
  return tells_file ? source.path() + ':' + line : line;
}

// "3 unknown-variable" for each finding, followed by related places: " <- 1".
inline std::vector<std::string> findings_of(const espalier::text::Findings& findings,
                                            const espalier::text::Sources& sources, bool tells_file) {
  std::vector<std::string> result;
  for (const espalier::text::Finding& finding : findings.all()) {
    std::string line =
        place_of(finding.span, sources, tells_file) + ' ' + std::string(espalier::rules::info(finding.rule).name);
    for (const espalier::text::Related& related : finding.related) {
      line += " <- " + place_of(related.span, sources, tells_file);
    }
    result.push_back(std::move(line));
  }
  return result;
}

inline std::string text_of(const espalier::text::Span& span, const espalier::text::Sources& sources) {
  return std::string(sources[span.file].text().substr(span.begin, span.end - span.begin));
}
