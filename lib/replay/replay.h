// Runs scripted traces against an asset, exactly: lines in, events and checks out. The format of traces is in
// schemas/trace.schema.json. How all of it is written is in lib/report.
#pragma once
#include <cstdint>
#include <deque>
#include <espalier/espalier.hpp>
#include <functional>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/event.h"
#include "replay/line.h"
#include "runtime/format/opcode.h"
#include "text/finding.h"

namespace espalier::replay {

class Session;

struct ReplayOptions {
  bool strict = false;                      // a behaviour without a scripted answer, or an unknown signal, is an error
  bool ends_at_failure = false;             // nothing after the first expectation that fails is run
  std::uint64_t max_updates = kMaxUpdates;  // of agents, by one trace; more is an error
  // Of warnings whose severity is another one here; none: the rule is off.
  std::map<rules::Rule, std::optional<rules::Severity>> severities = {};
  // For `reload`: gives the asset at a path, relative to the folder of the trace, which stays valid until the replay is
  // over; null with a reason, and perhaps a hint, when there is none. Empty: traces cannot reload.
  struct LoadFault {
    std::string reason = "traces cannot reload here";
    std::string hint = {};
  };
  std::function<const Asset*(const std::string& path, LoadFault* fault)> load = {};
};

// An expectation that failed, or a line that could not be done, which counts as one.
struct Failure {
  text::Span span;                          // of the value that was expected; of what could not be done
  std::string message;                      // of a line that could not be done; else empty
  std::string hint = {};                    // the same
  std::string key = {};                     // "behavior", "variables.Alerted"
  std::optional<std::uint32_t> agent = {};  // none: `events` and `inside`, which are of all agents
  std::string expected = {};                // as JSON
  std::string actual = {};                  // as JSON
  std::string note = {};                    // what helps to see the difference
};

// All that failed in one line.
struct FailedLine {
  const text::Sources& sources;  // of the spans; gone after the call
  const std::vector<Failure>& failures;
  const std::deque<Event>& before;  // the last events before it
};

// Who looks at a replay. Any of the functions may be empty. What an event is about can be looked up in the session.
struct Observer {
  std::function<void(const Session&)> begin;          // after the first line
  std::function<void(std::string_view)> line;         // before a line is run: its text, without the line ending
  std::function<void(const Event&)> event;            // as it happens
  bool watches = false;                               // `event` is told of updates and their steps, too
  std::function<void(const text::Finding&)> finding;  // as it is found; it is in the result, too
  std::function<void(const FailedLine&)> failed;
};

struct TraceResult {
  std::string path;
  std::string name;                     // of the first line, else the path
  std::uint64_t expectation_count = 0;  // `expect` lines, and lines that could not be done
  std::uint64_t failed_count = 0;       // those that failed, and were not rewritten; and the latter
  std::uint64_t rewritten_count = 0;
  bool is_broken = false;               // the trace itself is wrong; nothing after the first error was run
  std::optional<EngineId> engine = {};  // of the tree; none: the first line is wrong
  std::uint32_t agent_count = 0;        // all that there were
  text::Findings findings = {};         // what is wrong with the trace; what it uses and does not script
};

// Replays one trace, reading `trace` line by line in bounded memory. `sources` gets the lines that findings are about.
TraceResult replay(const Asset& asset, std::istream& trace, const std::string& path, const ReplayOptions& options,
                   text::Sources& sources, const Observer& observer);

// Replays a trace and gives its text back in which each value of an `expect` line that failed is what really happened;
// every other byte stays. What cannot be rewritten stays a failure: one line for several agents that differ.
TraceResult update_expectations(const Asset& asset, std::istream& trace, const std::string& path,
                                const ReplayOptions& options, text::Sources& sources, const Observer& observer,
                                std::string* updated);

}  // namespace espalier::replay
