// The events that a replay keeps: for `expect` lines, and for messages about a failed one. An event takes no memory of
// its own here unless its texts do.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "replay/event.h"

namespace espalier::replay {

// What event_text() says of an event.
struct KeptEvent {
  std::uint64_t time_us = 0;
  std::uint32_t agent = 0;
  EventKind kind = EventKind::enter;
  std::string_view subject;
  std::string_view value = {};  // also its details, if there are any
  NodeOf node = {};

  std::string text(bool several_agents) const;
};

// The events since the last `expect` line, and the last few of all for messages. Bounded: if there are very many events
// since the last `expect` line, those that no line could name are dropped.
class EventLog {
 public:
  // The kinds that `expect` lines compare.
  void expect(KindSet kinds) { expected_ = kinds; }
  KindSet expected() const { return expected_; }

  // `lasts`: the texts are valid until the replay ends. Others are copied.
  void add(const KeptEvent& event, bool lasts) {
    if (expected_.has(event.kind)) keep(event, lasts);
    // What happens to nodes may be told to an observer alone.
    const bool is_of_node = event.kind >= EventKind::begin_node && event.kind <= EventKind::interrupt_node;
    if (is_of_node && !expected_.has(event.kind)) return;
    const bool may_repeat = event.kind == EventKind::tick || event.kind == EventKind::status;
    if (may_repeat && !is_news(event)) return;
    const std::size_t place = recent_count_++ % kRecentEvents;
    recent_[place] = lasts ? event : copy_of(event, recent_texts_[place]);
  }
  // An `expect` line was read. `forgets`: it takes the events before it.
  void end_expectation(bool forgets);
  const std::vector<KeptEvent>& since_last() const { return since_; }
  // The text of each.
  std::vector<std::string> since_last(bool several_agents) const;
  // How many of these are older than the last `expect` line.
  std::size_t older_count() const { return older_count_; }
  // Without repetitions: an action that continues, a status that is unchanged.
  std::vector<KeptEvent> recent() const;

 private:
  static constexpr std::size_t kRecentEvents = 8;

  void keep(const KeptEvent& event, bool lasts);
  // The event with its texts in `bytes`.
  static KeptEvent copy_of(const KeptEvent& event, std::string& bytes);
  // Of those that may repeat.
  bool is_news(const KeptEvent& event) const;
  // The event number `i` of the recent ones, the newest first.
  const KeptEvent& newest(std::size_t i) const { return recent_[(recent_count_ - 1 - i) % kRecentEvents]; }

  KindSet expected_ = kinds_expected_by_default();
  std::vector<KeptEvent> since_;
  std::deque<std::string> since_texts_;  // of those whose texts do not last
  std::size_t older_count_ = 0;
  std::array<KeptEvent, kRecentEvents> recent_ = {};
  std::array<std::string, kRecentEvents> recent_texts_ = {};
  std::size_t recent_count_ = 0;  // that there ever were
};

}  // namespace espalier::replay
