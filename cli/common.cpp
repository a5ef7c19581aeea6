// What the verbs share. See cli.h.
#include <algorithm>
#include <iostream>
#include <system_error>

#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/faults.h"
#include "cli/progress_line.h"
#include "cli/watch.h"
#include "compiled/witnesses.h"
#include "project/collect.h"
#include "report/output_form.h"
#include "system/environment.h"
#include "system/output_files.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

constexpr std::uint64_t kMaxThreads = 10'000;  // largest value of --threads

bool is_set(const char* name) { return !system::variable(name).value_or("").empty(); }

bool is_on(const char* name) { return is_set(name) && system::variable(name) != "0"; }

}  // namespace

void add_output_options(CLI::App& verb, CommonOptions& options) {
  if (verb.get_option_no_throw("--color") == nullptr) {
    takes_one_of(verb.add_option("--color", options.color, "when to use colour"), "WHEN", "auto|always|never")
        ->capture_default_str();
  }
  if (verb.get_option_no_throw("--quiet") == nullptr) {
    verb.add_flag("-q,--quiet", options.quiet, "writes only results");
  }
}

void add_common(CLI::App& verb, CommonOptions& options) {
  takes(verb.add_option("PATHS", options.paths,
                        "files, folders, or - for standard input; default: the project of the nearest espalier.json, "
                        "else the current folder"),
        "PATH");
  verb.add_flag("--no-ignore", options.no_ignore, "also reads files that .gitignore excludes");
  verb.add_flag("--skip-unknown", options.skip_unknown, "skips named files that are not trees");
  verb.add_flag("--isolated", options.is_isolated, "reads only the named files, not the rest of their project");
  takes(verb.add_option("--stdin-filename", options.stdin_filename,
                        "checks standard input (-) as if it were this file, which need not exist"),
        "PATH");
  takes(verb.add_option("--config", options.configuration, "uses this file instead of the nearest espalier.json"),
        "FILE");
  takes_number(verb.add_option("-j,--threads", options.threads, "number of threads; 0, the default: all processors"),
               "COUNT", 0, kMaxThreads);
  add_output_options(verb, options);
  verb.add_flag("-v,--verbose", options.verbose, "writes more details");
}

project::LoadOptions load_options(const CommonOptions& options) {
  project::LoadOptions result;
  result.paths = options.paths;
  result.ignore_files = !options.no_ignore;
  result.thread_count = options.threads;
  result.configuration_path = options.configuration;
  result.host_files = options.host_files;
  result.stdin_filename = options.stdin_filename;
  result.is_isolated = options.is_isolated;
  result.skip_unknown = options.skip_unknown;
  result.may_be_empty = options.may_be_empty;
  if (options.notes) result.parsed = &options.notes->parsed;
  result.files = options.files;
  result.keeps_parsed = options.keeps_parsed;
  return result;
}

bool load_with_progress(const CommonOptions& options, const Load& load) {
  project::LoadErrors errors;
  bool is_loaded = false;
  {
    ProgressLine line(options);
    is_loaded = load(errors, line.progress());
  }
  for (const std::string& message : errors.messages) {
    fail(message, &message == &errors.messages.back() ? errors.hint : std::string());
  }
  return is_loaded;
}

void report_skipped(const CommonOptions& options, const project::Project& project) {
  const std::vector<std::string>& configured = project.snapshot.configured;
  if (!configured.empty() && !options.quiet && options.configuration.empty()) {
    const std::string folder = text::visible(configured.front());
    std::cerr << "espalier: '" << folder << "/espalier.json' is not used here: name its folder, '" << folder << "'";
    if (configured.size() > 1) std::cerr << " (the same for " << configured.size() - 1 << " more)";
    std::cerr << '\n';
  }
  if (!options.verbose) return;
  for (const project::Skipped& each : project.snapshot.skipped) {
    std::cerr << "espalier: skipped '" << text::visible(each.path) << "': " << text::visible(each.reason) << '\n';
  }
}

bool load_project(const CommonOptions& options, lint::Shown shown, project::Project& project, bool for_picture) {
  project::LoadOptions what = load_options(options);
  what.for_compiling = true;
  what.keeps_written = for_picture;
  what.shown = shown;
  const auto load = [&](project::LoadErrors& errors, project::Progress* progress) {
    return project::load(what, project, errors, progress);
  };
  const bool is_loaded = load_with_progress(options, load);
  if (options.notes) options.notes->add(project);
  if (!is_loaded) return false;
  report_skipped(options, project);
  return true;
}

bool load_findings(const CommonOptions& options, project::KeptFacts* kept, bool has_witnesses,
                   project::Project& project) {
  project::LoadOptions what = load_options(options);
  what.kept = kept;
  what.shown = has_witnesses ? lint::Shown::all : lint::Shown::words;
  const std::function<void(project::Project&)> complete = has_witnesses ? compiled::add_witnesses : nullptr;
  const auto load = [&](project::LoadErrors& errors, project::Progress* progress) {
    return project::load_findings(what, complete, project, errors, progress);
  };
  const bool is_loaded = load_with_progress(options, load);
  if (options.notes) options.notes->add(project);
  if (!is_loaded) return false;
  report_skipped(options, project);
  return true;
}

std::vector<std::string> inputs_of(const CommonOptions& options, const project::Project& project) {
  std::vector<std::string> inputs = project.snapshot.read_paths;
  if (std::find(options.paths.begin(), options.paths.end(), "-") != options.paths.end()) inputs.emplace_back("-");
  return inputs;
}

int fail(const std::string& message, const std::string& hint, const std::string& file) {
  KeptFaults::add(std::cerr, {.file = file, .message = message, .hint = hint});
  std::cout << std::flush;
  std::cerr << "espalier: " << text::visible(message) << '\n';
  if (!hint.empty()) std::cerr << "  hint: " << text::visible(hint) << '\n';
  return kFailed;
}

// FORCE_COLOR and CLICOLOR_FORCE speak of what is no terminal: build machines whose logs show colours.
bool use_color(const CommonOptions& options, system::Stream stream) {
  if (options.color != "auto") return options.color == "always";
  if (system::is_terminal(stream)) return !is_set("NO_COLOR") && !system::is_dumb_terminal();
  return is_on("FORCE_COLOR") || is_on("CLICOLOR_FORCE");
}

bool use_links(const CommonOptions& options, system::Stream stream) {
  return system::is_terminal(stream) && use_color(options, stream);
}

bool write_file(const std::string& path, std::string_view bytes, const std::vector<std::string>& inputs,
                std::string* error) {
  system::OutputFault fault;
  if (system::write_files({{{path, bytes}}, inputs}, &fault)) return true;
  *error = fault.message;
  return false;
}

bool rewrite_file(const std::string& path, std::string_view before, std::string_view bytes, std::string* error) {
  system::OutputFault fault;
  if (system::write_files({{{path, bytes, before}}}, &fault)) return true;
  *error = fault.message;
  return false;
}

bool read_file(const std::string& path, std::string* bytes, std::string* error) {
  std::string reason;
  if (project::read_bytes(path, text::kMaxFileBytes, *bytes, reason, project::Readable::named)) return true;
  *error = "cannot read '" + path + "': " + reason;
  return false;
}

int serve_editor(const std::function<int(const WriteFrame& write)>& serve) {
  std::cin.tie(nullptr);  // another thread reads: it would flush the output while a message is written
  // Frames have carriage returns; their content is JSON, in which control characters are escaped.
  const auto write = [](const std::string& frame) {
    report::write_unguarded(std::cout, frame);
    std::cout << std::flush;
  };
  try {
    return serve(write) == 0 ? kOk : kFound;
  } catch (const std::system_error& error) {
    return fail(std::string("cannot start a thread: ") + error.what());
  }
}

}  // namespace espalier::cli
