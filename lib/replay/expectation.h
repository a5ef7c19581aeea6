// `expect` lines: what is compared with what is.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "replay/session.h"

namespace espalier::replay {

// One key that did not match.
struct Difference {
  std::uint32_t agent = 0;
  std::string key;
  std::string expected;  // as JSON
  std::string actual;
};

// The events since the last `expect` line, and a few before for messages. Bounded: an `expect` line cannot name as many
// events as are kept.
class EventLog {
 public:
  void add(const Event& event);
  void forget();  // an `expect` line was read
  // In their string form, those of these kinds.
  std::vector<std::string> since_last(KindSet kinds, bool several_agents) const;
  const std::deque<Event>& recent() const { return recent_; }

 private:
  std::vector<Event> since_;
  std::deque<Event> recent_;
};

class Expectations {
 public:
  Expectations(const Session& session, const EventLog& log) : session_(session), log_(log) {}

  // What the line's object would have to be to hold: the same keys, with what is. A fault when the line asks for what
  // it cannot. For several agents, what does not hold of one of them is in `differences` alone.
  [[nodiscard]] std::optional<LineFault> check(std::string_view text, const Line& line,
                                               std::vector<Difference>* differences, Json* actual);

 private:
  using Faults = std::optional<LineFault>;
  [[nodiscard]] Faults actual_of(std::string_view text, const std::string& key, const Json& expected,
                                 std::uint32_t agent, Json* actual);
  [[nodiscard]] Faults actual_leaf(std::string_view text, const Json& expected, std::uint32_t agent, Json* actual);
  [[nodiscard]] Faults actual_variables(std::string_view text, const Json& expected, std::uint32_t agent, Json* actual);

  const Session& session_;
  const EventLog& log_;
  std::vector<std::string> leaf_paths_;  // of leaf_tree_, made when they are asked for
  Tree leaf_tree_;
};

}  // namespace espalier::replay
