// espalier dap: a debugger for behaviour, for editors, on standard input and output. Exit status 0 when the editor has
// ended it, else 1.
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "cli/asset_file.h"
#include "cli/attached.h"
#include "cli/cli.h"
#include "cli/imported_log.h"
#include "cli/recordings.h"
#include "cli/reloads.h"
#include "cli/replay_options.h"
#include "debug/adapter.h"
#include "explore/explore.h"
#include "live/findings.h"
#include "live/trace.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

// What a run that is debugged refers to.
struct DebuggedRun {
  ReplayOptions options;
  AssetFile file;
  project::Project project;
  std::unique_ptr<Reloads> reloads;
  Imported imported;  // of a log
};

// As a trace, in which what the log does not tell is inferred.
std::string load_log(const debug::Launch& launch, DebuggedRun& run, debug::History& history) {
  ImportOptions options;
  options.log = launch.run;
  options.common.paths = launch.paths;
  options.common.quiet = true;
  LogReport report(options);
  int status = kOk;
  if (!import_log(options, report, run.imported, status))
    return text::quote(launch.run) + " cannot be debugged: 'espalier import' says why";
  const CompiledTree& compiled = run.imported.compiled;
  std::istringstream trace(live::trace_of(*compiled.tree, run.imported.run, launch.run));
  replay::ReplayOptions how;
  how.answers = compiled.file.answers;
  if (!history.record(compiled.file.asset, trace, launch.run, how)) return "the log cannot be replayed";
  return {};
}

std::string load_run(const debug::Launch& launch, DebuggedRun& run, debug::History& history) {
  if (launch.is_log) return load_log(launch, run, history);
  run.options.common.paths = launch.paths;
  run.options.common.quiet = true;
  int loaded = kOk;
  if (!open_recorded_asset({launch.run}, launch.paths, run.file, &loaded)) {
    if (launch.paths.empty()) return "'launch' needs a \"project\": the file or folder of the trees";
    loaded = load_asset(run.options.common, {}, run.file, run.project);
  }
  const std::string project = launch.paths.empty() ? launch.run : launch.paths.front();
  if (loaded != kOk) return "the trees of " + text::quote(project) + " have errors: 'espalier lint' shows them";
  if (!explore::has_names(run.file.asset)) return "the asset has no names of nodes: compile it without --strip";
  replay::ReplayOptions how = replay_options(run.options, run.file);
  run.reloads = std::make_unique<Reloads>(run.options.common, run.options.reloads);
  how.load = [&run, trace = launch.run](const std::string& path, replay::ReplayOptions::LoadFault* fault) {
    return run.reloads->load(trace, path, fault);
  };
  std::string error;
  const std::unique_ptr<std::istream> trace =
      open_trace_or_recording(launch.run, run.file.asset, false, true, &how.start, &error);
  if (trace == nullptr) return error;
  if (history.record(run.file.asset, *trace, launch.run, how) || !history.moments().empty()) return {};
  return history.faults().empty() ? "the trace cannot be run" : history.faults().front();
}

std::optional<debug::LiveOptions> live_options(const std::string& text) {
  const std::optional<Address> address = read_address(text);
  if (!address) return std::nullopt;
  return debug::LiveOptions{.address = text, .host = address->host, .port = address->port};
}

// The trees that a program had, one after the other, stay as long as its history.
const live::LoggedTree* compile_program(const std::vector<std::string>& paths, const std::string& xml,
                                        std::vector<std::unique_ptr<CompiledTree>>& trees, std::string* why) {
  live::Log log;
  log.tree_xml = xml;
  CommonOptions common;
  common.paths = paths;
  common.quiet = true;
  const LogOrigin origin{common, {.format = "human", .verb = "dap"}, debug::kProgramXml, {}, {}};
  CompiledTree& compiled = *trees.emplace_back(std::make_unique<CompiledTree>());
  std::vector<live::LogFault> faults;
  const int status = compile_tree_of(origin, log, compiled, faults);
  for (const live::LogFault& fault : faults) *why += (why->empty() ? "" : "\n") + fault.message;
  if (status == kOk && compiled.tree && !has_errors(faults)) return &*compiled.tree;
  if (why->empty()) *why = "the trees have errors: 'espalier lint' or 'espalier attach' shows them";
  return nullptr;
}

}  // namespace

void add_dap(CLI::App& program, int& status) {
  CLI::App* verb = program.add_subcommand("dap", "serves editors by the Debug Adapter Protocol: debugs runs of trees");
  verb->footer(
      "Editors start it. A launch names the trees and a run of them: a trace, a recording or a robot's log:\n"
      "  {\"type\": \"espalier\", \"request\": \"launch\", \"project\": \"trees/\", \"trace\": \"guard.trace.jsonl\"}");
  verb->callback([&status] {
    DebuggedRun run;
    std::vector<std::unique_ptr<CompiledTree>> trees;
    debug::Runs runs;
    runs.load = [&](const debug::Launch& launch, debug::History& history) { return load_run(launch, run, history); };
    runs.read_address = live_options;
    runs.compile = [&](const std::vector<std::string>& paths, const std::string& xml, std::string* why) {
      return compile_program(paths, xml, trees, why);
    };
    status = serve_editor([&](const WriteFrame& write) { return debug::serve(runs, std::cin, write); });
  });
}

}  // namespace espalier::cli
