// From a trace's text to a result: lines in, findings and failures out. See replay.h.
#include "replay/replay.h"

#include <algorithm>
#include <memory>

#include "replay/expectation.h"
#include "replay/session.h"
#include "replay/strategy.h"

namespace espalier::replay {
namespace {

using rules::Rule;

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
      : options_(options),
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
        end({Rule::TRC_not_json, {}, "the trace cannot be read any further"});
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
      end({Rule::TRC_missing_header, {}, "the trace is empty", "its first line is {\"trace\": 1}"});
    }
    if (!is_over()) tell_end_warnings();
    result_.agent_count = session_.agent_count();
    for (const Tree& tree : session_.trees()) result_.engines.push_back(engine_of_tree(tree));
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
    return !result_.is_broken;
  }

 private:
  Listener listener() {
    Listener listener;
    listener.event = observer_.event;
    listener.watches = observer_.watches;
    listener.gets_nodes = observer_.gets_nodes;
    listener.severity = [this](Rule rule) { return severity_of(rule); };
    listener.warning = [this](const LineFault& fault) { add(fault, severity_of(fault.rule)); };
    listener.end_warning = [this](EndWarning warning) { keep(std::move(warning)); };
    listener.failure = [this](const LineFailure& failure) {
      failures_.push_back({failure.span, failure.message, failure.hint});
    };
    return listener;
  }

  // Did the trace end before its last line?
  bool is_over() const { return result_.is_broken || (options_.ends_at_failure && result_.failed_count > 0); }

  void take_byte_order_mark() {
    if (text_.compare(0, kByteOrderMark.size(), kByteOrderMark) != 0) return;
    text_.erase(0, kByteOrderMark.size());
    if (updated_ != nullptr) *updated_ += kByteOrderMark;
  }

  void run_line() {
    Line& line = line_;
    if (auto fault = read_line(text_, line)) return end(*fault);
    if (line.kind == LineKind::event || line.kind == LineKind::finding) return;
    if (observer_.line && !line.object.keys.empty()) observer_.line(text_);
    if (line.kind == LineKind::comment) return;
    if (!has_begun_) return begin(line);
    if (const auto fault = session_.take_work(line)) return end(*fault);
    if (line.kind == LineKind::expect) return expect(line);
    line_key_ = line.key;
    const std::optional<LineFault> fault = session_.run(line);
    if (!failures_.empty()) count_failure();
    if (fault) end(*fault);
  }

  void begin(const Line& line) {
    if (auto fault = session_.begin(line)) return end(*fault);
    has_begun_ = true;
    if (!session_.name().empty()) result_.name = session_.name();
    if (observer_.begin) observer_.begin({session_.name(), session_.trees(), session_.living_count()});
  }

  void expect(const Line& line) {
    ++result_.expectation_count;
    if (auto fault = expectations_.check(text_, line, &failures_)) {
      failures_.clear();
      return end(*fault);
    }
    if (updated_ != nullptr && !failures_.empty()) rewrite(line);
    if (!failures_.empty()) {
      --result_.expectation_count;
      count_failure();
    }
    const bool names_events = names_key(*line.value, "events");
    if (names_events) end_warnings_.withdraw(session_.log().since_last(session_.has_several_agents()));
    if (names_events || session_.first_strategy().forgets_events) session_.log().forget();
  }

  // Replaces expected values by actual ones, and removes the failures. A value for several agents can be rewritten if
  // it is the same for all of them; if one value cannot be rewritten, the line is kept.
  void rewrite(const Line& line) {
    std::vector<Failure> edits;
    const std::size_t agent_count = line.all_agents ? session_.living_count() : 1;
    for (auto i = failures_.begin(); i != failures_.end();) {
      const auto end = std::find_if(i, failures_.end(), [&](const Failure& other) { return !(other.span == i->span); });
      const bool is_same = std::all_of(i, end, [&](const Failure& other) { return other.actual == i->actual; });
      if (i->is_negation) return;
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
      end({Rule::TRC_limit_exceeded, line.key, "rewritten, the line would be longer than a line may be"});
    }
  }

  // Reports the failures of one line, which count as one expectation that failed.
  void count_failure() {
    ++result_.expectation_count;
    ++result_.failed_count;
    const std::vector<Failure> failures = std::exchange(failures_, {});
    if (!observer_.failed) return;
    text::Sources line;
    static_cast<void>(line.add(current_line()));
    const std::vector<KeptEvent> before = session_.log().recent();
    observer_.failed({line, failures, before, session_.time_us(), session_.has_several_agents()});
  }

  // ---- Warnings at the end

  void keep(EndWarning warning) {
    if (warning.span == text::Span{}) warning.span = line_key_;
    end_warnings_.keep(std::move(warning), [this] {
      if (std::exchange(kept_line_number_, line_number_) != line_number_) kept_line_ = current_line();
      return kept_line_;
    });
  }

  // As errors they count like an expectation that failed.
  void tell_end_warnings() {
    for (const auto& [warning, line] : end_warnings_.take(session_.has_several_agents())) {
      const std::optional<rules::Severity> severity = severity_of(warning.rule);
      if (!severity) continue;
      text::Span span = warning.span;
      span.file = sources_.add(line);
      add({warning.rule, *severity, span, warning.message, warning.hint});
      if (*severity != rules::Severity::error) continue;
      ++result_.expectation_count;
      ++result_.failed_count;
    }
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

  void add(const LineFault& fault, std::optional<rules::Severity> severity) {
    if (!severity) return;
    text::Span span = fault.span;
    span.file = sources_.add(current_line());
    add({fault.rule, *severity, span, fault.message, fault.hint});
  }

  void add(const text::Finding& finding) {
    const text::Finding& added = result_.findings.add(finding);
    if (observer_.finding) observer_.finding(added);
  }

  void end_too_long() {
    end({Rule::TRC_limit_exceeded, {}, "the line is longer than " + std::to_string(kMaxLineBytes) + " bytes"});
  }

  // A line with a fault ends the trace.
  void end(const LineFault& fault) {
    result_.is_broken = true;
    add(fault, rules::Severity::error);
  }

  const ReplayOptions& options_;
  text::Sources& sources_;
  const Observer& observer_;
  TraceResult result_;
  Session session_;
  Expectations expectations_;
  std::string* updated_;
  std::vector<Failure> failures_;  // of the current line
  std::string text_;               // the current line, without its ending
  Line line_;                      // the same, read
  std::uint64_t line_number_ = 0;
  text::Span line_key_;
  EndWarnings end_warnings_;
  EndWarnings::Line kept_line_;         // of the last one
  std::uint64_t kept_line_number_ = 0;  // its number
  bool has_begun_ = false;
};

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
