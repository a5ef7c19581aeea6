// espalier replay --step: a prompt for the lines of a trace, and to debug a trace.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <set>

#include "cli/debugged_run.h"
#include "cli/recordings.h"
#include "cli/reloads.h"
#include "cli/replay_options.h"
#include "cli/trace_paths.h"
#include "cli/watch.h"
#include "codegen/dump/written_conditions.h"
#include "debug/prompt.h"
#include "replay/line.h"
#include "system/output_files.h"
#include "system/standard_streams.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

// False: the input has ended.
bool read_command(bool is_shown, std::string& text) {
  const bool is_typed = system::is_terminal(system::Stream::input);
  if (is_typed) std::cout << "> " << std::flush;
  if (!std::getline(std::cin, text)) {
    if (is_typed) std::cout << '\n';
    return false;
  }
  if (!text.empty() && text.back() == '\r') text.pop_back();
  if (!is_typed && is_shown) std::cout << "> " << text << '\n';
  return true;
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
int read_stepped_trace(const ReplayOptions& options, const Asset& asset, std::optional<replay::Start>* start,
                       debug::SteppedTrace& trace) {
  if (options.traces.empty()) {
    const std::string tree = options.tree.empty() ? "" : ", \"tree\": " + text::json_string(options.tree);
    trace = {"", {"{\"trace\": 1" + tree + '}'}};
    return kOk;
  }
  trace.path = options.traces.front();
  options.common.notes->read.insert(trace.path);
  std::string error;
  const std::unique_ptr<std::istream> in =
      open_trace_or_recording(trace.path, asset, true, options.common.quiet, start, &error);
  if (in == nullptr) return fail(error);
  for (std::string line; std::getline(*in, line);) {
    if (trace.lines.empty() && line.starts_with(replay::kByteOrderMark)) line.erase(0, replay::kByteOrderMark.size());
    if (!line.empty() && line.back() == '\r') line.pop_back();
    trace.lines.push_back(line);
  }
  return kOk;
}

// Runs commands until the input ends or one is `quit`. Returns an exit status.
int step(const CommonOptions& options, const Asset& asset, const debug::SteppedTrace& trace,
         const replay::ReplayOptions& how, const report::ReplayForm& form) {
  const auto save = [&](const std::string& path, const std::string& text) -> debug::PromptFault {
    const std::set<std::string>& read = options.notes->read;
    system::OutputFault fault;
    if (system::write_files({{{path, text}}, {read.begin(), read.end()}}, &fault)) return {};
    return {fault.message, fault.hint};
  };
  const auto explain = [&](const debug::History& history, std::size_t count) {
    const debug::Moment& moment = history.moments()[count - 1];
    return story_with(form.story.conditions, history, count, moment.agent, moment.time_us);
  };
  debug::Prompt prompt(asset, trace, how, form, save, explain, std::cout);
  const debug::Prompt::Begun begun = prompt.begin();
  if (begun == debug::Prompt::Begun::fault) return kFailed;
  if (begun == debug::Prompt::Begun::empty) {
    return fail("the trace " + text::quote(trace.path) + " is empty", "its first line is {\"trace\": 1}");
  }
  for (std::string text; read_command(!options.quiet, text) && prompt.run(text);) {
  }
  return kOk;
}

}  // namespace

int step_replay(ReplayOptions& options) {
  if (const int status = find_traces(options.traces, options.common.paths); status != kOk) return status;
  if (const int status = check_step_options(options); status != kOk) return status;
  options.common.notes = std::make_shared<RunNotes>();
  AssetFile file;
  project::Project project;
  int loaded = kOk;
  if (!open_recorded_asset(options.traces, options.common.paths, file, &loaded))
    loaded = load_asset(options.common, {}, file, project);
  if (loaded != kOk) return loaded;
  Reloads reloads(options.common, options.reloads);
  replay::ReplayOptions how = replay_options(options, file);
  debug::SteppedTrace trace;
  if (const int status = read_stepped_trace(options, file.asset, &how.start, trace); status != kOk) return status;
  how.load = [&](const std::string& path, replay::ReplayOptions::LoadFault* fault) {
    return reloads.load(options.traces.empty() ? "-" : trace.path, path, fault);
  };
  report::ReplayForm form = form_of(options);
  codegen::WrittenConditions conditions(project.ir, project.snapshot.sources);
  form.story.conditions = &conditions;
  return step(options.common, file.asset, trace, how, form);
}

}  // namespace espalier::cli
