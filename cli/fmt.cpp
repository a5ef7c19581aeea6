// espalier fmt: rewrites tree files in a canonical layout. Exit status 0; with --check or --diff 1 when a file
// would change; 2 when a file could not be read, is not well-formed or could not be written.
#include <iostream>
#include <memory>

#include "cli/command_line.h"
#include "cli/findings_report.h"
#include "cli/rewritten_files.h"
#include "rewrite/format_files.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

struct FmtOptions {
  CommonOptions common;
  bool check = false;
  bool diff = false;
  std::string migration;  // empty: none
};

std::string count_of(std::size_t count, const std::string& what) {
  return std::to_string(count) + (count == 1 ? " file " : " files ") + what;
}

void print_summary(const FmtOptions& options, const rewrite::FormattedFiles& files) {
  if (options.common.quiet) return;
  for (const rewrite::LeftFile& file : files.left) {
    std::cerr << "espalier: left '" << text::visible(file.path) << "' as it is: " << file.reason << '\n';
  }
  const bool is_shown = options.check || options.diff;
  const std::string done = options.migration.empty() ? "formatted" : "migrated";
  std::cerr << "espalier: " << count_of(files.changed.size(), is_shown ? "would be " + done : done) << ", "
            << count_of(files.unchanged_count, "unchanged") << '\n';
}

int run_fmt(const FmtOptions& options) {
  rewrite::FormattedFiles files;
  const bool is_loaded =
      load_with_progress(options.common, [&](project::LoadErrors& errors, project::Progress* progress) {
        return rewrite::format_files(load_options(options.common), options.migration, files, errors, progress);
      });
  if (!is_loaded) return kFailed;
  report_findings(files.findings, files.sources, report::summarize(files.findings, 0), options.common, {}, std::cerr,
                  system::Stream::errors);
  const bool is_shown = options.check || options.diff;
  if (is_shown) std::erase_if(files.changed, [](const auto& file) { return file.before == file.after; });
  if (options.diff) {
    print_diffs(files.changed, options.common);
  } else if (options.check) {
    for (const rewrite::RewrittenFile& file : files.changed) std::cout << file.path << '\n';
  } else if (const int status = write_rewritten(files.changed); status != kOk) {
    return status;
  }
  print_summary(options, files);
  if (!files.findings.all().empty()) return kFailed;
  return is_shown && !files.changed.empty() ? kFound : kOk;
}

}  // namespace

void add_fmt(CLI::App& program, int& status) {
  auto options = std::make_shared<FmtOptions>();
  CLI::App* verb = program.add_subcommand("fmt", "rewrites tree files in a canonical layout");
  add_common(*verb, options->common);
  verb->add_flag("--check", options->check,
                 "writes nothing; lists the files that would change, and fails if there are any");
  verb->add_flag("--diff", options->diff, "writes nothing; shows what would change, and fails if anything would");
  takes_one_of(
      verb->add_option("--migrate", options->migration,
                       "converts files from this older format to the current one instead, and keeps their layout"),
      "FORMAT", rewrite::migrations());
  verb->footer(
      "Comments, names and values stay as they are, and so does what a tree does.\n"
      "Standard input (-) is written to standard output.\n\n"
      "Examples:\n"
      "  espalier fmt trees/\n"
      "  espalier fmt --check trees/\n"
      "  espalier fmt --diff trees/guard.xml\n"
      "  espalier fmt - < guard.xml\n"
      "  espalier fmt --migrate btcpp3 --diff trees/");
  verb->callback([options, &status] { status = run_fmt(*options); });
}

}  // namespace espalier::cli
