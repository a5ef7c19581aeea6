// The story of Drag[en]gine trees: what starts and stops, with the answers of the host's conditions that led to it,
// then the current rule. Answers after which nothing changes are not shown, and neither is an action that continues.
// See tellers.h.
#include "report/line_view.h"
#include "report/tellers.h"

namespace espalier::report {

void RuleTeller::event(const Event& event) {
  switch (event.kind) {
    case EventKind::begin:
      was_stopped_ = is_stopped(telling_.agent().tree, telling_.agent().block);
      answers_.begin();
      return;
    case EventKind::step:
      if (const auto* const node = std::get_if<NodeStep>(event.step); node->kind == NodeStepKind::begin) {
        rule_ = node->value;
      }
      return;
    case EventKind::end:
      return was_stopped_ ? void() : end(event.agent);
    case EventKind::jump:
    case EventKind::restore:
    case EventKind::reload:
    case EventKind::destroy:
      return views_.forget(event.agent);
    case EventKind::status:
      runs_ = event.subject == "running";
      [[fallthrough]];
    default:
      if (telling_.kinds.has(event.kind)) tell(event);
  }
}

void RuleTeller::tell(const Event& event) {
  if (event.kind == EventKind::ask && !telling_.is_filtered) {
    return note_answer(event);
  }
  const bool is_silent = telling_.is_filtered || event.kind == EventKind::status || event.value == "running";
  if (event.kind == EventKind::error && event.times > 0) {
    tell_run_away(event);
  } else {
    plain_.tell(event);
  }
  if (event.kind == EventKind::status) answers_.forget();  // the update is over
  if (!is_silent && telling_.page.is_open()) answers_.tell(telling_.page);
}

// "patrol: Calm is true": whose condition it was.
void RuleTeller::note_answer(const Event& event) {
  const Tree& tree = telling_.agent().tree;
  std::string who(rule_ == kNoRule ? std::string_view() : rule_id(tree, rule_));
  if (who.empty() && rule_ != kNoRule) who = replay::rule_text(tree, rule_);
  answers_.note(who, std::string(event.subject).append(" is ").append(event.value));
}

void RuleTeller::tell_run_away(const Event& event) {
  Page& page = telling_.page;
  page.open(event.time_us, event.agent);
  page.say("rules run away", Style::bad);
  page.say(": " + std::to_string(run_limit(telling_.agent().tree)) + " runs in one update");
  const std::string what = event.times > 1 ? "these " + std::to_string(event.times) + " times over" : "the last ones";
  page.say_below("  " + what + ", newest last:", Style::dim);
  for (const std::string& rule : event.cause) page.say_below("    " + visible(rule));
}

// The current rule is active only while the tree runs.
void RuleTeller::end(std::uint32_t agent) {
  if (!views_.are_shown()) return;
  const AgentView& view = telling_.agent();
  if (views_.is_unchanged(view, agent, runs_)) return;
  views_.update(view, agent, runs_ ? rule_lines(view) : std::vector<NodeLine>());
}

}  // namespace espalier::report
