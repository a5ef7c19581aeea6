// How the run moves, and its times. See adapter.h.
#include <algorithm>

#include "debug/adapter.h"

namespace espalier::debug {

namespace {

Run::By granularity_in(const Json& arguments) {
  const std::string granularity = string_in(arguments, "granularity");
  if (granularity == "instruction") return Run::By::moment;
  return granularity == "line" ? Run::By::update : Run::By::node;
}

}  // namespace

void Adapter::move_to(std::size_t count, const std::string& reason, const std::string& description,
                      const std::vector<const Breakpoint*>& hits) {
  end_search();
  run_.move_to(count);
  is_at_end_ = reason == "end";
  std::string words = description.empty() ? run_.words() : description;
  if (held_at_ != 0 && count == held_at_) words += "; the program stands still until the run continues";
  told_fault_ = words;
  const std::uint32_t agent = count > 0                   ? moment_at(count).agent
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
  after_ = [this] { go({}); };
  return {{"allThreadsContinued", true}};
}

Json Adapter::reverse_continue(const Json&) {
  need_run();
  after_ = [this] { go({.is_back = true}); };
  return {};
}

Json Adapter::next(const Json& arguments) {
  need_run();
  const Run::By by = granularity_in(arguments);
  if (by == Run::By::moment) return step_in(arguments);
  const std::uint32_t held = held_at_ == 0 ? kNoRow : moment_at(held_at_).row;
  if (hold_next([&](std::uint32_t row) {
        return by == Run::By::update ? row == live_->rows().front() : !is_below(row, held);
      }))
    return {};
  after_ = [this, agent = agent_of(arguments), by] { go(run_.over(agent, by)); };
  return {};
}

Json Adapter::step_in(const Json& arguments) {
  need_run();
  if (hold_next([](std::uint32_t) { return true; })) return {};
  after_ = [this, agent = agent_of(arguments)] { go(run_.into(agent)); };
  return {};
}

Json Adapter::step_out(const Json& arguments) {
  need_run();
  const std::uint32_t outside = held_at_ == 0 ? kNoRow : history_.rows()[moment_at(held_at_).row].parent;
  if (hold_next([&](std::uint32_t row) { return !is_below(row, outside); })) return {};
  after_ = [this, agent = agent_of(arguments)] { go(run_.out(agent)); };
  return {};
}

Json Adapter::step_back(const Json& arguments) {
  need_run();
  after_ = [this, agent = agent_of(arguments), by = granularity_in(arguments)] { go(run_.back(agent, by)); };
  return {};
}

Json Adapter::restart_frame(const Json& arguments) {
  need_run();
  const Reference frame = Reference::of(integer_in(arguments, "frameId").value_or(0));
  const std::vector<std::uint32_t> rows = run_.frames_of(frame.agent);
  if (frame.frame >= rows.size()) throw Fault{"there is no such frame now"};
  for (std::size_t count = run_.count(); count > 0; --count) {
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
