// What the verbs that explore trees share. See explore_options.h.
#include "cli/explore_options.h"

#include <algorithm>
#include <system_error>

#include "cli/command_line.h"
#include "codegen/alone.h"
#include "compiled/declared_answers.h"
#include "compiled/readable.h"
#include "explore/explore.h"
#include "project/configuration.h"
#include "project/property_files.h"
#include "replay/names.h"
#include "system/filesystem.h"
#include "system/output_files.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

int read_asset_options(const CommonOptions& common, ExploredTrees& trees) {
  const std::string& path = common.paths.front();
  if (!explore::has_names(trees.file.asset)) {
    return fail("the asset " + text::quote(path) + " was stripped of the names and places of its nodes",
                "compile it without --strip, or name the XML files");
  }
  trees.inputs = {path};
  trees.is_part = true;
  std::string file = common.configuration;
  if (file.empty() && path != "-" && !common.is_isolated) file = project::nearest_configuration(path);
  if (file.empty()) return kOk;
  text::Findings findings;
  std::string error;
  project::Configuration& configuration = trees.configuration;
  if (!project::read_configuration(file, {}, trees.sources, configuration, findings, error)) return fail(error);
  if (findings.has_errors()) {
    return fail(text::quote(file) + " has errors", "'espalier lint' shows them; --isolated does without the file");
  }
  trees.inputs.push_back(file);
  trees.options.signal_only = configuration.dialects.signal_only;
  compiled::add_configured_facts(configuration.dialects, trees.options.host);
  trees.options.host.results = compiled::declared_results(trees.file.asset, configuration.dialects);
  return kOk;
}

}  // namespace

void add_explore_options(CLI::App& verb, CommonOptions& common, ExploreOptions& options) {
  add_common(verb, common);
  takes(verb.add_option("--tree", options.tree, "only the tree of this name"), "NAME");
  takes(verb.add_option(
            "--budget", options.budget,
            "limit of exploration for each tree: a number of states, a time such as 30s or 5m, or both; 10x: ten times "
            "the default, which is work for about ten seconds. With a time, results may differ from run to run"),
        "STATES|TIME")
      ->delimiter(',')
      ->allow_extra_args(false);
  takes(verb.add_option("--total-budget", options.total_budget, "limit for all trees together (default: none)"),
        "STATES|TIME")
      ->delimiter(',')
      ->allow_extra_args(false);
}

bool read_budgets(const ExploreOptions& options, const CommonOptions& common, Budgets* budgets) {
  const auto has_time = [](const std::string& part) {
    return part.ends_with('s') || part.ends_with('m') || part.ends_with('h');
  };
  if (!options.budget.empty() && std::all_of(options.budget.begin(), options.budget.end(), has_time))
    budgets->of_tree = explore::kTimedBudget;
  budgets->of_tree.threads = common.threads;
  const auto read = [](const std::vector<std::string>& parts, const char* option, explore::Budget* budget) {
    for (const std::string& part : parts) {
      if (explore::read_budget(part, budget)) continue;
      static_cast<void>(
          fail(text::quote(part) + " is not a valid value of '" + option + "'",
               "expected a number of states, a time in ms, s, m or h, or times the default: 100000, 30s, 10x"));
      return false;
    }
    return true;
  };
  return read(options.budget, "--budget", &budgets->of_tree) &&
         read(options.total_budget, "--total-budget", &budgets->total);
}

namespace {

// Two versions are compared by the paths of their files below the folders that were given.
void name_below(const std::vector<std::string>& paths, project::Project& project) {
  std::error_code error;
  if (paths.size() != 1 || !system::filesystem::is_directory(paths.front(), error)) return;
  const system::filesystem::path folder = system::filesystem::absolute(paths.front(), error).lexically_normal();
  for (ir::Tree& tree : project.ir.trees) {
    if (tree.file.empty()) continue;
    const std::string name(ir::own_name(tree));
    const system::filesystem::path file = project.snapshot.sources[tree.span.file].path();
    const std::string below =
        system::filesystem::absolute(file, error).lexically_normal().lexically_relative(folder).generic_string();
    tree.name = name;
    if (!below.empty() && !below.starts_with("..")) tree.file = below;
  }
  ir::tell_apart(project.ir);
}

// The files of trees, named so that the same file of another version has the same name: below the folder that was
// given, or beside the file.
std::vector<compiled::VersionFile> files_of(const CommonOptions& common, const project::Project& project) {
  std::vector<compiled::VersionFile> files;
  std::error_code error;
  const auto whole = [&](const std::string& path) {
    return system::filesystem::absolute(path, error).lexically_normal();
  };
  const bool is_one = common.paths.size() == 1;
  const system::filesystem::path given = is_one ? whole(common.paths.front()) : system::filesystem::path();
  const system::filesystem::path folder = system::filesystem::is_directory(given, error) ? given : given.parent_path();
  for (const project::SnapshotFile& file : project.snapshot.files) {
    if (!file.place.is_tree || project.snapshot.rest.contains(file.id)) continue;
    const text::Source& source = project.snapshot.sources[file.id];
    compiled::VersionFile own;
    own.path = file.open_path.empty() ? file.place.path : file.open_path;
    const system::filesystem::path path = whole(own.path);
    const std::string below = path.lexically_relative(folder).generic_string();  // empty: they have other roots
    own.name = !is_one || below.empty() ? file.place.name : path == given ? "." : below;
    own.shown = source.path();
    own.document = compiled::parse_as_dialect(source);
    if (own.document != nullptr) files.push_back(std::move(own));
  }
  return files;
}

int compile_loaded(const CommonOptions& common, Version version, project::Project& project, ExploredTrees& trees) {
  if (version == Version::of_path) name_below(common.paths, project);
  trees.inputs = inputs_of(common, project);
  trees.configuration = project.snapshot.configuration;
  trees.is_part = project::are_part(common.paths, trees.configuration);
  trees.options.signal_only = trees.configuration.dialects.signal_only;
  trees.options.host = compiled::host_facts(project.ir, project.snapshot);
  trees.file.answers = compiled::declared_answers(project.ir, trees.configuration.dialects);
  trees.file.declared_nodes = compiled::declared_nodes(project.ir);
  const int status = compile_trees(project.ir, project, {}, common, trees.report, trees.file);
  if (version != Version::only) trees.alone = codegen::compiled_alone(project.ir, project.snapshot.sources);
  trees.sources = project.snapshot.sources;
  if (trees.wants_snapshot) trees.snapshot = std::move(project.snapshot);
  return status;
}

// Loads a project with errors, or without some of its trees, again: what has errors is left out, and a tree that is
// nowhere stands for a node of the program.
void read_as_far_as_possible(const CommonOptions& common, project::Project& project) {
  constexpr int kMostRounds = 5;
  project::Files files = common.files == nullptr ? project::Files() : *common.files;
  project::LoadOptions what = load_options(common);
  what.for_compiling = true;
  what.shown = lint::Shown::nothing;
  what.files = &files;
  for (int round = 0; round < kMostRounds && (round == 0 || project.findings.has_errors()); ++round) {
    const std::vector<compiled::TextChanges::File> texts = compiled::readable_texts(project);
    if (texts.empty()) return;
    for (const compiled::TextChanges::File& file : texts) files.set_text(file.path, file.text);
    project::Project read;
    project::LoadErrors errors;
    if (!project::load(what, read, errors)) return;
    project = std::move(read);
  }
}

std::set<std::string> trees_of(const std::vector<compiled::VersionFile>& files) {
  std::set<std::string> names;
  for (const compiled::VersionFile& file : files) {
    const std::vector<std::string> own = compiled::trees_in(file);
    names.insert(own.begin(), own.end());
  }
  return names;
}

// Of the trees that are written, those that could not be compiled.
std::set<std::string> unread_trees(const ExploredTrees& trees, std::set<std::string> written, bool has_errors) {
  std::set<std::string> known;
  for (const std::string_view name : replay::tree_names(trees.file.asset)) {
    known.emplace(replay::split_tree_name(name).name);
    known.emplace(replay::last_part(name));
  }
  std::erase_if(written, [&](const std::string& name) {
    return known.contains(name) || known.contains(compiled::readable_name(name));
  });
  return has_errors ? written : std::set<std::string>();
}

int load_any_trees(const CommonOptions& common, Version version, ExploredTrees& trees) {
  if (common.paths.size() == 1 && is_asset_path(common.paths.front())) {
    if (const int status = load_asset(common, trees.report, trees.file); status != kOk) return status;
    return read_asset_options(common, trees);
  }
  project::Project project;
  CommonOptions loading = common;
  loading.quiet = true;  // how many warnings there are is what lint says
  loading.keeps_parsed = trees.wants_snapshot;
  const auto load = version == Version::only ? load_for_compiling : load_with_errors;
  if (const int status = load(loading, trees.report, project); status != kOk) return status;
  trees.has_errors = project.findings.has_errors();
  trees.findings = project.findings;
  if (common.may_be_empty && project.snapshot.files.empty()) return kOk;
  if (version != Version::only) trees.files = files_of(common, project);
  if (version == Version::only || compiled::is_whole(project)) return compile_loaded(common, version, project, trees);
  const text::Sources sources = project.snapshot.sources;
  const std::set<std::string> written = trees_of(trees.files);
  read_as_far_as_possible(common, project);
  const int status = compile_loaded(common, version, project, trees);
  trees.sources = sources;
  trees.unread = unread_trees(trees, written, project.findings.has_errors());
  return status;
}

}  // namespace

int load_trees(const CommonOptions& common, const Budgets& budgets, ExploredTrees& trees, Version version) {
  trees.options.budget = budgets.of_tree;
  trees.options.total = budgets.total;
  return load_any_trees(common, version, trees);
}

bool load_quietly(const CommonOptions& common, Version version, const std::set<std::string>& known_errors,
                  ExploredTrees& trees) {
  project::LoadOptions what = load_options(common);
  what.for_compiling = true;
  what.shown = lint::Shown::nothing;
  project::Project project;
  project::LoadErrors errors;
  if (!project::load(what, project, errors)) return false;
  const auto is_new = [&](const text::Finding& finding) {
    return finding.severity == text::Severity::error && !known_errors.contains(finding.message);
  };
  if (std::any_of(project.findings.all().begin(), project.findings.all().end(), is_new)) return false;
  if (!compiled::is_whole(project)) read_as_far_as_possible(common, project);
  return !project.findings.has_errors() && compile_loaded(common, version, project, trees) == kOk;
}

int find_tree(ExploreOptions& options, const std::vector<const Asset*>& assets) {
  if (options.tree.empty()) return kOk;
  std::vector<std::string_view> names;
  for (const Asset* asset : assets) {
    const std::vector<Tree> called = replay::trees_called(*asset, options.tree);
    if (called.size() == 1) {
      options.tree = tree_name(called.front());
      return kOk;
    }
    for (const std::string_view name : replay::tree_names(*asset)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  const std::string hint = text::did_you_mean(options.tree, names);
  return fail("unknown tree " + text::quote(options.tree),
              hint.empty() ? "expected one of " + replay::listed(names) : hint);
}

std::string TraceFolder::add(std::string_view name, std::string text) {
  files_.push_back({names_.next(name), std::move(text)});
  return files_.back().path;
}

int TraceFolder::write(const std::vector<std::string>& inputs) {
  system::Outputs outputs;
  for (const File& file : files_) outputs.files.push_back({file.path, file.text});
  outputs.inputs = inputs;
  outputs.folders = {names_.folder()};
  system::OutputFault fault;
  if (!system::write_files(outputs, &fault)) return fail(fault.message, fault.hint);
  files_.clear();
  return kOk;
}

}  // namespace espalier::cli
