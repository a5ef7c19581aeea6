// Watching. See watch.h.
#include "cli/watch.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

#include "cli/progress_line.h"
#include "project/changes.h"
#include "project/configuration.h"
#include "report/held_output.h"
#include "report/output_form.h"
#include "rules/configuration.h"
#include "rules/traces.h"
#include "rules/xml.h"
#include "system/filesystem.h"
#include "system/signals.h"
#include "system/standard_streams.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

constexpr std::string_view kClearScreen = "\x1b[2J\x1b[H";

struct Outcome {
  int status = kOk;
  std::vector<report::HeldOutput::Part> parts;
};

Outcome run_held(const std::function<int()>& run) {
  report::HeldOutput held;
  const int status = run();
  return {status, held.take()};
}

bool is_cut_rule(rules::Rule rule) {
  using rules::Rule;
  return (rule >= rules::XML_malformed && rule <= rules::XML_bad_encoding) || rule == rules::CFG_malformed_json ||
         rule == rules::TRC_not_json;
}

bool is_screen() { return system::is_terminal(system::Stream::output) && !system::is_dumb_terminal(); }

// An interrupt is how one ends watching: it is not a failure.
extern "C" void end_watching(int) {
  clear_progress_line();
  using system::Stream;
  const bool is_shown = !system::is_terminal(Stream::output) || system::write_directly(Stream::output, "\n");
  system::end_at_once(is_shown ? kOk : kFailed);
}

std::string listed(const std::vector<std::string>& files) {
  const std::string first = text::visible(files.front());
  return files.size() == 1 ? first : first + " and " + std::to_string(files.size() - 1) + " more";
}

// Without a screen to clear, a line separates runs.
void begin_result(const std::vector<std::string>& changed) {
  if (changed.empty()) return;
  if (is_screen()) {
    report::write_unguarded(std::cout, kClearScreen);
  } else {
    std::cout << "--- changed: " << listed(changed) << " ---\n";
  }
}

void show(const std::vector<report::HeldOutput::Part>& parts) {
  for (const auto& [out, bytes] : parts) {
    report::write_unguarded(out, bytes);
    out.flush();
  }
  std::cout.flush();
}

int refuse_watching(const CommonOptions& options, const std::vector<std::string>& others, const std::string& format) {
  if (format != "human" && format != "debug") return fail("'--watch' needs --format human");
  const auto is_input = [](const std::string& path) { return path == "-"; };
  const bool has_input = std::any_of(options.paths.begin(), options.paths.end(), is_input) ||
                         std::any_of(others.begin(), others.end(), is_input);
  return has_input ? fail("'--watch' cannot watch standard input", "name the file") : kOk;
}

std::vector<std::string> roots_of(const CommonOptions& options, const std::vector<std::string>& others) {
  std::vector<std::string> roots = options.paths;
  if (roots.empty()) roots.emplace_back(".");
  for (std::size_t i = roots.size(); i-- > 0;) {
    const std::string configuration =
        options.configuration.empty() ? project::nearest_configuration(roots[i]) : options.configuration;
    if (!configuration.empty()) roots.push_back(configuration);
  }
  if (options.paths.empty() && roots.size() > 1)
    roots.front() = system::filesystem::path(roots.back()).parent_path().generic_string();
  roots.insert(roots.end(), others.begin(), others.end());
  return roots;
}

// The files that may be half written and were not when the result was shown that is still there.
std::vector<std::string> newly_cut(const RunNotes& notes, const std::map<std::string, std::string>& shown) {
  std::vector<std::string> reasons;
  for (const auto& [file, reason] : notes.cut) {
    if (shown.count(file) == 0) reasons.push_back(reason);
  }
  return reasons;
}

}  // namespace

void RunNotes::add(const project::Project& project) {
  read.insert(project.snapshot.read_paths.begin(), project.snapshot.read_paths.end());
  add(project.findings, project.snapshot.sources);
}

void RunNotes::add(const text::Findings& findings, const text::Sources& sources) {
  has_findings = has_findings || !findings.all().empty();
  for (const text::Finding& finding : findings.all()) {
    if (!is_cut_rule(finding.rule)) continue;
    const text::Source& source = sources[finding.span.file];
    const text::Position position = source.position(finding.span.begin);
    cut.emplace(source.path(), source.path() + ':' + std::to_string(position.line) + ':' +
                                   std::to_string(position.column) + ": " + finding.message);
  }
}

CLI::Option* add_watch(CLI::App& verb, bool& is_watching) {
  return verb.add_flag("--watch", is_watching, "runs again after each change of the files, until it is interrupted");
}

int watch(const CommonOptions& options, const std::vector<std::string>& others, const std::string& format,
          const std::function<int()>& run) {
  if (const int status = refuse_watching(options, others, format); status != kOk) return status;
  const system::SignalHandler handler({system::Signal::interrupt}, end_watching);
  RunNotes& notes = *options.notes;
  project::Changes changes(roots_of(options, others));
  std::map<std::string, std::string> shown;  // what was cut in the result that is shown
  for (std::vector<std::string> changed;;) {
    notes.read.clear();
    notes.cut.clear();
    notes.has_findings = false;
    const auto begun = std::chrono::steady_clock::now();
    const Outcome outcome = run_held(run);
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun);
    if (changed.empty() && outcome.status == kFailed && !notes.has_findings) {
      show(outcome.parts);
      return outcome.status;
    }
    const std::vector<std::string> reasons = changed.empty() ? std::vector<std::string>() : newly_cut(notes, shown);
    for (const std::string& reason : reasons) {
      std::cerr << "espalier: " << text::visible(reason) << ": the last result is kept\n";
    }
    if (reasons.empty()) {
      begin_result(changed);
      show(outcome.parts);
      shown = notes.cut;
    }
    if (!options.quiet) std::cerr << "espalier: " << time.count() << " ms; waits for changes until Ctrl-C\n";
    std::cerr.flush();
    changes.follow(notes.read);
    std::string reason;
    changed = changes.wait(&reason);
    if (!reason.empty()) return fail("cannot wait for changes: " + reason);
    if (changed.empty() || !std::cout) return kOk;
  }
}

}  // namespace espalier::cli
