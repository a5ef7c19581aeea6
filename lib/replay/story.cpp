// A replay told to people. See story.h.
#include "replay/story.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "codegen/dump/disassemble.h"
#include "report/line_view.h"

namespace espalier::replay {
namespace {

using report::visible;

constexpr std::size_t kTimeWidth = 9;
constexpr std::size_t kAgentWidth = 10;  // "agent 12  "
constexpr std::size_t kWordsWidth = 36;
constexpr std::size_t kMaxReasons = 3;
constexpr std::size_t kMaxConditionBytes = 120;

using Question = std::tuple<std::uint32_t, std::uint32_t, std::int32_t>;

Question question(const Step& step) { return {step.node_word, step.leaf_base, step.transition}; }

// The step that made the difference: the first question that the evaluation before had answered otherwise, else the
// first that it had not asked; null when there is none. (A machine goes on from another state than before, so that the
// two do not ask the same questions in a row.)
const Step* deciding_step(const std::vector<Step>& before, const std::vector<Step>& now) {
  std::map<Question, bool> answers;
  for (const Step& step : before) answers[question(step)] = step.holds;
  const Step* first_new = nullptr;
  for (const Step& step : now) {
    const auto answer = answers.find(question(step));
    if (answer == answers.end()) {
      if (first_new == nullptr && step.condition != 0) first_new = &step;
    } else if (answer->second != step.holds) {
      return &step;
    }
  }
  return first_new;
}

// Seconds with the milliseconds, and more where there is more.
std::string time_text(std::uint64_t time_us) {
  constexpr std::size_t kDigits = 3;
  std::string text = seconds_text(time_us);
  std::size_t point = text.find('.');
  if (point == std::string::npos) {
    point = text.size();
    text += '.';
  }
  const std::size_t digits = text.size() - point - 1;
  return text + std::string(digits < kDigits ? kDigits - digits : 0, '0');
}

std::size_t width_of(std::string_view words) {
  return std::count_if(words.begin(), words.end(), [](char letter) { return (letter & 0xC0) != 0x80; });
}

std::string spaces(std::size_t count) { return std::string(count, ' '); }

}  // namespace

Story::Story(const Session& session, const ReplayOptions& options, std::ostream& out)
    : session_(session), options_(options), out_(out) {
  if (options.events.empty()) return;
  kinds_ = {};
  for (const std::string& kind : options.events) static_cast<void>(kinds_.add(kind));
}

void Story::begin(std::string_view path) {
  const std::uint32_t count = session_.living_count();
  out_ << styled(visible(path), Style::bold);
  if (!session_.name().empty()) out_ << ": " << visible(session_.name());
  out_ << styled("  (tree " + visible(tree_name(session_.tree())) + ", " + std::to_string(count) +
                     (count == 1 ? " agent)" : " agents)"),
                 Style::dim)
       << '\n';
}

void Story::event(const Event& event) {
  if (!is_shown(event.agent)) return;
  if (session_.ticks()) remember(event);
  if (!kinds_.has(event.kind)) return;
  if (session_.has_deciders()) {
    tell_deciders(event);
  } else if (session_.has_rules()) {
    tell_rules(event);
  } else if (session_.stores()) {
    tell_synchronized(event);
  } else if (session_.ticks()) {
    tell_ticking(event);
  } else {
    tell_selecting(event);
  }
}

EventKind Story::last_kind(const Event& event) const {
  return is_open_ && time_us_ == event.time_us && agent_ == event.agent ? last_kind_ : EventKind::count;
}

// What a signal sets stands behind it; the next behaviour stands behind the one that ends.
void Story::tell_selecting(const Event& event) {
  if (event.kind == EventKind::status && event.name != "failure") return;
  const EventKind last = last_kind(event);
  const bool is_set = event.kind == EventKind::set;
  const std::string assignment = visible(event.name) + " = " + event.value;
  if (is_set && last == EventKind::signal) {
    details_.back() += (details_.back().empty() ? "sets " : ", ") + assignment;
    return;
  }
  if (last == EventKind::leave && event.kind != EventKind::leave && !is_set && event.kind != EventKind::signal) {
    say(", ");
  } else if (last == EventKind::set && is_set) {
    say(", ");
    say(assignment, Style::set);
    return;
  } else {
    open(event.time_us, event.agent);
  }
  last_kind_ = event.kind;
  switch (event.kind) {
    case EventKind::enter:
      say("enters ");
      return say(visible(event.name), Style::enter);
    case EventKind::refuse:
      say(visible(event.name), Style::bad);
      return say(" refuses");
    case EventKind::leave:
      return say("leaves " + visible(event.name));
    case EventKind::signal:
      say("signal ");
      say(visible(event.name), Style::signal);
      details_.emplace_back();
      return;
    case EventKind::set:
      say("set ");
      return say(assignment, Style::set);
    case EventKind::status:
      return say("selects nothing", Style::bad);
    default:  // selection trees have no others
      return;
  }
}

void Story::tell_reasons(const Update& update, const std::vector<Step>& steps) {
  std::vector<const Step*> reasons;
  std::size_t left_out = 0;
  const auto add = [&](const Step* step) {
    if (step == nullptr || step->condition == 0) return;
    if (!reasons.empty() && question(*reasons.back()) == question(*step)) return;
    if (reasons.size() == kMaxReasons) {
      ++left_out;
    } else {
      reasons.push_back(step);
    }
  };
  if (update.old_steps.empty()) {
    for (const Step& step : steps) add(&step);
  } else {
    add(deciding_step(update.old_steps, steps));
    if (update.new_leaf != kNoLeaf && !steps.empty()) add(&steps.back());
  }
  for (const Step* step : reasons) {
    details_.push_back((details_.empty() ? "because " : "    and ") + reason(*step));
  }
  if (left_out > 0) details_.push_back("    and " + std::to_string(left_out) + " more");
}

// "Attack: Alerted and !Hurt is true  (guard.xml:12)".
std::string Story::reason(const Step& step) const {
  const codegen::NodeDebug debug = codegen::node_debug(*session_.tree().asset, step.node_word);
  std::string text = visible(debug.name);
  if (step.transition >= 0) {
    text += (text.empty() ? "transition " : ", transition ") + std::to_string(step.transition + 1);
  }
  std::string condition = codegen::condition_text(session_.tree(), step.condition);
  if (condition.size() > kMaxConditionBytes) condition = condition.substr(0, kMaxConditionBytes) + "... ";
  text += (text.empty() ? "" : ": ") + condition + (step.holds ? " is true" : " is false");
  if (debug.line != 0) text += "  (" + visible(debug.file) + ':' + std::to_string(debug.line) + ')';
  return text;
}

void Story::remark(std::uint32_t agent, const std::string& text) {
  if (!is_shown(agent)) return;
  open(session_.time_us(), agent);
  if (!session_.has_several_agents()) say("agent " + std::to_string(agent) + ' ', Style::dim);
  say(visible(text), Style::dim);
  flush();
}

// ---- Lines

void Story::open(std::uint64_t time_us, std::uint32_t agent) {
  flush();
  is_open_ = true;
  time_us_ = time_us;
  agent_ = agent;
}

void Story::say(std::string_view words, Style style) {
  words_.text += styled(words, style);
  words_.width += width_of(words);
}

// Details stand in a column of their own; below the words when those reach into it.
void Story::flush() {
  if (!is_open_) return;
  if (last_kind_ == EventKind::signal && !session_.ticks() && details_.back().empty() && kinds_.has(EventKind::set)) {
    details_.back() = "changes nothing";
  }
  const std::string time = time_text(time_us_);
  const std::string agent = agent_text();
  out_ << spaces(time.size() < kTimeWidth ? kTimeWidth - time.size() : 0) << time << "  " << styled(agent, Style::dim)
       << words_.text;
  bool is_behind = words_.width + 2 <= kWordsWidth;
  for (const std::string& detail : details_) {
    if (detail.empty()) continue;
    if (is_behind) {
      out_ << spaces(kWordsWidth - words_.width);
    } else {
      out_ << '\n' << spaces(indent() + kWordsWidth);
    }
    out_ << styled(detail, Style::dim);
    is_behind = false;
  }
  out_ << '\n';
  is_open_ = false;
  last_kind_ = EventKind::count;
  last_name_.clear();
  words_ = {};
  details_.clear();
}

std::string Story::agent_text() const {
  if (!session_.has_several_agents()) return {};
  const std::string agent = "agent " + std::to_string(agent_);
  return agent + spaces(agent.size() < kAgentWidth ? kAgentWidth - agent.size() : 1);
}

std::size_t Story::indent() const { return std::max(kTimeWidth, time_text(time_us_).size()) + 2 + agent_text().size(); }

void Story::say_below(std::string_view words, Style style) {
  flush();
  out_ << spaces(indent()) << styled(words, style) << '\n';
}

std::string Story::styled(std::string_view words, Style style) const {
  constexpr std::string_view kCodes[] = {"",         "\x1b[1m",  "\x1b[2m",  "\x1b[1;32m", "\x1b[36m",
                                         "\x1b[33m", "\x1b[31m", "\x1b[34m", "\x1b[97m"};
  std::string shown = visible(words);
  if (!options_.color || style == Style::plain || shown.empty()) return shown;
  return std::string(kCodes[static_cast<unsigned>(style)]) + shown + "\x1b[0m";
}

}  // namespace espalier::replay
