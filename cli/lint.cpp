// espalier lint: checks a project and reports findings. Exit status 1 when there are findings at or above --fail-on,
// else 0; 2 when something could not be read.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <set>

#include "cli/cache_folder.h"
#include "cli/command_line.h"
#include "cli/findings_report.h"
#include "cli/rewritten_files.h"
#include "cli/watch.h"
#include "project/baseline.h"
#include "report/witness.h"
#include "rewrite/fix.h"
#include "rules/rules.h"
#include "system/filesystem.h"
#include "system/output_files.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

struct LintOptions {
  CommonOptions common;
  FindingOptions findings;
  std::string baseline;        // empty: that of the configuration
  std::string write_baseline;  // empty: not written
  std::string witness_folder;  // empty: witnesses are not written as files
  bool no_cache = false;
  bool fix = false;
  bool diff = false;    // shows what `fix` would do
  bool unsafe = false;  // also applies unsafe fixes
  bool watch = false;

  bool is_fixing() const { return fix || diff; }
};

// The findings of one or several projects.
struct Found {
  text::Sources sources;
  text::Findings findings;
  report::Summary counts;  // of files; findings are counted at the end
  std::set<text::FileId> rest;
  std::vector<std::string> inputs;
  std::vector<rewrite::RewrittenFile> rewritten;  // by fixes
  std::size_t fix_count = 0;
};

// Searching them takes longer than all that lint does besides.
bool shows_witnesses(const LintOptions& options) {
  if (!options.witness_folder.empty()) return true;
  return report::shows_witnesses(report::format_of(options.findings.format)) && options.findings.max_findings != 0 &&
         options.write_baseline.empty() && !(is_for_people(options.findings) && options.common.quiet);
}

bool has_standard_input(const std::vector<std::string>& paths) {
  return std::find(paths.begin(), paths.end(), "-") != paths.end();
}

// Removes the findings that the baseline at `path` accepts. An empty path: no baseline.
int apply_baseline(const LintOptions& options, const std::string& path, const text::Sources& sources,
                   const std::set<text::FileId>& rest, text::Findings& findings, report::Summary& counts) {
  if (path.empty()) return kOk;
  std::string bytes;
  std::string error;
  if (!read_file(path, &bytes, &error)) return fail(error);
  project::BaselineResult result;
  if (!project::apply_baseline(bytes, path, sources, rest, findings, result, error)) return fail(error);
  if (options.common.verbose && result.stale > 0) {
    std::cerr << "espalier: --write-baseline updates the baseline '" << text::visible(path) << "'\n";
  }
  counts.accepted += result.accepted;
  counts.stale += result.stale;
  return kOk;
}

// Adds the files and findings of one project to those of all.
void add_project(project::Project& project, Found& found) {
  const text::FileId first = found.sources.append(project.snapshot.sources);
  found.findings.add_files(std::move(project.findings), first);
  for (const text::FileId file : project.snapshot.rest) found.rest.insert(first + file);
}

// Loads a project with all fixes of findings that no baseline accepts.
bool load_fixed(const LintOptions& options, const CommonOptions& common, project::Project& project, Found& found) {
  const auto to_be_fixed = [&](const project::Project& loaded) {
    text::Findings findings = loaded.findings;
    std::string path =
        options.baseline.empty() ? project::baseline_of(loaded.snapshot.configuration) : options.baseline;
    report::Summary counts;
    LintOptions quiet = options;
    quiet.common.verbose = false;
    if (apply_baseline(quiet, path, loaded.snapshot.sources, loaded.snapshot.rest, findings, counts) != kOk)
      return text::Findings();
    return findings;
  };
  const auto grade = options.unsafe ? rules::FixGrade::unsafe : rules::FixGrade::safe;
  rewrite::Fixed fixed;
  const bool is_loaded = load_with_progress(common, [&](project::LoadErrors& errors, project::Progress* progress) {
    return rewrite::fix(load_options(common), grade, to_be_fixed, fixed, errors, progress);
  });
  project = std::move(fixed.project);
  if (!is_loaded) return false;
  report_skipped(common, project);
  for (const std::string& path : fixed.left) {
    std::cerr << "espalier: left '" << text::visible(path) << "' as it is: it cannot be written without a loss\n";
  }
  std::move(fixed.files.begin(), fixed.files.end(), std::back_inserter(found.rewritten));
  found.fix_count += fixed.fix_count;
  return true;
}

// Loads the paths of one project and adds its findings to `found`. A baseline on the command line applies to all
// projects together; with it, or when one is written, the baselines of configurations are not used.
int lint_project(const LintOptions& options, const std::vector<std::string>& paths, project::KeptFacts* kept,
                 Found& found) {
  CommonOptions common = options.common;
  if (has_standard_input(common.paths) && !has_standard_input(paths)) common.stdin_filename.clear();
  common.paths = paths;
  project::Project project;
  const bool is_loaded = options.is_fixing() ? load_fixed(options, common, project, found)
                                             : load_findings(common, kept, shows_witnesses(options), project);
  if (!is_loaded) {
    add_project(project, found);  // the findings of the configuration, which may be why
    return kFailed;
  }
  const project::Snapshot& snapshot = project.snapshot;
  if (options.common.verbose && project.is_cached) {
    std::cerr << "espalier: nothing has changed since an earlier run: its findings are shown\n";
  }
  if (options.baseline.empty() && options.write_baseline.empty()) {
    const int status = apply_baseline(options, project::baseline_of(snapshot.configuration), snapshot.sources,
                                      snapshot.rest, project.findings, found.counts);
    if (status != kOk) return status;
  }
  // Those of an earlier run may be there.
  if (!shows_witnesses(options)) {
    for (text::Finding& finding : project.findings.all()) finding.witness.reset();
  }
  add_project(project, found);
  found.counts.files += snapshot.file_count;
  found.counts.skipped += static_cast<std::uint32_t>(snapshot.skipped.size());
  const std::vector<std::string> inputs = inputs_of(common, project);
  found.inputs.insert(found.inputs.end(), inputs.begin(), inputs.end());
  return kOk;
}

int write_baseline(const LintOptions& options, const Found& found) {
  const std::string bytes = project::write_baseline(found.findings, found.sources, options.write_baseline);
  system::OutputFault fault;
  if (!system::write_files({{{options.write_baseline, bytes}}, found.inputs}, &fault))
    return fail(fault.message, fault.hint);
  if (options.common.quiet) return kOk;
  const report::Summary summary = report::summarize(found.findings, found.counts.files);
  std::cerr << "espalier: accepted in '" << text::visible(options.write_baseline)
            << "': " << report::summary_line(summary) << '\n';
  if (summary.errors > 0) std::cerr << "espalier: errors still stop compile\n";
  return kOk;
}

int write_witnesses(const std::string& folder, const Found& found) {
  const std::vector<report::WitnessFile> files = report::witness_files(found.findings);
  system::Outputs outputs{{}, found.inputs, {folder}};
  for (const report::WitnessFile& file : files)
    outputs.files.push_back({(system::filesystem::path(folder) / file.name).generic_string(), file.trace});
  system::OutputFault fault;
  return system::write_files(outputs, &fault) ? kOk : fail(fault.message, fault.hint);
}

int status_of(const report::Summary& summary, const std::string& fail_on) {
  if (fail_on == "never") return kOk;
  std::uint32_t count = summary.errors;
  if (fail_on != "error") count += summary.warnings;
  if (fail_on == "note") count += summary.notes;
  return count == 0 ? kOk : kFound;
}

report::Summary write_report(const LintOptions& options, const Found& found) {
  report::Summary summary = report::summarize(found.findings, found.counts.files);
  summary.skipped = found.counts.skipped;
  summary.accepted = found.counts.accepted;
  summary.stale = found.counts.stale;
  // Standard output has the fixed text of standard input.
  const bool is_taken = options.fix && has_standard_input(options.common.paths);
  report_findings(found.findings, found.sources, summary, options.common, options.findings,
                  is_taken ? std::cerr : std::cout, is_taken ? system::Stream::errors : system::Stream::output);
  return summary;
}

// Writes the files that fixes have changed, or shows how they would change.
int finish_fixes(const LintOptions& options, const Found& found) {
  const auto changed_count = std::count_if(found.rewritten.begin(), found.rewritten.end(),
                                           [](const auto& file) { return file.before != file.after; });
  if (options.diff) {
    print_diffs(found.rewritten, options.common);
  } else if (const int status = write_rewritten(found.rewritten); status != kOk) {
    return status;
  }
  if (!options.common.quiet) {
    std::cerr << "espalier: " << found.fix_count << (found.fix_count == 1 ? " fix" : " fixes")
              << (options.diff ? " would be applied in " : " applied in ") << changed_count
              << (changed_count == 1 ? " file\n" : " files\n");
  }
  return options.diff && changed_count > 0 ? kFound : kOk;
}

int run_lint(const LintOptions& options) {
  const std::string& format = options.findings.format;
  if (options.findings.statistics && format != "human" && format != "json") {
    return fail("'--format " + format + "' cannot show '--statistics'", "use --format human or json");
  }
  if (options.unsafe && !options.is_fixing()) return fail("'--unsafe' needs '--fix' or '--diff'");
  if (options.is_fixing() && !options.write_baseline.empty()) {
    return fail("'--write-baseline' accepts findings as they are, without '--fix' and '--diff'");
  }
  std::shared_ptr<project::KeptFacts> kept = options.no_cache ? nullptr : kept_facts();
  if (options.common.notes) kept = options.common.notes->kept;
  Found found;
  for (const std::vector<std::string>& paths : project::paths_by_project(load_options(options.common))) {
    const int status = lint_project(options, paths, kept.get(), found);
    if (status == kOk) continue;
    found.findings.sort(found.sources);
    if (!found.findings.all().empty()) write_report(options, found);
    return status;
  }
  found.findings.sort(found.sources);
  if (options.is_fixing()) {
    const int fixed = finish_fixes(options, found);
    if (fixed != kOk || options.diff) return fixed;
  }
  if (!options.write_baseline.empty()) return write_baseline(options, found);
  const int status = apply_baseline(options, options.baseline, found.sources, found.rest, found.findings, found.counts);
  if (status != kOk) return status;
  if (!options.witness_folder.empty()) {
    const int written = write_witnesses(options.witness_folder, found);
    if (written != kOk) return written;
  }
  return status_of(write_report(options, found), options.findings.fail_on);
}

int watch_lint(LintOptions& options) {
  options.common.notes = std::make_shared<RunNotes>();
  options.common.notes->kept = options.no_cache ? nullptr : kept_facts();
  if (options.common.notes->kept == nullptr) options.common.notes->kept = std::make_shared<project::KeptFacts>("", "");
  std::vector<std::string> others;
  if (!options.baseline.empty()) others.push_back(options.baseline);
  return watch(options.common, others, options.findings.format, [&] { return run_lint(options); });
}

}  // namespace

void add_lint(CLI::App& program, int& status) {
  auto options = std::make_shared<LintOptions>();
  CLI::App* verb = program.add_subcommand("lint", "checks trees and reports findings with their place and a hint");
  add_common(*verb, options->common);
  add_findings_options(*verb, options->findings);
  verb->add_flag("--statistics", options->findings.statistics, "adds the number of findings of each rule");
  takes_one_of(verb->add_option("--fail-on", options->findings.fail_on, "lowest severity that gives exit status 1"),
               "SEVERITY", "error|warning|note|never")
      ->capture_default_str();
  CLI::Option* baseline =
      takes(verb->add_option("--baseline", options->baseline, "hides the findings that this file accepts"), "FILE");
  takes(verb->add_option("--write-baseline", options->write_baseline,
                         "writes the current findings to this file, to accept them"),
        "FILE")
      ->excludes(baseline);
  takes(verb->add_option("--witness", options->witness_folder,
                         "writes the trace that shows each finding to this folder, for 'espalier replay'"),
        "DIR");
  CLI::Option* fix = verb->add_flag("--fix", options->fix, "applies the safe fixes, and reports what remains");
  CLI::Option* diff = verb->add_flag("--diff", options->diff, "shows what --fix would change, and changes nothing");
  verb->add_flag("--unsafe", options->unsafe,
                 "with --fix or --diff: also applies fixes that may change what a tree does");
  CLI::Option* watching = add_watch(*verb, options->watch);
  watching->excludes(fix)->excludes(diff)->excludes("--write-baseline")->excludes("--witness");
  verb->add_flag("--no-cache", options->no_cache, "ignores the cache of earlier runs, and does not write to it");
  verb->footer(
      "Examples:\n"
      "  espalier lint trees/\n"
      "  espalier lint trees/ --fail-on warning\n"
      "  espalier lint trees/ --format sarif > trees.sarif\n"
      "  espalier lint trees/ --max-findings 20 --statistics\n"
      "  espalier lint trees/ --witness shown/\n"
      "  espalier lint trees/ --diff\n"
      "  espalier lint trees/ --fix\n"
      "  espalier lint trees/ --watch\n"
      "  espalier lint trees/ --write-baseline accepted.json\n"
      "  espalier lint trees/ --baseline accepted.json");
  verb->callback([options, &status] {
    status = run_reported(options->findings, options->common,
                          [&] { return options->watch ? watch_lint(*options) : run_lint(*options); });
  });
}

}  // namespace espalier::cli
