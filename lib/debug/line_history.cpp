// Lines of a trace, one by one. See line_history.h.
#include "debug/line_history.h"

#include "replay/event.h"

namespace espalier::debug {

LineHistory::LineHistory(History& history, const Asset& asset, const std::string& path,
                         const replay::ReplayOptions& options)
    : history_(history),
      clock_us_(options.start ? options.start->clock_us : 0),
      observer_(history.begin(asset, path, options)) {
  observer_.begin = [this](const replay::Beginning& beginning) {
    for (const Tree& tree : beginning.trees) static_cast<void>(history_.know(tree));
  };
  observer_.event = [this, take = observer_.event](const replay::Event& event) {
    const std::size_t count = history_.moments().size();
    take(event);
    if (!replay::is_written(event.kind)) return;
    const bool is_new = history_.moments().size() > count;
    if (is_new && history_.moments().back().kind == MomentKind::set) return;  // it has its words
    const std::uint32_t words = history_.number_of(replay::event_text(event, false));
    if (is_new && history_.moments().back().is_of_node()) return history_.name_last(words);
    history_.add({.time_us = event.time_us, .agent = event.agent, .name = words, .kind = MomentKind::event});
  };
  replay_.emplace(asset, options, sources_, observer_);
}

bool LineHistory::run(const std::string& line, const replay::LinePlace& place) {
  if (!replay_->run(line, place)) return false;
  clock_us_ += History::passed_us(line);  // nothing may have happened
  const std::uint32_t agent = history_.moments().empty() ? 0 : history_.moments().back().agent;
  history_.add({.time_us = clock_us_, .agent = agent, .kind = MomentKind::line});
  return true;
}

bool is_event(const History& history, const Moment& moment, const std::string& words) {
  const bool is_set = moment.kind == MomentKind::set;
  if (!is_set && !moment.is_of_node() && moment.kind != MomentKind::event) return false;
  std::string text(history.text(moment.name));
  if (is_set) text = "set " + text + ' ' + std::string(history.text(moment.value));
  if (!words.empty() && words.front() >= '0' && words.front() <= '9')
    text.insert(0, std::to_string(moment.agent) + ':');
  return (text + ' ').compare(0, words.size() + 1, words + ' ') == 0;
}

}  // namespace espalier::debug
