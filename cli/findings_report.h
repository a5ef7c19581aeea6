// How the verbs that check trees report findings, and their common options.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "cli/cli.h"
#include "report/findings.h"

namespace espalier::cli {

struct FindingOptions {
  std::string format = "human";
  std::optional<std::uint64_t> max_findings = {};  // none: all
  bool statistics = false;
  std::string fail_on = "error";  // error, warning, note, never
  std::string verb = "lint";      // whose format it is
  std::string output = {};        // of a picture: its file; empty: standard output
  std::string tree = {};          // only this one matters; empty: all do
};

// Adds --format and --max-findings.
void add_findings_options(CLI::App& verb, FindingOptions& options);

// Also if the verb then draws a picture, which has the findings on it: is_picture().
bool is_for_people(const FindingOptions& options);
bool is_picture(const FindingOptions& options);

// Writes findings in the chosen format, in which the verb may have a report of its own, to `out`, whose descriptor is
// given. If the format has no place for the number of findings that --max-findings omits, it goes to standard error.
void report_findings(const text::Findings& findings, const text::Sources& sources, const report::Summary& summary,
                     const CommonOptions& common, const FindingOptions& options, std::ostream& out,
                     system::Stream stream);

// Runs a verb that reports in this form: runs `run`, whose status it returns. If that fails and nothing was written to
// standard output, the report has why.
int run_reported(const FindingOptions& form, const CommonOptions& common, const std::function<int()>& run);

}  // namespace espalier::cli
