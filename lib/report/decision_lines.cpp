// See decision_lines.h.
#include "report/decision_lines.h"

#include <espalier/watching.h>

#include <variant>

#include "report/skip_reason.h"
#include "report/story.h"
#include "text/visible.h"

namespace espalier::report {

using replay::EventKind;

void DecisionLines::event(const replay::Event& event) {
  switch (event.kind) {
    case EventKind::step:
      if (const auto* const step = std::get_if<NodeStep>(event.step)) tell_skip(event, *step);
      return;
    case EventKind::set:
      return tell_write(event);
    case EventKind::end:
      skipped_before_ = std::exchange(skipped_, {});
      return;
    default:
      return;
  }
}

void DecisionLines::tell_skip(const replay::Event& event, const NodeStep& step) {
  if (step.kind != NodeStepKind::skip || skip_words(*event.state, step).empty()) return;
  const std::pair<std::uint32_t, std::uint32_t> skip(step.node_word, step.value);
  skipped_.insert(skip);
  if (skipped_before_.contains(skip)) return;
  const char* const how = step.value == ESPALIER_SKIP_FAILURE_IF   ? " fails: "
                          : step.value == ESPALIER_SKIP_SUCCESS_IF ? " succeeds: "
                                                                   : " is skipped: ";
  lines_.push_back(text::visible(name_of_(step.node_word)) + how + skip_reason(*event.state, step, inferred_));
}

void DecisionLines::tell_write(const replay::Event& event) {
  const bool has_node = event.node.asset != nullptr;
  const bool is_inferred = has_node ? is_inferred_write(event, is_inferred_, inferred_)
                                    : is_inferred_ && is_inferred_(event.time_us, StoryOptions::kNoNode);
  if (is_inferred) inferred_.emplace(event.subject);
  if (!is_inferred) inferred_.erase(std::string(event.subject));
  std::string line = has_node ? text::visible(name_of_(event.node.word)) + " writes " : "the program sets ";
  line += text::visible(event.subject) + " = " + text::visible(event.value);
  if (is_inferred) line += kInferred;
  lines_.push_back(std::move(line));
}

}  // namespace espalier::report
