// espalier diff: compares the behaviour of two versions of trees, with the shortest trace for each difference. Exit
// status 0; 1 with --exit-code when they differ, or when a version has errors; 2 when a version cannot be read.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <system_error>

#include "cli/command_line.h"
#include "cli/explore_options.h"
#include "explore/explore.h"
#include "report/explored.h"
#include "system/git_revision.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

struct DiffOptions {
  CommonOptions common;
  ExploreOptions explore;
  std::string revision;
  std::string format = "human";
  bool exit_code = false;
};

report::DiffFormat diff_format(const std::string& name) {
  if (name == "json") return report::DiffFormat::json;
  return name == "markdown" ? report::DiffFormat::markdown : report::DiffFormat::human;
}

// Two paths: the old and the new version.
int load_versions(const DiffOptions& options, const Budgets& budgets, ExploredTrees& before, ExploredTrees& after) {
  const std::vector<std::string>& paths = options.common.paths;
  if (paths.size() != 2) {
    return fail("diff compares two versions", "name both: espalier diff OLD NEW; or use espalier diff --git REV PATHS");
  }
  CommonOptions one = options.common;
  one.paths = {paths.front()};
  if (const int status = load_trees(one, budgets, before, Version::of_path); status != kOk) return status;
  one.paths = {paths.back()};
  return load_trees(one, budgets, after, Version::of_path);
}

// With git's own words below, a line each.
int fail_by(const system::GitFault& fault) {
  const int status = fail(fault.message, fault.hint);
  std::istringstream lines(fault.of_git);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) std::cerr << "  git: " << text::visible(line) << '\n';
  }
  return status;
}

// The paths as they are at a revision, and as they are now.
int load_revisions(const DiffOptions& options, const Budgets& budgets, ExploredTrees& before, ExploredTrees& after) {
  system::GitRevision revision;
  if (!revision.take({options.common.paths, options.common.configuration}, options.revision)) {
    return fail_by(revision.fault());
  }
  {
    const system::GitRevision::Visit visit(revision);
    CommonOptions old = options.common;
    old.paths = revision.paths().paths;
    old.configuration = revision.paths().configuration;
    const int status = load_trees(old, budgets, before, Version::of_revision);
    // Their places look like those of the files as they are now.
    if (status == kFound) {
      std::cerr << "espalier: these errors are in the revision " << text::visible(text::quote(options.revision))
                << "; the files as they are now were not compared\n";
    }
    if (status != kOk) return status;
  }
  return load_trees(options.common, budgets, after, Version::of_revision);
}

FindingOptions form_of(const DiffOptions& options) { return {.format = options.format, .verb = "diff"}; }

int run_diff(DiffOptions& options) {
  Budgets budgets;
  if (!read_budgets(options.explore, options.common, &budgets)) return kFailed;
  ExploredTrees before;
  ExploredTrees after;
  before.report = after.report = form_of(options);
  before.report.tree = after.report.tree = options.explore.tree;
  const auto load = options.revision.empty() ? load_versions : load_revisions;
  if (const int status = load(options, budgets, before, after); status != kOk) return status;
  const std::vector<const Asset*> assets = {&after.file.asset, &before.file.asset};
  if (const int status = find_tree(options.explore, assets); status != kOk) return status;
  after.options.host.old_results = before.options.host.results;
  for (const auto& [name, bytes] : before.alone) {
    const auto now = after.alone.find(name);
    if (now != after.alone.end() && now->second == bytes) after.options.equal_trees.insert(name);
  }
  const auto is_file = [](const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
  };
  const std::vector<std::string>& paths = options.common.paths;
  after.options.pairs_only_trees =
      options.revision.empty() && std::all_of(paths.begin(), paths.end(), is_file) && options.explore.tree.empty();
  const std::vector<explore::TreeDiff> trees =
      explore::diff(before.file.asset, after.file.asset, options.explore.tree, after.options);
  report::write_diff(trees, diff_format(options.format), use_color(options.common, kOutputDescriptor), std::cout);
  std::cout << std::flush;
  const bool are_same = std::all_of(
      trees.begin(), trees.end(), [](const explore::TreeDiff& tree) { return tree.result == explore::Compared::same; });
  if (are_same && options.format == "human" && !options.common.quiet) {
    std::cerr << "no difference in behaviour\n";
  }
  return options.exit_code && !are_same ? kFound : kOk;
}

}  // namespace

void add_diff(CLI::App& program, int& status) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* verb = program.add_subcommand("diff", "compares the behaviour of two versions of trees");
  add_explore_options(*verb, options->common, options->explore);
  verb->get_option("PATHS")->description(
      "the old and the new version: files, folders or assets; with --git, the paths to compare (default: as for lint)");
  takes(verb->add_option("--git", options->revision,
                         "compares the paths at this git revision with the files as they are now"),
        "REV");
  takes_one_of(verb->add_option("--format", options->format,
                                "a list, JSON for other programs, or a comment for a merge request"),
               "FORMAT", "human|json|markdown")
      ->capture_default_str();
  verb->add_flag("--exit-code", options->exit_code, "exit status 1 if anything differs, or may differ");
  verb->footer(
      "Examples:\n"
      "  espalier diff old/ new/\n"
      "  espalier diff released.espb trees/ --tree Guard --exit-code\n"
      "  espalier diff --git main trees/ --format markdown > comment.md");
  verb->callback([options, &status] {
    status = run_reported(form_of(*options), options->common, [&] { return run_diff(*options); });
  });
}

}  // namespace espalier::cli
