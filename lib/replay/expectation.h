// `expect` lines: what is compared with what is.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "replay/session.h"

namespace espalier::replay {

// A value of an `expect` line that is not so.
struct Difference {
  std::optional<std::uint32_t> agent;  // none: `events` and `inside`, which are of all agents
  std::string key;                     // "behavior", "variables.Alerted"
  text::Span span;                     // of the value, as JSON
  std::string actual;                  // as JSON
  std::string note = {};               // what helps to see the difference
};

// The events since the last `expect` line, and the last few of all for messages. Bounded: of very many events since the
// last `expect` line those are dropped that no line could name.
class EventLog {
 public:
  // `kinds`: those that `expect` lines compare.
  void add(const Event& event, KindSet kinds);
  void forget() { since_.clear(); }  // an `expect` line was read that takes them
  // In their string form.
  std::vector<std::string> since_last(bool several_agents) const;
  // Without those that tell nothing new: an action that runs on, a status that is the same.
  const std::deque<Event>& recent() const { return recent_; }

 private:
  bool is_news(const Event& event) const;

  std::vector<Event> since_;
  std::deque<Event> recent_;
};

class Expectations {
 public:
  Expectations(const Session& session, const EventLog& log) : session_(session), log_(log) {}

  // What of an `expect` line does not hold, of every agent it is for. A fault when the line asks for what it cannot.
  [[nodiscard]] std::optional<LineFault> check(const Line& line, std::vector<Difference>* differences);

 private:
  using Faults = std::optional<LineFault>;
  [[nodiscard]] Faults find_fault(const text::JsonValue::Key& key) const;
  [[nodiscard]] Faults check_key(const text::JsonValue::Key& key, const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_behavior(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_leaf(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_status(const text::JsonValue& expected, std::uint32_t agent);
  // `key`: "variables" or "flags".
  [[nodiscard]] Faults check_variables(const std::string& key, const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_stimuli(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_path(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_running(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_rule(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_timestamps(const text::JsonValue& expected, std::uint32_t agent);
  [[nodiscard]] Faults check_inside(const text::JsonValue& expected);
  [[nodiscard]] Faults check_events(const text::JsonValue& expected);
  // The names of those that run.
  std::vector<std::string> running_behaviors(std::uint32_t agent) const;
  std::uint32_t behavior_of(std::uint32_t agent) const;
  // `actual` null: there is none.
  void compare(std::string_view key, const text::JsonValue& expected, std::uint32_t agent, const std::string* actual);

  const Session& session_;
  const EventLog& log_;
  std::vector<Difference>* differences_ = nullptr;  // of the line that is checked
  std::vector<std::string> leaf_paths_;             // of leaf_tree_, made when they are asked for
  Tree leaf_tree_;
};

}  // namespace espalier::replay
