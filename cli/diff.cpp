// espalier diff: compares the behaviour of two versions of trees, with the shortest trace for each difference. Exit
// status 0; 1 with --exit-code when they differ, or when a version has errors; 2 when a version cannot be read; that of
// a signal that interrupts it.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>

#include "cli/command_line.h"
#include "cli/explore_options.h"
#include "cli/interruption.h"
#include "cli/pictures.h"
#include "cli/progress_line.h"
#include "compiled/effects.h"
#include "explore/explore.h"
#include "project/git_revision.h"
#include "replay/names.h"
#include "report/explored.h"
#include "report/listing.h"
#include "report/pictures/versions_page.h"
#include "system/filesystem.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

constexpr std::size_t kMostTold = 12;  // trees that are told before the report

struct DiffOptions {
  CommonOptions common;
  ExploreOptions explore;
  std::string revision;
  std::string format = "human";
  std::string output;
  bool exit_code = false;
  project::GitRevision old = {};  // the old version, if it is a revision
};

report::DiffFormat diff_format(const std::string& name) {
  if (name == "json") return report::DiffFormat::json;
  if (name == "html") return report::DiffFormat::html;
  return name == "markdown" ? report::DiffFormat::markdown : report::DiffFormat::human;
}

// Two paths: the old and the new version.
int load_versions(DiffOptions& options, const Budgets& budgets, ExploredTrees& before, ExploredTrees& after) {
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
int fail_by(const project::GitFault& fault) {
  const int status = fail(fault.message, fault.hint);
  std::istringstream lines(fault.of_git);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) std::cerr << "  git: " << text::visible(line) << '\n';
  }
  return status;
}

// The version of these paths, of which those that are missing have no trees.
int load_version(CommonOptions common, const Budgets& budgets, ExploredTrees& trees) {
  const bool names_paths = !common.paths.empty();
  std::erase_if(common.paths, [](const std::string& path) {
    std::error_code error;
    return !system::filesystem::exists(path, error);
  });
  common.may_be_empty = true;
  return names_paths && common.paths.empty() ? kOk : load_trees(common, budgets, trees, Version::of_revision);
}

// The paths as they are at a revision, and as they are now.
int load_revisions(DiffOptions& options, const Budgets& budgets, ExploredTrees& before, ExploredTrees& after) {
  project::GitRevision& revision = options.old;
  if (!revision.take({options.common.paths, options.common.configuration}, options.revision)) {
    return fail_by(revision.fault());
  }
  {
    const project::GitRevision::Visit visit(revision);
    CommonOptions old = options.common;
    old.paths = revision.paths().paths;
    old.configuration = revision.paths().configuration;
    const int status = load_version(old, budgets, before);
    // Their places look like those of the files as they are now.
    if (status == kOk && before.has_errors) {
      std::cerr << "espalier: these errors are in the revision " << text::visible(text::quote(options.revision))
                << '\n';
    }
    if (status != kOk) return status;
  }
  return load_version(options.common, budgets, after);
}

FindingOptions form_of(const DiffOptions& options) { return {.format = options.format, .verb = "diff"}; }

// The new names of trees by the old ones, as assets have them. Those that other trees share are left out.
std::map<std::string, std::string> renamed_trees(const std::map<std::string, std::string>& renamed,
                                                 const ExploredTrees& before, const ExploredTrees& after) {
  std::map<std::string, std::string> names;
  for (const auto& [old_name, new_name] : renamed) {
    const std::vector<Tree> old_trees = replay::trees_called(before.file.asset, old_name);
    const std::vector<Tree> new_trees = replay::trees_called(after.file.asset, new_name);
    if (old_trees.size() == 1 && new_trees.size() == 1)
      names.emplace(tree_name(old_trees.front()), tree_name(new_trees.front()));
  }
  return names;
}

// Trees that are known to do the same in both versions, by their new names.
std::set<std::string> equal_trees(const ExploredTrees& before, const ExploredTrees& after,
                                  const std::map<std::string, std::string>& renamed) {
  std::set<std::string> equal;
  for (const auto& [name, bytes] : before.alone) {
    const auto other = renamed.find(name);
    const auto now = after.alone.find(other == renamed.end() ? name : other->second);
    if (now != after.alone.end() && now->second == bytes) equal.insert(now->first);
  }
  return equal;
}

// The old version with some other texts.
bool load_changed(const compiled::Files& files, const DiffOptions& options, const std::set<std::string>& known_errors,
                  ExploredTrees& changed) {
  std::optional<project::GitRevision::Visit> visit;
  CommonOptions one = options.common;
  if (options.revision.empty()) {
    one.paths = {options.common.paths.front()};
  } else {
    visit.emplace(options.old);
    one.paths = options.old.paths().paths;
    one.configuration = options.old.paths().configuration;
  }
  project::Files changed_files;
  for (const compiled::TextChanges::File& file : files) changed_files.set_text(file.path, file.text);
  one.files = &changed_files;
  const Version version = options.revision.empty() ? Version::of_path : Version::of_revision;
  return load_quietly(one, version, known_errors, changed);
}

// Messages of both versions.
std::set<std::string> known_errors(const ExploredTrees& before, const ExploredTrees& after) {
  std::set<std::string> errors;
  for (const ExploredTrees* version : {&before, &after}) {
    for (const text::Finding& finding : version->findings.all()) {
      if (finding.severity == text::Severity::error) errors.insert(finding.message);
    }
  }
  return errors;
}

// The old version with the texts of `to`, compared with that with those of `from`.
std::optional<std::vector<explore::TreeDiff>> compare_with(const compiled::Files& from, const compiled::Files& to,
                                                           std::uint64_t parts, const DiffOptions& options,
                                                           const ExploredTrees& before, const ExploredTrees& after) {
  if (after.options.budget.is_interrupted()) return std::nullopt;
  const std::set<std::string> errors = known_errors(before, after);
  ExploredTrees base;
  ExploredTrees changed;
  if (!from.empty() && !load_changed(from, options, errors, base)) return std::nullopt;
  if (!load_changed(to, options, errors, changed)) return std::nullopt;
  const ExploredTrees& old = from.empty() ? before : base;
  explore::Options explored = after.options;
  explored.host.old_results = old.options.host.results;
  explored.host.results = changed.options.host.results;
  explored.equal_trees = equal_trees(old, changed, {});
  constexpr std::uint64_t kPart = 8;  // of the budget, for all of them together
  explored.total.states = std::max<std::uint64_t>(1, explored.budget.states / kPart / parts);
  if (explored.budget.milliseconds != 0)
    explored.total.milliseconds = std::max<std::uint64_t>(1, explored.budget.milliseconds / kPart / parts);
  return explore::diff(old.file.asset, changed.file.asset, options.explore.tree, explored);
}

// The errors of both versions, as JSON.
std::string findings_json(const ExploredTrees& before, const ExploredTrees& after) {
  std::string json;
  for (const ExploredTrees* version : {&before, &after}) {
    for (const text::Finding& finding : version->findings.all()) {
      if (finding.severity == text::Severity::error)
        json += (json.empty() ? "" : ",\n") + report::finding_json(finding, version->sources);
    }
  }
  return json.empty() ? json : "[\n" + json + "\n]";
}

// A tree that could not be read in one version is neither added nor removed. `renamed`: the new names of trees by the
// old ones.
void tell_unread(const ExploredTrees& before, const ExploredTrees& after,
                 const std::map<std::string, std::string>& renamed, std::vector<explore::TreeDiff>& trees) {
  const auto name_after = [&](const std::string& name) {
    const auto other = renamed.find(name);
    return other == renamed.end() ? name : other->second;
  };
  const auto tell = [](explore::TreeDiff& tree, const char* why) {
    tree.result = explore::Compared::undecided;
    tree.is_complete = false;
    tree.limit = why;
  };
  for (explore::TreeDiff& tree : trees) {
    const std::string name(replay::last_part(tree.tree));
    const auto is_unread = [&](const auto& each) { return each.second == name && before.unread.contains(each.first); };
    const bool is_old_unread = before.unread.contains(name) || std::any_of(renamed.begin(), renamed.end(), is_unread);
    if (tree.result == explore::Compared::added && is_old_unread) tell(tree, "the old version has errors");
    if (tree.result == explore::Compared::removed && after.unread.contains(name_after(name)))
      tell(tree, "the new version has errors");
  }
  for (const std::string& name : before.unread) {
    if (after.unread.contains(name_after(name)))
      tell(trees.emplace_back(explore::TreeDiff{.tree = name}), "both versions have errors");
  }
}

std::vector<std::string> error_words(const ExploredTrees& before, const ExploredTrees& after) {
  std::vector<std::string> words;
  for (const ExploredTrees* version : {&before, &after}) {
    for (const text::Finding& finding : version->findings.all()) {
      if (finding.severity != text::Severity::error) continue;
      const text::Position place = version->sources[finding.span.file].position(finding.span.begin);
      words.push_back(version->sources.shown(finding.span.file) + ':' + std::to_string(place.line) + ':' +
                      std::to_string(place.column) + ": " + report::message_with_hint(finding));
    }
  }
  return words;
}

report::VersionTrees pictures_of(const ExploredTrees& version) {
  return {version.file.asset, report::outline(version.file.asset, version.sources), sources_of(version.sources)};
}

int run_diff(DiffOptions& options) {
  Budgets budgets;
  if (!read_budgets(options.explore, options.common, &budgets)) return kFailed;
  // The rest of the default is for what changes do by themselves.
  if (options.explore.budget.empty()) budgets.of_tree.states = budgets.of_tree.states / 4 * 3;
  ExploredTrees before;
  ExploredTrees after;
  before.report.tree = after.report.tree = options.explore.tree;
  before.report.verb = after.report.verb = "diff";
  const auto load = options.revision.empty() ? load_versions : load_revisions;
  if (const int status = load(options, budgets, before, after); status != kOk) return status;
  const std::vector<const Asset*> assets = {&after.file.asset, &before.file.asset};
  if (const int status = find_tree(options.explore, assets); status != kOk) return status;
  after.options.host.old_results = before.options.host.results;
  std::optional<compiled::TextChanges> texts;
  if (!before.files.empty() && !after.files.empty()) {
    texts.emplace(std::move(before.files), std::move(after.files));
    after.options.renamed_trees = renamed_trees(texts->renamed_trees(), before, after);
    const auto renamed = after.options.renamed_trees.find(options.explore.tree);
    if (renamed != after.options.renamed_trees.end()) options.explore.tree = renamed->second;
  }
  // Trees that run in slots are compiled with their names.
  ExploredTrees with_new_names;
  const bool are_renamed = !after.options.renamed_trees.empty() &&
                           load_changed(texts->with({}, true), options, known_errors(before, after), with_new_names);
  after.options.equal_trees = equal_trees(are_renamed ? with_new_names : before, after, after.options.renamed_trees);
  const auto is_file = [](const std::string& path) {
    std::error_code error;
    return system::filesystem::is_regular_file(path, error);
  };
  const std::vector<std::string>& paths = options.common.paths;
  after.options.pairs_only_trees =
      options.revision.empty() && std::all_of(paths.begin(), paths.end(), is_file) && options.explore.tree.empty();
  const bool is_colored = options.output.empty() && use_color(options.common, system::Stream::output);
  const Interruption interruption;
  after.options.budget.interruption = interruption.flag();
  std::set<std::string> told;
  std::vector<explore::TreeDiff> trees;
  {
    ProgressLine line(options.common);
    line.begin("comparing trees", 0);
    // People see of each of several trees that it differs as soon as it is compared.
    const auto tell = [&](const explore::TreeDiff& tree, std::size_t count) {
      line.finish_one([&] {
        if (options.format != "human" || !options.output.empty()) return;
        if (count < 2 || told.size() == kMostTold || tree.result == explore::Compared::same) return;
        told.insert(tree.tree);
        report::write_diff_tree(tree, is_colored, std::cout);
        std::cout << std::flush;
      });
    };
    trees = explore::diff(before.file.asset, after.file.asset, options.explore.tree, after.options, tell);
  }
  tell_unread(before, after, texts ? texts->renamed_trees() : std::map<std::string, std::string>(), trees);
  std::vector<explore::Change> changes;
  if (texts) {
    std::vector<explore::Trace>& hints = after.options.hints.emplace();
    for (const explore::TreeDiff& tree : trees) {
      for (const explore::Difference& difference : tree.differences) hints.push_back(difference.trace);
      hints.insert(hints.end(), tree.replayed.begin(), tree.replayed.end());
    }
    changes = compiled::with_effects(*texts, trees,
                                     [&](const compiled::Files& from, const compiled::Files& to, std::uint64_t parts) {
                                       return compare_with(from, to, parts, options, before, after);
                                     });
  }
  const report::DiffReport report{
      trees, changes, findings_json(before, after), error_words(before, after), told, interruption.has_come()};
  const auto write = [&](bool color, std::ostream& out) {
    const report::DiffFormat format = diff_format(options.format);
    if (format == report::DiffFormat::html) {
      report::write_versions_page(report, pictures_of(before), pictures_of(after), after.options.renamed_trees, out);
    } else {
      report::write_diff(report, format, color, out);
    }
  };
  if (options.output.empty()) {
    write(is_colored, std::cout);
    std::cout << std::flush;
  } else {
    std::ostringstream text;
    write(false, text);
    std::string error;
    if (!write_file(options.output, text.str(), after.inputs, &error)) return fail(error);
  }
  const bool are_same = std::all_of(
      trees.begin(), trees.end(), [](const explore::TreeDiff& tree) { return tree.result == explore::Compared::same; });
  if (are_same && options.format == "human" && !options.common.quiet) {
    std::cerr << (before.has_errors || after.has_errors
                      ? "no difference in behaviour, as far as the trees can be read\n"
                      : "no difference in behaviour\n");
  }
  if (interruption.has_come()) {
    const auto is_decided = [](const explore::TreeDiff& tree) { return tree.limit != explore::kInterrupted; };
    tell_interruption(static_cast<std::size_t>(std::count_if(trees.begin(), trees.end(), is_decided)), trees.size(),
                      "tree");
    return interruption.status(kOk);
  }
  if (before.has_errors || after.has_errors) return kFound;
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
                                "a list, JSON for other programs, a comment for a merge request, or a page"),
               "FORMAT", "human|json|markdown|html")
      ->capture_default_str();
  takes(verb->add_option("-o,--output", options->output, "writes to this file"), "FILE");
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
