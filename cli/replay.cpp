// espalier replay: runs traces against a project or a compiled asset. Exit status 0 when every expectation is met;
// 1 when one fails, or the project has errors; 2 when a trace or the project cannot be read.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <system_error>

#include "cli/asset_file.h"
#include "cli/command_line.h"
#include "cli/faults.h"
#include "cli/findings_report.h"
#include "cli/pictures.h"
#include "cli/reloads.h"
#include "cli/shard.h"
#include "cli/step.h"
#include "cli/trace_paths.h"
#include "cli/watch.h"
#include "codegen/dump/written_conditions.h"
#include "project/collect.h"
#include "replay/line.h"
#include "report/debug_lines.h"
#include "report/line_view.h"
#include "report/output_form.h"
#include "report/pictures/replay_page.h"
#include "report/replays.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

// A trace that can be read only once, such as one from a pipe, is kept in memory, to be read again if it fails.
constexpr std::size_t kMaxKeptTraceBytes = std::size_t{256} << 20;

struct ReplayOptions {
  CommonOptions common;
  std::vector<std::string> traces;
  std::vector<std::string> reloads;
  std::string format = "human";
  std::string output;
  std::vector<std::string> events;
  std::optional<std::uint32_t> agent;
  std::string view;
  bool update = false;
  bool strict = false;
  std::string thrash;
  bool record = false;
  std::optional<unsigned> level;
  std::uint64_t max_updates = replay::kMaxUpdates;
  std::string shard;
  bool watch = false;
  bool step = false;
  std::string tree;  // step
};

// Should the story of every trace be shown? Options that select a part of it ask for that too.
bool tells_all(const ReplayOptions& options) {
  return options.common.verbose || options.level || options.agent || !options.events.empty() || !options.view.empty();
}

report::ReplayFormat format_of(const std::string& name) {
  if (name == "human") return report::ReplayFormat::human;
  if (name == "html") return report::ReplayFormat::html;
  if (name == "debug") return report::ReplayFormat::debug;
  if (name == "jsonl") return report::ReplayFormat::jsonl;
  return name == "junit" ? report::ReplayFormat::junit : report::ReplayFormat::findings;
}

std::optional<report::ViewMode> view_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name == "always") return report::ViewMode::always;
  return name == "never" ? report::ViewMode::never : report::ViewMode::changes;
}

// "4/2.5": more than 4 changes in 2.5 seconds; none: not of this form.
std::optional<replay::SwapLimit> read_thrash(const std::string& text) {
  constexpr double kMostSeconds = 1e9;
  replay::SwapLimit limit;
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [slash, fault] = std::from_chars(text.data(), end, limit.count);
  if (fault != std::errc() || slash == end || *slash != '/' || limit.count == 0) return std::nullopt;
  const auto [rest, second_fault] = std::from_chars(slash + 1, end, seconds);
  if (second_fault != std::errc() || rest != end || !(seconds > 0 && seconds <= kMostSeconds)) return std::nullopt;
  limit.within_us = static_cast<std::uint64_t>(std::llround(seconds * 1e6));
  return limit;
}

replay::ReplayOptions replay_options(const ReplayOptions& options, const AssetFile& file) {
  replay::ReplayOptions result;
  result.strict = options.strict;
  result.max_updates = options.max_updates;
  result.swaps = read_thrash(options.thrash);
  result.severities.insert(file.severities.begin(), file.severities.end());
  result.answers = file.answers;
  result.declared_nodes = file.declared_nodes;
  return result;
}

report::ReplayForm form_of(const ReplayOptions& options) {
  report::ReplayForm result;
  result.format = format_of(options.format);
  result.story.color = use_color(options.common, kOutputDescriptor);
  result.story.verbose =
      options.level.value_or(result.format == report::ReplayFormat::debug ? report::kMaxDebugLevel : 0);
  result.story.events = options.events;
  result.story.agent = options.agent;
  result.story.view = view_of(options.view);
  result.record = options.record;
  result.writes_findings = result.format == report::ReplayFormat::jsonl;
  result.tells_warnings = !options.common.quiet;
  result.tells_passed = !options.common.quiet;
  if (result.format == report::ReplayFormat::junit) return result;  // the document has all messages
  result.message_color = use_color(options.common, kErrorDescriptor);
  result.tell = [is_colored = result.message_color](const std::string& message) {
    std::cout << std::flush;
    const report::FormScope form(std::cerr, is_colored ? report::OutputForm::colored : report::OutputForm::text);
    std::cerr << message;
  };
  return result;
}

// How errors of the trees are reported.
FindingOptions error_form(const ReplayOptions& options) {
  return {.format = options.format, .verb = "replay", .output = options.output};
}

// The trace as a stream, which can be read twice if `is_kept`. Null: it cannot be read, `error` says why.
std::unique_ptr<std::istream> open_trace(const std::string& path, bool is_kept, std::string* error) {
  std::error_code failure;
  std::string reason;
  if (is_kept && !std::filesystem::is_regular_file(path, failure)) {
    std::string bytes;
    if (project::read_bytes(path, kMaxKeptTraceBytes, bytes, reason, project::Readable::named) &&
        bytes.size() <= kMaxKeptTraceBytes) {
      return std::make_unique<std::istringstream>(std::move(bytes));
    }
    *error = "cannot read the trace " + text::quote(path) + ": " +
             (reason.empty() ? "it is longer than 256 MiB; use -v, which reads it only once" : reason);
    return nullptr;
  }
  if (path == "-") return std::make_unique<std::istream>(std::cin.rdbuf());
  if (project::may_read(path, reason)) {
    errno = 0;
    auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
    if (*file) return file;
    reason = std::generic_category().message(errno);
  }
  *error = "cannot read the trace " + text::quote(path) + ": " + reason;
  return nullptr;
}

std::string counted(std::uint64_t count, const char* word) {
  return std::to_string(count) + ' ' + word + (count == 1 ? "" : "s");
}

// Common to all traces of a run.
struct Run {
  const Asset& asset;
  replay::ReplayOptions options;
  report::ReplayForm form;
  text::Sources sources = {};
};

int update_trace(Run& run, const std::string& path, report::ReplayReport* report) {
  if (std::error_code error; !std::filesystem::is_regular_file(path, error)) {
    return fail("cannot update " + text::quote(path) + ": it is not a file", "only a file can be rewritten");
  }
  std::string before;
  std::string error;
  if (!project::read_bytes(path, kMaxKeptTraceBytes, before, error)) {
    return fail("cannot read the trace " + text::quote(path) + ": " + error);
  }
  std::string updated;
  std::istringstream trace(before);
  *report = report::update_trace(run.asset, trace, path, run.options, run.form, run.sources, &updated);
  const std::uint64_t count = report->result.rewritten_count;
  if (report->result.is_broken || count == 0) return kOk;
  if (!rewrite_file(path, before, updated, &error)) return fail(error);
  std::cerr << report::visible(path) << ": " << counted(count, "expectation") << " rewritten\n";
  return kOk;
}

// Of a trace that cannot be read: its report has the fault, as those of others have theirs.
report::ReplayReport report_unread(const std::string& path, const std::string& error, const ReplayOptions& options,
                                   Run& run) {
  report::ReplayReport report;
  report.result.path = report.result.name = path;
  report.result.is_broken = true;
  report.story = error + '\n';
  add_faults({{.file = path, .message = error}}, path, report.result.findings, run.sources);
  if (run.form.writes_findings) {
    report_findings(report.result.findings, run.sources, {}, options.common, error_form(options), std::cout,
                    kOutputDescriptor);
  }
  std::cout << std::flush;
  std::cerr << "espalier: " << text::visible(error) << '\n';
  return report;
}

// A page of one trace, which gets what happens and the messages.
class PageWriter {
 public:
  PageWriter(const AssetFile& file, const project::Project& project, const ReplayOptions& options,
             report::ReplayForm& form)
      : trees_(report::outline(file.asset)), page_(file.asset, options.traces.front(), trees_) {
    report::add_findings(trees_, notes_of(project));
    observer_ = page_.observer();
    form.also = &observer_;
    form.tell = [this, tell = form.tell](const std::string& message) {
      tell(message);
      page_.tell(message);
    };
  }

  int write(const report::ReplayReport& report, const project::Project& project, const ReplayOptions& options) {
    std::ostringstream text;
    page_.write(report.result.name, sources_of(project), text);
    std::vector<std::string> inputs = inputs_of(options.common, project);
    inputs.push_back(options.traces.front());
    return write_picture_file(options.output, text.str(), inputs);
  }

 private:
  std::vector<report::PictureTree> trees_;
  report::ReplayPage page_;
  replay::Observer observer_;
};

// The findings of all traces, in a format for findings.
void write_findings(const std::vector<report::ReplayReport>& reports, const Run& run, const ReplayOptions& options) {
  std::vector<const replay::TraceResult*> results;
  results.reserve(reports.size());
  for (const report::ReplayReport& report : reports) results.push_back(&report.result);
  std::stable_sort(results.begin(), results.end(), [](const auto* a, const auto* b) { return a->path < b->path; });
  text::Findings findings;
  for (const replay::TraceResult* result : results) {
    for (const text::Finding& finding : result->findings.all()) findings.add(finding);
  }
  const auto summary = report::summarize(findings, static_cast<std::uint32_t>(reports.size()));
  report_findings(findings, run.sources, summary, options.common, error_form(options), std::cout, kOutputDescriptor);
}

// One line at the end, and the exit status. `is_brief`: stories for people, of failing traces alone.
int summarize(const std::vector<report::ReplayReport>& reports, bool quiet, bool is_brief) {
  std::uint64_t expectations = 0;
  std::uint64_t failed = 0;
  std::uint64_t refused = 0;
  std::uint64_t broken = 0;
  for (const auto& [result, story, warnings] : reports) {
    expectations += result.expectation_count;
    failed += result.failed_count;
    refused += result.refused_count;
    broken += result.is_broken ? 1 : 0;
  }
  if (!quiet && !reports.empty()) {
    std::cerr << counted(reports.size(), "trace") << ", " << counted(expectations, "expectation") << ": ";
    std::string outcome = broken > 0 ? counted(broken, "trace") + " cannot be replayed" : "";
    const auto add = [&](const std::string& words) { outcome += (outcome.empty() ? "" : ", ") + words; };
    if (failed > 0) add(std::to_string(failed) + " failed");
    if (broken == 0 && failed == 0) add(expectations == 0 ? "nothing was expected" : "all hold");
    if (refused > 0) add(counted(refused, "warning") + (refused == 1 ? " is an error" : " are errors"));
    std::cerr << outcome << '\n';
    if (failed > 0 && is_brief) std::cerr << "'-v' shows passing traces too, '--verbose 5' each answer of a node\n";
  }
  if (broken > 0) return kFailed;
  return failed > 0 || refused > 0 ? kFound : kOk;
}

// Checks what the option parser cannot.
int check_options(const ReplayOptions& options) {
  for (const std::string& kind : options.events) {
    if (replay::is_kind_name(kind)) continue;
    const std::string hint = text::did_you_mean(kind, replay::kind_names());
    return fail("unknown event kind " + text::quote(kind), hint);
  }
  const std::vector<std::string>& paths = options.common.paths;
  const auto input_count =
      std::count(options.traces.begin(), options.traces.end(), "-") + std::count(paths.begin(), paths.end(), "-");
  if (input_count > 1) return fail("standard input can be read only once");
  if (options.record && (options.format != "jsonl" || options.traces.size() > 1 || options.update)) {
    return fail("--record needs one trace and --format jsonl");
  }
  if ((options.format == "html") != !options.output.empty()) return fail("--format html and -o FILE need each other");
  if (options.format == "html" && (options.traces.size() > 1 || options.update || !options.shard.empty())) {
    return fail("--format html needs one trace, and cannot be used with --update or --shard");
  }
  if (options.format == "html" && !report::has_pages()) return fail_without_pages();
  const bool has_levels = options.format == "human" || options.format == "debug";
  if (options.level && (!has_levels || options.update)) return fail("--verbose LEVEL needs --format human or debug");
  if (!options.view.empty() && (options.format != "human" || options.update)) {
    return fail("--view needs --format human");
  }
  if (options.update && std::count(options.traces.begin(), options.traces.end(), "-") > 0) {
    return fail("standard input cannot be updated", "name the trace's file");
  }
  return kOk;
}

int run_replay(ReplayOptions& options) {
  if (const int status = find_traces(options.traces, options.common.paths); status != kOk) return status;
  if (options.traces.empty()) {
    return fail("no trace to replay", "name traces: espalier replay PATHS --trace FILE.trace.jsonl");
  }
  if (const int status = check_options(options); status != kOk) return status;
  Shard shard;
  if (!read_shard(options.shard, &shard)) return kFailed;
  const auto [begin, end] = shard.part_of(options.traces.size());
  options.traces = {options.traces.begin() + static_cast<std::ptrdiff_t>(begin),
                    options.traces.begin() + static_cast<std::ptrdiff_t>(end)};
  AssetFile file;
  project::Project project;
  if (const int status = load_asset(options.common, error_form(options), file, project); status != kOk) return status;
  Reloads reloads(options.common, options.reloads);
  Run run{file.asset, replay_options(options, file), form_of(options)};
  codegen::WrittenConditions conditions(project.ir, project.snapshot.sources);
  run.form.story.conditions = &conditions;
  const report::ReplayFormat format = run.form.format;
  std::unique_ptr<PageWriter> page;
  if (format == report::ReplayFormat::html && !options.traces.empty()) {  // a shard may have none
    page = std::make_unique<PageWriter>(file, project, options, run.form);
  }
  const bool is_brief = !options.update && (format == report::ReplayFormat::junit ||
                                            (format == report::ReplayFormat::human && !tells_all(options)));
  std::vector<report::ReplayReport> reports;
  int status = kOk;
  for (const std::string& path : options.traces) {
    report::ReplayReport& report = reports.emplace_back();
    std::string error;
    const std::unique_ptr<std::istream> trace = open_trace(path, is_brief, &error);
    if (trace == nullptr) {
      report = report_unread(path, error, options, run);
      continue;
    }
    run.options.load = [&](const std::string& reloaded, replay::ReplayOptions::LoadFault* fault) {
      return reloads.load(path, reloaded, fault);
    };
    const std::string shown = path == "-" ? "<stdin>" : path;
    if (options.common.notes) options.common.notes->read.insert(path);
    if (options.update) {
      status = std::max(status, update_trace(run, path, &report));
    } else {
      const auto replay = is_brief ? report::replay_briefly : report::replay_trace;
      report = replay(run.asset, *trace, shown, run.options, run.form, run.sources, std::cout);
    }
  }
  if (options.common.notes) {
    for (const report::ReplayReport& report : reports) options.common.notes->add(report.result.findings, run.sources);
  }
  if (page != nullptr) {
    status = std::max(status, page->write(reports.front(), project, options));
  }
  if (format == report::ReplayFormat::junit) report::write_replay_junit(reports, run.sources, std::cout);
  if (format == report::ReplayFormat::findings) write_findings(reports, run, options);
  std::cout << std::flush;
  if (!options.common.quiet) {
    for (const std::string& message : report::idle_options(reports, run.form)) {
      std::cerr << "espalier: " << message << '\n';
    }
  }
  return std::max(status, summarize(reports, options.common.quiet, options.format == "human" && !tells_all(options)));
}

int watch_replay(ReplayOptions& options) {
  options.common.notes = std::make_shared<RunNotes>();
  const std::vector<std::string> traces = options.traces;
  return watch(options.common, traces, options.format, [&] {
    ReplayOptions next = options;  // whose folders of traces may have more
    return run_replay(next);
  });
}

int check_step_options(const ReplayOptions& options) {
  if (options.format != "human") return fail("'--step' takes no '--format'", "it is a prompt for people");
  if (options.traces.size() > 1) return fail("'--step' takes one trace");
  if (!options.traces.empty() && !options.tree.empty()) {
    return fail("'--tree' cannot be used with a trace", "its first line says which tree it is for");
  }
  const std::vector<std::string>& paths = options.common.paths;
  if (std::count(paths.begin(), paths.end(), "-") + std::count(options.traces.begin(), options.traces.end(), "-") > 0) {
    return fail("'--step' reads commands from standard input", "name the file");
  }
  return check_options(options);
}

// The lines that a prompt begins with.
int read_stepped_trace(const ReplayOptions& options, SteppedTrace& trace) {
  if (options.traces.empty()) {
    const std::string tree = options.tree.empty() ? "" : ", \"tree\": " + text::json_string(options.tree);
    trace = {"", {"{\"trace\": 1" + tree + '}'}};
    return kOk;
  }
  trace.path = options.traces.front();
  options.common.notes->read.insert(trace.path);
  std::string error;
  const std::unique_ptr<std::istream> in = open_trace(trace.path, true, &error);
  if (in == nullptr) return fail(error);
  for (std::string line; std::getline(*in, line);) {
    if (trace.lines.empty() && line.starts_with(replay::kByteOrderMark)) line.erase(0, replay::kByteOrderMark.size());
    if (!line.empty() && line.back() == '\r') line.pop_back();
    trace.lines.push_back(line);
  }
  return kOk;
}

int step_replay(ReplayOptions& options) {
  if (const int status = find_traces(options.traces, options.common.paths); status != kOk) return status;
  if (const int status = check_step_options(options); status != kOk) return status;
  options.common.notes = std::make_shared<RunNotes>();
  SteppedTrace trace;
  if (const int status = read_stepped_trace(options, trace); status != kOk) return status;
  AssetFile file;
  project::Project project;
  if (const int status = load_asset(options.common, {}, file, project); status != kOk) return status;
  Reloads reloads(options.common, options.reloads);
  replay::ReplayOptions how = replay_options(options, file);
  how.load = [&](const std::string& path, replay::ReplayOptions::LoadFault* fault) {
    return reloads.load(options.traces.empty() ? "-" : trace.path, path, fault);
  };
  report::ReplayForm form = form_of(options);
  codegen::WrittenConditions conditions(project.ir, project.snapshot.sources);
  form.story.conditions = &conditions;
  return step(options.common, file.asset, trace, how, form);
}

int run(ReplayOptions& options) {
  if (options.step) return step_replay(options);
  return options.watch ? watch_replay(options) : run_replay(options);
}

}  // namespace

void add_replay(CLI::App& program, int& status) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* verb = program.add_subcommand("replay", "runs scripted traces against trees or a compiled asset");
  add_common(*verb, options->common);
  takes(
      verb->add_option("-t,--trace", options->traces,
                       "a trace to run, or a folder of *.trace.jsonl; - is standard input. Other arguments that end in "
                       ".jsonl are traces too"),
      "PATH")
      ->allow_extra_args(false);
  takes_one_of(verb->add_option("--format", options->format,
                                "human: stories; debug: steps of updates; jsonl: events; html: a page for a browser; "
                                "junit: results; others: findings of "
                                "traces"),
               "FORMAT", "human|debug|jsonl|html|junit|json|sarif|github|checkstyle")
      ->capture_default_str();
  takes(verb->add_option("-o,--output", options->output, "with --format html: writes this file"), "FILE");
  verb->add_option(
          "--events", options->events,
          "kinds of events to write, such as enter,leave (default: all); steps adds those of the tree's own nodes")
      ->delimiter(',')
      ->type_name("KIND");
  takes_number(verb->add_option("--agent", options->agent, "reports only this agent"), "INDEX", 0, UINT32_MAX);
  takes_one_of(verb->add_option("--view", options->view,
                                "when stories show the active branch (default: changes; of selection trees, and with "
                                "--events, never)"),
               "WHEN", "changes|always|never");
  CLI::Option* update = verb->add_flag("--update", options->update,
                                       "rewrites the expectations of the traces to match the actual results");
  verb->remove_option(verb->get_option("--quiet"));
  verb->remove_option(verb->get_option("--verbose"));
  verb->add_flag("-q,--quiet", options->common.quiet, "writes only failures");
  verb->add_flag("-v", options->common.verbose,
                 "shows the stories of passing traces too; so do --events, --agent and --verbose LEVEL");
  takes_number(verb->add_option(
                   "--verbose", options->level,
                   "also shows the steps of updates, up to a level: 1 what starts, 2 what stops, 3 updates, 4 nodes, "
                   "5 each answer (default: 0 with human, 5 with debug)"),
               "LEVEL", 0, report::kMaxDebugLevel);
  takes_number(verb->add_option("--max-updates", options->max_updates, "largest number of agent updates in a trace"),
               "N", 1, std::numeric_limits<std::uint64_t>::max() / 2)
      ->capture_default_str();
  takes(verb->add_option(
            "--reload", options->reloads,
            "allows traces to reload this file or folder, in addition to their own folders and those of PATHS"),
        "PATH")
      ->allow_extra_args(false);
  verb->add_flag("--strict", options->strict,
                 "treats warnings about traces as errors, such as behaviours without a scripted answer");
  takes(verb->add_option("--thrash", options->thrash,
                         "warns if two behaviours of an agent replace each other more than N times in this many "
                         "seconds, such as 4/2"),
        "N/SECONDS")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return read_thrash(text) ? std::string()
                                     : text::quote(text) + " is not a count and seconds above 0, such as 4/2";
          },
          ""));
  CLI::Option* watching = add_watch(*verb, options->watch)->excludes(update);
  CLI::Option* step =
      verb->add_flag("--step", options->step,
                     "opens a prompt for the lines of a trace, or to debug the one that --trace names; 'help' there "
                     "lists the commands");
  step->excludes(update)->excludes(watching);
  takes(verb->add_option("--tree", options->tree, "with --step: the tree, if there are several"), "NAME")->needs(step);
  verb->add_flag("--record", options->record,
                 "with --format jsonl: also writes the lines of the trace, which makes the output a trace");
  add_shard_option(*verb, "traces", options->shard);
  verb->footer(
      "Examples:\n"
      "  espalier replay trees/ --trace guard.trace.jsonl -v\n"
      "  espalier replay trees/ --trace traces/\n"
      "  espalier replay guards.espb --trace traces/*.trace.jsonl --format junit > results.xml\n"
      "  espalier replay trees/ --trace guard.trace.jsonl --format jsonl --events enter,leave\n"
      "  espalier replay trees/ --trace guard.trace.jsonl --format jsonl --record > recorded.trace.jsonl\n"
      "  espalier replay trees/ --trace guard.trace.jsonl --format html -o guard.html\n"
      "  espalier replay trees/ --trace guard.trace.jsonl --update\n"
      "  espalier replay trees/ --trace traces/ --watch\n"
      "  espalier replay trees/ --step --tree Guard\n"
      "  espalier replay trees/ --step --trace guard.trace.jsonl\n"
      "  espalier replay creature.xml --trace creature.trace.jsonl --verbose 5 --agent 0\n\n"
      "Exit status: 0 all expectations are met, 1 one fails or the trees have errors, 2 a trace or tree cannot be "
      "read.");
  verb->callback([options, &status] {
    status = run_reported(error_form(*options), options->common, [&] { return run(*options); });
  });
}

}  // namespace espalier::cli
