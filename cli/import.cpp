// espalier import: what a robot's log says about its tree: a story, a page, a trace, or events. Exit status 0; 1 when
// the log is of another tree, or has what its tree cannot do; 2 when it cannot be read.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <sstream>

#include "cli/command_line.h"
#include "cli/import_against.h"
#include "cli/imported_log.h"
#include "cli/pictures.h"
#include "cli/recordings.h"
#include "codegen/dump/written_conditions.h"
#include "live/events.h"
#include "live/findings.h"
#include "live/intervals.h"
#include "live/trace.h"
#include "live/values.h"
#include "replay/event.h"
#include "report/output_form.h"
#include "report/pictures/replay_page.h"
#include "report/replays.h"
#include "text/names.h"

namespace espalier::cli {
namespace {

void write_events(const CompiledTree& compiled, const live::FittedRun& run, std::int64_t first_us) {
  const live::EventWriter writer(*compiled.tree, run, first_us);
  live::each_event(*compiled.tree, run, false, [&](std::uint32_t update, const replay::Event& event) {
    if (const std::string json = writer.json_of(update, event); !json.empty()) std::cout << json << '\n';
  });
}

// Of stories, and of the events of a recording.
report::ReplayForm form_of(const ImportOptions& options) {
  report::ReplayForm form;
  form.format = options.format == "jsonl" ? report::ReplayFormat::jsonl : report::ReplayFormat::human;
  form.story.color = use_color(options.common, system::Stream::output);
  form.tells_warnings = false;
  form.tell = [](const std::string& message) { std::cerr << message; };
  return form;
}

void write_story(const ImportOptions& options, const CompiledTree& compiled, const live::FittedRun& run,
                 std::istream& trace) {
  text::Sources sources;
  report::ReplayForm form = form_of(options);
  codegen::WrittenConditions conditions(compiled.project.ir, compiled.project.snapshot.sources);
  form.story.conditions = &conditions;
  form.story.is_inferred = live::inferred_values(*compiled.tree, run);
  replay::ReplayOptions replayed;
  replayed.start = live::start_of(run);
  static_cast<void>(report::replay_trace(compiled.file.asset, trace, options.log, replayed, form, sources, std::cout));
}

// `note`: what the page says at its end; empty: nothing.
int write_page(const ImportOptions& options, const Asset& asset, std::istream& trace,
               const replay::ReplayOptions& replayed, const project::Project& project, const std::string& note) {
  const std::vector<report::PictureTree> trees = report::outline(asset, project.snapshot.sources);
  report::ReplayPage page(asset, options.log, trees);
  const replay::Observer observer = page.observer();
  text::Sources sources;
  static_cast<void>(replay::replay(asset, trace, options.log, replayed, sources, observer));
  if (!note.empty()) page.tell(note);
  std::ostringstream text;
  page.write(options.log, sources_of(project.snapshot.sources), text);
  return write_picture_file(options.output, text.str(), {options.log});
}

int write_text(const ImportOptions& options, const std::string& text) {
  if (options.output.empty()) {
    std::cout << text;
    return kOk;
  }
  std::string error;
  return write_file(options.output, text, {options.log}, &error) ? kOk : fail(error);
}

void tell_lost_start(const ImportOptions& options) {
  if (options.common.quiet) return;
  std::cerr << "espalier: the trace begins as its tree does, but the recording in the middle of a run: replay the "
               "recording itself\n";
}

// The last words about a log; returns the exit status that its faults mean.
int write_end(const ImportOptions& options, const Imported& imported, const LogReport& report) {
  std::cout << std::flush;
  if (!options.common.quiet) std::cerr << live::words_of(live::explained(*imported.log, imported.run)) << '\n';
  return report.write();
}

int write(const ImportOptions& options, const Imported& imported) {
  const auto& [read, compiled, run, nearest] = imported;
  const live::Log& log = *read;
  if (!options.against.empty()) return write_against(options, imported);
  if (options.has_profile && options.format == "html") {
    return write_profile_page(options.output, options.log, compiled.file.asset, compiled.project,
                              live::timeline_of(*compiled.tree, log), {options.log});
  }
  if (options.has_profile) {
    std::cout << replay::profile_text(live::timeline_of(*compiled.tree, log));
    return kOk;
  }
  if (options.format == "jsonl") {
    write_events(compiled, run, live::first_us_of(log, run));
    std::cout << live::json_of(*compiled.tree, log, run, nearest) << '\n';
    return kOk;
  }
  const bool is_timeline = options.format == "chrome";
  std::string text = is_timeline
                         ? replay::chrome_text(live::timeline_of(*compiled.tree, log, true))
                         : live::trace_of(*compiled.tree, run, options.format == "human" ? std::string() : options.log,
                                          options.format == "trace");
  if (options.format == "trace" && !run.start.empty()) tell_lost_start(options);
  if (is_timeline || options.format == "trace") return write_text(options, text);
  std::istringstream trace(std::move(text));
  if (options.format == "html") {
    replay::ReplayOptions replayed;
    replayed.start = live::start_of(run);
    return write_page(options, compiled.file.asset, trace, replayed, compiled.project,
                      "The values that nodes of the program write are inferred from what the tree did then.");
  }
  write_story(options, compiled, run, trace);
  return kOk;
}

bool is_recording_format(const ImportOptions& options) { return options.format.starts_with("esprec"); }

// A recording of espalier's own agents needs no inference: it is a trace.
int run_recording(const ImportOptions& options) {
  if (is_recording_format(options)) return convert_recording(options.log, options.output, options.format != "esprec");
  if (options.format == "chrome" || options.has_profile || !options.against.empty()) {
    return fail("a recording takes --format human, jsonl, html or trace",
                "make a trace of it: espalier import RUN.esprec --format trace -o RUN.trace.jsonl");
  }
  AssetFile file;
  int status = kOk;
  CommonOptions common = options.common;
  if (!open_recorded_asset({options.log}, common.paths, file, &status)) {
    if (common.paths.empty())
      return fail(text::quote(options.log) + " has no asset", "name the trees or the asset that was recorded");
    status = load_asset(common, error_form(options), file);
  }
  if (status != kOk) return status;
  const std::optional<live::RecordedTrace> trace = import_recording(options.log, file.asset, options.common.quiet);
  if (!trace) return kFailed;
  if (options.format == "trace") {
    if (trace->start) tell_lost_start(options);
    return write_text(options, trace->text);
  }
  std::istringstream lines(trace->text);
  replay::ReplayOptions replayed;
  replayed.start = trace->start;
  if (options.format == "html") return write_page(options, file.asset, lines, replayed, {}, {});
  text::Sources sources;
  static_cast<void>(
      report::replay_trace(file.asset, lines, options.log, replayed, form_of(options), sources, std::cout));
  std::cout << std::flush;
  if (!options.common.quiet)
    std::cerr << trace->frame_count << " frames, " << trace->agent_count
              << (trace->agent_count == 1 ? " agent\n" : " agents\n");
  return kOk;
}

// The profiles of two logs.
int run_compared(const ImportOptions& options) {
  ImportOptions of_other = options;
  of_other.log = options.other_log;
  LogReport report(options);
  LogReport other_report(of_other);
  Imported imported;
  Imported other;
  int status = kOk;
  if (!import_log(options, report, imported, status)) return status;
  if (!import_log(of_other, other_report, other, status)) return status;
  std::cout << replay::profiles_text(live::timeline_of(*imported.compiled.tree, *imported.log),
                                     live::timeline_of(*other.compiled.tree, *other.log));
  status = write_end(options, imported, report);
  return std::max(status, write_end(of_other, other, other_report));
}

int run_import(ImportOptions& options) {
  const std::vector<std::string> logs = take_logs(options.common.paths);
  if (logs.size() > 1 || (!logs.empty() && !options.has_profile)) {
    return fail(text::quote(logs.back()) + " is another log",
                options.has_profile ? "'--profile' compares two" : "'--profile' compares two logs; others take one");
  }
  if (!logs.empty()) options.other_log = logs.front();
  if (options.format == "html" && options.output.empty()) return fail("--format html needs -o FILE");
  if (!options.output.empty() && (options.format == "human" || options.format == "jsonl"))
    return fail("-o needs --format html, trace or chrome");
  const bool is_picture = options.format == "html" && logs.empty();
  if (options.has_profile && options.format != "human" && !is_picture)
    return fail("--profile takes --format html or none, and html only of one log",
                "it is a table for people, or a picture");
  if (!options.against.empty() && options.format != "human" && options.format != "jsonl") {
    return fail("--against takes --format human or jsonl",
                "a trace of the log, by '--format trace', replays against the other version too");
  }
  if (is_recording_format(options) && options.output.empty())
    return fail("--format " + options.format + " needs -o FILE");
  if (live::is_recording_path(options.log)) return run_recording(options);
  if (is_recording_format(options)) return fail("--format " + options.format + " takes a recording (.esprec)");
  if (!options.other_log.empty()) return run_compared(options);
  LogReport report(options);
  Imported imported;
  int status = kOk;
  if (!import_log(options, report, imported, status)) return status;
  status = write(options, imported);
  return std::max(status, write_end(options, imported, report));
}

}  // namespace

void add_import(CLI::App& program, int& status) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* verb = program.add_subcommand("import", "tells from a robot's log what its tree did");
  takes(
      verb->add_option(
          "LOG", options->log,
          "a log of BehaviorTree.CPP (.btlog, .btrec, .db3), a bag with Nav2's /behavior_tree_log (.mcap, .db3, and "
          "these as .zstd) or its folder, a captured session, or a recording of espalier's own agents (.esprec); - is "
          "standard input"),
      "PATH")
      ->required();
  add_common(*verb, options->common);
  takes_one_of(
      verb->add_option(
          "--format", options->format,
          "human: the story; jsonl: events; html: a page for a browser; trace: a trace for replay; chrome: a timeline "
          "for Chrome and Perfetto; esprec-zstd, esprec: a recording (.esprec), compressed and not"),
      "FORMAT", "human|jsonl|html|trace|chrome|esprec|esprec-zstd")
      ->capture_default_str();
  takes(verb->add_option("-o,--output", options->output,
                         "with --format html, trace, chrome, esprec or esprec-zstd: writes this file"),
        "FILE");
  takes(verb->add_option("--tree", options->tree, "the tree that the log is of (default: the log's main tree)"),
        "NAME");
  takes(verb->add_option("--tree-file", options->tree_file, "the XML that the robot ran"), "FILE");
  takes_number(verb->add_option("--session", options->session, "of a log with several (default: the last)"), "N", 1,
               UINT32_MAX);
  takes(verb->add_option("--topic", options->topic, "of a bag (default: the first with a log of a tree)"), "NAME");
  verb->add_flag(
      "--profile", options->has_profile,
      "writes a table of the nodes in place of the story: results, and how long they ran; with --format html the tree, "
      "coloured by it; a second log, "
      "named behind the first, is compared");
  takes(verb->add_option("--against", options->against,
                         "tells where another version of the tree, given the same answers, does something else"),
        "PATH")
      ->excludes("--profile");
  verb->footer(
      "Examples:\n"
      "  espalier import run.btlog\n"
      "  espalier import run.btlog src/my_robot --format trace -o run.trace.jsonl\n"
      "  espalier import bag.mcap --tree-file nav.xml --format html -o run.html\n"
      "  espalier import run.btlog --against src/my_robot\n"
      "  espalier import run.esprec --format trace -o run.trace.jsonl\n\n"
      "Exit status: 0 the log fits its tree, 1 it does not or is of another tree, 2 it cannot be read.");
  verb->callback([options, &status] {
    status = run_reported(error_form(*options), options->common, [&] { return run_import(*options); });
  });
}

}  // namespace espalier::cli
