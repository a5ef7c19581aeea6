// What goes wrong in a run. It is reported when the trace ends: whether it was wanted, and how often it happened, is
// known only then. The kinds are in run_faults.def.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "replay/event.h"
#include "text/finding.h"

namespace espalier::replay {

enum class RunFaultKind : std::uint8_t {
#define RUN_FAULT(name, rule, use, statuses, engines, meaning) name,
#include "replay/run_faults.def"
#undef RUN_FAULT
  count
};

struct RunFaultInfo {
  std::string_view name;
  rules::Rule rule;
  bool is_acceptable;         // by `"errors": "allowed"`
  std::string_view statuses;  // that accept it
  std::string_view engines;
};
const RunFaultInfo& info_of(RunFaultKind kind);

// Something that an agent did, to be reported at the line that was running.
struct RunFault {
  RunFaultKind kind = RunFaultKind::run_away;
  std::string message;  // without place, agent and time, which are added; equal ones of an agent are reported once
  NodeOf node = {};     // where it went wrong; may be none
  std::string hint = {};
  text::Span span = {};    // in the line; empty: its key
  std::string event = {};  // an expectation that names this event, as event_text() writes it, accepts one of them
  std::uint64_t time_us = 0;
  std::uint32_t agent = 0;
};

class RunFaults {
 public:
  using Line = std::shared_ptr<const text::Source>;

  // `line` returns the line that was running. Different faults are kept up to a limit; the last one then says so.
  void keep(RunFault fault, const std::function<Line()>& line);
  // An expectation named these events, each as often as it expects them.
  void accept(const std::vector<std::string>& events);
  // An expectation named the status of an agent.
  void accept(std::uint32_t agent, std::string_view status);

  // The first of those of an agent with the same message, which says when it happened and how often; and its line.
  struct Told {
    RunFault fault;
    Line line;
  };
  // In the order in which they happened.
  std::vector<Told> take(bool several_agents);

 private:
  struct Kept {
    RunFault fault;
    Line line;
    std::size_t order = 0;
    std::uint64_t count = 0;
  };
  using KeptFaults = std::map<std::tuple<RunFaultKind, std::uint32_t, std::string>, Kept>;
  bool is_full() const;
  KeptFaults::iterator erase(KeptFaults::iterator kept);

  KeptFaults kept_;  // by kind, agent and message
  std::map<std::string, KeptFaults::iterator, std::less<>> by_event_;
  std::size_t next_order_ = 0;
  const text::Source* last_line_ = nullptr;
  std::size_t line_bytes_ = 0;
  bool is_incomplete_ = false;  // some were not kept
};

}  // namespace espalier::replay
