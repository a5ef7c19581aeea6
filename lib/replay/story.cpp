// A replay told to people. See story.h.
#include "replay/story.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

#include "codegen/disassemble.h"

namespace espalier::replay {
namespace {

constexpr int kTimeColumns = 10;

bool is_same_question(const Step& a, const Step& b) {
  return a.node_word == b.node_word && a.leaf_base == b.leaf_base && a.transition == b.transition;
}

// The step that made the difference: the first question that the evaluation before had answered otherwise, else the
// first that it had not asked; null when there is none. (A machine goes on from another state than before, so that the
// two do not ask the same questions in a row.)
const Step* deciding_step(const std::vector<Step>& before, const std::vector<Step>& now) {
  using Question = std::tuple<std::uint32_t, std::uint32_t, std::int32_t>;
  std::map<Question, bool> answers;
  for (const Step& step : before) answers[{step.node_word, step.leaf_base, step.transition}] = step.holds;
  const Step* first_new = nullptr;
  for (const Step& step : now) {
    const auto answer = answers.find({step.node_word, step.leaf_base, step.transition});
    if (answer == answers.end()) {
      if (first_new == nullptr) first_new = &step;
    } else if (answer->second != step.holds) {
      return &step;
    }
  }
  return first_new;
}

}  // namespace

void Story::begin(const std::string& path) {
  std::string unknown;
  if (!options_.events.empty()) {
    kinds_ = {};
    if (!kinds_from(options_.events, &kinds_, &unknown)) kinds_ = all_kinds();
  }
  out_ << bold(path);
  if (!session_.name().empty()) out_ << ": " << session_.name();
  out_ << dim(" (tree " + std::string(tree_name(session_.tree())) + ", " + std::to_string(session_.agent_count()) +
              (session_.agent_count() == 1 ? " agent)" : " agents)"))
       << '\n';
}

// What a signal sets stands behind it; the next behaviour stands behind the one that ends.
void Story::event(const Event& event) {
  if (!is_shown(event.agent) || !is_written(event.kind)) return;
  const bool goes_on = !line_.empty() && line_time_us_ == event.time_us && line_agent_ == event.agent;
  std::string text;
  switch (event.kind) {
    case EventKind::enter:
      text = "enters " + bold(event.name);
      break;
    case EventKind::refuse:
      text = "refuses " + bold(event.name);
      break;
    case EventKind::leave:
      text = "leaves " + event.name;
      break;
    case EventKind::signal:
      text = "signal " + event.name;
      break;
    case EventKind::set:
      text = event.name + " = " + (event.value ? "true" : "false");
      break;
    case EventKind::status:
      if (event.name != "failure") return;
      text = "selects nothing";
      break;
  }
  const bool is_set_by_signal =
      event.kind == EventKind::set && (last_kind_ == EventKind::signal || last_kind_ == EventKind::set);
  const bool is_next =
      (event.kind == EventKind::enter || event.kind == EventKind::refuse || event.kind == EventKind::status) &&
      last_kind_ == EventKind::leave;
  if (goes_on && (is_set_by_signal || is_next)) {
    line_ += (last_kind_ == EventKind::signal ? ": " : ", ") + text;
  } else {
    flush();
    line_ = event.kind == EventKind::set ? "set " + text : text;
    line_time_us_ = event.time_us;
    line_agent_ = event.agent;
  }
  last_kind_ = event.kind;
}

void Story::change(const Update& update) {
  if (!is_shown(update.agent)) return;
  flush();
  const std::vector<Step>& steps = session_.agent(update.agent)->steps;
  const Step* decided = deciding_step(update.old_steps, steps);
  const Step* selected = steps.empty() ? nullptr : &steps.back();
  const bool is_first = update.old_steps.empty();
  if (!is_first && decided != nullptr && decided->condition != 0) write_reason(*decided, "because");
  if (update.new_leaf == kNoLeaf || selected == nullptr || selected->condition == 0) return;
  if (is_first || decided == nullptr || !is_same_question(*decided, *selected))
    write_reason(*selected, is_first ? "because" : "and");
}

void Story::flush() {
  if (line_.empty()) return;
  write(line_time_us_, line_agent_, line_);
  line_.clear();
  last_kind_ = EventKind::status;
}

void Story::write(std::uint64_t time_us, std::uint32_t agent, const std::string& text) {
  const std::string time = seconds_text(time_us);
  out_ << std::string(time.size() < kTimeColumns ? kTimeColumns - time.size() : 0, ' ') << time << "  ";
  if (session_.has_several_agents()) out_ << dim("agent " + std::to_string(agent)) << "  ";
  out_ << text << '\n';
}

// "because Attack: Alerted and !Hurt is true (guard.xml:12)".
void Story::write_reason(const Step& step, const char* word) {
  const std::string condition = codegen::condition_text(session_.tree(), step.condition);
  std::string text = std::string(word) + ' ' + node_text(step) + condition + (step.holds ? " is true" : " is false");
  const codegen::NodeDebug debug = codegen::node_debug(*session_.tree().asset, step.node_word);
  if (debug.line != 0) text += "  (" + std::string(debug.file) + ':' + std::to_string(debug.line) + ')';
  out_ << std::string(kTimeColumns + 4, ' ') << dim(text) << '\n';
}

std::string Story::node_text(const Step& step) const {
  const codegen::NodeDebug debug = codegen::node_debug(*session_.tree().asset, step.node_word);
  std::string text(debug.name);
  if (step.transition >= 0)
    text += (text.empty() ? "transition " : ", transition ") + std::to_string(step.transition + 1);
  return text.empty() ? text : text + ": ";
}

std::string Story::dim(const std::string& text) const { return options_.color ? "\x1b[2m" + text + "\x1b[0m" : text; }

std::string Story::bold(const std::string& text) const { return options_.color ? "\x1b[1m" + text + "\x1b[0m" : text; }

}  // namespace espalier::replay
