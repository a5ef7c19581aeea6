// What a report lists: some or all findings, in order. Formats append it to a string.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "report/findings.h"

namespace espalier::report {

// The number of unlisted findings with the same rule and message.
struct Repeats {
  std::size_t findings = 0;
  std::size_t files = 0;
};

struct ListedFinding {
  const text::Finding* finding;
  Repeats not_listed = {};  // set in the last listed one of many with the same message
};

struct RuleCount {
  text::Rule rule;
  std::size_t count;
};

struct Listing {
  const text::Sources& sources;
  const Summary& summary;
  const Options& options;
  std::vector<ListedFinding> findings;
  std::size_t omitted_count = 0;           // for Options::max_findings
  std::vector<RuleCount> statistics = {};  // most frequent first; of all findings
};

// One for each format.
#define FORMAT(name, form, shows_witnesses, what) void write_##name(const Listing& listing, std::string& out);
#include "report/formats.def"

// A finding as an object on one line.
std::string finding_json(const text::Finding& finding, const text::Sources& sources);

// "one file", "2 files".
std::string counted(std::size_t count, std::string_view what);
// The message, and the hint in parentheses: for formats that have one line for both.
std::string message_with_hint(const text::Finding& finding);

}  // namespace espalier::report
