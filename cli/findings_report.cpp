// Reports findings. See findings_report.h.
#include "cli/findings_report.h"

#include <iostream>

#include "cli/command_line.h"
#include "report/pictures/pictures.h"
#include "report/refused.h"

namespace espalier::cli {
namespace {

constexpr std::uint64_t kMostFindings = UINT32_MAX;

std::optional<text::Severity> severity_of(const std::string& fail_on) {
  if (fail_on == "never") return std::nullopt;
  if (fail_on == "note") return text::Severity::note;
  return fail_on == "warning" ? text::Severity::warning : text::Severity::error;
}

}  // namespace

void add_findings_options(CLI::App& verb, FindingOptions& options) {
  takes_one_of(verb.add_option("--format", options.format, "output format of findings"), "FORMAT",
               std::string(report::kFormatNames))
      ->capture_default_str();
  takes_number(verb.add_option("--max-findings", options.max_findings,
                               "lists at most this many findings, errors first, and counts the rest"),
               "COUNT", 0, kMostFindings);
}

bool is_for_people(const FindingOptions& options) {
  return options.format == "human" || options.format == "debug" || is_picture(options);
}

bool is_picture(const FindingOptions& options) { return report::is_picture_format(options.format); }

void report_findings(const text::Findings& findings, const text::Sources& sources, const report::Summary& summary,
                     const CommonOptions& common, const FindingOptions& options, std::ostream& out, int descriptor) {
  if (report::has_own_report(options.verb, options.format)) {
    return report::write_refused(options.verb, options.format, findings, sources, out);
  }
  report::Options form;
  form.verb = options.verb;
  form.format = report::format_of(options.format);
  form.color = use_color(common, descriptor);
  form.shows_repeated = common.verbose;
  form.has_summary = !common.quiet && descriptor == kOutputDescriptor;
  form.has_statistics = options.statistics;
  form.max_findings = options.max_findings;
  form.fails_at = severity_of(options.fail_on);
  form.version = ESPALIER_VERSION;
  const std::size_t omitted_count = report::write_report(findings, sources, summary, form, out);
  if (omitted_count == 0 || is_for_people(options) || common.quiet) return;
  out << std::flush;
  std::cerr << "espalier: " << omitted_count << (omitted_count == 1 ? " more finding" : " more findings")
            << " not listed (--max-findings)\n";
}

}  // namespace espalier::cli
