// The story of trees of rules: what begins and ends, with the answers of the host's conditions that led there. Answers
// after which nothing changes are passed over in silence, as is an action that runs on.
#include "replay/story.h"
#include "report/line_view.h"

namespace espalier::replay {
namespace {

using report::visible;

constexpr std::size_t kMaxAnswersBytes = 100;

}  // namespace

void Story::tell_rules(const Event& event) {
  if (event.kind == EventKind::ask && options_.events.empty()) {
    return note_answer(visible(event.name) + " is " + event.value);
  }
  const bool is_silent = !options_.events.empty() || event.kind == EventKind::status || event.value == "running";
  tell_ticking(event);
  if (event.kind == EventKind::status) answers_.clear();  // the update is over
  if (is_silent || answers_.empty() || !is_open_) return;
  details_.push_back(std::exchange(answers_, {}));
}

// "Calm is true, Alarm is false"
void Story::note_answer(const std::string& answer) {
  if (answers_.size() > kMaxAnswersBytes) return;
  answers_ += (answers_.empty() ? "" : ", ") + answer;
  if (answers_.size() > kMaxAnswersBytes) answers_ += ", ...";
}

void Story::tell_run_away(const Event& event) {
  const std::uint32_t limit = run_limit(session_.tree());
  say("rules run away", Style::bad);
  say(": " + std::to_string(limit) + " runs in one update");
  const std::string what = event.times > 1 ? "these " + std::to_string(event.times) + " times over" : "the last ones";
  say_below("  " + what + ", newest last:", Style::dim);
  for (const std::string& rule : event.rules) say_below("    " + visible(rule));
}

}  // namespace espalier::replay
