// Writes the results of replays for people and for other programs: stories, events, failed expectations, reports.
#pragma once
#include <cstdint>
#include <functional>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "replay/replay.h"
#include "report/story.h"

namespace espalier::report {

enum class ReplayFormat : std::uint8_t {
  human,     // stories of what happens
  debug,     // the steps of updates alone, by level: debug_lines.h
  jsonl,     // events as JSON Lines
  junit,     // one document of all traces: write_replay_junit()
  made,      // by others, such as a page (pictures/replay_page.h) or a profile: messages alone are written here
  findings,  // findings of traces, in a format for findings: nothing is written here
};
// "human", ...; any other name: of a format for findings.
[[nodiscard]] ReplayFormat replay_format(std::string_view name);

struct ReplayForm {
  ReplayFormat format = ReplayFormat::human;
  StoryOptions story = {};
  bool message_color = false;  // of failures and findings
  bool message_links = false;  // codes in them lead to the pages of rules
  bool tells_passed = true;    // replay_briefly(): traces that pass are reported too
  bool tells_warnings = true;
  bool record = false;           // jsonl: the trace's own lines are written too, so that the output can be replayed
  bool writes_findings = false;  // jsonl: findings are lines of the output, instead of messages
  // Also gets what happens: its `begin` and `event`. Null: nothing else does.
  const replay::Observer* also = nullptr;
  // Called with each message as it is found, after everything written to `out` so far. A message is one or more whole
  // lines; the first begins with file:line:column. Empty: messages are appended to the result's story.
  std::function<void(const std::string& message)> tell = {};
};

struct ReplayReport {
  replay::TraceResult result;
  std::string story;     // of a trace that fails: its events and messages, up to a size limit
  std::string warnings;  // of a trace that passes, unless passed to `tell`
};

// Replays a trace. Stories and events go to `out` as they happen.
ReplayReport replay_trace(const Asset& asset, std::istream& trace, const std::string& path,
                          const replay::ReplayOptions& options, const ReplayForm& form, text::Sources& sources,
                          std::ostream& out);

// The same in brief, for human or junit: a trace that passes is one line on `out`; for one that fails the story is
// written, with junit into the result. A failed trace is read twice: `trace` must be a stream that can be rewound.
ReplayReport replay_briefly(const Asset& asset, std::istream& trace, const std::string& path,
                            const replay::ReplayOptions& options, const ReplayForm& form, text::Sources& sources,
                            std::ostream& out);

// Rewrites the expectations of a trace: see replay::update_expectations().
ReplayReport update_trace(const Asset& asset, std::istream& trace, const std::string& path,
                          const replay::ReplayOptions& options, const ReplayForm& form, text::Sources& sources,
                          std::string* updated);

// What a line of a stepped replay did.
struct StepReport {
  bool is_right = true;    // false: the line has a fault, and no other line can be run
  std::string story = {};  // with messages
};

// A replay for people that gets its lines one by one, as from a prompt. The asset and the options must outlive it.
// `path` is shown as that of the trace.
class SteppedStory {
 public:
  SteppedStory(const Asset& asset, const std::string& path, const replay::ReplayOptions& options,
               const ReplayForm& form);
  ~SteppedStory();
  SteppedStory(const SteppedStory&) = delete;
  SteppedStory& operator=(const SteppedStory&) = delete;

  [[nodiscard]] StepReport run(std::string_view line, const replay::LinePlace& place);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The options that have no effect on the trees of these traces, one per line.
std::vector<std::string> idle_options(const std::vector<ReplayReport>& reports, const ReplayForm& form);

// "3 traces, 5 expectations: all hold"
[[nodiscard]] std::string outcome_line(const std::vector<ReplayReport>& reports);
// Of all traces, by their paths.
[[nodiscard]] text::Findings findings_of(const std::vector<ReplayReport>& reports);

// All as one JUnit document for build servers: each trace is a suite of one test, with its warnings as what it writes.
void write_replay_junit(const std::vector<ReplayReport>& reports, const text::Sources& sources, std::ostream& out);

}  // namespace espalier::report
