// Replays as text. See replays.h.
#include "report/replays.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>

#include "report/debug_lines.h"
#include "report/human.h"
#include "report/line_view.h"
#include "report/listing.h"
#include "report/output_form.h"

namespace espalier::report {
namespace {

// Cuts long values so that they do not fill the terminal.
std::string shortened(std::string_view json) {
  constexpr std::size_t kMaxBytes = 1000;
  if (json.size() <= kMaxBytes) return visible(json);
  std::size_t end = kMaxBytes;
  while (end > 0 && (static_cast<unsigned char>(json[end]) & 0xC0) == 0x80) --end;
  return visible(json.substr(0, end)) + "...";
}

void write_failure(HumanWriter& writer, const replay::Failure& failure, bool several_agents) {
  const Palette& palette = writer.palette;
  const std::string text = replay::words_of(failure, several_agents);
  writer.head(failure.span, palette.error, "failed", {});
  writer.put({palette.bold, visible(text), palette.reset, "\n"});
  writer.excerpt(failure.span);
  if (!failure.hint.empty()) writer.line("hint", failure.hint);
  if (failure.key.empty()) return;
  const auto value = [&](const char* name, std::string_view json) {
    writer.put({"  ", palette.note, name, palette.reset, " ", shortened(json), "\n"});
  };
  value("expected", failure.expected);
  value("actual  ", failure.actual);
  if (!failure.note.empty()) writer.put({"           ", shortened(failure.note), "\n"});
}

void write_events_before(const replay::FailedLine& line, std::string& out) {
  out += "  at " + replay::seconds_text(line.time_us) + " s, " +
         (line.before.empty() ? "before any event\n" : "after these events:\n");
  for (const replay::KeptEvent& event : line.before) {
    out += "    " + replay::seconds_text(event.time_us) + "  " + visible(event.text(line.names_agents)) + '\n';
  }
}

}  // namespace

// One trace while it is replayed. `out` may be null: then only messages are written.
class Replay {
 public:
  Replay(const std::string& path, const ReplayForm& form, const text::Sources& sources, std::ostream* out)
      : path_(path), form_(form), sources_(sources), out_(out), kinds_(replay::written_kinds(form.story.events)) {}

  replay::Observer observer() {
    replay::Observer observer;
    const bool has_story = out_ != nullptr && form_.format == ReplayFormat::human;
    const bool has_events = out_ != nullptr && form_.format == ReplayFormat::jsonl;
    const bool has_debug = out_ != nullptr && form_.format == ReplayFormat::debug;
    observer.begin = [this, has_story, has_debug](const replay::Beginning& beginning) {
      if (has_story) story_ = std::make_unique<Story>(beginning, path_, form_.story, *out_);
      if (has_debug) debug_ = std::make_unique<DebugLines>(form_.story.verbose);
    };
    if (has_debug) observer.event = [this](const replay::Event& event) { write_debug(event); };
    if (has_story) observer.event = [this](const replay::Event& event) { story_->event(event); };
    if (has_events) observer.event = [this](const replay::Event& event) { write(event); };
    if (has_events && form_.record) observer.line = [this](std::string_view line) { *out_ << line << '\n'; };
    observer.watches = has_story || has_debug;
    if (form_.also != nullptr) {
      observer.begin = form_.also->begin;
      observer.event = form_.also->event;
      observer.watches = form_.also->watches;
    }
    observer.gets_nodes = replay::has_nodes(kinds_) || (form_.also != nullptr && form_.also->gets_nodes);
    observer.gets_inputs = replay::selects_kinds(form_.story.events) && kinds_.has(replay::EventKind::read);
    observer.finding = [this](const text::Finding& finding) { tell(finding); };
    observer.failed = [this](const replay::FailedLine& line) { tell(line); };
    return observer;
  }

  // Writes what is still buffered.
  void flush() {
    if (story_) story_->flush();
  }

  ReplayReport end(replay::TraceResult result) {
    flush();
    return {std::move(result), std::move(messages_), std::move(warnings_)};
  }

 private:
  void write(const replay::Event& event) {
    if (!kinds_.has(event.kind) || !form_.story.shows(event)) return;
    *out_ << replay::event_json(event) << '\n';
  }

  void write_debug(const replay::Event& event) {
    if (!form_.story.shows(event)) return;
    debug_->event(event, [this](std::string_view line) { *out_ << visible(line) << '\n'; });
  }

  void tell(const text::Finding& finding) {
    const bool is_error = finding.severity == text::Severity::error;
    if (form_.format == ReplayFormat::findings || (!is_error && !form_.tells_warnings)) return;
    if (form_.writes_findings && out_ != nullptr) {
      *out_ << finding_json(finding, sources_) << '\n';
      return;
    }
    std::string text;
    HumanWriter{sources_, palette(form_.message_color, form_.message_links), text}.finding(finding);
    tell(is_error ? messages_ : warnings_, text);
  }

  void tell(const replay::FailedLine& line) {
    if (form_.writes_findings && out_ != nullptr) {
      for (const text::Finding& finding : line.findings) *out_ << finding_json(finding, sources_) << '\n';
    }
    for (std::size_t i = 0; i < line.failures.size(); ++i) {
      std::string text;
      HumanWriter writer{line.sources, palette(form_.message_color, form_.message_links), text};
      write_failure(writer, line.failures[i], line.names_agents);
      if (i + 1 == line.failures.size()) write_events_before(line, text);
      tell(messages_, text);
    }
  }

  void tell(std::string& kept, const std::string& message) {
    if (story_) story_->flush();
    if (form_.tell) {
      form_.tell(message);
    } else {
      kept += message;
    }
  }

  const std::string& path_;
  const ReplayForm& form_;
  const text::Sources& sources_;
  std::ostream* out_;
  replay::KindSet kinds_;
  std::unique_ptr<Story> story_;
  std::unique_ptr<DebugLines> debug_;
  std::string messages_;
  std::string warnings_;
};

namespace {

// Keeps the part of a story right before each message, so that a long story fits into a report.
class Excerpts : public std::streambuf {
 public:
  void add_message(const std::string& message) {
    take_recent();
    text_ += message;
  }
  std::string take() {
    take_recent();
    return std::move(text_);
  }

 protected:
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    recent_.append(bytes, static_cast<std::size_t>(count));
    if (recent_.size() > 2 * kMaxRecentBytes) forget();
    return count;
  }
  int_type overflow(int_type byte) override {
    const char letter = traits_type::to_char_type(byte);
    xsputn(&letter, 1);
    return byte;
  }

 private:
  static constexpr std::size_t kMaxRecentBytes = 16 << 10;

  // Whole lines; the last one may still grow.
  void forget() {
    const std::size_t end = recent_.find('\n', recent_.size() - kMaxRecentBytes);
    if (end == std::string::npos) return;
    recent_.erase(0, end + 1);
    has_forgotten_ = true;
  }
  void take_recent() {
    if (recent_.size() > kMaxRecentBytes) forget();
    if (std::exchange(has_forgotten_, false)) text_ += "    ... earlier lines are left out\n";
    text_ += std::exchange(recent_, {});
  }

  std::string text_;
  std::string recent_;
  bool has_forgotten_ = false;
};

void write_passed(const replay::TraceResult& result, bool color, std::ostream& out) {
  const FormScope form(out, color ? OutputForm::colored : OutputForm::text);
  out << (color ? "\x1b[32mok\x1b[0m" : "ok") << "  " << visible(result.path);
  if (result.name != result.path) out << ": " << visible(result.name);
  out << "  (" << result.expectation_count << (result.expectation_count == 1 ? " expectation)" : " expectations)")
      << '\n';
}

}  // namespace

ReplayReport replay_trace(const Asset& asset, std::istream& trace, const std::string& path,
                          const replay::ReplayOptions& options, const ReplayForm& form, text::Sources& sources,
                          std::ostream& out) {
  const OutputForm text = form.story.color ? OutputForm::colored : OutputForm::text;
  const FormScope scope(out, form.format == ReplayFormat::jsonl ? OutputForm::json : text);
  Replay replay(path, form, sources, &out);
  return replay.end(replay::replay(asset, trace, path, options, sources, replay.observer()));
}

ReplayReport replay_briefly(const Asset& asset, std::istream& trace, const std::string& path,
                            const replay::ReplayOptions& options, const ReplayForm& form, text::Sources& sources,
                            std::ostream& out) {
  const bool is_for_people = form.format == ReplayFormat::human;
  replay::ReplayOptions to_failure = options;
  to_failure.ends_at_failure = true;
  ReplayForm silent = form;
  silent.tell = {};
  Replay first(path, silent, sources, nullptr);
  ReplayReport report = first.end(replay::replay(asset, trace, path, to_failure, sources, first.observer()));
  const bool holds = report.result.holds();
  if (holds && is_for_people && form.tells_passed) write_passed(report.result, form.story.color, out);
  if (holds && form.tell && !report.warnings.empty()) form.tell(std::exchange(report.warnings, {}));
  if (holds) return report;
  trace.clear();
  trace.seekg(0);
  if (is_for_people) return replay_trace(asset, trace, path, options, form, sources, out);
  ReplayForm into_report = form;
  into_report.format = ReplayFormat::human;
  into_report.story.color = into_report.message_color = into_report.message_links = false;
  Excerpts excerpts;
  std::ostream story(&excerpts);
  into_report.tell = [&](const std::string& message) { excerpts.add_message(message); };
  report = replay_trace(asset, trace, path, options, into_report, sources, story);
  report.story = excerpts.take();
  return report;
}

ReplayReport update_trace(const Asset& asset, std::istream& trace, const std::string& path,
                          const replay::ReplayOptions& options, const ReplayForm& form, text::Sources& sources,
                          std::string* updated) {
  Replay replay(path, form, sources, nullptr);
  return replay.end(replay::update_expectations(asset, trace, path, options, sources, replay.observer(), updated));
}

struct SteppedStory::State {
  State(const Asset& asset, const std::string& its_path, const replay::ReplayOptions& options,
        const ReplayForm& its_form)
      : path(its_path), form(its_form), story(path, form, sources, &told), observer(story.observer()) {
    form.tell = [this](const std::string& message) { told << message; };
    replay.emplace(asset, options, sources, observer);
  }

  std::string path;
  ReplayForm form;
  text::Sources sources;
  std::ostringstream told;
  Replay story;
  replay::Observer observer;
  std::optional<replay::SteppedReplay> replay;
};

SteppedStory::SteppedStory(const Asset& asset, const std::string& path, const replay::ReplayOptions& options,
                           const ReplayForm& form)
    : state_(std::make_unique<State>(asset, path, options, form)) {}

SteppedStory::~SteppedStory() = default;

StepReport SteppedStory::run(std::string_view line, const replay::LinePlace& place) {
  StepReport report;
  report.is_right = state_->replay->run(line, place);
  state_->story.flush();
  report.story = state_->told.str();
  state_->told.str({});
  return report;
}

std::vector<std::string> idle_options(const std::vector<ReplayReport>& reports, const ReplayForm& form) {
  std::vector<std::string> messages;
  // If the beginning of a trace has a fault, nothing else is known.
  const bool is_known = !reports.empty() && std::all_of(reports.begin(), reports.end(), [](const ReplayReport& report) {
    return !report.result.engines.empty();
  });
  if (!is_known) return messages;
  const auto none = [&](const auto& is_meant) {
    return std::none_of(reports.begin(), reports.end(),
                        [&](const ReplayReport& report) { return is_meant(report.result); });
  };
  const auto has_tree = [](const auto& result, const auto& is_it) {
    return std::any_of(result.engines.begin(), result.engines.end(), is_it);
  };
  for (const std::string& name : form.story.events) {
    const std::uint32_t kind = replay::written_kinds({name}).bits;
    const auto has_kind = [&](EngineId engine) { return (replay::kinds_of(engine).bits & kind) != 0; };
    if (none([&](const auto& result) { return has_tree(result, has_kind); })) {
      messages.emplace_back("--events " + name + " has no effect: the trees that were replayed have no such events");
    }
  }
  if (form.story.agent && none([&](const auto& result) { return *form.story.agent < result.agent_count; })) {
    messages.emplace_back("--agent " + std::to_string(*form.story.agent) +
                          " has no effect: agents count from 0, and no trace has this one");
  }
  return messages;
}

ReplayFormat replay_format(std::string_view name) {
  if (name == "human") return ReplayFormat::human;
  if (name == "html" || name == "chrome") return ReplayFormat::made;
  if (name == "debug") return ReplayFormat::debug;
  if (name == "jsonl") return ReplayFormat::jsonl;
  return name == "junit" ? ReplayFormat::junit : ReplayFormat::findings;
}

std::string outcome_line(const std::vector<ReplayReport>& reports) {
  std::uint64_t expectations = 0;
  std::uint64_t failed = 0;
  std::uint64_t refused = 0;
  std::uint64_t broken = 0;
  for (const auto& [result, story, warnings] : reports) {
    expectations += result.expectation_count;
    failed += result.failed_count;
    refused += result.refused_count;
    broken += result.is_broken ? 1 : 0;
  }
  std::string outcome = broken > 0 ? counted(broken, "trace") + " cannot be replayed" : "";
  const auto add = [&](const std::string& words) { outcome += (outcome.empty() ? "" : ", ") + words; };
  if (failed > 0) add(std::to_string(failed) + " failed");
  if (broken == 0 && failed == 0) add(expectations == 0 ? "nothing was expected" : "all hold");
  if (refused > 0) add(counted(refused, "warning") + (refused == 1 ? " is an error" : " are errors"));
  return counted(reports.size(), "trace") + ", " + counted(expectations, "expectation") + ": " + outcome;
}

text::Findings findings_of(const std::vector<ReplayReport>& reports) {
  std::vector<const replay::TraceResult*> results;
  results.reserve(reports.size());
  for (const ReplayReport& report : reports) results.push_back(&report.result);
  std::stable_sort(results.begin(), results.end(), [](const auto* a, const auto* b) { return a->path < b->path; });
  text::Findings findings;
  for (const replay::TraceResult* result : results) {
    for (const text::Finding& finding : result->findings.all()) findings.add(finding);
  }
  return findings;
}

}  // namespace espalier::report
