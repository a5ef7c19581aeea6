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

namespace espalier::replay {

enum class Format : std::uint8_t { human, jsonl, junit };

struct ReplayOptions {
  Format format = Format::human;
  bool strict = false;  // a behaviour that is not scripted, or a signal that no tree knows, is an error
  bool color = false;
  bool record = false;  // jsonl: the trace's own lines are written too, so that the output can be replayed
  std::vector<std::string> events = {};     // kinds that are written; empty: all
  std::optional<std::uint32_t> agent = {};  // human: only this agent
  // For `reload`: gives the asset at a path, relative to the folder of the trace, which stays valid until the replay is
  // over; null with a reason when there is none. Empty: traces cannot reload.
  std::function<const Asset*(const std::string& path, std::string* reason)> load = {};
};

struct TraceResult {
  std::string path;
  std::string name;                     // of the first line, else the path
  std::uint64_t expectation_count = 0;  // `expect` lines
  std::uint64_t failed_count = 0;       // those that did not hold
  std::vector<std::string>
      mismatches;  // each a whole message: file:line, key, expected, actual, the last events before it
  std::vector<std::string>
      errors;  // the trace itself is wrong: file:line:column and why; nothing after the first is run
  std::vector<std::string> warnings;  // signals no tree knows, behaviours that are not scripted (once each)
};

// Replays one trace, reading `trace` line by line in bounded memory. Human and jsonl output goes to `out` as it
// happens; junit writes nothing here (see write_junit).
TraceResult replay(const Asset& asset, std::istream& trace, const std::string& path, const ReplayOptions& options,
                   std::ostream& out);

// Replays a trace and gives its text back with every `expect` rewritten to what really happened (the keys it had are
// kept; a line that asks for nothing new stays as it is, to the byte).
TraceResult update_expectations(const Asset& asset, std::istream& trace, const std::string& path,
                                const ReplayOptions& options, std::string* updated);

// All results as one JUnit document.
void write_junit(const std::vector<TraceResult>& results, std::ostream& out);

}  // namespace espalier::replay
