// What engines do differently: the table, and what several share. See strategy.h.
#include "replay/strategy.h"

#include "runtime/format/by_engine.h"

namespace espalier::replay {

void HostCalls::enter(const Call* call) {
  Updates::of(call).reporter.emit_called(EventKind::enter, call, Updates::called_name(call));
}

void HostCalls::leave(const Call* call) {
  Updates::of(call).reporter.emit_called(EventKind::leave, call, Updates::called_name(call));
}

void HostCalls::interrupt(const Call* call) {
  Updates::of(call).reporter.emit_called(EventKind::interrupt, call, Updates::called_name(call));
}

espalier_result HostCalls::tick(const Call* call) {
  Updates& updates = Updates::of(call);
  const std::string_view name = Updates::called_name(call);
  const Answer answer = updates.take_answer(call, name, "action", "succeeds").value_or(Answer::success);
  Result result = Result::failure;
  if (answer == Answer::running) result = Result::running;
  if (answer == Answer::success) result = Result::success;
  updates.reporter.emit_called(EventKind::tick, call, name, result_name(result));
  return result;
}

bool HostCalls::ask(const Call* call) {
  Updates& updates = Updates::of(call);
  const std::string_view name = Updates::asked_name(call);
  const Answer answer = updates.take_answer(call, name, "condition", "is true").value_or(Answer::success);
  if (answer == Answer::refuse) {
    updates.reporter.emit_called(EventKind::refuse, call, name);
    return false;
  }
  updates.reporter.emit_called(EventKind::ask, call, name, answer == Answer::failure ? "false" : "true");
  return answer != Answer::failure;
}

const Strategy& strategy_of(EngineId engine) {
  constexpr ByEngine<const Strategy*> kStrategies = {.select = &kSelectStrategy,
                                                     .tick = &kTickStrategy,
                                                     .rule = &kRuleStrategy,
                                                     .decide = &kDecideStrategy,
                                                     .store = &kStoreStrategy,
                                                     .poll = &kPollStrategy};
  return *kStrategies[engine];
}

bool is_for_trees(const Asset& asset, LineKind kind) {
  std::uint32_t of_some = 0;
  for (unsigned i = 0; i < kEngineIds; ++i) of_some |= strategy_of(static_cast<EngineId>(i)).accepts.bits;
  const bool is_signal = kind == LineKind::signal || kind == LineKind::broadcast;
  if (!is_signal && (of_some >> static_cast<unsigned>(kind) & 1) == 0) return true;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Strategy& strategy = strategy_of(engine_of_tree({&asset, i}));
    if (is_signal ? strategy.has_signals : strategy.accepts.has(kind)) return true;
  }
  return false;
}

std::string trees_text(const std::function<bool(EngineId)>& has) {
  std::vector<std::string_view> kinds;
  for (unsigned i = 0; i < kEngineIds; ++i) {
    if (has(static_cast<EngineId>(i))) kinds.push_back(strategy_of(static_cast<EngineId>(i)).kind);
  }
  std::string text;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == kinds.size() ? " and " : ", ") + std::string(kinds[i]);
  }
  return text + " trees";
}

}  // namespace espalier::replay
