// Reports findings. See findings_report.h.
#include "cli/findings_report.h"

#include <iostream>
#include <numeric>
#include <vector>

#include "cli/command_line.h"
#include "cli/faults.h"
#include "cli/pictures.h"
#include "report/output_form.h"
#include "report/pictures/elements.h"
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
               report::format_names())
      ->capture_default_str();
  takes_number(verb.add_option("--max-findings", options.max_findings,
                               "lists at most this many findings, errors first, and counts the rest"),
               "COUNT", 0, kMostFindings);
}

bool is_for_people(const FindingOptions& options) {
  return options.format == "human" || options.format == "debug" || is_picture(options);
}

bool is_picture(const FindingOptions& options) { return report::is_picture_format(options.format); }

namespace {

// Where faults are that are about no file.
std::string named_first(const CommonOptions& common) { return common.paths.empty() ? "." : common.paths.front(); }

void write_in_form(const text::Findings& findings, const text::Sources& sources, const report::Summary& summary,
                   const CommonOptions& common, const FindingOptions& options, std::ostream& out,
                   system::Stream stream) {
  if (report::has_own_report(options.verb, options.format)) {
    return report::write_refused(options.verb, options.format, findings, sources, out);
  }
  report::Options form;
  form.verb = options.verb;
  form.format = report::format_of(options.format);
  form.color = use_color(common, stream);
  form.has_links = use_links(common, stream);
  form.shows_repeated = common.verbose;
  form.has_summary = !common.quiet && stream == system::Stream::output;
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

// What cannot be drawn is drawn as one node for each file, with its faults.
void draw_faults(const text::Findings& findings, const text::Sources& sources, const FindingOptions& form) {
  std::vector<text::FileId> files(sources.size());
  std::iota(files.begin(), files.end(), 0);
  std::vector<report::PictureTree> trees = report::outline_elements(files, {files.begin(), files.end()}, sources);
  report::add_findings(trees, notes_of(findings, sources));
  report::write_picture(trees, {}, form.verb, report::picture_format(form.format), std::cout);
}

}  // namespace

void report_findings(const text::Findings& findings, const text::Sources& sources, const report::Summary& summary,
                     const CommonOptions& common, const FindingOptions& options, std::ostream& out,
                     system::Stream stream) {
  std::vector<CommandFault> faults = KeptFaults::take(std::cerr);
  if (faults.empty()) return write_in_form(findings, sources, summary, common, options, out, stream);
  text::Findings all = findings;
  text::Sources with_faults = sources;
  report::Summary counts = summary;
  counts.errors += static_cast<std::uint32_t>(faults.size());
  add_faults(std::move(faults), named_first(common), all, with_faults);
  write_in_form(all, with_faults, counts, common, options, out, stream);
}

int run_reported(const FindingOptions& form, const CommonOptions& common, const std::function<int()>& run) {
  const bool is_drawn = is_picture(form) && form.output.empty() && form.verb != "replay";  // whose pages are files
  if (is_for_people(form) && !is_drawn) return run();
  const KeptFaults kept(std::cerr);
  const std::uint64_t before = report::written_bytes(std::cout);
  const int status = run();
  if (status == kOk || report::written_bytes(std::cout) != before) return status;
  std::vector<CommandFault> faults = KeptFaults::take(std::cerr);
  if (faults.empty()) return status;
  text::Findings findings;
  text::Sources sources;
  add_faults(std::move(faults), named_first(common), findings, sources);
  if (is_drawn) {
    draw_faults(findings, sources, form);
  } else {
    const auto summary = report::summarize(findings, sources.size());
    write_in_form(findings, sources, summary, common, form, std::cout, system::Stream::output);
  }
  return status;
}

}  // namespace espalier::cli
