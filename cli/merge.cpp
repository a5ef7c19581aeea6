// espalier merge: joins the reports of several runs that have shared the work (--shard). Exit status 0; 1 when one of
// the reports has a failure, or --fail-under is not met; 2 when the reports cannot be joined, which the report then
// says.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/faults.h"
#include "cli/findings_report.h"
#include "replay/names.h"
#include "report/merge.h"
#include "system/output_files.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> reports;
  std::string output = "-";
  std::optional<double> fail_under;
};

// Reads all that can be read.
int read_reports(const MergeOptions& options, std::vector<report::PartialReport>& reports) {
  int status = kOk;
  for (const std::string& path : options.reports) {
    report::PartialReport& report = reports.emplace_back();
    report.name = path;
    std::string error;
    if (!read_file(path, &report.text, &error)) status = fail(error);
  }
  return status;
}

int join(const MergeOptions& options, const std::vector<report::PartialReport>& reports, report::Merged* merged) {
  std::string error;
  std::optional<report::Merged> joined = report::merge(reports, &error);
  if (!joined) {
    const auto named = std::find_if(options.reports.begin(), options.reports.end(),
                                    [&](const std::string& path) { return error.starts_with(text::quote(path)); });
    return fail(error, "join reports of one verb and one format, each part once, in their order",
                named == options.reports.end() ? std::string() : *named);
  }
  if (options.fail_under && !joined->cover_percent) return fail("'--fail-under' needs reports of cover as JSON");
  *merged = std::move(*joined);
  return kOk;
}

// In the form of the reports that cannot be joined: why. Empty: they have none.
std::string refusal_of(const MergeOptions& options, const std::vector<report::PartialReport>& reports) {
  const std::optional<report::ReportForm> form = report::form_of(reports);
  if (!form) return {};
  CommonOptions common;
  common.paths = options.reports;
  std::ostringstream text;
  report_findings({}, {}, {}, common, {.format = form->format, .verb = form->verb}, text, system::Stream::output);
  return text.str();
}

int run_merge(const MergeOptions& options) {
  constexpr double kMost = 100;
  if (options.fail_under && !(*options.fail_under >= 0 && *options.fail_under <= kMost)) {
    return fail("the value of '--fail-under' is not a percentage from 0 to 100");
  }
  const KeptFaults kept(std::cerr);
  std::vector<report::PartialReport> reports;
  report::Merged merged;
  int status = read_reports(options, reports);
  if (status == kOk) status = join(options, reports, &merged);
  if (status != kOk) merged.text = refusal_of(options, reports);
  if (status != kOk && merged.text.empty()) return status;
  system::OutputFault fault;
  if (!system::write_files({{{options.output, merged.text}}, options.reports}, &fault))
    return fail(fault.message, fault.hint);
  if (status != kOk) return status;
  const bool is_too_low = options.fail_under && *merged.cover_percent < *options.fail_under;
  if (is_too_low) {
    std::cerr << "espalier: " << replay::number_text(static_cast<int>(*merged.cover_percent * 10) / 10.0)
              << "% of what is reachable is reached, less than " << replay::number_text(*options.fail_under) << "%\n";
  }
  return merged.has_failed || is_too_low ? kFound : kOk;
}

}  // namespace

void add_merge(CLI::App& program, int& status) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* verb = program.add_subcommand("merge", "joins the reports of runs with --shard");
  takes(verb->add_option("REPORTS", options->reports,
                         "reports of replay, prove or cover, in the order of --shard: JUnit, LCOV or JSON"),
        "FILE")
      ->required();
  takes(verb->add_option("-o,--output", options->output, "writes the joined report to this file; default: -"), "FILE");
  takes(verb->add_option("--fail-under", options->fail_under,
                         "exit status 1 if the traces reach less than this percentage of what is reachable"),
        "PERCENT");
  verb->footer(
      "The joined report is the one that a single run would have written.\n\n"
      "Examples:\n"
      "  espalier replay trees/ --trace traces/ --shard 1/2 --format junit > 1.xml\n"
      "  espalier replay trees/ --trace traces/ --shard 2/2 --format junit > 2.xml\n"
      "  espalier merge 1.xml 2.xml -o results.xml");
  verb->callback([options, &status] { status = run_merge(*options); });
}

}  // namespace espalier::cli
