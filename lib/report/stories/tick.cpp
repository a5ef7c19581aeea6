// The story of trees with actions: what starts, what ends and how, then the active branch. Updates in which nothing
// starts or ends are not shown. See tellers.h.
#include <algorithm>

#include "codegen/dump/listing.h"
#include "report/line_view.h"
#include "report/tellers.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::report {
namespace {

constexpr std::size_t kMaxHistory = 20;      // messages of an agent, and events
constexpr std::size_t kMaxViewed = 5;        // of these messages, in a view
constexpr std::size_t kMaxHistories = 1000;  // agents with a history
constexpr std::size_t kMaxTextBytes = 200;   // of one message or event

void keep(std::deque<std::string>& texts, std::string_view text) {
  texts.emplace_back(text.substr(0, kMaxTextBytes));
  if (texts.size() > kMaxHistory) texts.pop_front();
}

std::string listed_last(const std::deque<std::string>& texts, std::size_t count = kMaxHistory) {
  std::string all;
  for (std::size_t i = texts.size() - std::min(count, texts.size()); i < texts.size(); ++i) {
    all += (all.empty() ? "" : ", ") + visible(texts[i]);
  }
  return all;
}

// A signal that is delivered with a later update.
bool is_queued(const Event& event) {
  return event.node.asset != nullptr &&
         codegen::node_at(*event.node.asset, event.node.word).opcode == opcode::tick_queue;
}

constexpr std::size_t kShownParameters = 3;

}  // namespace

void say_plainly(Page& page, const Event& event, std::string_view effect) {
  const std::string_view name = event.subject;
  switch (event.kind) {
    case EventKind::enter:
      page.say("enters ");
      page.say(name, Style::enter);
      return page.say(replay::parameters_text(replay::parameters_of(event.call), kShownParameters), Style::dim);
    case EventKind::leave:
      return page.say({"leaves ", name});
    case EventKind::interrupt:
      return page.say({"interrupts ", name});
    case EventKind::reset:
      return page.say({"resets ", name});
    case EventKind::signal:
    case EventKind::send:
      page.say(event.kind == EventKind::signal ? "signal " : is_queued(event) ? "queues " : "sends ");
      page.say(name, Style::signal);
      return page.add_detail(effect);
    case EventKind::set:
      page.say("set ");
      return page.say({name, " = ", event.value}, Style::set);
    case EventKind::refuse:
      page.say(name, Style::bad);
      return page.say(" refuses");
    case EventKind::decide:
      return page.say({name, " decides ", event.value});
    case EventKind::log:
      page.say("logs ");
      return page.say(name, Style::text);
    case EventKind::error:
      return page.say(name, Style::bad);
    default:
      return page.say({name_of(event.kind), " ", name});
  }
}

// ---- What starts and stops

// An answer is on the line of the start; after "succeeds" or "fails" the end of the behaviour is not shown.
void PlainTeller::tell(const Event& event) {
  Page& page = telling_.page;
  const EventKind last = page.last_kind(event);
  const bool is_of_last = last != EventKind::count && page.last_name() == event.subject;
  const bool is_just_entered = is_of_last && last == EventKind::enter;
  const bool says_little = event.kind == EventKind::status || event.value == "running";
  if (!telling_.is_filtered && says_little) return;
  if (event.kind == EventKind::leave && is_of_last && last == EventKind::tick) return;
  if (event.kind == EventKind::set && (last == EventKind::signal || last == EventKind::send)) {
    return page.extend_detail("sets ", {event.subject, " = ", event.value});
  }
  const bool is_answer = event.kind == EventKind::tick || event.kind == EventKind::ask;
  if (!is_answer || !is_just_entered) page.open(event.time_us, event.agent);
  if (event.kind == EventKind::tick) {
    tell_result(event, is_just_entered);
  } else if (event.kind == EventKind::ask) {
    tell_answer(event, is_just_entered);
  } else if (event.kind == EventKind::refuse) {  // of rules
    page.say(event.subject, Style::bad);
    page.say(" is not bound");
  } else {
    say_plainly(page, event);
  }
  page.note(event);
}

void PlainTeller::tell_result(const Event& event, bool is_just_entered) {
  is_just_entered ? telling_.page.say(", ") : telling_.page.say({event.subject, " "});
  if (event.value == "running") return telling_.page.say("runs");
  if (event.value == "success") return telling_.page.say("succeeds");
  if (event.value == "skipped") return telling_.page.say("is skipped");
  telling_.page.say("fails", Style::bad);
}

// The answer of a decorator that was just entered, otherwise that of a script: its result, or that it ran.
void PlainTeller::tell_answer(const Event& event, bool is_just_entered) {
  const bool is_true = event.value == "true";
  const std::string_view name = event.subject;
  if (is_just_entered) return telling_.page.say(is_true ? ", is open" : ", is closed");
  if (event.subject != "ExecuteLua" && event.subject != "LuaWrapper") {
    return telling_.page.say({name, " is ", event.value});
  }
  if (is_true) return telling_.page.say({"runs ", name});
  telling_.page.say({"the script of ", name, " "});  // the node goes on as if it had not
  telling_.page.say("has an error", Style::bad);
}

// ---- Modular trees

void TickTeller::event(const Event& event) {
  if (event.kind == EventKind::end) return end(event.agent);
  remember(event);
  if (!telling_.kinds.has(event.kind)) return;
  plain_.tell(event);
  if (event.kind != EventKind::error || event.details.empty()) return;
  for (const std::string& completed : event.details) telling_.page.say_below("  " + visible(completed));
  tell_history(event.agent);
}

void TickTeller::end(std::uint32_t agent) {
  if (!views_.are_shown()) return;
  const AgentView& view = telling_.agent();
  if (views_.is_unchanged(view, agent)) return;
  std::vector<std::string> below;
  if (std::string timestamps = timestamps_text(view); !timestamps.empty()) below.push_back(std::move(timestamps));
  if (const auto found = histories_.find(agent); found != histories_.end() && !found->second.messages.empty()) {
    below.push_back("last messages: " + listed_last(found->second.messages, kMaxViewed));
  }
  views_.update(view, agent, active_lines(view, telling_.options.conditions), below);
}

void TickTeller::remember(const Event& event) {
  const bool is_event = event.kind == EventKind::signal || (event.kind == EventKind::send && !is_queued(event));
  if (!is_event && event.kind != EventKind::log) return;
  if (histories_.size() == kMaxHistories && histories_.count(event.agent) == 0) return;
  History& history = histories_[event.agent];
  keep(is_event ? history.events : history.messages, event.subject);
}

// Each entry is shown only once.
void TickTeller::tell_history(std::uint32_t agent) {
  const auto found = histories_.find(agent);
  if (found == histories_.end()) return;
  const auto& [messages, events] = found->second;
  if (!messages.empty()) telling_.page.say_below("  last messages: " + listed_last(messages), Style::dim);
  if (!events.empty()) telling_.page.say_below("  last events: " + listed_last(events), Style::dim);
  histories_.erase(found);
}

}  // namespace espalier::report
