// Warnings that are reported when a trace ends: what agents did in between is known to be wanted, or how often it
// happened, only then.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "text/finding.h"

namespace espalier::replay {

// Something that an agent did, to be reported at the line that was running.
struct EndWarning {
  rules::Rule rule;
  std::string message;  // without agent and time, which are added; equal ones are reported once, with their count
  std::string hint = {};
  text::Span span = {};    // in the line; empty: its key
  std::string event = {};  // an `expect` line that names this event, as event_text() writes it, withdraws the warning
  std::uint64_t time_us = 0;
  std::uint32_t agent = 0;
};

class EndWarnings {
 public:
  using Line = std::shared_ptr<const text::Source>;

  // `line` returns the line that was running. Different warnings are kept up to a limit; the last one then says so.
  void keep(EndWarning warning, const std::function<Line()>& line);
  // An `expect` line named these events.
  void withdraw(const std::vector<std::string>& events);

  // The first of those with the same message, which says when it happened and how often; and its line.
  struct Told {
    EndWarning warning;
    Line line;
  };
  // In the order in which they happened.
  std::vector<Told> take(bool several_agents);

 private:
  struct Kept {
    EndWarning warning;
    Line line;
    std::size_t order = 0;
    std::uint64_t count = 0;
  };
  bool is_full() const;

  std::map<std::tuple<rules::Rule, std::string, std::string>, Kept> kept_;  // by rule, message and event
  std::size_t next_order_ = 0;
  const text::Source* last_line_ = nullptr;
  std::size_t line_bytes_ = 0;
  bool is_incomplete_ = false;  // some were not kept
};

}  // namespace espalier::replay
