// Ticks nodes without children, and the table of all kinds. See walk.h.
#include "format/node.h"
#include "format/opcodes/poll.h"
#include "poll/nodes.h"
#include "poll/walk.h"

namespace espalier {

using namespace poll_ports;
using layout::PollPortKind;

PollWalk::Move PollWalk::poll_result(Node node, Event) { return give(static_cast<PollStatus>(flags_of(node) & 3)); }

PollWalk::Move PollWalk::poll_script(Node node, Event) {
  return run_hook(node, tree_.polled_of(node).script) ? give(PollStatus::success) : Move::end;
}

PollWalk::Move PollWalk::poll_script_condition(Node node, Event) {
  bool truth = false;
  if (!ask_script(node, &truth)) return Move::end;
  return give(truth ? PollStatus::success : PollStatus::failure);
}

PollWalk::Move PollWalk::poll_set(Node node, Event) {
  PollValue name = {};
  char name_buffer[kNumberText];
  if (!try_read(node, kTarget, &name, name_buffer)) return fail(node, PollFault::bad_port);
  std::uint32_t key = layout::kNone;
  const PollFault unnamed = board_.key_named(tree_.polled_of(node).board, name.text(), true, &key);
  if (unnamed != PollFault::none) return fail(node, unnamed);
  const PollPort& source = tree_.port_of(node, kSource);
  const Blackboard::Found target = board_.find(key);
  PollValue value = {};
  if (static_cast<PollPortKind>(source.kind) == PollPortKind::key) {
    const Blackboard::Found found = board_.find(source.value);
    if (found.entry == layout::kNone) {
      refuse(node, PollFault::no_entry, tree_.name(tree_.keys[source.value].name));
      return Move::end;
    }
    value = board_.value(found.entry);
    if (value.kind == ValueKind::none) {
      if (target.entry == layout::kNone) static_cast<void>(board_.make(key, board_.type(found.entry)));
      return give(PollStatus::failure);
    }
    if (target.entry == layout::kNone) {
      const PollFault fault = board_.make(key, board_.type(found.entry));
      if (fault != PollFault::none) return fail(node, fault);
    }
  } else if (static_cast<PollPortKind>(source.kind) == PollPortKind::text) {
    value = text_value(tree_.name(source.value));
  } else {
    return fail(node, PollFault::bad_port);
  }
  const Blackboard::Found now = board_.find(key);
  if (value.is_text() && now.entry != layout::kNone && board_.type(now.entry) != PollType::text) {
    const PollType type = board_.type(now.entry);
    if (type == PollType::untyped) {
      value = {};
    } else if (type == PollType::any || !from_text(value.text(), type, &value)) {
      return fail(node, PollFault::not_convertible);
    }
  }
  const PollFault fault = board_.write_any(key, value);
  return fault == PollFault::none ? give(PollStatus::success) : fail(node, fault);
}

PollWalk::Move PollWalk::poll_unset(Node node, Event) {
  PollValue name = {};
  char buffer[kNumberText];
  if (!try_read(node, kRemoved, &name, buffer)) return fail(node, PollFault::bad_port);
  const std::uint32_t entry = board_.own_entry(tree_.polled_of(node).board, name.text());
  if (entry != layout::kNone) board_.remove(entry);
  return give(PollStatus::success);
}

PollWalk::Move PollWalk::poll_sleep(Node node, Event) {
  if (agent_.status(node) == PollStatus::running) {
    if ((timer_state(node) & kTimerFired) == 0) return give(PollStatus::running);
    clear_timer(node);
    return give(PollStatus::success);
  }
  if (!is_idle(node)) return give(agent_.status(node));
  std::int64_t milliseconds = 0;
  if (!read_whole(node, kMilliseconds, &milliseconds)) return Move::end;
  if (milliseconds <= 0) return give(PollStatus::success);
  set_timer_state(node, kTimerStarted);
  set_timer(node, static_cast<std::uint64_t>(milliseconds));
  return give(PollStatus::running);
}

PollWalk::Move PollWalk::poll_was_updated(Node node, Event) {
  return give(was_updated(node, agent_.memory(node)) ? PollStatus::success : PollStatus::failure);
}

// ---- The host's

PollWalk::Move PollWalk::answer(Node node, Result result) {
  if (has_failed()) return fail(node, progress_.call.fault);
  switch (result) {
    case Result::running:
      return give(PollStatus::running);
    case Result::success:
      return give(PollStatus::success);
    case Result::skipped:
      return give(PollStatus::skipped);
    default:
      return give(PollStatus::failure);
  }
}

PollWalk::Move PollWalk::poll_action(Node node, Event) {
  const bool can_run = opcode_of(node) == opcode::poll_action;
  const PollStatus before = can_run ? agent_.status(node) : PollStatus::idle;
  if (is_completed(before)) return give(before);
  const Result result = ask(caller_.behavior(tree_.polled_of(node).host, tree_.word_of(node), {&progress_, 0}), before);
  const bool is_wrong = !can_run && result == Result::running && !has_failed();
  return is_wrong ? fail(node, PollFault::bad_answer) : answer(node, result);
}

PollWalk::Move PollWalk::poll_sync_action(Node node, Event event) { return poll_action(node, event); }

PollWalk::Move PollWalk::poll_condition(Node node, Event) {
  return answer(
      node, caller_.condition(tree_.polled_of(node).host, tree_.word_of(node), {&progress_, 0}).tick(Result::success));
}

// ---- All kinds

PollWalk::Move PollWalk::tick(Event event) {
  switch (opcode_of(node_)) {
#define OP(number, name, ...) \
  case opcode::name:          \
    return name(node_, event);
#include "format/opcodes/poll.def"
#undef OP
    default:
      return give(PollStatus::failure);
  }
}

}  // namespace espalier
