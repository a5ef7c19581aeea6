// Trees of rules in a replay: jumps, positions that are kept and put back, updates, and what the host has bound. See
// session.h.
#include "replay/run_away.h"
#include "replay/session.h"
#include "replay/tree_view.h"
#include "text/names.h"

namespace espalier::replay {

// ---- Lines

Session::Faults Session::run_jump(const Line& line) {
  std::vector<std::uint32_t> indices;
  if (auto fault = targets(line, &indices)) return fault;
  const bool is_reset = line.value->kind == text::JsonKind::null;
  const std::string& id = line.value->string;
  std::uint32_t rule = kNoRule;
  if (!is_reset && find_rule(tree_, id, &rule) != Status::ok) {
    fail(line.value->span, "the tree has no rule " + text::quote(id) + ", and nothing is jumped to", nearest_rule(id));
    return std::nullopt;
  }
  for (const std::uint32_t index : indices) {
    current_agent_ = index;
    remark(index, is_reset ? "is reset" : "jumps to " + text::quote(id));
    jump(tree_, agents_[index]->state.block.data(), rule, host());
    agents_[index]->last_rule = kNoRule;
  }
  return std::nullopt;
}

bool Session::save_rule(std::uint32_t index, const Line& line, Position* position) const {
  const void* block = agents_[index]->state.block.data();
  if (save_position(tree_, block, position) == Status::ok) return true;
  const std::uint32_t rule = current_rule(tree_, block);
  fail(line.value->span, "agent " + std::to_string(index) + " cannot be saved: its current rule has no id",
       rule == kNoRule ? "the tree has no rules" : "give an id to this rule: " + rule_text(tree_, rule));
  return false;
}

void Session::restore_rule(std::uint32_t index, const Line& line, const Position& position) {
  AgentState& state = agents_[index]->state;
  if (restore_position(tree_, state.block.data(), position) != Status::ok) {
    fail(line.value->span,
         "agent " + std::to_string(index) + " cannot be restored: the tree has no rule " + text::quote(position.id) +
             (is_reloaded_ ? " any more" : ""),
         nearest_rule(position.id));
    return;
  }
  state.status = position.status == Result::stopped ? std::nullopt : std::optional(position.status);
  agents_[index]->last_rule = kNoRule;
  remark(index, "is restored as " + text::quote(line.value->string));
}

std::string Session::nearest_rule(std::string_view id) const {
  std::vector<std::string_view> ids;
  for (std::uint32_t rule = 0; rule < rule_count(tree_); ++rule) {
    if (const std::string_view other = rule_id(tree_, rule); !other.empty()) ids.push_back(other);
  }
  return text::did_you_mean(id, ids);
}

// ---- Updates

bool Session::update_rules(std::uint32_t index) {
  Agent& agent = *agents_[index];
  void* block = agent.state.block.data();
  runs_.clear();
  Watcher watcher;
  watcher.user = &runs_;
  watcher.node = [](void* runs, const NodeStep* step) {
    if (step->kind == NodeStepKind::begin) static_cast<std::vector<std::uint32_t>*>(runs)->push_back(step->value);
  };
  const Result result = update_watched(tree_, block, host(), watcher);
  if (result == Result::stopped) return true;
  agent.state.status = result;
  if (is_stopped(tree_, block)) tell_stop(block);
  emit(EventKind::status, result_name(result));
  const std::uint32_t rule = result == Result::running ? current_rule(tree_, block) : kNoRule;
  const bool is_other = std::exchange(agent.last_rule, rule) != rule;
  if (listener_.change && is_other && rule != kNoRule) listener_.change({index});
  return false;
}

void Session::tell_stop(const void* block) const {
  if (!has_run_away(tree_, block)) return emit(EventKind::error, "tree failed");
  Event event{time_us_, current_agent_, EventKind::error, "run-away"};
  RunAway run_away = shortened(runs_);
  for (const std::uint32_t rule : run_away.rules) event.rules.push_back(rule_text(tree_, rule));
  event.times = run_away.times;
  listener_.event(event);
}

// ---- The host

// A script that says so at its head has unbound the action, once; any other answer is left for the call.
bool Session::is_bound(const Call* call) {
  Session& session = of(call);
  const std::string_view name = behavior_name(*call->tree.asset, call->behavior);
  Answers* answers = session.find_answers(call, name);
  if (answers == nullptr || answers->next() != Answer::refuse) return true;
  static_cast<void>(answers->take());
  session.emit(EventKind::refuse, name);
  return false;
}

bool Session::ask_condition(const Call* call) {
  Session& session = of(call);
  const std::string_view name = host_condition_name(*call->tree.asset, call->behavior);
  const Answer answer = session.take_answer(call, name, "condition", "is true").value_or(Answer::success);
  if (answer == Answer::refuse) {
    session.emit(EventKind::refuse, name);
    return false;
  }
  session.emit(EventKind::ask, name, answer == Answer::failure ? "false" : "true");
  return answer != Answer::failure;
}

}  // namespace espalier::replay
