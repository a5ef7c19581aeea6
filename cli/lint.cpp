// espalier lint: checks a project and reports findings. Exit status 1 when there are findings at or above --fail-on,
// else 0; 2 when something could not be read.
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/cli.h"
#include "project/baseline.h"
#include "report/findings.h"

namespace espalier::cli {
namespace {

struct LintOptions {
  CommonOptions common;
  std::string format = "human";
  std::string fail_on = "error";
  std::string baseline;        // empty: what the configuration says
  std::string write_baseline;  // empty: none is written
};

// Takes what the baseline accepts out of the findings.
int apply_baseline(const LintOptions& options, project::Project& project) {
  std::string path = options.baseline;
  if (path.empty() && !project.configuration.baseline.empty()) {
    path = (std::filesystem::path(project.configuration.path).parent_path() / project.configuration.baseline).string();
  }
  if (path.empty()) return kOk;
  std::string bytes;
  std::string error;
  std::size_t stale_count = 0;
  if (!read_file(path, &bytes, &error)) return fail(error);
  if (!project::apply_baseline(bytes, path, project.sources, project.findings, stale_count, error)) return fail(error);
  if (options.common.verbose && stale_count > 0) {
    std::cerr << "espalier: " << stale_count << " findings of the baseline '" << path
              << "' are not there any more; --write-baseline brings it up to date\n";
  }
  return kOk;
}

int write_baseline(const LintOptions& options, const project::Project& project) {
  std::string error;
  const std::string bytes = project::write_baseline(project.findings, project.sources, options.write_baseline);
  if (!write_file(options.write_baseline, bytes, &error)) return fail(error);
  if (!options.common.quiet) {
    std::cerr << "espalier: findings accepted in '" << options.write_baseline << "'\n";
  }
  return kOk;
}

int status_of(const report::Summary& summary, const std::string& fail_on) {
  if (fail_on == "never") return kOk;
  std::uint32_t count = summary.errors;
  if (fail_on != "error") count += summary.warnings;
  if (fail_on == "note") count += summary.notes;
  return count == 0 ? kOk : kFound;
}

int run_lint(const LintOptions& options) {
  project::Project project;
  project::LoadErrors errors;
  if (!project::load(load_options(options.common), project, errors)) {
    for (const std::string& message : errors.messages) fail(message);
    return kFailed;
  }
  if (!options.write_baseline.empty()) return write_baseline(options, project);
  if (const int status = apply_baseline(options, project); status != kOk) return status;
  const report::Summary summary = report::summarize(project.findings, project.file_count);
  if (options.format == "json") {
    report::write_json(project.findings, project.sources, summary, std::cout);
  } else {
    report::write_findings(project.findings, project.sources, use_color(options.common, kOutputDescriptor), std::cout);
    if (!options.common.quiet) std::cout << report::summary_line(summary) << '\n';
  }
  return status_of(summary, options.fail_on);
}

}  // namespace

void add_lint(CLI::App& program, int& status) {
  auto options = std::make_shared<LintOptions>();
  CLI::App* verb = program.add_subcommand("lint", "checks trees and says what is wrong, where, and what helps");
  add_common(*verb, options->common);
  verb->add_option("--format", options->format, "how findings are written")
      ->check(CLI::IsMember({"human", "json"}))
      ->capture_default_str();
  verb->add_option("--fail-on", options->fail_on, "lowest severity that gives exit status 1")
      ->check(CLI::IsMember({"error", "warning", "note", "never"}))
      ->capture_default_str();
  CLI::Option* baseline =
      verb->add_option("--baseline", options->baseline, "leaves out the findings that this file accepts");
  verb->add_option("--write-baseline", options->write_baseline, "accepts today's findings: writes them to this file")
      ->excludes(baseline);
  verb->footer(
      "Examples:\n"
      "  espalier lint trees/\n"
      "  espalier lint trees/ --fail-on warning\n"
      "  espalier lint --format json trees/guard.xml\n"
      "  espalier lint trees/ --write-baseline accepted.json\n"
      "  espalier lint trees/ --baseline accepted.json");
  verb->callback([options, &status] { status = run_lint(*options); });
}

}  // namespace espalier::cli
