// espalier import: what a robot's log says about its tree: a story, a page, a trace, or events. Exit status 0; 1 when
// the log is of another tree, or has what its tree cannot do; 2 when it cannot be read.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include "cli/command_line.h"
#include "cli/faults.h"
#include "cli/findings_report.h"
#include "cli/log_tree.h"
#include "cli/pictures.h"
#include "codegen/dump/written_conditions.h"
#include "live/findings.h"
#include "live/formats/log.h"
#include "live/intervals.h"
#include "live/trace.h"
#include "project/files.h"
#include "replay/event.h"
#include "report/output_form.h"
#include "report/pictures/replay_page.h"
#include "report/replays.h"
#include "rules/logs.h"
#include "rules/rules.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

struct ImportOptions {
  CommonOptions common;
  std::string log;
  std::string output;
  std::string tree;
  std::string tree_file;
  std::uint64_t session = 0;  // 0: the last one
  std::string topic;
  std::string format = "human";
  bool has_profile = false;
};

FindingOptions error_form(const ImportOptions& options) {
  return {.format = options.format == "jsonl" ? "jsonl" : "human", .verb = "import"};
}

// The faults of a log, told together at the end.
class LogReport {
 public:
  explicit LogReport(const ImportOptions& options)
      : path_(options.log == "-" ? "<stdin>" : options.log), quiet_(options.common.quiet) {}

  void add(std::vector<live::LogFault> faults) {
    for (live::LogFault& fault : faults) faults_.push_back(std::move(fault));
  }
  bool has_errors() const { return cli::has_errors(faults_); }

  // Returns the exit status that they mean.
  int write() const {
    std::cout << std::flush;
    for (const live::LogFault& fault : faults_) {
      if (quiet_ && !is_error(fault.rule)) continue;
      std::cerr << live::fault_text(path_, fault);
      if (is_error(fault.rule))
        KeptFaults::add(std::cerr, {.rule = fault.rule, .file = path_, .message = fault.message, .hint = fault.hint});
    }
    return has_errors() ? kFound : kOk;
  }

 private:
  static bool is_error(rules::Rule rule) { return rules::info(rule).severity == rules::Severity::error; }
  const std::string path_;
  const bool quiet_;
  std::vector<live::LogFault> faults_;
};

bool is_missing(const std::string& path) {
  std::error_code error;
  return path != "-" && !std::filesystem::exists(path, error);
}

int read_bytes_of(const std::string& path, std::string* bytes) {
  std::string error;
  if (!project::read_bytes(path, live::kMaxLogBytes, *bytes, error, project::Readable::named))
    return fail("cannot read " + text::quote(path) + ": " + error);
  if (bytes->size() > live::kMaxLogBytes) return fail(text::quote(path) + " is larger than 1 GiB", {}, path);
  return kOk;
}

// A folder of rosbag2.
int read_bag(const ImportOptions& options, live::LogFile* file) {
  const std::filesystem::path folder(options.log);
  std::string metadata;
  if (const int status = read_bytes_of((folder / "metadata.yaml").string(), &metadata); status != kOk) return status;
  std::vector<live::LogFile> files;
  for (const std::string& name : live::files_of_bag(metadata)) {
    std::string bytes;
    const std::filesystem::path path = folder / std::filesystem::path(name).filename();  // nothing outside of it
    if (const int status = read_bytes_of(path.string(), &bytes); status != kOk) return status;
    files.push_back(live::read_log(bytes, {options.topic, {}}));
  }
  *file = live::joined(std::move(files));
  if (file->runs.empty() && file->faults.empty())
    file->faults.push_back({rules::LOG_not_a_log, "the bag names no files"});
  return kOk;
}

int read(const ImportOptions& options, live::LogFile* file) {
  std::error_code error;
  if (options.log != "-" && std::filesystem::is_directory(options.log, error)) return read_bag(options, file);
  std::string bytes;
  if (const int status = read_bytes_of(options.log, &bytes); status != kOk) return status;
  live::ReadOptions how;
  how.topic = options.topic;
  how.beside = [&](const std::string& name, std::string* beside) {
    const std::filesystem::path path = std::filesystem::path(options.log).parent_path() / name;
    std::string why;
    return name.find('/') == std::string::npos && project::read_bytes(path.string(), live::kMaxTreeBytes, *beside, why);
  };
  *file = live::read_log(bytes, how);
  return kOk;
}

// Events with the nodes' uids and the program's times.
void write_events(const CompiledTree& compiled, std::int64_t first_us, std::istream& trace, const std::string& path) {
  text::Sources sources;
  replay::Observer observer;
  observer.event = [&](const replay::Event& event) {
    if (!replay::is_written(event.kind) || event.kind == replay::EventKind::read)
      return;  // logs do not have what is read
    std::string json = replay::event_json(event);
    json.pop_back();
    const bool has_outputs = event.node.asset != nullptr &&
                             !compiled.tree->nodes()[compiled.tree->number_of(event.node.word)].outputs.empty();
    if (event.kind == replay::EventKind::set && has_outputs) json += ", \"inferred\": true";
    if (event.node.asset != nullptr)
      json += ", \"uid\": " + std::to_string(compiled.tree->number_of(event.node.word) + 1);
    if (event.kind == replay::EventKind::ask)
      json += std::string(", \"result\": ") + (event.value == "true" ? "\"success\"" : "\"failure\"");
    std::cout << json << ", \"at\": " << first_us + static_cast<std::int64_t>(event.time_us) << "}\n";
  };
  static_cast<void>(replay::replay(compiled.file.asset, trace, path, {}, sources, observer));
}

void write_story(const ImportOptions& options, const CompiledTree& compiled, std::istream& trace) {
  text::Sources sources;
  report::ReplayForm form;
  codegen::WrittenConditions conditions(compiled.project.ir, compiled.project.snapshot.sources);
  form.story.conditions = &conditions;
  form.story.has_inferred_values = true;
  form.story.color = use_color(options.common, kOutputDescriptor);
  form.tells_warnings = false;
  form.tell = [](const std::string& message) { std::cerr << message; };
  static_cast<void>(report::replay_trace(compiled.file.asset, trace, options.log, {}, form, sources, std::cout));
}

int write_page(const ImportOptions& options, const CompiledTree& compiled, std::istream& trace) {
  std::vector<report::PictureTree> trees = report::outline(compiled.file.asset);
  report::ReplayPage page(compiled.file.asset, options.log, trees);
  const replay::Observer observer = page.observer();
  text::Sources sources;
  static_cast<void>(replay::replay(compiled.file.asset, trace, options.log, {}, sources, observer));
  std::ostringstream text;
  page.tell("The values that nodes of the program write are inferred from what the tree did then.");
  page.write(options.log, sources_of(compiled.project), text);
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

int write(const ImportOptions& options, const CompiledTree& compiled, const live::Log& log,
          const live::FittedRun& run) {
  if (options.has_profile) {
    std::cout << live::profile_of(*compiled.tree, log);
    return kOk;
  }
  const bool is_timeline = options.format == "chrome";
  std::string text = is_timeline
                         ? live::chrome_of(*compiled.tree, log)
                         : live::trace_of(*compiled.tree, run, options.format == "human" ? std::string() : options.log);
  if (is_timeline || options.format == "trace") return write_text(options, text);
  std::istringstream trace(std::move(text));
  if (options.format == "html") return write_page(options, compiled, trace);
  if (options.format == "jsonl") {
    const std::int64_t first_us = run.first_change < log.changes.size() ? log.changes[run.first_change].at_us : 0;
    write_events(compiled, first_us, trace, options.log);
    std::cout << live::json_of(*compiled.tree, log, run) << '\n';
  } else {
    write_story(options, compiled, trace);
  }
  return kOk;
}

int run_import(const ImportOptions& options) {
  if (options.format == "html" && options.output.empty()) return fail("--format html needs -o FILE");
  if (options.format == "html" && !report::has_pages()) return fail_without_pages();
  if (!options.output.empty() && (options.format == "human" || options.format == "jsonl"))
    return fail("-o needs --format html, trace or chrome");
  if (options.has_profile && options.format != "human")
    return fail("--profile takes no --format", "it is a table for people");
  if (is_missing(options.log)) return fail("cannot read " + text::quote(options.log) + ": No such file or directory");
  LogReport report(options);
  live::LogFile file;
  if (const int status = read(options, &file); status != kOk) return status;
  report.add(file.faults);
  if (file.runs.empty()) {  // nothing is left of it, whatever the reason
    static_cast<void>(report.write());
    return kFailed;
  }
  if (options.session > file.runs.size()) {
    return fail("the log has no session " + std::to_string(options.session),
                "it has " + std::to_string(file.runs.size()) + (file.runs.size() == 1 ? " session" : " sessions"));
  }
  const live::Log& log = file.runs[options.session == 0 ? file.runs.size() - 1 : options.session - 1];
  if (log.changes.empty()) {
    if (!options.common.quiet) std::cerr << "the log has no changes: no node was ticked\n";
    return report.write();
  }
  CompiledTree compiled;
  std::vector<live::LogFault> faults;
  const LogOrigin origin{options.common, error_form(options), options.log, options.tree, options.tree_file};
  if (const int status = compile_tree_of(origin, log, compiled, faults); status != kOk) return status;
  report.add(std::move(faults));
  if (report.has_errors() || !compiled.tree) return report.write();
  const live::FittedRun run = live::fit(*compiled.tree, log);
  report.add(live::faults_of(*compiled.tree, log, run));
  const int status = write(options, compiled, log, run);
  if (!options.common.quiet) std::cerr << live::words_of(live::explained(log, run)) << '\n';
  return std::max(status, report.write());
}

}  // namespace

void add_import(CLI::App& program, int& status) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* verb = program.add_subcommand("import", "tells from a robot's log what its tree did");
  takes(verb->add_option(
            "LOG", options->log,
            "a log of BehaviorTree.CPP (.btlog, .db3), a bag with Nav2's /behavior_tree_log (.mcap, .db3, and "
            "these as .zstd) or its folder, or a captured session; - is standard input"),
        "PATH")
      ->required();
  add_common(*verb, options->common);
  takes_one_of(
      verb->add_option(
          "--format", options->format,
          "human: the story; jsonl: events; html: a page for a browser; trace: a trace for replay; chrome: a timeline "
          "for Chrome and Perfetto"),
      "FORMAT", "human|jsonl|html|trace|chrome")
      ->capture_default_str();
  takes(verb->add_option("-o,--output", options->output, "with --format html, trace or chrome: writes this file"),
        "FILE");
  takes(verb->add_option("--tree", options->tree, "the tree that the log is of (default: the log's main tree)"),
        "NAME");
  takes(verb->add_option("--tree-file", options->tree_file, "the XML that the robot ran"), "FILE");
  takes_number(verb->add_option("--session", options->session, "of a log with several (default: the last)"), "N", 1,
               UINT32_MAX);
  takes(verb->add_option("--topic", options->topic, "of a bag (default: the first with a log of a tree)"), "NAME");
  verb->add_flag("--profile", options->has_profile,
                 "writes a table of the nodes in place of the story: results, and how long they ran");
  verb->footer(
      "Examples:\n"
      "  espalier import run.btlog\n"
      "  espalier import run.btlog src/my_robot --format trace -o run.trace.jsonl\n"
      "  espalier import bag.mcap --tree-file nav.xml --format html -o run.html\n\n"
      "Exit status: 0 the log fits its tree, 1 it does not or is of another tree, 2 it cannot be read.");
  verb->callback([options, &status] {
    status = run_reported(error_form(*options), options->common, [&] { return run_import(*options); });
  });
}

}  // namespace espalier::cli
