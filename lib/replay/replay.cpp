// From a trace's text to a result: lines in, findings and failures out. See replay.h.
#include "replay/replay.h"

#include <algorithm>
#include <memory>

#include "replay/assumed_runs.h"
#include "replay/expectation.h"
#include "replay/session.h"
#include "replay/strategy.h"
#include "rules/traces.h"

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonValue;

// Reads lines of bounded length.
class LineReader {
 public:
  enum class Read : std::uint8_t { line, end, too_long, failed };

  explicit LineReader(std::istream& in) : in_(in), buffer_(kMaxLineBytes + 1) {}

  // `line` is without "\n" or "\r\n", which is in `ending`.
  Read next(std::string& line, std::string& ending) {
    in_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    if (in_.bad()) return Read::failed;
    const bool is_last = in_.eof();
    auto size = static_cast<std::size_t>(in_.gcount());
    if (is_last && size == 0) return Read::end;
    if (!is_last && in_.good()) --size;  // the "\n" counts
    line.assign(buffer_.data(), size);
    ending.assign(is_last ? 0 : 1, '\n');
    if (in_.fail()) return Read::too_long;
    if (!line.empty() && line.back() == '\r') {
      line.pop_back();
      ending.insert(ending.begin(), '\r');
    }
    return Read::line;
  }

 private:
  std::istream& in_;
  std::vector<char> buffer_;
};

}  // namespace

// One trace while it is replayed. `updated` may be null.
class TraceRun {
 public:
  TraceRun(const Asset& asset, const std::string& path, const ReplayOptions& options, text::Sources& sources,
           const Observer& observer, std::string* updated)
      : asset_(asset),
        options_(options),
        sources_(sources),
        observer_(observer),
        session_(asset, options, listener()),
        expectations_(session_),
        updated_(updated) {
    result_.path = path;
    result_.name = path;
  }

  TraceResult run(std::istream& trace) {
    LineReader reader(trace);
    std::string ending;
    for (;;) {
      const LineReader::Read read = reader.next(text_, ending);
      if (read == LineReader::Read::end) break;
      ++line_number_;
      if (read == LineReader::Read::failed) {
        text_.clear();
        end({rules::TRC_not_json, {}, "the trace cannot be read any further"});
        break;
      }
      if (line_number_ == 1) take_byte_order_mark();
      if (read == LineReader::Read::too_long) {
        end_too_long();
        break;
      }
      run_line();
      if (is_over()) break;
      if (updated_ != nullptr) *updated_ += text_ + ending;
    }
    if (!has_begun_ && !result_.is_broken) {
      text_.clear();
      line_number_ = std::max<std::uint64_t>(line_number_, 1);
      end({rules::TRC_missing_header, {}, "the trace is empty", "its first line is {\"trace\": 1}"});
    }
    tell_unknown_hosts();
    if (!is_over() && !result_.is_broken) tell_run_faults();
    result_.agent_count = session_.agents().count();
    for (const Tree& tree : session_.agents().trees()) result_.engines.push_back(engine_of_tree(tree));
    return std::move(result_);
  }

  // One line, as if it were the next of the trace. False: it has a fault.
  bool step(std::string_view line, const LinePlace& place) {
    result_.path = place.path;
    line_number_ = place.number;
    text_.assign(line.substr(0, kMaxLineBytes));
    if (text_.size() < line.size()) {
      end_too_long();
    } else {
      run_line();
    }
    tell_unknown_hosts();
    return !result_.is_broken;
  }

 private:
  Listener listener() {
    Listener listener;
    listener.event = observer_.event;
    listener.watches = observer_.watches;
    listener.gets_nodes = observer_.gets_nodes;
    listener.gets_inputs = observer_.gets_inputs;
    listener.severity = [this](Rule rule) { return severity_of(rule); };
    listener.warning = [this](const LineFault& fault) { warn(fault, current_line()); };
    listener.unknown_host = [this](const LineFault& fault, const std::string& name, const std::string& input) {
      unknown_hosts_.push_back({fault, name, input, current_line()});
    };
    listener.run_fault = [this](RunFault fault) { keep(std::move(fault)); };
    listener.failure = [this](const LineFailure& failure) {
      failures_.push_back({failure.span, failure.message, failure.hint});
    };
    return listener;
  }

  // Is nothing after this line of use?
  bool is_over() const { return has_ended_ || (options_.ends_at_failure && !result_.holds() && !result_.is_broken); }

  void take_byte_order_mark() {
    if (text_.compare(0, kByteOrderMark.size(), kByteOrderMark) != 0) return;
    text_.erase(0, kByteOrderMark.size());
    if (updated_ != nullptr) *updated_ += kByteOrderMark;
  }

  void run_line() {
    const Line* read = nullptr;
    const auto fault_of_line = lines_.read(text_, &read);
    const Line& line = *read;
    if (fault_of_line) return refuse_line(line, *fault_of_line, false);
    if (line.kind == LineKind::event || line.kind == LineKind::finding) return;
    if (result_.is_broken) return check(line);
    if (observer_.line && !line.object.keys.empty()) observer_.line(text_);
    if (line.kind == LineKind::comment) return;
    if (!has_begun_) return begin(line);
    if (const auto fault = session_.take_work(line)) return refuse_line(line, *fault, true);
    if (line.kind == LineKind::expect) return options_.checks_expectations ? expect(line) : void();
    line_key_ = line.key;
    const std::optional<LineFault> fault = session_.run(line);
    if (!failures_.empty()) count_failure();
    if (fault) refuse_line(line, *fault, true);
    if (line.kind == LineKind::reload && !fault) {
      std::erase_if(unknown_hosts_,
                    [this](const UnknownHost& host) { return session_.knows_host(host.name, host.input); });
    }
  }

  void begin(const Line& line) {
    auto fault = session_.begin(line);
    has_begun_ = !fault;
    if (fault) return refuse_line(line, *fault, true);
    if (!session_.name().empty()) result_.name = session_.name();
    if (observer_.begin)
      observer_.begin({session_.name(), session_.agents().trees(), session_.agents().living_count()});
  }

  // A line with a fault: nothing after it is executed, but the lines after it are checked.
  void refuse_line(const Line& line, const LineFault& fault, bool was_read) {
    const bool is_first = !has_begun_ && !result_.is_broken;
    const bool lacks_header =
        is_first && fault.rule == rules::TRC_unknown_key && line.kind == LineKind::comment && fault.hint.empty();
    // Which agents there are is not known after a line that may have added or removed some.
    const bool is_unknown = line.kind == LineKind::comment;
    if (is_unknown || line.kind == LineKind::spawn || line.kind == LineKind::destroy) knows_agents_ = false;
    if (line.kind == LineKind::reload) knows_trees_ = false;
    if (lacks_header) {
      refuse({rules::TRC_missing_header, fault.span, "the trace does not begin with {\"trace\": 1}",
              "the first line is {\"trace\": 1}; options for the whole trace go beside that key"});
    } else {
      refuse(fault);
    }
    for (const LineFault& other : line.more_faults) refuse(other);
    for (const LineFault& other : session_.take_other_faults()) refuse(other);
    if (is_first) assume(line, fault, was_read);
  }

  // The lines below the first one, which has a fault, are checked as far as they do not rest on it. `was_read`: it has
  // the form of a line.
  void assume(const Line& line, const LineFault& fault, bool was_read) {
    const bool is_object = fault.rule != rules::TRC_not_json;
    if (!was_read && is_object && line.kind == LineKind::trace) {
      for (const LineFault& other : session_.first_line_faults(line)) refuse(other);
    }
    assumed_ = std::make_unique<AssumedRuns>(asset_, options_, line, is_object);
    if (was_read) check(line);
  }

  void check_assumed(const Line& line) {
    AssumedRuns::Found found = assumed_->check(line);
    for (const LineFault& fault : found.faults) refuse(fault);
    for (const LineFault& fault : found.warnings) warn(fault, current_line());
    for (AssumedRuns::UnknownHost& host : found.unknown_hosts) {
      unknown_hosts_.push_back({std::move(host.fault), std::move(host.name), std::move(host.input), current_line()});
    }
    if (line.kind != LineKind::reload || !found.faults.empty()) return;
    std::erase_if(unknown_hosts_,
                  [this](const UnknownHost& host) { return assumed_->knows_host(host.name, host.input); });
  }

  // A line after one that had a fault.
  void check(const Line& line) {
    if (assumed_ != nullptr) return check_assumed(line);
    if (!has_begun_ || !knows_trees_ || line.kind == LineKind::comment) return;
    std::vector<LineFault> faults;
    if (line.kind == LineKind::expect) {
      faults = expectations_.check_names(line);
    } else {
      if (const auto fault = session_.check(line)) faults.push_back(*fault);
      for (LineFault& other : session_.take_other_faults()) faults.push_back(std::move(other));
      if (!failures_.empty()) count_failure();
    }
    if (!faults.empty() && line.kind == LineKind::reload) knows_trees_ = false;
    for (const LineFault& fault : faults) {
      if (knows_agents_ || fault.rule != rules::TRC_no_such_agent) refuse(fault);
    }
  }

  void expect(const Line& line) {
    ++result_.expectation_count;
    const bool is_update = updated_ != nullptr;
    const std::vector<LineFault> faults = expectations_.check(text_, line, is_update, &failures_);
    if (!faults.empty()) {
      failures_.clear();
      for (const LineFault& fault : faults) refuse(fault);
      return;
    }
    if (is_update && !failures_.empty()) rewrite(line);
    if (!failures_.empty()) {
      --result_.expectation_count;
      count_failure();
    }
    accept(line);
    session_.log().end_expectation(names_key(*line.value, "events") || session_.first_strategy().forgets_events);
  }

  // What an expectation names is no fault of the run.
  void accept(const Line& line) {
    if (const JsonValue* events = line.value->find("events"); events != nullptr) {
      std::vector<std::string> named;
      for (const JsonValue& event : events->values) named.push_back(event.string);
      run_faults_.accept(named);
    }
    const JsonValue* status = line.value->find("status");
    std::vector<std::uint32_t> agents;
    if (status == nullptr || status->kind != text::JsonKind::string || session_.agents().targets(line, &agents)) return;
    for (const std::uint32_t agent : agents) run_faults_.accept(agent, status->string);
  }

  // Replaces expected values by actual ones, and removes the failures. A value for several agents can be rewritten if
  // it is the same for all of them; if one value cannot be rewritten, the line is kept.
  void rewrite(const Line& line) {
    std::vector<Failure> edits;
    const std::size_t agent_count = line.all_agents ? session_.agents().living_count() : 1;
    for (auto i = failures_.begin(); i != failures_.end();) {
      const auto end = std::find_if(i, failures_.end(), [&](const Failure& other) { return !(other.span == i->span); });
      const bool is_same = std::all_of(i, end, [&](const Failure& other) { return other.actual == i->actual; });
      if (i->is_negation || i->key == "event" || i->key == "runs" || i->key == "agents") return;  // many would match
      const bool is_of_all = !i->agent || static_cast<std::size_t>(end - i) == agent_count;
      if (!is_same || !is_of_all) return;
      edits.push_back(*i);
      i = end;
    }
    failures_.clear();
    ++result_.rewritten_count;
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
      text_.replace(edit->span.begin, edit->span.end - edit->span.begin, edit->actual);
    }
    if (text_.size() > kMaxLineBytes) {
      end({rules::TRC_limit_exceeded, line.key, "rewritten, the line would be longer than a line may be"});
    }
  }

  // Reports the failures of one line, which count as one expectation that failed.
  void count_failure() {
    ++result_.expectation_count;
    ++result_.failed_count;
    const std::vector<Failure> failures = std::exchange(failures_, {});
    const std::shared_ptr<const text::Source> source = current_line();
    const std::vector<text::Finding> findings = add_failures(failures, source);
    if (!observer_.failed) return;
    text::Sources line;
    static_cast<void>(line.add(source));
    const std::vector<KeptEvent> before = session_.log().recent();
    observer_.failed({line, failures, findings, before, session_.agents().time_us(), session_.agents().are_several()});
  }

  // The observer gets these with their line.
  std::vector<text::Finding> add_failures(const std::vector<Failure>& failures,
                                          const std::shared_ptr<const text::Source>& source) {
    constexpr std::uint64_t kMaxFailures = 1000;
    std::vector<text::Finding> findings;
    if (result_.failed_count > kMaxFailures) return findings;
    const text::FileId file = sources_.add(source);
    for (const Failure& failure : failures) {
      text::Span span = failure.span;
      span.file = file;
      std::string message = words_of(failure, session_.agents().are_several());
      if (!failure.key.empty()) message += ": expected " + failure.expected + ", actual " + failure.actual;
      const std::string& hint = failure.hint.empty() ? failure.note : failure.hint;
      findings.push_back(result_.findings.add(
          {rules::TRC_failed_expectation, rules::Severity::error, span, std::move(message), hint}));
    }
    return findings;
  }

  // ---- What went wrong

  void keep(RunFault fault) {
    if (fault.span == text::Span{}) fault.span = line_key_;
    run_faults_.keep(std::move(fault), [this] {
      if (std::exchange(kept_line_number_, line_number_) != line_number_) kept_line_ = current_line();
      return kept_line_;
    });
  }

  void tell_run_faults() {
    for (auto& [fault, line] : run_faults_.take(session_.agents().are_several())) {
      warn({info_of(fault.kind).rule, fault.span, std::move(fault.message), std::move(fault.hint)}, line);
    }
  }

  void tell_unknown_hosts() {
    for (const UnknownHost& host : std::exchange(unknown_hosts_, {})) warn(host.fault, host.line);
  }

  // ---- Findings

  // The current line as a part of the file.
  std::shared_ptr<const text::Source> current_line() const {
    const auto number = static_cast<std::uint32_t>(line_number_);
    return std::make_shared<text::Source>(result_.path, text_, text::Excerpts::shown, number);
  }

  // The severity of a rule that is a warning by default. None: the rule is off.
  std::optional<rules::Severity> severity_of(Rule rule) const {
    const auto configured = options_.severities.find(rule);
    const auto severity =
        configured == options_.severities.end() ? std::optional(rules::Severity::warning) : configured->second;
    return options_.strict && severity ? rules::Severity::error : severity;
  }

  void warn(const LineFault& fault, std::shared_ptr<const text::Source> line) {
    const std::optional<rules::Severity> severity = severity_of(fault.rule);
    if (!severity) return;
    if (*severity == rules::Severity::error) ++result_.refused_count;
    add(fault, *severity, std::move(line));
  }

  void add(const LineFault& fault, rules::Severity severity, std::shared_ptr<const text::Source> line) {
    text::Span span = fault.span;
    span.file = sources_.add(std::move(line));
    const text::Finding& added = result_.findings.add({fault.rule, severity, span, fault.message, fault.hint});
    if (observer_.finding) observer_.finding(added);
  }

  void end_too_long() {
    end({rules::TRC_limit_exceeded, {}, "the line is longer than " + std::to_string(kMaxLineBytes) + " bytes"});
  }

  // A fault of the trace.
  void refuse(LineFault fault) {
    constexpr std::uint64_t kMaxFaults = 1000;
    result_.is_broken = true;
    has_ended_ = ++fault_count_ == kMaxFaults;
    if (has_ended_) fault.hint = "these may not be all: the lines after this one were not checked";
    if (fault_count_ <= kMaxFaults) add(fault, rules::Severity::error, current_line());
  }

  // The same, of one after which the lines cannot be checked.
  void end(const LineFault& fault) {
    refuse(fault);
    has_ended_ = true;
  }

  // A name of a `host` line.
  struct UnknownHost {
    LineFault fault;
    std::string name;
    std::string input;  // of its node; empty: the name itself is unknown
    std::shared_ptr<const text::Source> line;
  };

  const Asset& asset_;
  const ReplayOptions& options_;
  text::Sources& sources_;
  const Observer& observer_;
  TraceResult result_;
  Session session_;
  Expectations expectations_;
  std::string* updated_;
  std::vector<Failure> failures_;  // of the current line
  std::string text_;               // the current line, without its ending
  KnownLines lines_;
  std::uint64_t line_number_ = 0;
  text::Span line_key_;
  std::vector<UnknownHost> unknown_hosts_;
  RunFaults run_faults_;
  RunFaults::Line kept_line_;           // of the last one
  std::uint64_t kept_line_number_ = 0;  // its number
  std::uint64_t fault_count_ = 0;
  bool has_begun_ = false;
  bool has_ended_ = false;                // the rest of the trace is not read
  bool knows_agents_ = true;              // after a fault
  bool knows_trees_ = true;               // the same
  std::unique_ptr<AssumedRuns> assumed_;  // after a first line with a fault
};

std::string words_of(const Failure& failure, bool several_agents) {
  if (!failure.message.empty()) return failure.message;
  std::string text = failure.is_negation ? "what is in 'not'" : failure.key;
  if (failure.agent && several_agents) text += " of agent " + std::to_string(*failure.agent);
  if (failure.is_negation) return text + " should not match";
  return text + (failure.key == "events" ? " are not what was expected" : " is not what was expected");
}

SteppedReplay::SteppedReplay(const Asset& asset, const ReplayOptions& options, text::Sources& sources,
                             const Observer& observer)
    : run_(std::make_unique<TraceRun>(asset, std::string(), options, sources, observer, nullptr)) {}

SteppedReplay::~SteppedReplay() = default;

bool SteppedReplay::run(std::string_view line, const LinePlace& place) { return run_->step(line, place); }

TraceResult replay(const Asset& asset, std::istream& trace, const std::string& path, const ReplayOptions& options,
                   text::Sources& sources, const Observer& observer) {
  return TraceRun(asset, path, options, sources, observer, nullptr).run(trace);
}

TraceResult update_expectations(const Asset& asset, std::istream& trace, const std::string& path,
                                const ReplayOptions& options, text::Sources& sources, const Observer& observer,
                                std::string* updated) {
  updated->clear();
  return TraceRun(asset, path, options, sources, observer, updated).run(trace);
}

}  // namespace espalier::replay
