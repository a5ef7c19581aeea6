// Runs scripted traces against an asset, exactly: lines in, events and checks out. The format of traces is in schemas/trace.schema.json.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace espalier::replay {

enum class Format : std::uint8_t { human, jsonl, junit };

struct ReplayOptions {
  Format format = Format::human;
  bool strict = false;                  // an unscripted host name, or a signal no tree knows, is an error
  bool color = false;
  std::vector<std::string> events = {};  // kinds that are written; empty: all
  std::string agent = {};               // human format: only this agent, empty: all
};

struct TraceResult {
  std::string path;
  std::string name;                       // of the first line, else the path
  std::uint64_t expectation_count = 0;    // `expect` lines
  std::vector<std::string> mismatches;    // each a whole message: file:line, key, expected, actual, the last events before it
  std::vector<std::string> errors;        // the trace itself is wrong: file:line:column and why; nothing after the first is run
  std::vector<std::string> warnings;      // signals no tree knows, unscripted host names (once each)
};

// Replays one trace, reading `trace` line by line in bounded memory. Human and jsonl output goes to `out` as it happens; junit
// writes nothing here (see write_junit).
TraceResult replay(const Asset& asset, std::istream& trace, const std::string& path, const ReplayOptions& options,
                   std::ostream& out);

// Replays a trace and gives its text back with every `expect` rewritten to what really happened (the keys it had are kept; a line
// that asks for nothing new stays as it is, to the byte).
TraceResult update_expectations(const Asset& asset, std::istream& trace, const std::string& path, std::string* updated);

// All results as one JUnit document.
void write_junit(const std::vector<TraceResult>& results, std::ostream& out);

}  // namespace espalier::replay
