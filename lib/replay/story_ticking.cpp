// The story of trees that tick: what begins, what ends and how, then the branch that runs. An update in which nothing
// begins or ends is passed over in silence.
#include "replay/story.h"
#include "replay/tree_view.h"
#include "report/line_view.h"

namespace espalier::replay {
namespace {

using report::visible;

constexpr std::size_t kMaxHistory = 20;      // messages of an agent, and events
constexpr std::size_t kMaxHistories = 1000;  // agents of which they are kept
constexpr std::size_t kMaxTextBytes = 200;   // of one
constexpr std::size_t kMaxViewLines = 200;
constexpr std::size_t kLineWidth = 5;

void keep(std::deque<std::string>& texts, const std::string& text) {
  texts.push_back(text.substr(0, kMaxTextBytes));
  if (texts.size() > kMaxHistory) texts.pop_front();
}

std::string listed_last(const std::deque<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + visible(text);
  return all;
}

}  // namespace

// ---- Events

// An answer stands behind the beginning of what gives it; what was told to succeed or fail need not be told to be left.
void Story::tell_ticking(const Event& event) {
  const EventKind last = last_kind(event);
  const bool is_of_last = last != EventKind::count && last_name_ == event.name;
  const bool is_just_entered = is_of_last && last == EventKind::enter;
  const bool is_asked_for = !options_.events.empty();  // else what says little is left out
  if (!is_asked_for && (event.kind == EventKind::status || event.value == "running")) return;
  if (event.kind == EventKind::leave && is_of_last && last == EventKind::tick) return;
  if (event.kind == EventKind::set && (last == EventKind::signal || last == EventKind::send)) {
    details_.back() += (details_.back().empty() ? "sets " : ", ") + visible(event.name) + " = " + event.value;
    return;
  }
  const bool is_answer = event.kind == EventKind::tick || event.kind == EventKind::ask;
  if (!is_answer || !is_just_entered) open(event.time_us, event.agent);
  if (event.kind == EventKind::tick) {
    tell_result(event, is_just_entered);
  } else if (event.kind == EventKind::ask) {
    tell_answer(event, is_just_entered);
  } else if (event.kind == EventKind::error) {
    tell_error(event);
  } else {
    tell_plainly(event);
  }
  last_kind_ = event.kind;
  last_name_ = event.name;
}

void Story::tell_result(const Event& event, bool is_just_entered) {
  say(is_just_entered ? ", " : visible(event.name) + ' ');
  if (event.value == "running") return say("runs");
  if (event.value == "success") return say("succeeds");
  say("fails", Style::bad);
}

// A decorator's when it was just entered, else a script's: what it decides, or that it ran.
void Story::tell_answer(const Event& event, bool is_just_entered) {
  const bool is_true = event.value == "true";
  const std::string name = visible(event.name);
  if (is_just_entered) return say(is_true ? ", is open" : ", is closed");
  if (event.name != "ExecuteLua" && event.name != "LuaWrapper") return say(name + " is " + event.value);
  say(is_true ? "runs " + name : name + " fails");
}

void Story::tell_plainly(const Event& event) {
  const std::string name = visible(event.name);
  switch (event.kind) {
    case EventKind::enter:
      say("enters ");
      return say(name, Style::enter);
    case EventKind::leave:
      return say("leaves " + name);
    case EventKind::interrupt:
      return say("interrupts " + name);
    case EventKind::reset:
      return say("resets " + name);
    case EventKind::signal:
    case EventKind::send:
      say(event.kind == EventKind::signal ? "signal " : event.waits ? "queues " : "sends ");
      say(name, Style::signal);
      details_.emplace_back();
      return;
    case EventKind::set:
      say("set ");
      return say(name + " = " + event.value, Style::set);
    case EventKind::refuse:
      say(name, Style::bad);
      return say(" is not bound");
    case EventKind::log:
      say("logs ");
      return say(name, Style::text);
    default:
      return say(std::string(name_of(event.kind)) + ' ' + name);
  }
}

// With the nodes that ended when the root did, and what led there.
void Story::tell_error(const Event& event) {
  if (!event.rules.empty()) return tell_run_away(event);
  say(visible(event.name), Style::bad);
  if (event.details.empty()) return;
  for (const std::string& completed : event.details) say_below("  " + visible(completed));
  tell_history(event.agent);
}

void Story::remember(const Event& event) {
  const bool is_event = event.kind == EventKind::signal || (event.kind == EventKind::send && !event.waits);
  if (!is_event && event.kind != EventKind::log) return;
  if (histories_.size() == kMaxHistories && histories_.count(event.agent) == 0) return;
  History& history = histories_[event.agent];
  keep(is_event ? history.events : history.messages, event.name);
}

// Told once: the next time there are others.
void Story::tell_history(std::uint32_t agent) {
  const auto found = histories_.find(agent);
  if (found == histories_.end()) return;
  const auto& [messages, events] = found->second;
  if (!messages.empty()) say_below("  last messages: " + listed_last(messages), Style::dim);
  if (!events.empty()) say_below("  last events: " + listed_last(events), Style::dim);
  histories_.erase(found);
}

// ---- The running branch

void Story::change(const Update& update) {
  if (!is_shown(update.agent)) return;
  if (session_.engine() != EngineId::select) return tell_view(update.agent);
  if (is_open_ && agent_ == update.agent) tell_reasons(update, session_.agent(update.agent)->steps);
  flush();
}

// "   12   - Sequence - text"
void Story::tell_view(std::uint32_t agent) {
  if (!options_.events.empty()) return;
  if (session_.stores()) tell_silent_change(agent);
  flush();
  time_us_ = session_.time_us();
  agent_ = agent;
  const AgentView seen = view(agent);
  std::vector<NodeLine> lines;
  if (session_.has_deciders()) {
    lines = decider_lines(seen.tree, session_.active_path(agent));
  } else {
    lines = session_.has_rules() ? rule_lines(seen) : session_.stores() ? store_lines(seen) : active_lines(seen);
  }
  for (std::size_t i = 0; i < lines.size() && i < kMaxViewLines; ++i) {
    const NodeLine& node = lines[i];
    std::string text = node.line != 0 ? std::to_string(node.line) : "";
    text.insert(0, text.size() < kLineWidth ? kLineWidth - text.size() : 0, ' ');
    text += ' ';
    for (std::size_t depth = 0; depth <= node.depth; ++depth) text += depth % 2 == 0 ? "  " : "- ";
    text += visible(node.name);
    if (!node.text.empty()) text += " - " + visible(node.text);
    Style style = node.text.empty() ? Style::dim : Style::text;
    if (node.is_running) style = Style::running;
    say_below(text, style);
  }
  if (lines.size() > kMaxViewLines) {
    say_below("      and " + std::to_string(lines.size() - kMaxViewLines) + " more", Style::dim);
  }
  const std::string timestamps = timestamps_text(seen);
  if (!lines.empty() && !timestamps.empty()) say_below("      " + visible(timestamps), Style::dim);
}

}  // namespace espalier::replay
