// The story of selection trees: the selected behaviour, and the conditions that selected it. See tellers.h.
#include <tuple>

#include "report/line_view.h"
#include "report/tellers.h"

namespace espalier::report {
namespace {

constexpr std::size_t kMaxFirst = 4;  // reasons of a line
constexpr std::size_t kMaxLast = 2;
constexpr std::uint64_t kMaxKeptSteps = std::uint64_t{4} * 1024 * 1024;  // of all agents together

using Question = std::tuple<std::uint32_t, std::uint32_t, std::int32_t>;

Question question(const Step& step) { return {step.node_word, step.leaf_base, step.transition}; }

// The deciding steps: questions that the previous evaluation answered differently or did not ask. (A machine may begin
// in a different state than before, so the two evaluations may ask different sequences of questions.)
std::vector<const Step*> deciding_steps(const std::vector<Step>& before, const std::vector<Step>& now) {
  std::map<Question, bool> answers;
  for (const Step& step : before) answers[question(step)] = step.holds;
  std::vector<const Step*> deciding;
  for (const Step& step : now) {
    const auto answer = answers.find(question(step));
    if (answer == answers.end() || answer->second != step.holds) deciding.push_back(&step);
  }
  return deciding;
}

}  // namespace

void SelectTeller::event(const Event& event) {
  switch (event.kind) {
    case EventKind::begin:
      old_leaf_ = current_leaf(telling_.agent().tree, telling_.agent().block);
      is_status_new_ = false;
      steps_.clear();
      return;
    case EventKind::step:
      steps_.push_back(std::get<Step>(*event.step));
      return;
    case EventKind::end:
      return end(event.agent);
    case EventKind::destroy:
    case EventKind::reload:
      if (const auto kept = last_steps_.find(event.agent); kept != last_steps_.end()) {
        kept_count_ -= kept->second.size();
        last_steps_.erase(kept);
      }
      return;
    case EventKind::status:
      is_status_new_ = true;
      [[fallthrough]];
    default:
      if (telling_.kinds.has(event.kind)) tell(event);
  }
}

// What a signal sets is its detail; the next behaviour is on the line of the one that ends.
void SelectTeller::tell(const Event& event) {
  if (event.kind == EventKind::status && event.subject != "failure") return;
  Page& page = telling_.page;
  const EventKind last = page.last_kind(event);
  const bool is_set = event.kind == EventKind::set;
  if (is_set && last == EventKind::signal) return page.extend_detail("sets ", {event.subject, " = ", event.value});
  if (last == EventKind::leave && event.kind != EventKind::leave && !is_set && event.kind != EventKind::signal) {
    page.say(", ");
  } else if (last == EventKind::set && is_set) {
    page.say(", ");
    return page.say({event.subject, " = ", event.value}, Style::set);
  } else {
    page.open(event.time_us, event.agent);
  }
  page.note(event);
  if (event.kind == EventKind::status) return page.say("selects nothing", Style::bad);
  say_plainly(page, event);
}

// A new leaf or status is explained by the steps of this evaluation, compared with those of the previous one.
void SelectTeller::end(std::uint32_t agent) {
  const std::uint32_t leaf = current_leaf(telling_.agent().tree, telling_.agent().block);
  const bool is_change = leaf != old_leaf_ || is_status_new_;
  const bool is_evaluated = !steps_.empty();
  std::vector<Step> before;
  std::vector<Step>& last = last_steps_[agent];
  if (is_evaluated) {
    kept_count_ += steps_.size();
    kept_count_ -= last.size();
    before = std::exchange(last, std::exchange(steps_, {}));
  }
  if (is_change) {
    if (telling_.page.is_open() && telling_.page.agent() == agent) tell_reasons(before, last, leaf != kNoLeaf);
    telling_.page.flush();
  }
  if (kept_count_ > kMaxKeptSteps) {
    kept_count_ -= last.size();
    last = {};
  }
  if (!views_.are_shown()) return;
  const AgentView& view = telling_.agent();
  views_.update(view, agent, select_lines(view));
}

void SelectTeller::tell_reasons(const std::vector<Step>& before, const std::vector<Step>& now, bool selects) {
  std::vector<const Step*> deciding = deciding_steps(before, now);
  const bool is_last_told = !deciding.empty() && deciding.back() == &now.back();
  if (selects && !now.empty() && !is_last_told) deciding.push_back(&now.back());
  Ends<const Step*> reasons(kMaxFirst, kMaxLast);
  for (const Step* step : deciding) {
    if (step->condition == 0) continue;
    if (reasons.empty() || question(*reasons.back()) != question(*step)) reasons.add(step);
  }
  Page& page = telling_.page;
  const auto tell_one = [&](const Step* step) {
    page.add_detail({page.has_details() ? "    and " : "because ",
                     condition_step_text(telling_.agent().tree, *step, telling_.options.conditions)});
  };
  reasons.visit(tell_one, [&](std::size_t count) { page.add_detail("    and " + std::to_string(count) + " more"); });
}

}  // namespace espalier::report
