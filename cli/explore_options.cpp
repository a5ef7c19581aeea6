// What the verbs that explore trees share. See explore_options.h.
#include "cli/explore_options.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "cli/command_line.h"
#include "cli/declared_answers.h"
#include "codegen/alone.h"
#include "dialects/btcpp/options.h"
#include "explore/explore.h"
#include "project/collect.h"
#include "project/configuration.h"
#include "project/trace_files.h"
#include "replay/event.h"
#include "replay/names.h"
#include "replay/replay.h"
#include "system/output_files.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

struct BudgetUnit {
  std::string_view name;
  std::uint64_t milliseconds;
};
constexpr BudgetUnit kBudgetUnits[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};

bool read_part(std::string_view text, explore::Budget* budget) {
  constexpr std::uint64_t kMost = 1'000'000'000'000;
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number == 0 || number > kMost) return false;
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (unit.empty()) budget->states = number;
  for (const BudgetUnit& each : kBudgetUnits) {
    if (each.name == unit) budget->milliseconds = number * each.milliseconds;
    if (each.name == unit) return true;
  }
  return unit.empty();
}

// What the configuration says of the host.
void take_configuration(ExploredTrees& trees) {
  const dialects::Options& dialects = trees.configuration.dialects;
  trees.options.signal_only = dialects.signal_only;
  const dialects::BtcppOptions& btcpp = dialects.of<dialects::BtcppOptions>();
  trees.options.host.entries = btcpp.entries;
  for (const dialects::btcpp::Declaration& node : btcpp.nodes) {
    if (node.fails_anew()) trees.options.host.fails_anew.insert(node.name);
    if (node.results == 0) continue;
    std::vector<std::string>& answers = trees.options.host.answers[node.name];
    for (std::size_t i = 0; i < std::size(dialects::btcpp::kOutcomeWords); ++i) {
      if ((node.results >> i & 1) != 0) answers.emplace_back(dialects::btcpp::kOutcomeWords[i]);
    }
  }
}

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
  take_configuration(trees);
  trees.options.host.results = declared_results(trees.file.asset, configuration.dialects);
  return kOk;
}

// Do the paths name less than the project?
bool is_part(const CommonOptions& common, const project::Configuration& configuration) {
  std::error_code error;
  if (common.paths.empty()) return false;
  const std::string folder = std::filesystem::weakly_canonical(configuration.path, error).parent_path().string();
  bool has_all = configuration.path.empty();
  for (const std::string& path : common.paths) {
    if (!std::filesystem::is_directory(path, error)) return true;
    const std::string given = std::filesystem::weakly_canonical(path, error).string();
    has_all = has_all || given == folder || !project::path_below(given, folder).empty();
  }
  return !has_all;
}

// What `expect` can say of an agent, with values that are rewritten.
std::string_view wanted_of(EngineId engine) {
  if (engine == EngineId::select) return "\"behavior\": null";
  if (engine == EngineId::decide) return "\"path\": [], \"running\": []";
  if (engine == EngineId::rule) return "\"rule\": null, \"running\": [], \"status\": null";
  return "\"running\": [], \"status\": null";
}

// Adds a line for each agent, with values that are rewritten.
void add_expectations(const Asset& asset, const explore::Trace& trace, const std::string& more,
                      std::vector<std::string>& lines) {
  Tree tree;
  if (espalier::find_tree(asset, trace.tree, &tree) != Status::ok) return;
  const std::string wanted(wanted_of(replay::engine_of_tree(tree)));
  for (std::uint32_t agent = 0; agent < trace.agent_count; ++agent) {
    const std::string whose = trace.agent_count == 1 ? "" : ", \"agent\": " + std::to_string(agent);
    std::string& line = lines.emplace_back("{\"expect\": {");
    line.append(wanted).append(agent == 0 ? more : "").append("}").append(whose).append("}");
  }
}

// A trace whose expectations say what happens.
std::string updated(const Asset& asset, const std::string& text) {
  std::istringstream lines(text);
  text::Sources sources;
  std::string result;
  static_cast<void>(replay::update_expectations(asset, lines, "trace", {}, sources, {}, &result));
  return result;
}

}  // namespace

void add_explore_options(CLI::App& verb, CommonOptions& common, ExploreOptions& options) {
  add_common(verb, common);
  takes(verb.add_option("--tree", options.tree, "only the tree of this name"), "NAME");
  takes(verb.add_option("--budget", options.budget,
                        "limit of exploration for each tree: a number of states (default 2000000), a time such as 30s "
                        "or 5m, or both; with a time, results may differ from run to run"),
        "STATES|TIME")
      ->delimiter(',')
      ->allow_extra_args(false);
  takes(verb.add_option("--total-budget", options.total_budget, "limit for all trees together (default: none)"),
        "STATES|TIME")
      ->delimiter(',')
      ->allow_extra_args(false);
}

bool read_budgets(const ExploreOptions& options, const CommonOptions& common, Budgets* budgets) {
  budgets->of_tree.threads = common.threads;
  const auto read = [](const std::vector<std::string>& parts, const char* option, explore::Budget* budget) {
    for (const std::string& part : parts) {
      if (read_part(part, budget)) continue;
      static_cast<void>(fail(text::quote(part) + " is not a valid value of '" + option + "'",
                             "expected a number of states, or a time in ms, s, m or h: 100000, 30s"));
      return false;
    }
    return true;
  };
  return read(options.budget, "--budget", &budgets->of_tree) &&
         read(options.total_budget, "--total-budget", &budgets->total);
}

namespace {

int load_any_trees(const CommonOptions& common, Alone alone, ExploredTrees& trees) {
  if (common.paths.size() == 1 && is_asset_path(common.paths.front())) {
    if (const int status = load_asset(common, trees.report, trees.file); status != kOk) return status;
    return read_asset_options(common, trees);
  }
  project::Project project;
  CommonOptions loading = common;
  loading.quiet = true;  // how many warnings there are is what lint says
  if (const int status = load_for_compiling(loading, trees.report, project); status != kOk) return status;
  trees.inputs = inputs_of(common, project);
  trees.configuration = project.snapshot.configuration;
  trees.is_part = is_part(common, trees.configuration);
  take_configuration(trees);
  add_known_answers(project, trees.options.host);
  trees.options.host.results = declared_results(project);
  const int status = compile_trees(project.ir, project, false, common, trees.report, trees.file);
  if (alone == Alone::wanted) trees.alone = codegen::compiled_alone(project.ir, project.snapshot.sources);
  trees.sources = std::move(project.snapshot.sources);
  return status;
}

}  // namespace

int load_trees(const CommonOptions& common, const Budgets& budgets, ExploredTrees& trees, Alone alone) {
  trees.options.budget = budgets.of_tree;
  trees.options.total = budgets.total;
  return load_any_trees(common, alone, trees);
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
  constexpr std::size_t kMaxBytes = 100;
  std::string file;
  for (const char letter : name.substr(0, kMaxBytes)) {
    const bool is_plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                          (letter >= 'A' && letter <= 'Z') || letter == '_' || letter == '.';
    if (is_plain && !(letter == '.' && file.empty())) {
      file += letter;
    } else if (!file.empty() && file.back() != '-') {
      file += '-';
    }
  }
  while (!file.empty() && file.back() == '-') file.pop_back();
  if (file.empty()) file = "trace";
  const auto path_of = [&](const std::string& stem) {
    return (std::filesystem::path(folder_) / (stem + project::kTraceSuffix)).lexically_normal().generic_string();
  };
  // Names that differ only in case are one file on some systems.
  const auto is_taken = [&](const std::string& path) {
    return std::any_of(files_.begin(), files_.end(),
                       [&](const File& other) { return text::equal_any_case(other.path, path); });
  };
  std::string path = path_of(file);
  for (std::uint32_t number = 2; is_taken(path); ++number) path = path_of(file + '-' + std::to_string(number));
  files_.push_back({path, std::move(text)});
  return path;
}

int TraceFolder::write(const std::vector<std::string>& inputs) const {
  system::Outputs outputs;
  for (const File& file : files_) outputs.files.push_back({file.path, file.text});
  outputs.inputs = inputs;
  outputs.folders = {folder_};
  system::OutputFault fault;
  return system::write_files(outputs, &fault) ? kOk : fail(fault.message, fault.hint);
}

std::string with_expectations(const Asset& asset, const explore::Trace& trace) {
  explore::Trace expecting = trace;
  expecting.steps.clear();
  if (!trace.defaults.empty()) expecting.steps.push_back(trace.defaults);
  for (const std::string& step : trace.steps) {
    expecting.steps.push_back(step);
    if (step.starts_with("{\"tick\"")) add_expectations(asset, trace, {}, expecting.steps);
  }
  return updated(asset, explore::text_of(expecting));
}

std::string last_expectations(const Asset& asset, const explore::Trace& trace, const std::vector<std::string>& events) {
  explore::Trace expecting = trace;
  add_expectations(asset, trace, events.empty() ? "" : ", \"events\": []", expecting.steps);
  std::string text = explore::text_of(expecting);
  if (!events.empty()) text.insert(text.find("}\n"), ", \"events\": " + replay::json_list(events));
  text = updated(asset, text);
  // As many lines as there are agents.
  std::size_t begin = text.size() - 1;
  for (std::uint32_t i = 0; i < trace.agent_count; ++i) begin = text.rfind('\n', begin - 1);
  return text.substr(begin + 1, text.size() - begin - 2);
}

}  // namespace espalier::cli
