// espalier replay: runs traces against a project or a compiled asset. Exit status 0 when every expectation holds; 1
// when one does not, or the project has errors; 2 when a trace or the project cannot be read.
#include "replay/replay.h"

#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "cli/asset_file.h"
#include "replay/event.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

struct ReplayOptions {
  CommonOptions common;
  std::vector<std::string> traces;
  std::string format = "human";
  std::vector<std::string> events;
  std::optional<std::uint32_t> agent;
  bool update = false;
  bool strict = false;
  bool record = false;
};

int fail(const std::string& message, const std::string& hint = {}) {
  std::cerr << "espalier: " << message << '\n';
  if (!hint.empty()) std::cerr << "  hint: " << hint << '\n';
  return kFailed;
}

replay::Format format_of(const std::string& name) {
  if (name == "jsonl") return replay::Format::jsonl;
  return name == "junit" ? replay::Format::junit : replay::Format::human;
}

// Gives traces the assets that they reload.
class Reloads {
 public:
  explicit Reloads(const CommonOptions& options) : options_(options) {}

  const Asset* load(const std::string& trace, const std::string& path, std::string* reason) {
    CommonOptions options = options_;
    options.paths = {(std::filesystem::path(trace).parent_path() / path).string()};
    AssetFile& file = files_.emplace_back();
    if (load_asset(options, file) == kOk) return &file.asset;
    *reason = "see above";
    return nullptr;
  }

 private:
  const CommonOptions& options_;
  std::deque<AssetFile> files_;
};

replay::ReplayOptions library_options(const ReplayOptions& options, const std::string& trace, Reloads& reloads) {
  constexpr int kOutputDescriptor = 1;
  replay::ReplayOptions result;
  result.format = format_of(options.format);
  result.strict = options.strict;
  result.color = use_color(options.common, kOutputDescriptor);
  result.record = options.record;
  result.events = options.events;
  result.agent = options.agent;
  result.load = [&reloads, trace](const std::string& path, std::string* reason) {
    return reloads.load(trace, path, reason);
  };
  return result;
}

// The trace as a stream; a file that cannot be read is told.
std::unique_ptr<std::istream> open_trace(const std::string& path, std::string* error) {
  if (path == "-") return std::make_unique<std::istream>(std::cin.rdbuf());
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    *error = "cannot read '" + path + "': it is a folder";
    return nullptr;
  }
  errno = 0;
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (*file) return file;
  *error = "cannot read '" + path + "': " + std::generic_category().message(errno);
  return nullptr;
}

int update_trace(const Asset& asset, std::istream& trace, const std::string& path, const replay::ReplayOptions& options,
                 replay::TraceResult* result) {
  std::string updated;
  *result = replay::update_expectations(asset, trace, path, options, &updated);
  const bool is_changed = result->failed_count > 0;
  result->mismatches.clear();
  if (!result->errors.empty() || !is_changed) return kOk;
  std::string error;
  if (!write_file(path, updated, &error)) return fail(error);
  std::cerr << path << ": " << result->failed_count << (result->failed_count == 1 ? " expectation" : " expectations")
            << " rewritten\n";
  result->failed_count = 0;
  return kOk;
}

void print_result(const replay::TraceResult& result) {
  std::cout << std::flush;
  for (const std::string& warning : result.warnings) std::cerr << warning;
  for (const std::string& mismatch : result.mismatches) std::cerr << mismatch;
  for (const std::string& error : result.errors) std::cerr << error;
}

std::string counted(std::uint64_t count, const char* word) {
  return std::to_string(count) + ' ' + word + (count == 1 ? "" : "s");
}

// One line at the end, and the exit status.
int summarize(const std::vector<replay::TraceResult>& results, bool quiet) {
  std::uint64_t expectations = 0;
  std::uint64_t failed = 0;
  std::uint64_t broken = 0;
  for (const replay::TraceResult& result : results) {
    expectations += result.expectation_count;
    failed += result.failed_count;
    broken += result.errors.empty() ? 0 : 1;
  }
  if (!quiet) {
    std::cerr << counted(results.size(), "trace") << ", " << counted(expectations, "expectation") << ": ";
    if (broken > 0) {
      std::cerr << counted(broken, "trace") << " cannot be replayed" << (failed > 0 ? ", " : "\n");
    }
    if (failed > 0) std::cerr << failed << " failed\n";
    if (broken == 0 && failed == 0) std::cerr << (expectations == 0 ? "nothing was expected\n" : "all hold\n");
  }
  if (broken > 0) return kFailed;
  return failed > 0 ? kFound : kOk;
}

int check_events(const std::vector<std::string>& events) {
  replay::KindSet kinds;
  std::string unknown;
  if (replay::kinds_from(events, &kinds, &unknown)) return kOk;
  return fail("there are no events of the kind '" + unknown + "'", text::did_you_mean(unknown, replay::kind_names()));
}

int run_replay(const ReplayOptions& options) {
  if (options.traces.empty()) {
    return fail("there is no trace to replay", "name traces: espalier replay PATHS --trace FILE.trace.jsonl");
  }
  if (const int status = check_events(options.events); status != kOk) return status;
  AssetFile file;
  if (const int status = load_asset(options.common, file); status != kOk) return status;
  Reloads reloads(options.common);
  std::vector<replay::TraceResult> results;
  int status = kOk;
  for (const std::string& path : options.traces) {
    std::string error;
    const std::unique_ptr<std::istream> trace = open_trace(path, &error);
    if (trace == nullptr) {
      status = fail(error);
      continue;
    }
    const std::string shown = path == "-" ? "<stdin>" : path;
    const replay::ReplayOptions library = library_options(options, path, reloads);
    replay::TraceResult result;
    if (options.update) {
      if (path == "-") return fail("standard input cannot be updated");
      status = std::max(status, update_trace(file.asset, *trace, shown, library, &result));
    } else {
      result = replay::replay(file.asset, *trace, shown, library, std::cout);
    }
    print_result(result);
    results.push_back(std::move(result));
  }
  if (library_options(options, "", reloads).format == replay::Format::junit) replay::write_junit(results, std::cout);
  std::cout << std::flush;
  const int found = summarize(results, options.common.quiet);
  if (!std::cout) return fail("cannot write to standard output");
  return std::max(status, found);
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
  verb->add_option("--agent", options->agent, "human format: tells of this agent alone")->type_name("INDEX");
  verb->add_flag("--update", options->update, "rewrites the traces' expectations to what really happens");
  verb->add_flag("--strict", options->strict, "behaviours without a script and signals that no tree knows are errors");
  verb->add_flag("--record", options->record,
                 "jsonl format: writes the traces' own lines too, so that the output is a trace");
  verb->footer(
      "Examples:\n"
      "  espalier replay trees/ --trace guard.trace.jsonl\n"
      "  espalier replay guards.espb --trace traces/*.trace.jsonl --format junit > results.xml\n"
      "  espalier replay trees/ --trace guard.trace.jsonl --format jsonl --events enter,leave\n"
      "  espalier replay trees/ --trace guard.trace.jsonl --update");
  verb->callback([options, &status] { status = run_replay(*options); });
}

}  // namespace espalier::cli
