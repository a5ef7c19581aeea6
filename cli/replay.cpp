// espalier replay: runs traces against a project or a compiled asset. Exit status 0 when every expectation holds; 1
// when one does not, or the project has errors; 2 when a trace or the project cannot be read.
#include "replay/replay.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>

#include "cli/asset_file.h"
#include "replay/event.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

constexpr unsigned kMaxLevel = 5;  // of steps of deciders
constexpr const char* kOrderHint = "PATHS stand before --trace, traces behind it";

struct ReplayOptions {
  CommonOptions common;
  std::vector<std::string> traces;
  std::string format = "human";
  std::vector<std::string> events;
  std::optional<std::uint32_t> agent;
  bool update = false;
  bool strict = false;
  bool record = false;
  unsigned verbose = 0;
};

replay::Format format_of(const std::string& name) {
  if (name == "jsonl") return replay::Format::jsonl;
  return name == "junit" ? replay::Format::junit : replay::Format::human;
}

// Gives traces the assets that they reload, each loaded once.
class Reloads {
 public:
  explicit Reloads(const CommonOptions& options) : options_(options) {}

  // `path` is relative to the folder of `trace`.
  const Asset* load(const std::string& trace, const std::string& path, std::string* reason) {
    CommonOptions options = options_;
    options.paths = {(std::filesystem::path(trace).parent_path() / path).string()};
    const auto [file, is_new] = files_.try_emplace(options.paths.front());
    if (is_new && load_asset(options, file->second) != kOk) {
      files_.erase(file);
      *reason = "see the message above";
      return nullptr;
    }
    return &file->second.asset;
  }

 private:
  const CommonOptions& options_;
  std::map<std::string, AssetFile> files_;
};

replay::ReplayOptions library_options(const ReplayOptions& options) {
  replay::ReplayOptions result;
  result.format = format_of(options.format);
  result.strict = options.strict;
  result.color = use_color(options.common, kOutputDescriptor);
  result.record = options.record;
  result.verbose = options.verbose;
  result.events = options.events;
  result.agent = options.agent;
  if (result.format == replay::Format::junit) return result;  // the document has all messages
  result.message_color = use_color(options.common, kErrorDescriptor);
  result.tell = [](const std::string& message) {
    std::cout << std::flush;
    std::cerr << message;
  };
  return result;
}

// The trace as a stream; null when it cannot be read, which is then told.
std::unique_ptr<std::istream> open_trace(const std::string& path, std::string* error) {
  if (path == "-") return std::make_unique<std::istream>(std::cin.rdbuf());
  *error = "cannot read the trace " + text::quoted(path) + ": ";
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    *error += "it is a folder";
    fail(*error, kOrderHint);
    return nullptr;
  }
  errno = 0;
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (*file) return file;
  *error += std::generic_category().message(errno);
  fail(*error);
  return nullptr;
}

std::string counted(std::uint64_t count, const char* word) {
  return std::to_string(count) + ' ' + word + (count == 1 ? "" : "s");
}

int update_trace(const Asset& asset, std::istream& trace, const std::string& path, const replay::ReplayOptions& options,
                 replay::TraceResult* result) {
  std::string updated;
  *result = replay::update_expectations(asset, trace, path, options, &updated);
  if (result->is_broken || result->rewritten_count == 0) return kOk;
  std::string error;
  if (!write_file(path, updated, &error)) return fail(error);
  std::cerr << path << ": " << counted(result->rewritten_count, "expectation") << " rewritten\n";
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

// What the parser of options cannot see.
int check_options(const ReplayOptions& options) {
  if (options.traces.empty()) {
    return fail("there is no trace to replay", "name traces: espalier replay PATHS --trace FILE.trace.jsonl");
  }
  for (const std::string& trace : options.traces) {
    const std::string extension = std::filesystem::path(trace).extension().string();
    if (extension != ".xml" && extension != ".debt" && extension != ".espb") continue;
    return fail(text::quoted(trace) + " is not a trace", kOrderHint);
  }
  for (const std::string& kind : options.events) {
    if (replay::is_kind_name(kind)) continue;
    const std::string hint = text::did_you_mean(kind, replay::kind_names());
    return fail("there are no events of the kind " + text::quoted(kind), hint);
  }
  const std::vector<std::string>& paths = options.common.paths;
  const auto input_count =
      std::count(options.traces.begin(), options.traces.end(), "-") + std::count(paths.begin(), paths.end(), "-");
  if (input_count > 1) return fail("standard input can be read once");
  if (options.record && (options.format != "jsonl" || options.traces.size() > 1 || options.update)) {
    return fail("--record writes one trace as --format jsonl");
  }
  if (options.verbose > 0 && (options.format != "human" || options.update)) {
    return fail("--verbose tells of steps among what --format human tells");
  }
  if (options.update && std::count(options.traces.begin(), options.traces.end(), "-") > 0) {
    return fail("standard input cannot be updated", "name the trace's file");
  }
  return kOk;
}

int run_replay(const ReplayOptions& options) {
  if (const int status = check_options(options); status != kOk) return status;
  AssetFile file;
  if (const int status = load_asset(options.common, file); status != kOk) return status;
  Reloads reloads(options.common);
  replay::ReplayOptions library = library_options(options);
  std::vector<replay::TraceResult> results;
  int status = kOk;
  for (const std::string& path : options.traces) {
    replay::TraceResult& result = results.emplace_back();
    std::string error;
    const std::unique_ptr<std::istream> trace = open_trace(path, &error);
    if (trace == nullptr) {
      result.path = result.name = path;
      result.is_broken = true;
      result.errors = {error + '\n'};
      continue;
    }
    library.load = [&](const std::string& reloaded, std::string* reason) {
      return reloads.load(path, reloaded, reason);
    };
    if (options.update) {
      status = std::max(status, update_trace(file.asset, *trace, path, library, &result));
    } else {
      result = replay::replay(file.asset, *trace, path == "-" ? "<stdin>" : path, library, std::cout);
    }
  }
  if (library.format == replay::Format::junit) replay::write_junit(results, std::cout);
  std::cout << std::flush;
  return std::max(status, summarize(results, options.common.quiet));
}

}  // namespace

void add_replay(CLI::App& program, int& status) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* verb = program.add_subcommand("replay", "runs scripted traces against trees or a compiled asset");
  add_common(*verb, options->common);
  verb->add_option("-t,--trace", options->traces, "traces to run; - is standard input")->type_name("FILE");
  verb->add_option("--format", options->format, "human, jsonl or junit")
      ->check(CLI::IsMember({"human", "jsonl", "junit"}))
      ->capture_default_str();
  verb->add_option("--events", options->events, "kinds of events to write, such as enter,leave; all when not given")
      ->delimiter(',')
      ->type_name("KIND");
  verb->add_option("--agent", options->agent, "tells of this agent alone")->type_name("INDEX");
  verb->add_flag("--update", options->update, "rewrites the traces' expectations to what really happens");
  verb->remove_option(verb->get_option("--verbose"));
  verb->add_flag("-v", options->verbose, "tells more of what deciders do: -vv is --verbose 2");
  verb->add_option("--verbose", options->verbose,
                   "output level of deciders: 0 nothing more, to 5 each child that is asked")
      ->check(CLI::Range(0u, kMaxLevel))
      ->type_name("LEVEL");
  verb->add_flag("--strict", options->strict, "behaviours without a script and signals that no tree knows are errors");
  verb->add_flag("--record", options->record,
                 "jsonl format: writes the traces' own lines too, so that the output is a trace");
  verb->footer(
      "Examples:\n"
      "  espalier replay trees/ --trace guard.trace.jsonl\n"
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
