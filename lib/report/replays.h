// What came of traces, for people and for other programs: stories, events, failed expectations, reports.
#pragma once
#include <cstdint>
#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "replay/replay.h"
#include "report/story.h"

namespace espalier::report {

enum class ReplayFormat : std::uint8_t {
  human,     // stories of what happens
  jsonl,     // events as JSON Lines
  junit,     // one document of all traces: write_replay_junit()
  findings,  // of traces, in a form for findings: nothing is written here
};

struct ReplayForm {
  ReplayFormat format = ReplayFormat::human;
  StoryOptions story = {};
  bool message_color = false;  // of failures and findings
  bool tells_passed = true;    // replay_briefly(): a trace that holds is told of, too
  bool tells_warnings = true;
  bool record = false;  // jsonl: the trace's own lines are written too, so that the output can be replayed
  // Told each message as it is found, after what `out` was given so far: whole lines, the first of which begins with
  // file:line:column. Empty: they go to the result's story.
  std::function<void(const std::string& message)> tell = {};
};

struct ReplayReport {
  replay::TraceResult result;
  std::string story;     // of a trace that fails: what happened, as far as it fits, with its messages
  std::string warnings;  // of one that holds, where nobody is told them
};

// Replays a trace. Stories and events go to `out` as they happen.
ReplayReport replay_trace(const Asset& asset, std::istream& trace, const std::string& path,
                          const replay::ReplayOptions& options, const ReplayForm& form, text::Sources& sources,
                          std::ostream& out);

// The same in brief, human or junit: a trace that holds is one line on `out`, one that does not tells its story, for
// junit as the result's. Such a trace is read twice: `trace` must be a stream that can be read again.
ReplayReport replay_briefly(const Asset& asset, std::istream& trace, const std::string& path,
                            const replay::ReplayOptions& options, const ReplayForm& form, text::Sources& sources,
                            std::ostream& out);

// Rewrites the expectations of a trace: see replay::update_expectations().
ReplayReport update_trace(const Asset& asset, std::istream& trace, const std::string& path,
                          const replay::ReplayOptions& options, const ReplayForm& form, text::Sources& sources,
                          std::string* updated);

// The options that have no effect for the trees of these traces, a line each.
std::vector<std::string> idle_options(const std::vector<ReplayReport>& reports, const ReplayForm& form);

// All as one JUnit document, which build servers show: a trace is a suite of one test.
void write_replay_junit(const std::vector<ReplayReport>& reports, std::ostream& out);

}  // namespace espalier::report
