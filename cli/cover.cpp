// espalier cover: finds the shortest trace that reaches each leaf, state, transition and result of trees, and writes
// few traces that reach them all; or measures what given traces reach. Exit status 0; 1 when --fail-under is not met,
// or the project has errors; 2 when the project or a trace cannot be read; that of a signal that interrupts it.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "cli/command_line.h"
#include "cli/explore_options.h"
#include "cli/interruption.h"
#include "cli/pictures.h"
#include "cli/progress_line.h"
#include "cli/recordings.h"
#include "cli/shard.h"
#include "cli/trace_paths.h"
#include "explore/expected_lines.h"
#include "explore/explore.h"
#include "explore/measure.h"
#include "mutants/cover_tests.h"
#include "project/trace_files.h"
#include "replay/names.h"
#include "report/explored.h"
#include "report/human.h"
#include "report/output_form.h"
#include "report/pictures/pictures.h"
#include "system/filesystem.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

struct CoverOptions {
  CommonOptions common;
  ExploreOptions explore;
  std::vector<std::string> traces;
  std::string output;
  std::string format = "human";
  std::string tests = "full";
  bool has_mutants = false;
  std::optional<double> fail_under;
  std::string shard;
};

report::CoverFormat cover_format(const std::string& name) {
  if (name == "json") return report::CoverFormat::json;
  if (name == "markdown") return report::CoverFormat::markdown;
  if (name == "html") return report::CoverFormat::html;
  return name == "lcov" ? report::CoverFormat::lcov : report::CoverFormat::human;
}

int check_cover_options(const CoverOptions& options) {
  if (!options.traces.empty() && !options.output.empty() && options.format != "html") {
    return fail("-o writes generated traces, and cannot be used with --trace",
                "leave out --trace to generate traces, or -o to measure given ones");
  }
  constexpr double kMost = 100;
  if (options.fail_under && !(*options.fail_under >= 0 && *options.fail_under <= kMost)) {
    return fail("the value of '--fail-under' is not a percentage from 0 to 100");
  }
  return kOk;
}

// Replays the given traces. One that does not hold reaches what it reaches; one that cannot be replayed is an error.
int measure(const ExploredTrees& trees, const std::vector<std::string>& traces, const explore::ChosenTrees& chosen,
            const CommonOptions& common, explore::Cover* cover, report::ReachedBy* reached_by) {
  explore::Measure measure(trees.file.asset, chosen, trees.options.host);
  std::size_t trace_number = 0;
  for (const explore::TreeCover& tree : measure.trees()) reached_by->emplace_back(tree.items.size());
  measure.reached = [&](std::size_t tree, std::size_t item) {
    std::vector<std::size_t>& reaching = (*reached_by)[tree][item];
    if (reaching.empty() || reaching.back() != trace_number) reaching.push_back(trace_number);
  };
  for (const std::string& path : traces) {
    std::string error;
    // What was expected of another version of a tree does not keep a trace from reaching its parts.
    replay::ReplayOptions options;
    options.checks_expectations = false;
    const std::unique_ptr<std::istream> trace =
        open_trace_or_recording(path, trees.file.asset, false, common.quiet, &options.start, &error);
    if (trace == nullptr) return fail(error);
    text::Sources sources;
    const replay::TraceResult result =
        replay::replay(trees.file.asset, *trace, path, options, sources, measure.observe(path));
    ++trace_number;
    if (!result.is_broken) continue;
    report_errors(result.findings, sources, 1, common, trees.report);
    return fail("the trace " + text::quote(path) + " cannot be replayed", {}, path);
  }
  for (std::size_t tree = 0; tree < reached_by->size(); ++tree) {
    const std::vector<explore::Item>& items = measure.trees()[tree].items;
    std::size_t item = 0;
    std::erase_if((*reached_by)[tree], [&](const auto&) { return !items[item++].is_possible; });
  }
  *cover = measure.take();
  return kOk;
}

mutants::SuiteOptions suite_options(const ExploredTrees& trees) {
  mutants::SuiteOptions options;
  options.explore = trees.options;
  options.replay.answers = trees.file.answers;
  options.replay.declared_nodes = trees.file.declared_nodes;
  return options;
}

// Writes the generated traces of each tree as soon as it is covered.
class CoverTraces {
 public:
  // `origin`: of the trees; none: no changes are made. What is given must outlive this.
  CoverTraces(const ExploredTrees& trees, const mutants::Origin* origin, const std::string& folder, bool is_full)
      : trees_(trees), origin_(origin), folder_(folder), is_full_(is_full), files_(folder) {}

  // Those of a cover of one tree, which get the names of their files; with `is_full` those that only tell changes
  // apart, too. An interruption leaves nothing of the tree. Returns an exit status.
  int write(explore::Cover& of_tree, mutants::Effort& effort) {
    const std::vector<mutants::NamedTest> tests = tests_of(of_tree, effort);
    if (trees_.options.budget.is_interrupted()) {
      for (explore::Item& item : of_tree.trees.front().items) item.trace.reset();
      return kOk;
    }
    for (std::size_t i = 0; i < tests.size(); ++i) {
      std::string_view stem = tests[i].name;
      stem.remove_suffix(stem.ends_with(project::kTraceSuffix) ? std::string_view(project::kTraceSuffix).size() : 0);
      const std::string path = files_.add(stem, tests[i].text);
      written_.insert(system::filesystem::path(path).filename().generic_string());
      if (i < of_tree.traces.size()) of_tree.traces[i].name = path;
    }
    stems_.insert(replay::plain_tree_name(of_tree.trees.front().tree));
    return files_.write(trees_.inputs);
  }

  // How many there are, and which others may be of an earlier version of these trees.
  void tell() const {
    std::cerr << written_.size() << (written_.size() == 1 ? " trace" : " traces") << " in " << text::visible(folder_)
              << '\n';
    const std::vector<std::string> older = older_files();
    if (older.empty()) return;
    std::cerr << "espalier: an earlier run has left " << text::visible(text::quote(older.front()));
    if (older.size() > 1) std::cerr << " and " << older.size() - 1 << " more traces of these trees";
    std::cerr << " in " << text::visible(folder_) << '\n';
  }

 private:
  std::vector<mutants::NamedTest> tests_of(const explore::Cover& of_tree, mutants::Effort& effort) const {
    if (is_full_ && origin_ != nullptr) return mutants::tests_of(*origin_, of_tree, suite_options(trees_), effort);
    const explore::Expected expected = is_full_ ? explore::Expected::events : explore::Expected::states;
    std::vector<mutants::NamedTest> tests;
    const replay::ReplayOptions replayed = suite_options(trees_).replay;
    for (const explore::CoverTrace& cover_trace : of_tree.traces) {
      explore::Trace trace = cover_trace.trace;
      tests.push_back({cover_trace.name, mutants::test_of(trees_.file.asset, trace, expected, replayed)});
    }
    return tests;
  }

  // Files with names as those that were written, for the same trees.
  std::vector<std::string> older_files() const {
    std::vector<std::string> older;
    std::error_code fault;
    system::filesystem::directory_iterator entry(folder_, fault);
    for (const system::filesystem::directory_iterator end; !fault && entry != end; entry.increment(fault)) {
      const std::string name = entry->path().filename().generic_string();
      if (!name.ends_with(project::kTraceSuffix) || written_.contains(name)) continue;
      const std::string stem = name.substr(0, name.size() - std::string_view(project::kTraceSuffix).size());
      const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
      const bool has_number = digits > 0 && digits < stem.size() && stem[digits - 1] == '-';
      if (has_number && stems_.contains(stem.substr(0, digits - 1))) older.push_back(name);
    }
    std::sort(older.begin(), older.end());
    return older;
  }

  const ExploredTrees& trees_;
  const mutants::Origin* const origin_;
  const std::string& folder_;
  const bool is_full_;
  TraceFolder files_;
  std::set<std::string> written_;  // names of files
  std::set<std::string> stems_;    // of the trees that were covered
};

// The texts of the given traces.
std::vector<std::string> read_tests(const std::vector<std::string>& paths) {
  std::vector<std::string> tests;
  for (const std::string& path : paths) {
    std::ifstream file(system::native(path), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    tests.push_back(std::move(text).str());
  }
  return tests;
}

// Without --trace, --mutants is about the traces in the given folders.
int find_own_traces(CoverOptions& options) {
  std::vector<std::string> paths = options.common.paths;
  if (paths.empty()) paths.emplace_back(".");
  for (const std::string& path : paths) {
    std::string error;
    std::error_code fault;
    if (system::filesystem::is_directory(path, fault))
      static_cast<void>(project::find_traces(path, options.traces, &error));
  }
  if (!options.traces.empty()) return kOk;
  return fail("there are no traces, and --mutants tells which changes of the trees they do not notice",
              "name them with --trace, or write some with -o FOLDER");
}

// Of a page -o names the file, of other formats the folder for traces.
FindingOptions form_of(const CoverOptions& options) {
  const bool is_page = options.format == "html";
  return {.format = options.format, .verb = "cover", .output = is_page ? options.output : std::string()};
}

// The trees in colours. Returns an exit status.
int write_page(const CoverOptions& options, const ExploredTrees& trees, const explore::Cover& cover,
               const report::CoverForm& form, const report::ReachedBy& reached_by) {
  std::vector<report::PictureTree> pictures = report::outline(trees.file.asset, trees.sources, options.explore.tree);
  report::color_trees(pictures, cover, form.possible, reached_by);
  std::ostringstream page;
  report::write_picture(pictures, {}, "cover", report::PictureFormat::html, page);
  if (options.output.empty()) {
    std::cout << page.str();
    return kOk;
  }
  std::vector<std::string> inputs = trees.inputs;
  inputs.insert(inputs.end(), options.traces.begin(), options.traces.end());
  return write_picture_file(options.output, page.str(), inputs);
}

int run_cover(CoverOptions& options) {
  if (const int status = find_traces(options.traces, options.common.paths); status != kOk) return status;
  if (const int status = check_cover_options(options); status != kOk) return status;
  if (options.has_mutants && options.traces.empty()) {
    if (const int status = find_own_traces(options); status != kOk) return status;
  }
  Budgets budgets;
  Shard shard;
  if (!read_budgets(options.explore, options.common, &budgets) || !read_shard(options.shard, &shard)) return kFailed;
  ExploredTrees trees;
  trees.report = form_of(options);
  trees.report.tree = options.explore.tree;
  const bool has_folder = !options.output.empty() && options.format != "html";
  const bool is_full = options.tests == "full";
  trees.wants_snapshot = options.has_mutants || (has_folder && is_full);
  if (const int status = load_trees(options.common, budgets, trees); status != kOk) return status;
  if (const int status = find_tree(options.explore, {&trees.file.asset}); status != kOk) return status;

  const auto [begin, end] = shard.part_of(tree_count(trees.file.asset));
  const explore::ChosenTrees chosen{options.explore.tree, static_cast<std::uint32_t>(begin),
                                    static_cast<std::uint32_t>(end)};
  const bool is_measured = !options.traces.empty();
  report::CoverForm form;
  form.format = cover_format(options.format);
  form.color = use_color(options.common, system::Stream::output);
  form.has_files = is_measured || has_folder;
  form.tells_trees = false;
  explore::Cover measured;
  report::ReachedBy reached_by;
  if (is_measured) {
    if (const int status = measure(trees, options.traces, chosen, options.common, &measured, &reached_by);
        status != kOk)
      return status;
  }
  if (options.has_mutants && !trees.snapshot)
    return fail("changes are made in XML files, and these trees are not read from some");
  const Interruption interruption;
  trees.options.budget.interruption = interruption.flag();
  std::optional<mutants::Origin> origin;
  if (trees.snapshot) origin.emplace(trees.file.asset, *trees.snapshot);
  CoverTraces traces(trees, origin ? &*origin : nullptr, options.output, is_full);
  mutants::TestsByTree tests;
  if (options.has_mutants) tests = mutants::tests_by_tree(trees.file.asset, read_tests(options.traces));
  int status = kOk;
  std::size_t done_count = 0;
  explore::Cover found;
  {
    ProgressLine line(options.common);
    const auto count = options.explore.tree.empty() ? end - begin : 1;
    line.begin("exploring trees", count);
    // People see each tree when it is done.
    const auto finish = [&](explore::Cover& of_tree, const explore::Budget& left) {
      explore::TreeCover& tree = is_measured ? measured.trees[done_count] : of_tree.trees.front();
      mutants::Effort effort(left);
      if (has_folder) status = traces.write(of_tree, effort);
      if (options.has_mutants) mutants::add_unnoticed(*origin, of_tree, tests, suite_options(trees), effort, tree);
      of_tree.trees.front().used_count += effort.paid_count();
      line.finish_one([&] {
        if (form.format != report::CoverFormat::human) return;
        report::write_cover_tree(tree, is_measured ? &of_tree.trees.front() : nullptr, form.color, std::cout);
        std::cout << std::flush;
      });
      if (!interruption.has_come()) ++done_count;
      return status == kOk;
    };
    constexpr std::uint64_t kPartForTests = 4;  // of the budget
    const bool has_tests = options.has_mutants || (has_folder && is_full);
    found = explore::cover(trees.file.asset, chosen, trees.options, finish, has_tests ? kPartForTests : 0);
  }
  if (status != kOk) return status;
  form.is_interrupted = interruption.has_come();
  if (is_measured) form.possible = &found;
  const explore::Cover& cover = is_measured ? measured : found;
  if (form.format == report::CoverFormat::html) {
    if (const int written = write_page(options, trees, cover, form, reached_by); written != kOk) return written;
  }
  report::write_cover(cover, form, std::cout);
  std::cout << std::flush;
  if (has_folder && !options.common.quiet) traces.tell();
  if (interruption.has_come()) {
    tell_interruption(done_count, found.trees.size(), "tree");
    return interruption.status(kOk);
  }
  const double percent = report::summarize(cover, form.possible).percent();
  if (!options.fail_under || percent >= *options.fail_under) return kOk;
  std::cerr << "espalier: " << replay::number_text(static_cast<int>(percent * 10) / 10.0)
            << "% of what is reachable is reached, less than " << replay::number_text(*options.fail_under) << "%\n";
  return kFound;
}

}  // namespace

void add_cover(CLI::App& program, int& status) {
  auto options = std::make_shared<CoverOptions>();
  CLI::App* verb = program.add_subcommand(
      "cover", "generates traces that reach every part of a tree, or measures what given traces reach");
  add_explore_options(*verb, options->common, options->explore);
  takes(verb->add_option("-t,--trace", options->traces,
                         "measures what this trace, or folder of *.trace.jsonl, reaches; other arguments that end in "
                         ".jsonl are traces too"),
        "PATH")
      ->allow_extra_args(false);
  takes(verb->add_option(
            "-o,--output", options->output,
            "writes the generated traces, with expectations; with --format html: writes the page to this file"),
        "FOLDER");
  takes_one_of(
      verb->add_option("--tests", options->tests,
                       "which traces -o writes: full: on which nearly every change of a tree fails; small: few "
                       "that reach every part"),
      "TESTS", "full|small")
      ->capture_default_str();
  verb->add_flag(
      "--mutants", options->has_mutants,
      "lists changes of the trees, one at a time, that no trace notices: none of --trace, or of those in PATHS");
  takes_one_of(
      verb->add_option("--format", options->format,
                       "a table with what is not reached, a page for a browser, or a report for other programs"),
      "FORMAT", "human|json|lcov|markdown|html")
      ->capture_default_str();
  takes(verb->add_option("--fail-under", options->fail_under,
                         "exit status 1 if the traces reach less than this percentage of what is reachable"),
        "PERCENT");
  add_shard_option(*verb, "trees", options->shard);
  verb->footer(
      "Examples:\n"
      "  espalier cover trees/\n"
      "  espalier cover trees/ -o traces/\n"
      "  espalier cover trees/ --trace traces/ --fail-under 90\n"
      "  espalier cover guards.espb --tree Guard --budget 100000 --format lcov > guard.info");
  verb->callback([options, &status] {
    status = run_reported(form_of(*options), options->common, [&] { return run_cover(*options); });
  });
}

}  // namespace espalier::cli
