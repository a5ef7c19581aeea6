// What goes wrong in a replay, as text for people: the place, the line with a mark under the exact part, what helps.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "replay/expectation.h"
#include "replay/line.h"

namespace espalier::replay {

// A line of a trace, for messages.
struct LinePlace {
  std::string_view path;
  std::uint64_t number = 0;
  std::string_view text;
};

// An error, or a warning.
std::string fault_message(const LinePlace& place, const LineFault& fault, bool is_error, bool color);
std::string failure_message(const LinePlace& place, const LineFailure& failure, bool color);
std::string difference_message(const LinePlace& place, const Difference& difference, bool several_agents, bool color);
// What happened before, below the last difference of a line.
std::string last_events(const Session& session, const EventLog& log);

}  // namespace espalier::replay
