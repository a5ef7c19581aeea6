// The history of lines of a trace that are run one by one, as from a prompt. It also has the events that traces can
// expect, and where lines end.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "debug/history.h"
#include "text/source.h"

namespace espalier::debug {

class LineHistory {
 public:
  // All must outlive this.
  LineHistory(History& history, const Asset& asset, const std::string& path, const replay::ReplayOptions& options);

  // False: the line has a fault, and no other line can be run.
  [[nodiscard]] bool run(const std::string& line, const replay::LinePlace& place);

 private:
  History& history_;
  std::uint64_t clock_us_;
  text::Sources sources_;
  replay::Observer observer_;
  std::optional<replay::SteppedReplay> replay_;
};

// Does it happen now? "enter", "enter Attack", or "1:enter Attack" for one of several agents: its first words.
[[nodiscard]] bool is_event(const History& history, const Moment& moment, const std::string& words);

}  // namespace espalier::debug
