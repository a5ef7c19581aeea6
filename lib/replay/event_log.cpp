// The events that a replay keeps. See event_log.h.
#include "replay/event_log.h"

#include <algorithm>

#include "replay/line.h"

namespace espalier::replay {
namespace {

constexpr std::size_t kMaxEvents = kMaxLineBytes / 8;  // more than fit into a line

}  // namespace

std::string KeptEvent::text(bool several_agents) const {
  Event event{.agent = agent, .kind = kind, .subject = subject, .value = value};
  return event_text(event, several_agents);
}

void EventLog::keep(const KeptEvent& event, bool lasts) {
  if (since_.size() >= kMaxEvents) return;
  since_.push_back(lasts ? event : copy_of(event, since_texts_.emplace_back()));
}

KeptEvent EventLog::copy_of(const KeptEvent& event, std::string& bytes) {
  bytes.assign(event.subject).append(event.value);
  KeptEvent copy = event;
  copy.subject = std::string_view(bytes).substr(0, event.subject.size());
  copy.value = std::string_view(bytes).substr(event.subject.size());
  return copy;
}

bool EventLog::is_news(const KeptEvent& event) const {
  if (event.kind == EventKind::tick) return event.value != "running";
  const std::size_t count = std::min(recent_count_, kRecentEvents);
  for (std::size_t i = 0; i < count; ++i) {
    const KeptEvent& other = newest(i);
    if (other.kind != event.kind || other.agent != event.agent) continue;
    return other.subject.data() != event.subject.data() && other.subject != event.subject;
  }
  return true;
}

void EventLog::end_expectation(bool forgets) {
  if (forgets) {
    since_.clear();
    since_texts_.clear();
  }
  older_count_ = since_.size();
}

std::vector<std::string> EventLog::since_last(bool several_agents) const {
  std::vector<std::string> texts;
  texts.reserve(since_.size());
  for (const KeptEvent& event : since_) texts.push_back(event.text(several_agents));
  return texts;
}

std::vector<KeptEvent> EventLog::recent() const {
  std::vector<KeptEvent> events;
  for (std::size_t i = std::min(recent_count_, kRecentEvents); i > 0; --i) events.push_back(newest(i - 1));
  return events;
}

}  // namespace espalier::replay
