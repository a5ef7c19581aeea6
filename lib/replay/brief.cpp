// Replays for those who want to know what fails: a trace that holds is one line, one that does not tells its story. See
// replay.h.
#include <cstddef>
#include <streambuf>
#include <utility>

#include "replay/replay.h"
#include "report/line_view.h"
#include "report/output_form.h"

namespace espalier::replay {
namespace {

// Keeps of a story what comes right before each message, so that a long one fits into a report.
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

  // Whole lines; the last may still grow.
  void forget() {
    const std::size_t end = recent_.find('\n', recent_.size() - kMaxRecentBytes);
    if (end == std::string::npos) return;
    recent_.erase(0, end + 1);
    has_forgotten_ = true;
  }
  void take_recent() {
    if (recent_.size() > kMaxRecentBytes) forget();
    if (std::exchange(has_forgotten_, false)) text_ += "    ... what was before is left out\n";
    text_ += std::exchange(recent_, {});
  }

  std::string text_;
  std::string recent_;
  bool has_forgotten_ = false;
};

void write_passed(const TraceResult& result, bool color, std::ostream& out) {
  const report::FormScope form(out, color ? report::OutputForm::colored : report::OutputForm::text);
  out << (color ? "\x1b[32mok\x1b[0m" : "ok") << "  " << report::visible(result.path);
  if (result.name != result.path) out << ": " << report::visible(result.name);
  out << "  (" << result.expectation_count << (result.expectation_count == 1 ? " expectation)" : " expectations)")
      << '\n';
}

}  // namespace

TraceResult replay_briefly(const Asset& asset, std::istream& trace, const std::string& path,
                           const ReplayOptions& options, std::ostream& out) {
  const bool is_for_people = options.format == Format::human;
  ReplayOptions silently = options;
  silently.tells_story = false;
  silently.ends_at_failure = true;
  silently.tell = {};
  TraceResult result = replay(asset, trace, path, silently, out);
  if (!result.is_broken && result.failed_count == 0) {
    if (is_for_people && options.tells_passed) write_passed(result, options.color, out);
    if (options.tell) {
      for (const std::string& warning : std::exchange(result.warnings, {})) options.tell(warning);
    }
    return result;
  }
  trace.clear();
  trace.seekg(0);
  if (is_for_people) return replay(asset, trace, path, options, out);
  ReplayOptions into_report = options;
  into_report.format = Format::human;
  into_report.color = into_report.message_color = false;
  Excerpts excerpts;
  std::ostream story(&excerpts);
  into_report.tell = [&](const std::string& message) { excerpts.add_message(message); };
  result = replay(asset, trace, path, into_report, story);
  result.story = excerpts.take();
  return result;
}

}  // namespace espalier::replay
