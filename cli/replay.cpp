// espalier replay: runs traces against a project or a compiled asset. Exit status 0 when every expectation holds; 1
// when one does not, or the project has errors; 2 when a trace or the project cannot be read.
#include "replay/replay.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>

#include "cli/asset_file.h"
#include "cli/command_line.h"
#include "cli/reloads.h"
#include "project/collect.h"
#include "project/trace_files.h"
#include "replay/event.h"
#include "report/line_view.h"
#include "report/output_form.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

constexpr unsigned kMaxLevel = 5;  // of steps of deciders
// A trace that holds only here, as one from a pipe, is kept to be read again when it fails.
constexpr std::size_t kMaxKeptTraceBytes = std::size_t{256} << 20;

struct ReplayOptions {
  CommonOptions common;
  std::vector<std::string> traces;
  std::vector<std::string> reloads;
  std::string format = "human";
  std::vector<std::string> events;
  std::optional<std::uint32_t> agent;
  bool update = false;
  bool strict = false;
  bool record = false;
  std::optional<unsigned> level;
  std::uint64_t max_updates = replay::kMaxUpdates;
};

// Is the story of every trace asked for? What chooses a part of it asks for it, too.
bool tells_all(const ReplayOptions& options) {
  return options.common.verbose || options.level || options.agent || !options.events.empty();
}

replay::Format format_of(const std::string& name) {
  if (name == "jsonl") return replay::Format::jsonl;
  return name == "junit" ? replay::Format::junit : replay::Format::human;
}

replay::ReplayOptions library_options(const ReplayOptions& options) {
  replay::ReplayOptions result;
  result.format = format_of(options.format);
  result.strict = options.strict;
  result.color = use_color(options.common, kOutputDescriptor);
  result.record = options.record;
  result.verbose = options.level.value_or(0);
  result.max_updates = options.max_updates;
  result.warns = !options.common.quiet;
  result.tells_passed = !options.common.quiet;
  result.events = options.events;
  result.agent = options.agent;
  if (result.format == replay::Format::junit) return result;  // the document has all messages
  result.message_color = use_color(options.common, kErrorDescriptor);
  result.tell = [is_colored = result.message_color](const std::string& message) {
    std::cout << std::flush;
    const report::FormScope form(std::cerr, is_colored ? report::OutputForm::colored : report::OutputForm::text);
    std::cerr << message;
  };
  return result;
}

// The trace as a stream, which can be read again where `is_kept`; null when it cannot be read, which is then told.
std::unique_ptr<std::istream> open_trace(const std::string& path, bool is_kept, std::string* error) {
  std::error_code failure;
  if (is_kept && !std::filesystem::is_regular_file(path, failure)) {
    std::string bytes;
    std::string reason;
    if (project::read_bytes(path, kMaxKeptTraceBytes, bytes, reason) && bytes.size() <= kMaxKeptTraceBytes) {
      return std::make_unique<std::istringstream>(std::move(bytes));
    }
    *error = "cannot read the trace " + text::quote(path) + ": " +
             (reason.empty() ? "it is longer than 256 MiB; with -v it need not be kept" : reason);
    fail(*error);
    return nullptr;
  }
  if (path == "-") return std::make_unique<std::istream>(std::cin.rdbuf());
  errno = 0;
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (*file) return file;
  *error = "cannot read the trace " + text::quote(path) + ": " + std::generic_category().message(errno);
  fail(*error);
  return nullptr;
}

std::string counted(std::uint64_t count, const char* word) {
  return std::to_string(count) + ' ' + word + (count == 1 ? "" : "s");
}

int update_trace(const Asset& asset, std::istream& trace, const std::string& path, const replay::ReplayOptions& options,
                 replay::TraceResult* result) {
  if (std::error_code error; !std::filesystem::is_regular_file(path, error)) {
    return fail("cannot update " + text::quote(path) + ": it is not a file", "only a file can be rewritten");
  }
  std::string updated;
  *result = replay::update_expectations(asset, trace, path, options, &updated);
  if (result->is_broken || result->rewritten_count == 0) return kOk;
  std::string error;
  if (!write_file(path, updated, &error)) return fail(error);
  std::cerr << report::visible(path) << ": " << counted(result->rewritten_count, "expectation") << " rewritten\n";
  return kOk;
}

// One line at the end, and the exit status.
int summarize(const std::vector<replay::TraceResult>& results, bool quiet) {
  std::uint64_t expectations = 0;
  std::uint64_t failed = 0;
  std::uint64_t broken = 0;
  for (const replay::TraceResult& result : results) {
    expectations += result.expectation_count;
    failed += result.failed_count;
    broken += result.is_broken ? 1 : 0;
  }
  if (!quiet && !results.empty()) {
    std::cerr << counted(results.size(), "trace") << ", " << counted(expectations, "expectation") << ": ";
    if (broken > 0) std::cerr << counted(broken, "trace") << " cannot be replayed" << (failed > 0 ? ", " : "\n");
    if (failed > 0) std::cerr << failed << " failed\n";
    if (broken == 0 && failed == 0) std::cerr << (expectations == 0 ? "nothing was expected\n" : "all hold\n");
  }
  if (broken > 0) return kFailed;
  return failed > 0 ? kFound : kOk;
}

// Of the words that no option takes, those that end as traces do are traces: a shell makes several of a pattern after
// --trace, which takes one.
int find_traces(ReplayOptions& options) {
  std::vector<std::string> words = std::exchange(options.traces, {});
  std::vector<std::string>& paths = options.common.paths;
  const auto first = std::stable_partition(paths.begin(), paths.end(),
                                           [](const std::string& path) { return !path.ends_with(".jsonl"); });
  words.insert(words.end(), first, paths.end());
  paths.erase(first, paths.end());
  for (const std::string& word : words) {
    const std::string extension = std::filesystem::path(word).extension().string();
    if (extension == ".xml" || extension == ".debt" || extension == ".espb") {
      return fail(text::quote(word) + " is not a trace", "the word after --trace is one, or a folder of some");
    }
    std::string error;
    if (!project::find_traces(word, options.traces, &error)) return fail(error);
  }
  if (!options.traces.empty()) return kOk;
  return fail("there is no trace to replay", "name traces: espalier replay PATHS --trace FILE.trace.jsonl");
}

// What the parser of options cannot see.
int check_options(const ReplayOptions& options) {
  for (const std::string& kind : options.events) {
    if (replay::is_kind_name(kind)) continue;
    const std::string hint = text::did_you_mean(kind, replay::kind_names());
    return fail("there are no events of the kind " + text::quote(kind), hint);
  }
  const std::vector<std::string>& paths = options.common.paths;
  const auto input_count =
      std::count(options.traces.begin(), options.traces.end(), "-") + std::count(paths.begin(), paths.end(), "-");
  if (input_count > 1) return fail("standard input can be read once");
  if (options.record && (options.format != "jsonl" || options.traces.size() > 1 || options.update)) {
    return fail("--record writes one trace as --format jsonl");
  }
  if (options.level && (options.format != "human" || options.update)) {
    return fail("--verbose LEVEL adds to what --format human writes");
  }
  if (options.update && std::count(options.traces.begin(), options.traces.end(), "-") > 0) {
    return fail("standard input cannot be updated", "name the trace's file");
  }
  return kOk;
}

int run_replay(ReplayOptions& options) {
  if (const int status = find_traces(options); status != kOk) return status;
  if (const int status = check_options(options); status != kOk) return status;
  AssetFile file;
  if (const int status = load_asset(options.common, file); status != kOk) return status;
  Reloads reloads(options.common, options.reloads);
  const bool is_brief =
      !options.update && options.format != "jsonl" && (options.format == "junit" || !tells_all(options));
  replay::ReplayOptions library = library_options(options);
  std::vector<replay::TraceResult> results;
  int status = kOk;
  for (const std::string& path : options.traces) {
    replay::TraceResult& result = results.emplace_back();
    std::string error;
    const std::unique_ptr<std::istream> trace = open_trace(path, is_brief, &error);
    if (trace == nullptr) {
      result.path = result.name = path;
      result.is_broken = true;
      result.errors = {error + '\n'};
      continue;
    }
    library.load = [&](const std::string& reloaded, replay::ReplayOptions::LoadFault* fault) {
      return reloads.load(path, reloaded, fault);
    };
    const std::string shown = path == "-" ? "<stdin>" : path;
    if (options.update) {
      status = std::max(status, update_trace(file.asset, *trace, path, library, &result));
    } else if (is_brief) {
      result = replay::replay_briefly(file.asset, *trace, shown, library, std::cout);
    } else {
      result = replay::replay(file.asset, *trace, shown, library, std::cout);
    }
  }
  if (library.format == replay::Format::junit) replay::write_junit(results, std::cout);
  std::cout << std::flush;
  if (!options.common.quiet) {
    for (const std::string& message : replay::idle_options(results, library)) {
      std::cerr << "espalier: " << message << '\n';
    }
  }
  return std::max(status, summarize(results, options.common.quiet));
}

}  // namespace

void add_replay(CLI::App& program, int& status) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* verb = program.add_subcommand("replay", "runs scripted traces against trees or a compiled asset");
  add_common(*verb, options->common);
  takes(verb->add_option("-t,--trace", options->traces,
                         "a trace to run, or a folder of *.trace.jsonl; - is standard input. Other words that end in "
                         ".jsonl are traces, too"),
        "PATH")
      ->allow_extra_args(false);
  takes_one_of(verb->add_option("--format", options->format, "how a replay is written"), "FORMAT", "human|jsonl|junit")
      ->capture_default_str();
  verb->add_option("--events", options->events, "kinds of events to write, such as enter,leave; all when not given")
      ->delimiter(',')
      ->type_name("KIND");
  takes_number(verb->add_option("--agent", options->agent, "reports this agent only"), "INDEX", 0, UINT32_MAX);
  verb->add_flag("--update", options->update, "rewrites the traces' expectations to what really happens");
  verb->remove_option(verb->get_option("--quiet"));
  verb->remove_option(verb->get_option("--verbose"));
  verb->add_flag("-q,--quiet", options->common.quiet, "writes nothing but failures");
  verb->add_flag("-v", options->common.verbose,
                 "shows the stories of passing traces too; so do --events, --agent and --verbose LEVEL");
  takes_number(verb->add_option("--verbose", options->level,
                                "shows more of what deciders do: from 0, nothing more, to 5, each child that is asked"),
               "LEVEL", 0, kMaxLevel);
  takes_number(
      verb->add_option("--max-updates", options->max_updates, "how many updates of agents a trace may ask for"), "N", 1,
      std::numeric_limits<std::uint64_t>::max() / 2)
      ->capture_default_str();
  takes(verb->add_option("--reload", options->reloads,
                         "a file or folder that traces may reload, outside of their own folders and of those of PATHS"),
        "PATH")
      ->allow_extra_args(false);
  verb->add_flag("--strict", options->strict, "behaviours without a script and signals that no tree knows are errors");
  verb->add_flag("--record", options->record,
                 "jsonl format: writes the traces' own lines too, so that the output is a trace");
  verb->footer(
      "Examples:\n"
      "  espalier replay trees/ --trace guard.trace.jsonl -v\n"
      "  espalier replay trees/ --trace traces/\n"
      "  espalier replay guards.espb --trace traces/*.trace.jsonl --format junit > results.xml\n"
      "  espalier replay trees/ --trace guard.trace.jsonl --format jsonl --events enter,leave\n"
      "  espalier replay trees/ --trace guard.trace.jsonl --format jsonl --record > recorded.trace.jsonl\n"
      "  espalier replay trees/ --trace guard.trace.jsonl --update\n"
      "  espalier replay creature.xml --trace creature.trace.jsonl --verbose 5 --agent 0\n\n"
      "Exit status: 0 all expectations hold, 1 one does not or the trees have errors, 2 a trace or tree cannot be "
      "read.");
  verb->callback([options, &status] { status = run_replay(*options); });
}

}  // namespace espalier::cli
