// How a prompt moves a run, and what it says of where that is. See prompt.h.
#include <algorithm>
#include <utility>

#include "debug/messages.h"
#include "debug/prompt_breakpoints.h"
#include "debug/prompt_state.h"
#include "debug/questions.h"
#include "replay/event.h"
#include "text/names.h"

namespace espalier::debug {

// ---- Moves

Run::Stop Prompt::State::go(Run::Move move) {
  const bool is_back = move.is_back;
  Run::Search search = run_.begin(std::move(move), false);
  static_cast<void>(run_.count_hits(search, [] { return false; }));
  Run::Stop stop;
  has_fault_ = false;
  while (true) {
    const Run::Looked looked = run_.look(search, stop);
    if (looked == Run::Looked::is_at_end) {
      stop = {Run::Reason::end, run_.end()};
      if (lines_.ahead().empty()) break;
      const PromptLines::Ran ran = lines_.run_next();
      if (ran.is_right) continue;
      tell(ran.story);
      has_fault_ = true;
      break;
    }
    if (!is_back && run_.moment_at(search.at).kind == MomentKind::line)
      tell(lines_.done()[lines_.line_at(search.at)].story);
    if (looked == Run::Looked::stops) break;
  }
  // The first line stays.
  const std::size_t first = lines_.done()[lines_.first - 1].end;
  if (stop.count < first) stop = {Run::Reason::beginning, first};
  run_.move_to(stop.count);
  return stop;
}

bool Prompt::State::rests_behind(std::size_t line) const {
  const PromptLines::Line* const behind = lines_.at(line + 1);
  return behind == nullptr || !behind->is_idle;
}

void Prompt::State::next(std::size_t count) {
  const auto is_there = [this, left = count, has_failed = false](std::size_t at) mutable {
    const Moment& moment = run_.moment_at(at);
    has_failed |= moment.kind == MomentKind::failed;
    if (moment.kind != MomentKind::line) return false;
    const std::size_t line = lines_.line_at(at);
    if (left > 0 && !lines_.done()[line].line.is_idle) --left;
    return (left == 0 || has_failed) && rests_behind(line);
  };
  say_stop(go({is_there}), false);
}

// To before the line with this number, or behind the one in which the awaited event happens.
Run::Move Prompt::State::to_line_behind(std::optional<std::size_t> number, const std::string& awaited) const {
  return {[this, number, awaited, has_event = false](std::size_t at) mutable {
    const Moment& moment = run_.moment_at(at);
    has_event |= moment.kind == MomentKind::failed;
    has_event |= !awaited.empty() && is_event(run_.history(), moment, awaited);
    if (moment.kind != MomentKind::line) return false;
    const std::size_t line = lines_.line_at(at);
    const PromptLines::Line* const behind = lines_.at(line + 1);
    const bool is_line = number && behind != nullptr && lines_.number_of(*behind).value_or(0) >= *number;
    return (is_line || has_event) && rests_behind(line);
  }};
}

void Prompt::State::run_on(const Words& words) {
  const std::optional<std::size_t> number = words.size() == 1 ? number_of(words.front()) : std::nullopt;
  const PromptLines::Line* const line = lines_.next();
  const std::size_t here = line == nullptr ? trace_.lines.size() + 1 : lines_.number_of(*line).value_or(0);
  if (number && *number <= here) return say("line " + words.front() + " is not ahead", "'back' goes back");
  std::string awaited;
  if (!number && !words.empty()) {
    const std::size_t colon = words.front().find(':');  // after the number of an agent
    const std::string kind = words.front().substr(colon == std::string::npos ? 0 : colon + 1);
    if (!replay::is_kind_name(kind)) {
      const std::string hint = text::did_you_mean(kind, replay::kind_names());
      return say("no event is called " + text::quote(kind), hint.empty() ? "run [LINE | EVENT]" : hint);
    }
    for (const std::string& word : words) awaited += (awaited.empty() ? "" : " ") + word;
  }
  say_stop(go(to_line_behind(number, awaited)), false);
}

void Prompt::State::run_back(const Words& words) {
  if (words.size() == 1) return say_stop(go({.is_back = true}), true);
  if (last_write(run_.history(), run_.count(), agent(), words[1]) == 0)
    return say("nobody has written " + text::quote(words[1]) + " yet", "a variable or an entry");
  const auto is_there = [this, name = words[1], agent = agent()](std::size_t count) {
    const Moment& moment = run_.moment_at(count);
    return moment.agent == agent && is_write_of(run_.history(), moment, name);
  };
  say_stop(go({is_there, true, false}), true);
}

void Prompt::State::step(const Words& words) {
  const std::string how = words.empty() ? "in" : words.front();
  const bool is_of_updates = words.size() == 2 && words[1] == "update";
  if (how == "back" && (words.size() == 1 || is_of_updates)) {
    return say_stop(go(run_.back(agent(), is_of_updates ? Run::By::update : Run::By::node)), true);
  }
  if (words.size() < 2) {
    if (how == "in") return say_stop(go(run_.into(agent())), true);
    if (how == "over") return say_stop(go(run_.over(agent(), Run::By::node)), true);
    if (how == "update") return say_stop(go(run_.over(agent(), Run::By::update)), true);
    if (how == "out") return say_stop(go(run_.out(agent())), true);
  }
  say("wrong arguments for 'step'", "step " + std::string(kStep));
}

void Prompt::State::go_to(const std::string& word) {
  const std::optional<double> time_s = seconds_in(word);
  if (!time_s) return say(text::quote(word) + " is no time in seconds, such as 12.3");
  const std::size_t first = lines_.done()[lines_.first - 1].end;
  std::size_t count = last_until(run_.history(), run_.end(), *time_s);
  while (count > first && run_.moment_at(count).kind == MomentKind::event) --count;  // of what stands before it
  run_.move_to(std::max(first, count));
  say_moment();
}

// ---- What is said of where the run is

// "at 0.2 s: Attack begins  (guard.xml:12)"
void Prompt::State::say_moment(const std::string& before) {
  if (run_.count() <= lines_.done()[lines_.first - 1].end) return say("  the beginning of the run");
  const Moment& moment = run_.moment_at(run_.count());
  std::string words = "  " + before;
  if (run_.history().agents().size() > 1) words += "agent " + std::to_string(moment.agent) + ' ';
  words += "at " + seconds_of(moment.time_us) + ": " + words_of(run_.history(), moment);
  const Place& place = moment.row == kNoRow ? Place{} : run_.history().place(moment);
  if (moment.is_of_node() && place.line != 0)
    words += "  (" + std::string(place.file) + ':' + std::to_string(place.line) + ')';
  say(words);
}

// `is_of_moments`: as after a step. Otherwise the next line is what counts.
void Prompt::State::say_stop(const Run::Stop& stop, bool is_of_moments) {
  if (stop.reason == Run::Reason::breakpoint) {
    std::string ids;
    for (const Breakpoint* hit : stop.hits) ids += (ids.empty() ? "" : ", ") + std::to_string(hit->id);
    return say_moment("breakpoint " + ids + ", ");
  }
  if (!is_of_moments || has_fault_) return say_next();
  if (stop.reason != Run::Reason::end) return say_moment();
  say(trace_.path.empty() ? "  nothing more has happened; 'tick' goes on" : "  the trace has no more lines");
}

// ---- Breakpoints

void Prompt::State::set_breakpoint(const Words& words) {
  if (words.empty() && run_.breakpoints().empty()) return say("  there are no breakpoints");
  if (words.empty()) {
    for (const Breakpoint& each : run_.breakpoints()) say("  " + words_of(each));
    return;
  }
  Breakpoint breakpoint;
  if (const std::string fault = read_breakpoint(run_.history(), words, breakpoint); !fault.empty())
    return say(fault, "break " + std::string(kBreak));
  breakpoint.id = run_.next_id();
  run_.breakpoints().push_back(breakpoint);
  say("  " + words_of(breakpoint));
}

void Prompt::State::clear(const std::string& word) {
  const std::optional<std::size_t> number = number_of(word);
  const std::size_t count = std::erase_if(run_.breakpoints(), [&](const Breakpoint& each) {
    return word == "all" || (number && each.id == static_cast<std::int64_t>(*number));
  });
  if (count == 0 && word != "all") say("there is no breakpoint " + text::quote(word), "'break' lists them");
}

// ---- Questions

void Prompt::State::where() {
  say_moment();
  const auto known = run_.now().find(agent());
  const std::uint32_t version = known == run_.now().end() ? 0 : known->second.version;
  for (const std::uint32_t row : run_.frames_of(agent())) {
    const Place& place = run_.history().place(version, row);
    const std::string file =
        place.line == 0 ? "" : "  (" + std::string(place.file) + ':' + std::to_string(place.line) + ')';
    say("    " + run_.history().rows()[row].name + file);
  }
}

void Prompt::State::value(const Words& words) {
  if (!words.empty()) {
    std::string expression;
    for (const std::string& word : words) expression += (expression.empty() ? "" : " ") + word;
    const ConditionValue value = run_.value_of(expression, agent());
    if (!value.fault.empty()) return say(value.fault);
    if (value.text.empty()) return say(text::quote(expression) + " is no variable or entry that has a value now");
    return say("  " + value.text);
  }
  const auto known = run_.now().find(agent());
  if (known == run_.now().end()) return say("  nothing has a value yet");
  const History& history = run_.history();
  for (const auto& [name, value] : known->second.values)
    say("  " + std::string(history.text(name)) + " = " + std::string(history.text(value)));
  for (const auto& [name, value] : known->second.answers)
    say("  " + std::string(history.text(name)) + " answers " + std::string(history.text(value)));
}

void Prompt::State::who_wrote(const Words& words) {
  if (words.front() != "wrote") return say("wrong arguments for 'who'", "who wrote NAME");
  const std::size_t count = last_write(run_.history(), run_.count(), agent(), words[1]);
  say("  " +
      (count == 0 ? "nobody has written " + text::quote(words[1]) + " yet" : words_of_write(run_.history(), count)));
}

void Prompt::State::why(const std::string& node) {
  const std::size_t count = last_of(run_.history(), run_.count(), agent(), node);
  if (count == 0) {
    return say("  " + (node.empty() ? "nothing has happened yet" : text::quote(node) + " has not begun yet"));
  }
  const std::string told = explain_ ? explain_(run_.history(), count) : std::string();
  if (!told.empty()) tell(told + '\n');
}

}  // namespace espalier::debug
