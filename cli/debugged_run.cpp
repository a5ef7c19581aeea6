// See debugged_run.h.
#include "cli/debugged_run.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "cli/recordings.h"
#include "explore/explore.h"
#include "live/against.h"
#include "live/findings.h"
#include "live/recorded.h"
#include "live/trace.h"
#include "report/replays.h"
#include "rules/logs.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

std::string record_log(const CompiledTree& compiled, const live::FittedRun& fitted, const std::string& path,
                       debug::History& history) {
  std::istringstream trace(live::trace_of(*compiled.tree, fitted, path, true));
  replay::ReplayOptions how;
  how.answers = compiled.file.answers;
  how.start = live::start_of(fitted);
  if (history.record(compiled.file.asset, trace, path, how)) return {};
  return "the log cannot be replayed";
}

// What follows cannot be of this tree.
void add_drift(const Imported& imported, debug::History& history) {
  const live::Log& log = *imported.log;
  if (!imported.run.misfit || imported.run.misfit->change >= log.changes.size()) return;
  for (const live::LogFault& fault : live::faults_of(*imported.compiled.tree, log, imported.run, imported.nearest)) {
    if (fault.rule != rules::LOG_does_not_fit && fault.rule != rules::LOG_impossible_change) continue;
    const std::int64_t at_us = log.changes[imported.run.misfit->change].at_us - log.changes.front().at_us;
    history.add({.time_us = static_cast<std::uint64_t>(std::max<std::int64_t>(0, at_us)),
                 .name = history.number_of(fault.message),
                 .kind = debug::MomentKind::drift});
    return;
  }
}

// As a trace, in which what the log does not tell is inferred.
std::string load_log(const debug::Launch& launch, DebuggedRun& run, debug::History& history, debug::History& without) {
  ImportOptions options;
  options.log = launch.run;
  options.common.paths = launch.paths;
  options.common.quiet = true;
  options.against = launch.against;
  LogReport report(options);
  int status = kOk;
  if (!import_log(options, report, run.imported, status))
    return text::quote(launch.run) + " cannot be debugged: 'espalier import' says why";
  const Imported& imported = run.imported;
  std::string fault = record_log(imported.compiled, imported.run, launch.run, history);
  add_drift(imported, history);
  if (!fault.empty() || launch.against.empty()) return fault;
  without = std::move(history);
  history = {};
  status =
      compile_other_version(origin_of(options), launch.against, *imported.log, imported.compiled, run.other_version);
  if (status != kOk) return text::quote(launch.against) + " cannot be compiled as another version of the log's tree";
  const live::OtherVersion other =
      live::run_other_version(*imported.compiled.tree, imported.run, *run.other_version.tree);
  return record_log(run.other_version, other.run, launch.run, history);
}

// The trees of these paths, or those inside a recording.
std::string load_trees(const std::string& path, const std::vector<std::string>& paths, DebuggedRun& run) {
  run.options.common.paths = paths;
  run.options.common.quiet = true;
  int loaded = kOk;
  if (!open_recorded_asset({path}, paths, run.file, &loaded)) {
    if (paths.empty()) return "'launch' needs a \"project\": the file or folder of the trees";
    loaded = load_asset(run.options.common, {}, run.file, run.project);
  }
  const std::string project = paths.empty() ? path : paths.front();
  if (loaded != kOk) return "the trees of " + text::quote(project) + " have errors: 'espalier lint' shows them";
  if (!explore::has_names(run.file.asset)) return "the asset has no names of nodes: compile it without --strip";
  return {};
}

// A trace or a recording; `recorded`: of trees that are another version of those of the run.
std::string record_trace(const std::string& path, DebuggedRun& run, const Asset* recorded, debug::History& history) {
  replay::ReplayOptions how = replay_options(run.options, run.file);
  run.reloads = std::make_unique<Reloads>(run.options.common, run.options.reloads);
  how.load = [&run, path](const std::string& asset, replay::ReplayOptions::LoadFault* fault) {
    return run.reloads->load(path, asset, fault);
  };
  std::string error;
  const std::unique_ptr<std::istream> trace =
      recorded == nullptr ? open_trace_or_recording(path, run.file.asset, false, true, &how.start, &error)
                          : open_for_other_version(path, *recorded, run.file.asset, &how.start, &error);
  if (trace == nullptr) return error;
  if (recorded != nullptr && live::is_recording_path(path)) how.checks_expectations = false;
  if (history.record(run.file.asset, *trace, path, how) || !history.moments().empty()) return {};
  return history.faults().empty() ? "the trace cannot be run" : history.faults().front();
}

}  // namespace

std::string load_run(const debug::Launch& launch, DebuggedRuns& runs, debug::History& history,
                     debug::History& without) {
  DebuggedRun& run = *runs.emplace_back(std::make_unique<DebuggedRun>());
  if (launch.is_log) return load_log(launch, run, history, without);
  const bool has_other = !launch.against.empty();
  std::string fault = load_trees(launch.run, launch.paths, run);
  if (fault.empty()) fault = record_trace(launch.run, run, nullptr, has_other ? without : history);
  if (!fault.empty() || !has_other) return fault;
  DebuggedRun& other = *runs.emplace_back(std::make_unique<DebuggedRun>());
  fault = load_trees(launch.run, {launch.against}, other);
  return fault.empty() ? record_trace(launch.run, other, &run.file.asset, history) : fault;
}

std::string story_at(const debug::History& history, std::size_t count, std::uint32_t agent, std::uint64_t time_us,
                     const DebuggedRuns& runs) {
  std::optional<codegen::WrittenConditions> conditions;
  for (const auto& run : runs) {
    for (const auto& [asset, project] : {std::pair{&run->file.asset, &run->project},
                                         {&run->imported.compiled.file.asset, &run->imported.compiled.project},
                                         {&run->other_version.file.asset, &run->other_version.project}}) {
      if (asset == history.source().asset) conditions.emplace(project->ir, project->snapshot.sources);
    }
  }
  return story_with(conditions ? &*conditions : nullptr, history, count, agent, time_us);
}

std::string story_with(codegen::WrittenConditions* conditions, const debug::History& history, std::size_t count,
                       std::uint32_t agent, std::uint64_t time_us) {
  const debug::Replayed& source = history.source();
  report::ReplayForm form;
  form.tells_warnings = false;
  form.story.agent = agent;
  form.story.from_us = form.story.to_us = time_us;
  form.story.conditions = conditions;
  form.story.view = report::ViewMode::never;
  replay::ReplayOptions how = source.options;
  how.checks_expectations = false;
  report::SteppedStory story(*source.asset, source.path, how, form);
  std::string told;
  for (std::size_t i = 0; i <= history.line_at(count) && i < source.lines.size(); ++i) {
    const report::StepReport report = story.run(source.lines[i], {source.path, i + 1});
    told += report.story;
    if (!report.is_right) break;
  }
  if (told.starts_with(source.path))
    told.erase(0, std::min(told.find('\n'), told.size() - 1) + 1);  // which trace it is
  while (!told.empty() && told.back() == '\n') told.pop_back();
  return told;
}

}  // namespace espalier::cli
