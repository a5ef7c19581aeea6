// From a trace's text to a result: lines in, faults, mismatches and outputs out. See replay.h.
#include "replay/replay.h"

#include <algorithm>
#include <memory>

#include "replay/expectation.h"
#include "replay/message.h"
#include "replay/session.h"
#include "replay/story.h"
#include "report/output_form.h"

namespace espalier::replay {
namespace {

using rules::Rule;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Reads lines of bounded length.
class LineReader {
 public:
  enum class Read : std::uint8_t { line, end, too_long, failed };

  explicit LineReader(std::istream& in) : in_(in), buffer_(kMaxLineBytes + 1) {}

  // `line` is without "\n" or "\r\n", which is `ending`.
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

// One trace on its way. `out` or `updated` may be null.
class Run {
 public:
  Run(const Asset& asset, const std::string& path, const ReplayOptions& options, std::ostream* out,
      std::string* updated)
      : options_(options),
        session_(asset, options, listener(out)),
        expectations_(session_, log_),
        out_(out),
        updated_(updated) {
    result_.path = path;
    result_.name = path;
    if (options.events.empty()) written_ = all_kinds();
    for (const std::string& kind : options.events) static_cast<void>(written_.add(kind));
    if (out != nullptr && options.format == Format::human && options.tells_story)
      story_ = std::make_unique<Story>(session_, options, *out);
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
        fail({Rule::TRC_not_json, {}, "the trace cannot be read any further"});
        break;
      }
      if (line_number_ == 1) take_byte_order_mark();
      if (read == LineReader::Read::too_long) {
        fail({Rule::TRC_limit_exceeded, {}, "the line is longer than " + std::to_string(kMaxLineBytes) + " bytes"});
        break;
      }
      if (!run_line()) break;
      if (options_.ends_at_failure && result_.failed_count > 0) break;
      if (updated_ != nullptr) *updated_ += text_ + ending;
    }
    if (!has_begun_ && !result_.is_broken) {
      text_.clear();
      line_number_ = std::max<std::uint64_t>(line_number_, 1);
      fail({Rule::TRC_missing_header, {}, "the trace is empty", "its first line is {\"trace\": 1}"});
    }
    if (story_) story_->flush();
    result_.agent_count = session_.agent_count();
    return std::move(result_);
  }

 private:
  Listener listener(const std::ostream* out) {
    Listener listener;
    listener.event = [this](const Event& event) { take(event); };
    listener.warning = [this](const LineFault& fault) {
      if (!options_.warns) return;
      tell(result_.warnings, fault_message(place(), fault, false, options_.message_color));
    };
    listener.failure = [this](const LineFailure& failure) { failures_.push_back(failure); };
    if (out == nullptr || options_.format != Format::human || !options_.tells_story) return listener;
    listener.change = [this](const Update& update) { story_->change(update); };
    listener.step = [this](std::uint32_t agent, const DecideStep& step) { story_->step(agent, step); };
    listener.begin_update = [this](std::uint32_t agent) { story_->begin_update(agent); };
    listener.node = [this](std::uint32_t agent, const NodeStep& step) { story_->node(agent, step); };
    listener.remark = [this](std::uint32_t agent, const std::string& text) { story_->remark(agent, text); };
    return listener;
  }

  void take(const Event& event) {
    log_.add(event, session_.expected_kinds());
    if (story_) {
      story_->event(event);
      return;
    }
    const bool is_written = written_.has(event.kind) && (!options_.agent || *options_.agent == event.agent);
    if (is_written && out_ != nullptr && options_.format == Format::jsonl) *out_ << event_json(event) << '\n';
  }

  void take_byte_order_mark() {
    if (text_.compare(0, kByteOrderMark.size(), kByteOrderMark) != 0) return;
    text_.erase(0, kByteOrderMark.size());
    if (updated_ != nullptr) *updated_ += kByteOrderMark;
  }

  // False when the trace ends here.
  bool run_line() {
    Line line;
    if (auto fault = read_line(text_, line)) return fail(*fault);
    if (line.kind == LineKind::event) return true;
    const bool is_recorded = options_.record && options_.format == Format::jsonl && out_ != nullptr;
    if (is_recorded && !line.object.keys.empty()) *out_ << text_ << '\n';
    if (line.kind == LineKind::comment) return true;
    if (!has_begun_) return begin(line);
    if (const auto fault = session_.take_work(line)) return fail(*fault);
    if (line.kind == LineKind::expect) return expect(line);
    const std::optional<LineFault> fault = session_.run(line);
    tell_failures();
    return !fault || fail(*fault);
  }

  bool begin(const Line& line) {
    if (auto fault = session_.begin(line)) return fail(*fault);
    has_begun_ = true;
    result_.engine = session_.engine();
    if (!session_.name().empty()) result_.name = session_.name();
    if (story_) story_->begin(result_.path);
    return true;
  }

  bool expect(const Line& line) {
    ++result_.expectation_count;
    std::vector<Difference> differences;
    if (auto fault = expectations_.check(line, &differences)) return fail(*fault);
    if (updated_ != nullptr && !differences.empty()) {
      if (!rewrite(line, differences)) return false;
    }
    if (!differences.empty()) ++result_.failed_count;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      std::string message =
          difference_message(place(), differences[i], session_.has_several_agents(), options_.message_color);
      if (i + 1 == differences.size()) message += last_events(session_, log_);
      tell(result_.mismatches, std::move(message));
    }
    // In trees of rules an expectation without events leaves them to the next one that names them.
    const bool names_events = std::any_of(line.value->keys.begin(), line.value->keys.end(),
                                          [](const text::JsonValue::Key& key) { return key.name == "events"; });
    if (names_events || !session_.has_rules()) log_.forget();
    return true;
  }

  // Puts what is in the place of what was expected, and takes the differences away. A value that stands for several
  // agents can be rewritten when it is the same for all of them; when one cannot, the line stays as it is.
  bool rewrite(const Line& line, std::vector<Difference>& differences) {
    std::vector<Difference> edits;
    const std::size_t agent_count = line.all_agents ? session_.living_count() : 1;
    for (auto i = differences.begin(); i != differences.end();) {
      const auto end =
          std::find_if(i, differences.end(), [&](const Difference& other) { return !(other.span == i->span); });
      const bool is_same = std::all_of(i, end, [&](const Difference& other) { return other.actual == i->actual; });
      const bool is_of_all = !i->agent || static_cast<std::size_t>(end - i) == agent_count;
      if (!is_same || !is_of_all) return true;
      edits.push_back(*i);
      i = end;
    }
    differences.clear();
    ++result_.rewritten_count;
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
      text_.replace(edit->span.begin, edit->span.end - edit->span.begin, edit->actual);
    }
    if (text_.size() <= kMaxLineBytes) return true;
    return fail({Rule::TRC_limit_exceeded, line.key, "rewritten, the line would be longer than a line may be"});
  }

  // A line that could not be done counts as an expectation that does not hold.
  void tell_failures() {
    if (failures_.empty()) return;
    ++result_.expectation_count;
    ++result_.failed_count;
    for (std::size_t i = 0; i < failures_.size(); ++i) {
      std::string message = failure_message(place(), failures_[i], options_.message_color);
      if (i + 1 == failures_.size()) message += last_events(session_, log_);
      tell(result_.mismatches, std::move(message));
    }
    failures_.clear();
  }

  LinePlace place() const { return {result_.path, line_number_, text_}; }

  void tell(std::vector<std::string>& kept, std::string message) {
    if (story_) story_->flush();
    if (options_.tell) {
      options_.tell(message);
    } else {
      kept.push_back(std::move(message));
    }
  }

  bool fail(const LineFault& fault) {
    result_.is_broken = true;
    tell(result_.errors, fault_message(place(), fault, true, options_.message_color));
    return false;
  }

  const ReplayOptions& options_;
  TraceResult result_;
  EventLog log_;
  Session session_;
  Expectations expectations_;
  std::ostream* out_;
  std::string* updated_;
  std::unique_ptr<Story> story_;
  KindSet written_;
  std::vector<LineFailure> failures_;  // of the line that is run
  std::string text_;                   // the line that is read, without its ending
  std::uint64_t line_number_ = 0;
  bool has_begun_ = false;
};

}  // namespace

TraceResult replay(const Asset& asset, std::istream& trace, const std::string& path, const ReplayOptions& options,
                   std::ostream& out) {
  const report::OutputForm text = options.color ? report::OutputForm::colored : report::OutputForm::text;
  const report::FormScope form(out, options.format == Format::jsonl ? report::OutputForm::json : text);
  return Run(asset, path, options, &out, nullptr).run(trace);
}

TraceResult update_expectations(const Asset& asset, std::istream& trace, const std::string& path,
                                const ReplayOptions& options, std::string* updated) {
  updated->clear();
  return Run(asset, path, options, nullptr, updated).run(trace);
}

}  // namespace espalier::replay
