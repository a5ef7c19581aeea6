// Where the run is, and how it moves. See adapter.h.
#include <algorithm>

#include "debug/adapter.h"

namespace espalier::debug {

// ---- The run

std::size_t Adapter::depth_of(const Moment& moment) const {
  return moment.row == kNoRow ? 0 : history_.rows()[moment.row].depth;
}

const Now& Adapter::now() const {
  if (!now_ || now_->first != count_) now_ = {count_, history_.at(count_)};
  return now_->second;
}

FindValue Adapter::values_of(const AgentNow& agent) const {
  return [this, &agent](std::string_view name) -> std::optional<std::string> {
    for (const auto& [known, value] : agent.values) {
      if (history_.text(known) == name) return std::string(history_.text(value));
    }
    return std::nullopt;
  };
}

bool Adapter::holds_then(const Breakpoint& breakpoint, std::size_t count) {
  if (breakpoint.condition.empty()) return true;
  if (looked_at_.first > count) looked_at_ = {count, history_.at(count)};
  history_.advance(looked_at_.second, looked_at_.first, count);
  looked_at_.first = count;
  return is_true(evaluate_condition(breakpoint.condition, values_of(looked_at_.second[moment_at(count).agent])).text);
}

bool Adapter::is_right_hit(const Breakpoint& breakpoint, std::size_t count) {
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

std::vector<const Breakpoint*> Adapter::hits_at(std::size_t count, bool tells_logs) {
  std::vector<const Breakpoint*> hits;
  for (const Breakpoint& breakpoint : breakpoints_) {
    if (!meets(history_, moment_at(count), breakpoint) || !is_right_hit(breakpoint, count)) continue;
    if (breakpoint.log.empty()) {
      hits.push_back(&breakpoint);
    } else if (tells_logs) {
      event("output", {{"category", "console"}, {"output", with_values(breakpoint.log, count) + '\n'}});
    }
  }
  return hits;
}

// "{battery}" is the value that the agent of the last moment has then.
std::string Adapter::with_values(const std::string& text, std::size_t count) const {
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

void Adapter::move_to(std::size_t count, const std::string& reason, const std::string& description,
                      const std::vector<const Breakpoint*>& hits) {
  end_search();
  count_ = count;
  is_at_end_ = reason == "end";
  std::string words = description;
  if (words.empty() && count_ > 0)
    words = words_of(history_, moment_at(count_)) + " at " + seconds_of(moment_at(count_).time_us);
  if (words.empty()) words = "the beginning of the run";
  if (held_at_ != 0 && count_ == held_at_) words += "; the program stands still until the run continues";
  told_fault_ = words;
  const std::uint32_t agent = count_ > 0                  ? moment_at(count_).agent
                              : history_.agents().empty() ? 0
                                                          : history_.agents().front();
  Json body = {{"reason", reason}, {"description", words}, {"threadId", agent + 1}, {"allThreadsStopped", true}};
  if (reason == "exception") body["text"] = words;
  for (const Breakpoint* hit : hits) body["hitBreakpointIds"].push_back(hit->id);
  event("stopped", std::move(body));
}

std::uint32_t Adapter::agent_of(const Json& arguments) const {
  const std::int64_t thread = integer_in(arguments, "threadId").value_or(1);
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(thread - 1, 0, UINT32_MAX - 1));
}

Json Adapter::go_on(const Json&) {
  need_run();
  after_ = [this] { run_forward({}); };
  return {{"allThreadsContinued", true}};
}

Json Adapter::reverse_continue(const Json&) {
  need_run();
  after_ = [this] { run_back({}); };
  return {};
}

// A node that begins is run to its result; after a result the next node at this depth or above begins or ends.
Json Adapter::next(const Json& arguments) {
  need_run();
  const std::uint32_t agent = agent_of(arguments);
  const std::string granularity = string_in(arguments, "granularity");
  if (granularity == "instruction") return step_in(arguments);
  const std::uint32_t held = held_at_ == 0 ? kNoRow : moment_at(held_at_).row;
  if (hold_next([&](std::uint32_t row) {
        return granularity == "line" ? row == live_->rows().front() : !is_below(row, held);
      }))
    return {};
  after_ = [this, agent, is_update = granularity == "line"] {
    const Moment here = count_ > 0 ? moment_at(count_) : Moment{.agent = agent};
    const bool is_inside = !is_update && here.agent == agent && here.kind == MomentKind::begin && here.row != kNoRow;
    const std::size_t depth = count_ > 0 && here.is_of_node() && here.agent == agent ? depth_of(here) : SIZE_MAX;
    run_forward([=, this](std::size_t count) {
      const Moment& moment = moment_at(count);
      if (moment.agent != agent) return false;
      if (is_update) return moment.kind == MomentKind::update_ends;
      if (is_inside) return moment.is_completion() && moment.row == here.row;
      return moment.is_of_node() && depth_of(moment) <= depth;
    });
  };
  return {};
}

Json Adapter::step_in(const Json& arguments) {
  need_run();
  if (hold_next([](std::uint32_t) { return true; })) return {};
  after_ = [this, agent = agent_of(arguments)] {
    run_forward([=, this](std::size_t count) {
      const Moment& moment = moment_at(count);
      return moment.agent == agent && !moment.is_between();
    });
  };
  return {};
}

Json Adapter::step_out(const Json& arguments) {
  need_run();
  const std::uint32_t outside = held_at_ == 0 ? kNoRow : history_.rows()[moment_at(held_at_).row].parent;
  if (hold_next([&](std::uint32_t row) { return !is_below(row, outside); })) return {};
  const std::uint32_t agent = agent_of(arguments);
  after_ = [this, agent] {
    const std::uint32_t row = history_.row_at(count_, agent, now());
    const std::uint32_t parent = row == kNoRow ? kNoRow : history_.rows()[row].parent;
    run_forward([=, this](std::size_t count) {
      const Moment& moment = moment_at(count);
      return moment.agent == agent && moment.is_completion() && moment.row == parent;
    });
  };
  return {};
}

// To where the last node at this depth or above began that had a result: what it did is undone.
Json Adapter::step_back(const Json& arguments) {
  need_run();
  const std::uint32_t agent = agent_of(arguments);
  const std::string granularity = string_in(arguments, "granularity");
  after_ = [this, agent, granularity] {
    const Moment here = count_ > 0 ? moment_at(count_) : Moment{.agent = agent};
    const std::size_t depth = here.is_of_node() && here.agent == agent ? depth_of(here) : SIZE_MAX;
    std::uint32_t undone = kNoRow;
    for (std::size_t count = count_; granularity != "instruction" && granularity != "line" && count > 0; --count) {
      const Moment& moment = moment_at(count);
      if (moment.agent != agent || !moment.is_completion() || depth_of(moment) > depth) continue;
      undone = moment.row;
      break;
    }
    const auto is_there = [=, this](std::size_t count) {
      const Moment& moment = moment_at(count);
      if (moment.agent != agent) return false;
      if (granularity == "line") return moment.kind == MomentKind::update_ends;
      if (undone != kNoRow) return moment.kind == MomentKind::begin && moment.row == undone;
      return !moment.is_between();
    };
    run_back(is_there, false);
  };
  return {};
}

Json Adapter::restart_frame(const Json& arguments) {
  need_run();
  const Reference frame = Reference::of(integer_in(arguments, "frameId").value_or(0));
  const std::vector<std::uint32_t> rows = frames_of(frame.agent);
  if (frame.frame >= rows.size()) throw Fault{"there is no such frame now"};
  for (std::size_t count = count_; count > 0; --count) {
    const Moment& moment = moment_at(count);
    if (moment.agent != frame.agent || moment.kind != MomentKind::begin || moment.row != rows[frame.frame]) continue;
    after_ = [this, count] { move_to(count, "restart"); };
    return {};
  }
  throw Fault{"its node began before the run did"};
}

// ---- Times to go to

Json Adapter::go_to_targets(const Json& arguments) {
  need_run();
  const Json* const source = find(arguments, "source");
  const std::string file = source != nullptr ? string_in(*source, "path") : std::string();
  const std::int64_t from = lines_begin_at_1_ ? 0 : 1;
  const std::int64_t line = integer_in(arguments, "line").value_or(0) + from;
  constexpr std::size_t kMostTargets = 100;
  Json targets = Json::array();
  for (std::size_t count = 1; count <= end() && targets.size() < kMostTargets; ++count) {
    const Moment& moment = moment_at(count);
    if (moment.kind != MomentKind::begin) continue;
    const Place& place = history_.place(moment);
    if (place.line != line || !is_file(place.file, file)) continue;
    targets.push_back({{"id", count},
                       {"label", words_of(history_, moment) + " at " + seconds_of(moment.time_us)},
                       {"line", line - from}});
  }
  return {{"targets", std::move(targets)}};
}

Json Adapter::go_to(const Json& arguments) {
  need_run();
  const std::int64_t target = integer_in(arguments, "targetId").value_or(-1);
  if (target < 0 || static_cast<std::size_t>(target) > end()) throw Fault{"there is no such target"};
  after_ = [this, target] { move_to(static_cast<std::size_t>(target), "goto"); };
  return {};
}

}  // namespace espalier::debug
