// Answers and states as text. See recorded_answers.h.
#include "live/recorded_answers.h"

#include "replay/names.h"
#include "replay/strategy.h"
#include "runtime/poll/tree.h"
#include "text/json.h"

namespace espalier::live {

using recording::AnswerBits;

// Else a write has no effect.
bool is_output(const Call& call, std::uint32_t port) {
  const PollTreeView view(call.tree);
  const layout::Polled& polled = view.polled_of(view.nodes + call.node_word);
  const layout::PollPort& own =
      array<layout::PollPort>(*call.tree.asset, layout::SectionId::poll_ports)[polled.first_port + port];
  return own.direction != static_cast<std::uint8_t>(layout::PollDirection::input);
}

bool is_start(AnswerBits bits) {
  return bits.shift == recording::kBoundAnswer.shift || bits.shift == recording::kActivateAnswer.shift;
}

std::string answer_text(const Call& call, const recording::Answered& answered) {
  if (answered.is_decision) return replay::number_text(answered.decision);
  const auto is = [&](AnswerBits bits) { return answered.bits.shift == bits.shift && answered.bits.mask == bits.mask; };
  if (answered.bits.mask == 0) return {};
  if (is(recording::kBoundAnswer) || is(recording::kActivateAnswer)) return answered.number == 0 ? kRefusal : "";
  if (!is(recording::kTickAnswer)) return answered.number != 0 ? "true" : "false";
  const auto result = static_cast<espalier_result>(answered.number);
  const bool only_goes_on = replay::engine_of_tree(call.tree) == EngineId::decide;
  if (only_goes_on && result != ESPALIER_RUNNING) return "\"failure\"";
  const bool is_known = result == ESPALIER_RUNNING || result == ESPALIER_SUCCESS || result == ESPALIER_FAILURE ||
                        result == ESPALIER_SKIPPED;
  return '"' + std::string(is_known ? replay::result_name(Result(result)) : "failure") + '"';
}

std::string state_text(const Tree& tree, const void* block, espalier_result result) {
  replay::AgentView view;
  view.tree = tree;
  view.block = block;
  const EngineId engine = replay::engine_of_tree(view.tree);
  if (engine == EngineId::select || engine == EngineId::decide) {
    const std::uint32_t behavior = replay::strategy_of(engine).current(view);
    return "\"behavior\": " +
           (behavior == kNoBehavior ? "null" : text::json_string(behavior_name(*tree.asset, behavior)));
  }
  std::string text;
  if (result != ESPALIER_STOPPED) text = "\"status\": \"" + std::string(replay::result_name(Result(result))) + "\", ";
  std::string running;
  for (const replay::RunningNode& node : replay::running_nodes(view))
    running += (running.empty() ? "" : ", ") + text::json_string(behavior_name(*tree.asset, node.behavior));
  return text + "\"running\": [" + running + ']';
}

}  // namespace espalier::live
