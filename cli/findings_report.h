// How the verbs that check trees report findings, and their common options.
#pragma once
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "cli/cli.h"
#include "report/findings.h"

namespace espalier::cli {

struct FindingOptions {
  std::string format = "human";
  std::optional<std::uint64_t> max_findings;  // none: all
  bool statistics = false;
  std::string fail_on = "error";  // error, warning, note, never
};

// Adds --format and --max-findings.
void add_findings_options(CLI::App& verb, FindingOptions& options);

bool is_for_people(const FindingOptions& options);

// Writes findings in the chosen format to `out`, whose descriptor is given. If the format has no place for the number
// of findings that --max-findings omits, it goes to standard error.
void report_findings(const text::Findings& findings, const text::Sources& sources, const report::Summary& summary,
                     const CommonOptions& common, const FindingOptions& options, std::ostream& out, int descriptor);

}  // namespace espalier::cli
