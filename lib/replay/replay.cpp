// From a trace's text to a result: lines in, faults, mismatches and outputs out. See replay.h.
#include "replay/replay.h"

#include <memory>

#include "replay/expectation.h"
#include "replay/session.h"
#include "replay/story.h"

namespace espalier::replay {
namespace {

using rules::Rule;

// A line of the input without its end, bounded.
enum class Read : std::uint8_t { line, end, too_long };

class LineReader {
 public:
  explicit LineReader(std::istream& in) : in_(*in.rdbuf()) {}

  // `line` is without "\n" or "\r\n", which is `ending`.
  Read next(std::string& line, std::string& ending) {
    line.clear();
    ending.clear();
    int letter = in_.sbumpc();
    if (letter == std::char_traits<char>::eof()) return Read::end;
    for (; letter != std::char_traits<char>::eof() && letter != '\n'; letter = in_.sbumpc()) {
      if (line.size() == kMaxLineBytes) return Read::too_long;
      line.push_back(static_cast<char>(letter));
    }
    if (letter == '\n') ending = "\n";
    if (!line.empty() && line.back() == '\r') {
      line.pop_back();
      ending = "\r" + ending;
    }
    return Read::line;
  }

 private:
  std::streambuf& in_;
};

// Text like a compiler's: where, what, the line with a caret, and what helps.
std::string fault_text(const std::string& path, std::uint64_t line_number, std::string_view line,
                       const LineFault& fault) {
  constexpr std::size_t kShownBytes = 120;
  const rules::RuleInfo& rule = rules::info(fault.rule);
  std::string text = path + ':' + std::to_string(line_number) + ':' + std::to_string(fault.column) + ": " + "error " +
                     std::string(rule.code) + ' ' + std::string(rule.name) + ": " + fault.message + '\n';
  const std::size_t begin = fault.column > kShownBytes ? fault.column - kShownBytes / 2 : 0;
  if (begin < line.size()) {
    std::string shown(line.substr(begin, kShownBytes));
    for (char& letter : shown) letter = static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    const std::string number = std::to_string(line_number);
    text += ' ' + number + " | " + shown + '\n';
    text += std::string(number.size() + 1, ' ') + " | " + std::string(fault.column - 1 - begin, ' ') + "^\n";
  }
  if (!fault.hint.empty()) text += "  hint: " + fault.hint + '\n';
  return text;
}

// One trace on its way.
class Run {
 public:
  Run(const Asset& asset, const std::string& path, const ReplayOptions& options, std::ostream* out,
      std::string* updated)
      : options_(options), session_(asset, options), expectations_(session_, log_), out_(out), updated_(updated) {
    result_.path = path;
    result_.name = path;
    std::string unknown;
    if (!options.events.empty() && kinds_from(options.events, &written_, &unknown)) return;
    written_ = all_kinds();
  }

  TraceResult run(std::istream& trace) {
    LineReader reader(trace);
    std::string text;
    std::string ending;
    connect();
    for (;;) {
      const Read read = reader.next(text, ending);
      if (read == Read::end) break;
      ++line_number_;
      if (line_number_ == 1 && text.compare(0, 3, "\xEF\xBB\xBF") == 0) {
        text.erase(0, 3);
        if (updated_ != nullptr) *updated_ += "\xEF\xBB\xBF";
      }
      if (read == Read::too_long) {
        fail(text, {Rule::TRC_too_much, 1, "the line is longer than " + std::to_string(kMaxLineBytes) + " bytes"});
        break;
      }
      const bool goes_on = run_line(text);
      if (updated_ != nullptr) *updated_ += text + ending;
      if (!goes_on) break;
    }
    if (!has_begun_ && result_.errors.empty()) {
      line_number_ = 1;
      fail("", {Rule::TRC_missing_header, 1, "the trace is empty: it begins with {\"trace\": 1}"});
    }
    if (story_) story_->flush();
    return std::move(result_);
  }

 private:
  void connect() {
    session_.on_event = [this](const Event& event) {
      log_.add(event);
      if (story_) {
        story_->event(event);
      } else if (out_ != nullptr && options_.format == Format::jsonl && written_.has(event.kind)) {
        *out_ << event_json(event) << '\n';
      }
    };
    session_.on_warning = [this](Rule rule, const std::string& message, const std::string& hint) {
      const rules::RuleInfo& row = rules::info(rule);
      std::string text = result_.path + ':' + std::to_string(line_number_) + ": warning " + std::string(row.code) +
                         ' ' + std::string(row.name) + ": " + message + '\n';
      if (!hint.empty()) text += "  hint: " + hint + '\n';
      result_.warnings.push_back(std::move(text));
    };
    if (out_ != nullptr && options_.format == Format::human) {
      story_ = std::make_unique<Story>(session_, options_, *out_);
      session_.on_change = [this](const Update& update) { story_->change(update); };
    }
  }

  // False when the trace ends here. With `updated`, `text` becomes the line that holds.
  bool run_line(std::string& text) {
    Line line;
    if (auto fault = read_line(text, line)) return fail(text, *fault);
    if (line.kind == LineKind::skipped) return true;
    record(text, line);
    if (!has_begun_) {
      if (auto fault = session_.begin(text, line)) return fail(text, *fault);
      has_begun_ = true;
      if (!session_.name().empty()) result_.name = session_.name();
      if (story_) story_->begin(result_.path);
      return true;
    }
    if (line.kind == LineKind::expect) return expect(text, line);
    if (auto fault = session_.run(text, line)) return fail(text, *fault);
    return true;
  }

  void record(const std::string& text, const Line& line) {
    const bool is_recorded = options_.record && options_.format == Format::jsonl && line.kind != LineKind::expect;
    if (is_recorded && out_ != nullptr) *out_ << text << '\n';
  }

  bool expect(std::string& text, const Line& line) {
    ++result_.expectation_count;
    std::vector<Difference> differences;
    Json actual;
    if (auto fault = expectations_.check(text, line, &differences, &actual)) return fail(text, *fault);
    if (!differences.empty()) {
      ++result_.failed_count;
      for (const Difference& difference : differences) result_.mismatches.push_back(mismatch_text(difference));
      if (updated_ != nullptr) text = rewritten(text, line, actual);
    }
    log_.forget();
    return true;
  }

  std::string mismatch_text(const Difference& difference) const {
    std::string text = result_.path + ':' + std::to_string(line_number_) + ": expected " + difference.key + ' ' +
                       difference.expected + ", but it is " + difference.actual;
    if (session_.has_several_agents()) text += "  (agent " + std::to_string(difference.agent) + ')';
    text += "\n  at " + seconds_text(session_.time_us()) + " s, last events:";
    if (log_.recent().empty()) text += " none";
    text += '\n';
    for (const Event& event : log_.recent()) {
      text += "    " + seconds_text(event.time_us) + "  " + event_text(event, session_.has_several_agents()) + '\n';
    }
    return text;
  }

  // The line with what is in place of what was expected. Spaces stand as they usually do in traces.
  static std::string rewritten(const std::string& text, const Line& line, const Json& actual) {
    Json object = line.object;
    object["expect"] = actual;
    const bool is_spaced = text.find("\": ") != std::string::npos;
    return is_spaced ? spaced(object) : object.dump();
  }

  static std::string spaced(const Json& value) {
    if (!value.is_structured()) return value.dump();
    std::string text;
    for (const auto& [key, item] : value.items()) {
      if (!text.empty()) text += ", ";
      if (value.is_object()) text += Json(key).dump() + ": ";
      text += spaced(item);
    }
    return value.is_object() ? '{' + text + '}' : '[' + text + ']';
  }

  bool fail(std::string_view text, const LineFault& fault) {
    result_.errors.push_back(fault_text(result_.path, line_number_, text, fault));
    return false;
  }

  const ReplayOptions& options_;
  TraceResult result_;
  Session session_;
  EventLog log_;
  Expectations expectations_;
  std::ostream* out_;
  std::string* updated_;
  std::unique_ptr<Story> story_;
  KindSet written_;
  std::uint64_t line_number_ = 0;
  bool has_begun_ = false;
};

}  // namespace

TraceResult replay(const Asset& asset, std::istream& trace, const std::string& path, const ReplayOptions& options,
                   std::ostream& out) {
  return Run(asset, path, options, &out, nullptr).run(trace);
}

TraceResult update_expectations(const Asset& asset, std::istream& trace, const std::string& path,
                                const ReplayOptions& options, std::string* updated) {
  updated->clear();
  return Run(asset, path, options, nullptr, updated).run(trace);
}

}  // namespace espalier::replay
