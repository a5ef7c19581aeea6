// Where a run is, and how it moves. See run.h.
#include "debug/run.h"

#include <algorithm>

#include "debug/messages.h"

namespace espalier::debug {

// ---- Where it is

const Now& Run::now() const {
  if (!now_ || now_->first != count_) now_ = {count_, history_.at(count_)};
  return now_->second;
}

std::vector<std::uint32_t> Run::frames_of(std::uint32_t agent) const {
  std::vector<std::uint32_t> rows;
  std::uint32_t row = history_.row_at(count_, agent, now());
  for (; row != kNoRow && !history_.rows()[row].is_title; row = history_.rows()[row].parent) rows.push_back(row);
  return rows;
}

FindValue Run::values_of(const AgentNow& agent) const {
  return [this, &agent](std::string_view name) -> std::optional<std::string> {
    for (const auto& [known, value] : agent.values) {
      if (history_.text(known) == name) return std::string(history_.text(value));
    }
    return std::nullopt;
  };
}

ConditionValue Run::value_of(const std::string& words, std::uint32_t agent) const {
  static const AgentNow kNothing;
  const auto known = now().find(agent);
  return evaluate_condition(words, values_of(known != now().end() ? known->second : kNothing));
}

std::string Run::words() const {
  if (count_ == 0) return "the beginning of the run";
  return words_of(history_, moment_at(count_)) + " at " + seconds_of(moment_at(count_).time_us);
}

void Run::move_to(std::size_t count) { count_ = std::min(count, end()); }

void Run::show(History history, std::size_t count) {
  history_ = std::move(history);
  hits_.clear();
  now_.reset();
  looked_at_ = {};
  move_to(count);
}

std::size_t Run::depth_of(const Moment& moment) const {
  return moment.row == kNoRow ? 0 : history_.rows()[moment.row].depth;
}

// ---- Breakpoints

void Run::replace(Breakpoint::Kind kind, const std::string& file, std::vector<Breakpoint> breakpoints) {
  std::erase_if(breakpoints_, [&](const Breakpoint& each) {
    return each.kind == kind && (kind != Breakpoint::Kind::element || each.asked_file == file);
  });
  for (Breakpoint& each : breakpoints) breakpoints_.push_back(std::move(each));
}

bool Run::holds_then(const Breakpoint& breakpoint, std::size_t count) {
  if (breakpoint.condition.empty()) return true;
  if (looked_at_.first > count) looked_at_ = {count, history_.at(count)};
  history_.advance(looked_at_.second, looked_at_.first, count);
  looked_at_.first = count;
  return is_true(evaluate_condition(breakpoint.condition, values_of(looked_at_.second[moment_at(count).agent])).text);
}

bool Run::is_right_hit(const Breakpoint& breakpoint, std::size_t count) {
  if (!breakpoint.hit) return holds_then(breakpoint, count);
  Hits& hits = hits_[breakpoint.id];
  while (hits.looked_at < count) {
    const std::size_t next = ++hits.looked_at;
    if (meets(history_, moment_at(next), breakpoint) && holds_then(breakpoint, next)) hits.counts.push_back(next);
  }
  const auto found = std::lower_bound(hits.counts.begin(), hits.counts.end(), count);
  if (found == hits.counts.end() || *found != count) return false;
  return breakpoint.hit->holds(static_cast<std::uint64_t>(found - hits.counts.begin()) + 1);
}

// "{battery}" is the value that the agent of the last moment has then.
std::string Run::with_values(const std::string& text, std::size_t count) const {
  const Now then = history_.at(count);
  const FindValue find = values_of(then.at(moment_at(count).agent));
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      result += text[at];
      continue;
    }
    const std::string name = text.substr(at + 1, end - at - 1);
    result += find(name).value_or('{' + name + '}');
    at = end;
  }
  return result;
}

bool Run::stops_at(std::size_t count, bool tells, Stop& stop) {
  for (const Breakpoint& breakpoint : breakpoints_) {
    if (!meets(history_, moment_at(count), breakpoint) || !is_right_hit(breakpoint, count)) continue;
    if (breakpoint.log.empty()) {
      stop.hits.push_back(&breakpoint);
    } else if (tells) {
      tell_(with_values(breakpoint.log, count));
    }
  }
  stop.reason = Reason::breakpoint;
  stop.count = count;
  if (!stop.hits.empty()) return true;
  stop.reason = Reason::difference;
  return difference_ && difference_->count == count;
}

// ---- Moves

Run::Move Run::into(std::uint32_t agent) const {
  return {[this, agent](std::size_t count) {
    const Moment& moment = moment_at(count);
    return moment.agent == agent && !moment.is_between();
  }};
}

Run::Move Run::over(std::uint32_t agent, By by) const {
  if (by == By::moment) return into(agent);
  const Moment here = count_ > 0 ? moment_at(count_) : Moment{.agent = agent};
  const bool is_update = by == By::update;
  const bool is_inside = !is_update && here.agent == agent && here.kind == MomentKind::begin && here.row != kNoRow;
  const std::size_t depth = count_ > 0 && here.is_of_node() && here.agent == agent ? depth_of(here) : SIZE_MAX;
  return {[=, this](std::size_t count) {
    const Moment& moment = moment_at(count);
    if (moment.agent != agent) return false;
    if (is_update) return moment.kind == MomentKind::update_ends;
    if (is_inside) return moment.is_completion() && moment.row == here.row;
    return moment.is_of_node() && depth_of(moment) <= depth;
  }};
}

Run::Move Run::out(std::uint32_t agent) const {
  const std::uint32_t row = history_.row_at(count_, agent, now());
  const std::uint32_t parent = row == kNoRow ? kNoRow : history_.rows()[row].parent;
  return {[=, this](std::size_t count) {
    const Moment& moment = moment_at(count);
    return moment.agent == agent && moment.is_completion() && moment.row == parent;
  }};
}

Run::Move Run::back(std::uint32_t agent, By by) const {
  const Moment here = count_ > 0 ? moment_at(count_) : Moment{.agent = agent};
  const std::size_t depth = here.is_of_node() && here.agent == agent ? depth_of(here) : SIZE_MAX;
  std::uint32_t undone = kNoRow;
  for (std::size_t count = count_; by == By::node && count > 0; --count) {
    const Moment& moment = moment_at(count);
    if (moment.agent != agent || !moment.is_completion() || depth_of(moment) > depth) continue;
    undone = moment.row;
    break;
  }
  const auto is_there = [=, this](std::size_t count) {
    const Moment& moment = moment_at(count);
    if (moment.agent != agent) return false;
    if (by == By::update) return moment.kind == MomentKind::update_ends;
    if (undone != kNoRow) return moment.kind == MomentKind::begin && moment.row == undone;
    return !moment.is_between();
  };
  return {is_there, true, false};
}

Run::Search Run::begin(Move move, bool is_at_end) const {
  const bool is_behind = move.is_back && is_at_end;
  return {std::move(move), count_, count_ + (is_behind ? 1 : 0)};
}

bool Run::count_hits(const Search& search, const std::function<bool()>& is_late) {
  constexpr std::size_t kMomentsAtOnce = 64;
  const std::size_t until = std::min(search.at, end());  // from behind the end there is one more
  for (const Breakpoint& breakpoint : breakpoints_) {
    if (!breakpoint.hit || !search.move.is_for_breakpoints) continue;
    for (std::size_t& counted = hits_[breakpoint.id].looked_at; counted < until;) {
      static_cast<void>(is_right_hit(breakpoint, std::min(until, counted + kMomentsAtOnce)));
      if (is_late()) return false;
    }
  }
  return true;
}

Run::Looked Run::look(Search& search, Stop& stop) {
  stop = {};
  if (search.move.is_back) return look_back(search, stop) ? Looked::stops : Looked::goes_on;
  if (search.at >= end()) return Looked::is_at_end;
  return look_forward(search, stop) ? Looked::stops : Looked::goes_on;
}

bool Run::look_forward(Search& search, Stop& stop) {
  const std::size_t count = ++search.at;
  if (stops_at(count, true, stop)) return true;
  stop.reason = Reason::step;
  return search.move.is_there && search.move.is_there(count);
}

bool Run::look_back(Search& search, Stop& stop) {
  if (search.at <= 1) {
    stop = {Reason::beginning, 0};
    return true;
  }
  const std::size_t count = --search.at;
  if (search.move.is_for_breakpoints && stops_at(count, false, stop)) return true;
  stop = {Reason::step, count};
  return count < search.from && search.move.is_there && search.move.is_there(count);
}

}  // namespace espalier::debug
