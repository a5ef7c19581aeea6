// Runs scripted traces against an asset, exactly: lines in, events and checks out. The format of traces is in
// schemas/trace.schema.json.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "replay/line.h"
#include "runtime/format/opcode.h"

namespace espalier::replay {

enum class Format : std::uint8_t { human, jsonl, junit };

struct ReplayOptions {
  Format format = Format::human;
  bool strict = false;         // a behaviour that is not scripted, or a signal that no tree knows, is an error
  bool color = false;          // of the human format
  bool message_color = false;  // of mismatches, errors and warnings
  unsigned verbose = 0;        // human: steps of deciders up to this output level are told, 0 to 5
  bool tells_story = true;     // human: what happens is told; else only messages are
  bool tells_passed = true;    // replay_briefly(): a trace that holds is told, too
  bool warns = true;
  bool ends_at_failure = false;  // nothing after the first expectation that does not hold is run
  bool record = false;           // jsonl: the trace's own lines are written too, so that the output can be replayed
  std::vector<std::string> events = {};     // kinds that are written; empty: all
  std::optional<std::uint32_t> agent = {};  // whose events are written; none: of all
  std::uint64_t max_updates = kMaxUpdates;  // of agents, by one trace; more is an error
  // Told each mismatch, error and warning as it is found, behind what `out` was given so far. Empty: they are kept in
  // the result.
  std::function<void(const std::string& message)> tell = {};
  // For `reload`: gives the asset at a path, relative to the folder of the trace, which stays valid until the replay is
  // over; null with a reason, and perhaps a hint, when there is none. Empty: traces cannot reload.
  struct LoadFault {
    std::string reason = "traces cannot reload here";
    std::string hint = {};
  };
  std::function<const Asset*(const std::string& path, LoadFault* fault)> load = {};
};

// Messages are whole lines, the first of which begins with file:line:column.
struct TraceResult {
  std::string path;
  std::string name;                     // of the first line, else the path
  std::uint64_t expectation_count = 0;  // `expect` lines, and lines that could not be done
  std::uint64_t failed_count = 0;       // those that did not hold, and were not rewritten; and the latter
  std::uint64_t rewritten_count = 0;
  bool is_broken = false;               // the trace itself is wrong; nothing after the first error was run
  std::vector<std::string> mismatches;  // key, expected, actual, the last events before
  std::vector<std::string> errors;
  std::string story = {};               // replay_briefly() for a report: with the messages, which are not kept then
  std::optional<EngineId> engine = {};  // of the tree; none: the first line is wrong
  std::uint32_t agent_count = 0;        // all that there were
  std::vector<std::string> warnings;    // signals no tree knows, behaviours that are not scripted (once each)
};

// Replays one trace, reading `trace` line by line in bounded memory. Human and jsonl output goes to `out` as it
// happens; junit writes nothing here (see write_junit).
TraceResult replay(const Asset& asset, std::istream& trace, const std::string& path, const ReplayOptions& options,
                   std::ostream& out);

// The same in brief, human or junit: a trace that holds is one line on `out`, one that does not tells its story, as the
// result's for junit. A trace that does not hold is read twice: `trace` must be a stream that can be read again.
TraceResult replay_briefly(const Asset& asset, std::istream& trace, const std::string& path,
                           const ReplayOptions& options, std::ostream& out);

// What of the options has meant nothing for the trees of these traces, a line each.
std::vector<std::string> idle_options(const std::vector<TraceResult>& results, const ReplayOptions& options);

// Replays a trace and gives its text back in which each value of an `expect` line that did not hold is what really
// happened; every other byte stays. What cannot be rewritten stays a mismatch: one line for several agents that differ.
TraceResult update_expectations(const Asset& asset, std::istream& trace, const std::string& path,
                                const ReplayOptions& options, std::string* updated);

// All results as one JUnit document.
void write_junit(const std::vector<TraceResult>& results, std::ostream& out);

}  // namespace espalier::replay
