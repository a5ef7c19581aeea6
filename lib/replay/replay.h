// Runs scripted traces against an asset, exactly: lines in, events and checks out. The format of traces is in
// schemas/trace.schema.json. Output is written by lib/report.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "replay/answers.h"
#include "replay/event_log.h"
#include "replay/line.h"
#include "replay/swaps.h"
#include "runtime/format/kinds.h"
#include "text/finding.h"

namespace espalier::replay {

// How agents begin, where that is not how trees begin: those of a recording that does not have their beginning.
struct Start {
  std::uint64_t clock_us = 0;
  std::vector<std::vector<unsigned char>> blocks = {};  // of the agents of the first line
  std::vector<unsigned char> shared = {};               // the block that they share; empty: none
};

struct ReplayOptions {
  bool strict = false;                      // warnings are errors
  bool checks_expectations = true;          // false: only what happens matters
  bool ends_at_failure = false;             // stops after the first expectation that fails
  std::uint64_t max_updates = kMaxUpdates;  // of all agents, in one trace; more is an error
  std::optional<SwapLimit> swaps = {};      // more changes between two behaviours are reported; none: not counted
  // Of warnings whose severity is changed; none: the rule is off.
  std::map<rules::Rule, std::optional<rules::Severity>> severities = {};
  // Other answers are warnings.
  DeclaredAnswers answers = {};
  // Names of nodes of trees that poll which have no other ports than the asset says. Of others only those are told that
  // are nearly one of theirs.
  std::set<std::string> declared_nodes = {};
  // For `reload`: returns the asset at a path, relative to the folder of the trace. The asset stays valid until the
  // replay ends. Null if it cannot be loaded, with a reason and perhaps a hint. Empty: traces cannot reload.
  struct LoadFault {
    std::string reason = "traces cannot reload here";
    std::string hint = {};
  };
  std::function<const Asset*(const std::string& path, LoadFault* fault)> load = {};
  std::optional<Start> start = {};
};

// An expectation that failed, or a line that could not be executed, which counts as one.
struct Failure {
  text::Span span;                          // of the expected value, or of what could not be executed
  std::string message;                      // of a line that could not be executed; otherwise empty
  std::string hint = {};                    // the same
  std::string key = {};                     // "behavior", "variables.Alerted"
  std::optional<std::uint32_t> agent = {};  // none: `events` and `inside`, which apply to all agents
  std::string expected = {};                // as JSON
  std::string actual = {};                  // as JSON
  std::string note = {};                    // explains the difference
  bool is_negation = false;                 // of the key `not`, which cannot be rewritten to what is
};

// "behavior of agent 1 is not what was expected", or the message.
std::string words_of(const Failure& failure, bool several_agents);

// All failures of one line.
struct FailedLine {
  const text::Sources& sources;  // of the spans; valid only during the call
  const std::vector<Failure>& failures;
  const std::vector<text::Finding>& findings;  // the same, as they are in the result; none if these are very many
  const std::vector<KeptEvent>& before;        // the last events before the line
  std::uint64_t time_us;
  bool names_agents;  // there are several agents, or were
};

// What the first line of a trace says.
struct Beginning {
  std::string name;         // may be empty
  std::vector<Tree> trees;  // of the agents
  std::uint32_t agent_count;
};

// Has the asset a tree for which a line of this kind has a meaning?
bool is_for_trees(const Asset& asset, LineKind kind);

// Callbacks of a replay. Any of them may be empty.
struct Observer {
  std::function<void(const Beginning&)> begin;        // after the first line
  std::function<void(std::string_view)> line;         // before a line is run: its text, without the line ending
  std::function<void(const Event&)> event;            // as it happens
  bool watches = false;                               // `event` also gets updates and their steps
  bool gets_nodes = false;                            // `event` also gets what happens to nodes of the tree
  bool gets_inputs = false;                           // `event` also gets the parameters of actions as inputs
  std::function<void(const text::Finding&)> finding;  // as it is found; also added to the result
  std::function<void(const FailedLine&)> failed;
};

struct TraceResult {
  std::string path;
  std::string name;                     // of the first line, else the path
  std::uint64_t expectation_count = 0;  // `expect` lines, and lines that could not be executed
  std::uint64_t failed_count = 0;       // failed ones that were not rewritten, and lines that could not be executed
  std::uint64_t rewritten_count = 0;
  std::uint64_t refused_count = 0;     // warnings that are errors: with `strict`, or by their configured severity
  bool is_broken = false;              // the trace itself has an error; nothing after the first one was executed
  std::vector<EngineId> engines = {};  // of the trees that agents have; none: the first line has an error
  std::uint32_t agent_count = 0;       // all agents that ever existed
  // Faults of the trace, uses of what it does not script, what went wrong, and the first 1,000 failures.
  text::Findings findings = {};

  // Does everything hold, and is nothing wrong that counts?
  bool holds() const { return !is_broken && failed_count == 0 && refused_count == 0; }
};

// Replays one trace, reading `trace` line by line in bounded memory. `sources` gets the lines that findings are about.
TraceResult replay(const Asset& asset, std::istream& trace, const std::string& path, const ReplayOptions& options,
                   text::Sources& sources, const Observer& observer);

class TraceRun;

// Where a line is from.
struct LinePlace {
  std::string path;
  std::uint64_t number;  // from 1
};

// A replay that gets its lines one by one, as from a prompt. All arguments must outlive it.
class SteppedReplay {
 public:
  SteppedReplay(const Asset& asset, const ReplayOptions& options, text::Sources& sources, const Observer& observer);
  ~SteppedReplay();
  SteppedReplay(const SteppedReplay&) = delete;
  SteppedReplay& operator=(const SteppedReplay&) = delete;

  // Runs a line, which is without its ending. False: it has a fault. It may have done a part of its work, and no other
  // line can be run.
  [[nodiscard]] bool run(std::string_view line, const LinePlace& place);

 private:
  std::unique_ptr<TraceRun> run_;
};

// Replays a trace and returns its text, in which each value of a failed `expect` line is replaced by the actual one;
// every other byte is kept. What cannot be rewritten is still a failure: one line for several agents that differ.
TraceResult update_expectations(const Asset& asset, std::istream& trace, const std::string& path,
                                const ReplayOptions& options, text::Sources& sources, const Observer& observer,
                                std::string* updated);

}  // namespace espalier::replay
