// espalier replay: runs traces against a project or a compiled asset. Exit status 0 when every expectation is met;
// 1 when one fails, or the project has errors; 2 when a trace or the project cannot be read.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <system_error>

#include "cli/faults.h"
#include "cli/findings_report.h"
#include "cli/pictures.h"
#include "cli/recordings.h"
#include "cli/reloads.h"
#include "cli/replay_against.h"
#include "cli/replay_options.h"
#include "cli/shard.h"
#include "cli/trace_paths.h"
#include "cli/watch.h"
#include "codegen/dump/written_conditions.h"
#include "explore/explore.h"
#include "project/files.h"
#include "project/trace_files.h"
#include "replay/timeline_recorder.h"
#include "report/line_view.h"
#include "report/pictures/replay_page.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

// Common to all traces of a run.
struct Run {
  const Asset& asset;
  replay::ReplayOptions options;
  report::ReplayForm form;
  text::Sources sources = {};
};

int update_trace(Run& run, const std::string& path, report::ReplayReport* report) {
  if (std::error_code error; !system::filesystem::is_regular_file(path, error)) {
    return fail("cannot update " + text::quote(path) + ": it is not a file", "only a file can be rewritten");
  }
  std::string before;
  std::string error;
  if (!project::read_bytes(path, project::kMaxKeptTraceBytes, before, error)) {
    return fail("cannot read the trace " + text::quote(path) + ": " + error);
  }
  std::string updated;
  std::istringstream trace(before);
  *report = report::update_trace(run.asset, trace, path, run.options, run.form, run.sources, &updated);
  const std::uint64_t count = report->result.rewritten_count;
  if (report->result.is_broken || count == 0) return kOk;
  if (!rewrite_file(path, before, updated, &error)) return fail(error);
  std::cerr << report::visible(path) << ": " << count << (count == 1 ? " expectation" : " expectations")
            << " rewritten\n";
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
                    system::Stream::output);
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
      : trees_(report::outline(file.asset, project.snapshot.sources)),
        page_(file.asset, options.traces.front(), trees_) {
    report::add_findings(trees_, notes_of(project.findings, project.snapshot.sources));
    observer_ = page_.observer();
    form.also = &observer_;
    form.tell = [this, tell = form.tell](const std::string& message) {
      tell(message);
      page_.tell(message);
    };
  }

  int write(const report::ReplayReport& report, const project::Project& project, const ReplayOptions& options) {
    std::ostringstream text;
    page_.write(report.result.name, sources_of(project.snapshot.sources), text);
    std::vector<std::string> inputs = inputs_of(options.common, project);
    inputs.push_back(options.traces.front());
    return write_picture_file(options.output, text.str(), inputs);
  }

 private:
  std::vector<report::PictureTree> trees_;
  report::ReplayPage page_;
  replay::Observer observer_;
};

// Profiles and timelines, of one trace or of two.
class TimelineWriter {
 public:
  TimelineWriter(const ReplayOptions& options, report::ReplayForm& form)
      : keeps_runs_(options.format == "chrome"), form_(form) {}

  void begin_trace() {
    recorder_.emplace(keeps_runs_);
    observer_ = recorder_->observer();
    form_.also = &observer_;
  }
  void end_trace() { timelines_.push_back(recorder_->take()); }

  // Nothing of traces that could not be read.
  int write(const ReplayOptions& options, const Asset& asset, const project::Project& project) const {
    if (timelines_.empty()) return kOk;
    if (options.format == "html") {
      return write_profile_page(options.output, options.traces.front(), asset, project, timelines_[0],
                                inputs_of(options.common, project));
    }
    if (!keeps_runs_) {
      std::cout << (timelines_.size() == 1 ? replay::profile_text(timelines_[0])
                                           : replay::profiles_text(timelines_[0], timelines_[1]));
      return kOk;
    }
    const std::string text = replay::chrome_text(timelines_[0]);
    std::string error;
    if (options.output.empty()) std::cout << text;
    if (options.output.empty() || write_file(options.output, text, options.traces, &error)) return kOk;
    return fail(error);
  }

 private:
  const bool keeps_runs_;
  report::ReplayForm& form_;
  std::optional<replay::TimelineRecorder> recorder_;
  replay::Observer observer_;
  std::vector<replay::Timeline> timelines_;
};

// One line at the end, and the exit status. `is_brief`: stories for people, of failing traces alone.
int summarize(const std::vector<report::ReplayReport>& reports, bool quiet, bool is_brief) {
  const auto any = [&](auto is_so) {
    return std::any_of(reports.begin(), reports.end(), [&](const auto& report) { return is_so(report.result); });
  };
  const bool has_failed = any([](const replay::TraceResult& result) { return result.failed_count > 0; });
  if (!quiet && !reports.empty()) {
    std::cerr << report::outcome_line(reports) << '\n';
    if (has_failed && is_brief) std::cerr << "'-v' shows passing traces too, '--verbose 5' each answer of a node\n";
  }
  if (any([](const replay::TraceResult& result) { return result.is_broken; })) return kFailed;
  return has_failed || any([](const replay::TraceResult& result) { return result.refused_count > 0; }) ? kFound : kOk;
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
  if (!options.against.empty()) return replay_against(options);
  AssetFile file;
  project::Project project;
  int loaded = kOk;
  if (!open_recorded_asset(options.traces, options.common.paths, file, &loaded))
    loaded = load_asset(options.common, error_form(options), file, project);
  if (loaded != kOk) return loaded;
  if (options.verify) return verify_recordings(options.traces, file.asset, options.common.quiet);
  Reloads reloads(options.common, options.reloads);
  Run run{file.asset, replay_options(options, file), form_of(options)};
  codegen::WrittenConditions conditions(project.ir, project.snapshot.sources);
  run.form.story.conditions = &conditions;
  const report::ReplayFormat format = run.form.format;
  std::unique_ptr<PageWriter> page;
  if (options.format == "html" && !options.profile && !options.traces.empty()) {  // a shard may have none
    page = std::make_unique<PageWriter>(file, project, options, run.form);
  }
  std::optional<TimelineWriter> timelines;
  if (options.profile || options.format == "chrome") {
    if (!explore::has_names(file.asset)) return fail("the asset has no names of nodes", "compile it without --strip");
    timelines.emplace(options, run.form);
  }
  const bool is_brief = !options.update && (format == report::ReplayFormat::junit ||
                                            (format == report::ReplayFormat::human && !tells_all(options)));
  std::vector<report::ReplayReport> reports;
  int status = kOk;
  for (const std::string& path : options.traces) {
    report::ReplayReport& report = reports.emplace_back();
    std::string error;
    std::unique_ptr<std::istream> trace =
        open_trace_or_recording(path, file.asset, is_brief, options.common.quiet, &run.options.start, &error);
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
      trace.reset();  // while it is open here, Windows may not let it be replaced
      status = std::max(status, update_trace(run, path, &report));
    } else {
      const auto replay = is_brief ? report::replay_briefly : report::replay_trace;
      if (timelines) timelines->begin_trace();
      report = replay(run.asset, *trace, shown, run.options, run.form, run.sources, std::cout);
      if (timelines) timelines->end_trace();
    }
  }
  if (options.common.notes) {
    for (const report::ReplayReport& report : reports) options.common.notes->add(report.result.findings, run.sources);
  }
  if (timelines) status = std::max(status, timelines->write(options, file.asset, project));
  if (page != nullptr) {
    status = std::max(status, page->write(reports.front(), project, options));
  }
  if (format == report::ReplayFormat::junit) report::write_replay_junit(reports, run.sources, std::cout);
  if (format == report::ReplayFormat::findings) {
    const text::Findings findings = report::findings_of(reports);
    const auto summary = report::summarize(findings, static_cast<std::uint32_t>(reports.size()));
    report_findings(findings, run.sources, summary, options.common, error_form(options), std::cout,
                    system::Stream::output);
  }
  std::cout << std::flush;
  if (!options.common.quiet) {
    for (const std::string& message : report::idle_options(reports, run.form)) {
      std::cerr << "espalier: " << message << '\n';
    }
  }
  return std::max(status, summarize(reports, options.common.quiet,
                                    options.format == "human" && !tells_all(options) && !options.profile));
}

int watch_replay(ReplayOptions& options) {
  options.common.notes = std::make_shared<RunNotes>();
  const std::vector<std::string> traces = options.traces;
  return watch(options.common, traces, options.format, [&] {
    ReplayOptions next = options;  // whose folders of traces may have more
    return run_replay(next);
  });
}

}  // namespace

void add_replay(CLI::App& program, int& status) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* verb = program.add_subcommand("replay", "runs scripted traces against trees or a compiled asset");
  add_replay_options(*verb, *options);
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
      "  espalier replay trees/ --trace before.trace.jsonl --trace after.trace.jsonl --profile\n"
      "  espalier replay run.esprec --verify\n"
      "  espalier replay run.esprec --against trees/\n"
      "  espalier replay trees/ --step --tree Guard\n"
      "  espalier replay trees/ --step --trace guard.trace.jsonl\n"
      "  espalier replay creature.xml --trace creature.trace.jsonl --verbose 5 --agent 0\n\n"
      "Exit status: 0 all expectations are met, 1 one fails, another version does something else or the trees have "
      "errors, 2 a trace or tree cannot be "
      "read.");
  verb->callback([options, &status] {
    status = run_reported(error_form(*options), options->common, [&] {
      return options->step ? step_replay(*options) : options->watch ? watch_replay(*options) : run_replay(*options);
    });
  });
}

}  // namespace espalier::cli
