// Ticks nodes without children, and the table of all kinds. See walk.h.
#include "poll/nodes.h"
#include "poll/script.h"
#include "poll/walk.h"

namespace espalier {

using namespace poll_ports;
using layout::PollPortKind;

PollStatus PollWalk::tick_script(Node node) {
  const std::uint32_t script = tree_.polled_of(node).script;
  ScriptRun run(tree_, board_);
  const PollFault fault = script == 0 ? PollFault::none : run.run(script - 1);
  return fault == PollFault::none ? PollStatus::success : refuse(node, fault, run.culprit());
}

PollStatus PollWalk::tick_script_condition(Node node) {
  bool truth = false;
  const std::uint32_t script = tree_.polled_of(node).script;
  ScriptRun run(tree_, board_);
  const PollFault fault = script == 0 ? PollFault::empty_script : run.run(script - 1, &truth);
  if (fault != PollFault::none) return refuse(node, fault, run.culprit());
  return truth ? PollStatus::success : PollStatus::failure;
}

PollStatus PollWalk::tick_set(Node node) {
  PollValue name;
  char name_buffer[kNumberText];
  if (!try_read(node, kTarget, &name, name_buffer)) return refuse(node, PollFault::bad_port);
  std::uint32_t key = layout::kNone;
  const PollFault unnamed = board_.key_named(tree_.polled_of(node).board, name.text, true, &key);
  if (unnamed != PollFault::none) return refuse(node, unnamed);
  const PollPort& source = tree_.port_of(node, kSource);
  const Blackboard::Found target = board_.find(key);
  PollValue value;
  if (static_cast<PollPortKind>(source.kind) == PollPortKind::key) {
    const Blackboard::Found found = board_.find(source.value);
    if (found.entry == layout::kNone)
      return refuse(node, PollFault::no_entry, tree_.name(tree_.keys[source.value].name));
    value = board_.value(found.entry);
    if (value.kind == ValueKind::none) {
      if (target.entry == layout::kNone) static_cast<void>(board_.make(key, board_.type(found.entry)));
      return PollStatus::failure;
    }
    if (target.entry == layout::kNone) {
      const PollFault fault = board_.make(key, board_.type(found.entry));
      if (fault != PollFault::none) return refuse(node, fault);
    }
  } else if (static_cast<PollPortKind>(source.kind) == PollPortKind::text) {
    value = text_value(tree_.name(source.value));
  } else {
    return refuse(node, PollFault::bad_port);
  }
  const Blackboard::Found now = board_.find(key);
  if (value.is_text() && now.entry != layout::kNone && board_.type(now.entry) != PollType::text) {
    const PollType type = board_.type(now.entry);
    if (type == PollType::untyped) {
      value = {};
    } else if (type == PollType::any || !from_text(value.text, type, &value)) {
      return refuse(node, PollFault::not_convertible);
    }
  }
  const PollFault fault = board_.write_any(key, value);
  return fault == PollFault::none ? PollStatus::success : refuse(node, fault);
}

PollStatus PollWalk::tick_unset(Node node) {
  PollValue name;
  char buffer[kNumberText];
  if (!try_read(node, kRemoved, &name, buffer)) return refuse(node, PollFault::bad_port);
  const std::uint32_t entry = board_.own_entry(tree_.polled_of(node).board, name.text);
  if (entry != layout::kNone) board_.remove(entry);
  return PollStatus::success;
}

PollStatus PollWalk::tick_sleep(Node node) {
  if (agent_.status(node) == PollStatus::running) {
    if ((timer_state(node) & kTimerFired) == 0) return PollStatus::running;
    clear_timer(node);
    return PollStatus::success;
  }
  if (!is_idle(node)) return agent_.status(node);
  std::int64_t milliseconds = 0;
  if (!read_whole(node, kMilliseconds, &milliseconds)) return PollStatus::error;
  if (milliseconds <= 0) return PollStatus::success;
  set_timer_state(node, kTimerStarted);
  set_timer(node, static_cast<std::uint64_t>(milliseconds));
  return PollStatus::running;
}

// ---- The host's

PollStatus PollWalk::answer(Node node, Result result) {
  if (has_failed()) return refuse(node, fault_);
  switch (result) {
    case Result::running:
      return PollStatus::running;
    case Result::success:
      return PollStatus::success;
    case Result::skipped:
      return PollStatus::skipped;
    default:
      return PollStatus::failure;
  }
}

PollStatus PollWalk::tick_action(Node node) {
  const PollStatus before = agent_.status(node);
  if (is_completed(before)) return before;
  const BoundBehavior action = caller_.behavior(tree_.polled_of(node).host, tree_.word_of(node), {&fault_, 0});
  if (before == PollStatus::idle) action.enter();
  const PollStatus status = answer(node, action.tick(Result::success));
  const bool is_left = is_completed(status) || (status == PollStatus::skipped && before == PollStatus::idle);
  if (is_left) action.leave();
  return status;
}

PollStatus PollWalk::tick_sync_action(Node node) {
  const BoundBehavior action = caller_.behavior(tree_.polled_of(node).host, tree_.word_of(node), {&fault_, 0});
  action.enter();
  const PollStatus status = answer(node, action.tick(Result::success));
  if (status == PollStatus::error) return status;
  if (status == PollStatus::running) return refuse(node, PollFault::bad_answer);
  action.leave();
  return status;
}

PollStatus PollWalk::tick_condition(Node node) {
  return answer(node,
                caller_.condition(tree_.polled_of(node).host, tree_.word_of(node), {&fault_, 0}).tick(Result::success));
}

// ---- All kinds

PollWalk::Move PollWalk::tick(Event event) {
  const Node node = node_;
  switch (opcode_of(node)) {
    case Opcode::poll_sequence:
      return tick_in_order(node, event, PollStatus::success, false);
    case Opcode::poll_fallback:
      return tick_in_order(node, event, PollStatus::failure, false);
    case Opcode::poll_sequence_with_memory:
      return tick_in_order(node, event, PollStatus::success, true);
    case Opcode::poll_reactive_sequence:
      return tick_reactive(node, event, PollStatus::success);
    case Opcode::poll_reactive_fallback:
      return tick_reactive(node, event, PollStatus::failure);
    case Opcode::poll_parallel:
      return tick_parallel(node, event);
    case Opcode::poll_parallel_all:
      return tick_parallel_all(node, event);
    case Opcode::poll_if_then_else:
      return tick_if(node, event);
    case Opcode::poll_while_do_else:
      return tick_while(node, event);
    case Opcode::poll_switch:
      return tick_switch(node, event);
    case Opcode::poll_try_catch:
      return tick_try_catch(node, event);
    case Opcode::poll_pipeline:
      return tick_pipeline(node, event);
    case Opcode::poll_recovery:
      return tick_recovery(node, event);
    case Opcode::poll_round_robin:
      return tick_round_robin(node, event);
    case Opcode::poll_nonblocking:
      return tick_nonblocking(node, event);
    case Opcode::poll_persistent:
      return tick_persistent(node, event);
    case Opcode::poll_invert:
    case Opcode::poll_force:
    case Opcode::poll_keep_running:
      return tick_changed(node, event);
    case Opcode::poll_repeat:
      return tick_repeat(node, event, PollStatus::success);
    case Opcode::poll_retry:
      return tick_repeat(node, event, PollStatus::failure);
    case Opcode::poll_timeout:
      return tick_timeout(node, event);
    case Opcode::poll_delay:
      return tick_delay(node, event);
    case Opcode::poll_run_once:
      return tick_run_once(node, event);
    case Opcode::poll_precondition:
      return tick_precondition(node, event);
    case Opcode::poll_loop:
      return tick_loop(node, event);
    case Opcode::poll_updated:
      return tick_updated(node, event);
    case Opcode::poll_subtree:
      return tick_subtree(node, event);
    case Opcode::poll_rate:
      return tick_rate(node, event);
    case Opcode::poll_trigger:
      return tick_trigger(node, event);
    case Opcode::poll_gate:
      return tick_gate(node, event);
    default: {
      const PollStatus status = tick_leaf(node);
      return status == PollStatus::error ? Move::end : give(status);
    }
  }
}

PollStatus PollWalk::tick_leaf(Node node) {
  switch (opcode_of(node)) {
    case Opcode::poll_result:
      return static_cast<PollStatus>(flags_of(node) & 3);
    case Opcode::poll_script:
      return tick_script(node);
    case Opcode::poll_script_condition:
      return tick_script_condition(node);
    case Opcode::poll_set:
      return tick_set(node);
    case Opcode::poll_unset:
      return tick_unset(node);
    case Opcode::poll_sleep:
      return tick_sleep(node);
    case Opcode::poll_was_updated:
      return was_updated(node, agent_.memory(node)) ? PollStatus::success : PollStatus::failure;
    case Opcode::poll_action:
      return tick_action(node);
    case Opcode::poll_sync_action:
      return tick_sync_action(node);
    case Opcode::poll_condition:
      return tick_condition(node);
    default:
      return PollStatus::failure;
  }
}

}  // namespace espalier
