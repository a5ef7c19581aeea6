// What all nodes have in common: conditions, halting, results; and the update. See walk.h.
#include "poll/walk.h"

#include "poll/script.h"

namespace espalier {
namespace {

using layout::PollHook;

constexpr const char* kFaultTexts[] = {
#define POLL_FAULT(name, text) text,
#include "poll/faults.def"
#undef POLL_FAULT
};

Result result_of(PollStatus status) {
  switch (status) {
    case PollStatus::running:
      return Result::running;
    case PollStatus::success:
      return Result::success;
    case PollStatus::failure:
      return Result::failure;
    case PollStatus::skipped:
      return Result::skipped;
    default:
      return Result::error;
  }
}

bool is_decorator(const std::uint32_t* node) { return info_of(node).children == Children::one; }

}  // namespace

PollStatus PollWalk::fail(Node node, PollFault fault) {
  if (!has_failed()) {
    fault_ = fault;
    fault_node_ = node;
  }
  return PollStatus::error;
}

void PollWalk::set_status(Node node, PollStatus status) {
  const PollStatus before = agent_.status(node);
  if (before == status) return;
  agent_.set_status(node, status);
  if (watcher_ == nullptr) return;
  const std::uint32_t word = tree_.word_of(node);
  const bool is_begin = !is_completed(status) ? status == PollStatus::running : before != PollStatus::running;
  if (is_begin) tell_node(watcher_, NodeStepKind::begin, word);
  if (is_completed(status)) {
    tell_node(watcher_, NodeStepKind::complete, word, result_of(status));
  } else if (status == PollStatus::idle) {
    tell_node(watcher_, before == PollStatus::running ? NodeStepKind::interrupt : NodeStepKind::reset, word);
  }
}

// False: the update has failed.
bool PollWalk::run_hook(Node node, PollHook hook) {
  const std::uint32_t script = hook_of(tree_.polled_of(node), hook);
  if (script == 0) return true;
  const PollFault fault = ScriptRun(tree_, board_).run(script - 1);
  if (fault != PollFault::none) fail(node, fault);
  return fault == PollFault::none;
}

// False: there is no such condition, or it cannot be evaluated.
bool PollWalk::asks(Node node, PollHook hook, bool* truth) {
  const std::uint32_t script = hook_of(tree_.polled_of(node), hook);
  if (script == 0 || has_failed()) return false;
  const PollFault fault = ScriptRun(tree_, board_).run(script - 1, truth);
  if (fault != PollFault::none) fail(node, fault);
  return fault == PollFault::none;
}

PollStatus PollWalk::precondition(Node node) {
  const PollStatus status = agent_.status(node);
  bool truth = false;
  const auto decide = [&](std::uint32_t reason, PollStatus result) {
    tell_node(watcher_, NodeStepKind::skip, tree_.word_of(node), reason);
    return result;
  };
  if (status == PollStatus::idle) {
    if (asks(node, PollHook::failure_if, &truth) && truth) return decide(ESPALIER_SKIP_FAILURE_IF, PollStatus::failure);
    if (asks(node, PollHook::success_if, &truth) && truth) return decide(ESPALIER_SKIP_SUCCESS_IF, PollStatus::success);
    if (asks(node, PollHook::skip_if, &truth) && truth) return decide(ESPALIER_SKIP_SKIP_IF, PollStatus::skipped);
    if (asks(node, PollHook::while_true, &truth) && !truth) return decide(ESPALIER_SKIP_WHILE, PollStatus::skipped);
  } else if (status == PollStatus::running && asks(node, PollHook::while_true, &truth) && !truth) {
    decide(ESPALIER_SKIP_WHILE, PollStatus::skipped);
    halt(node);
    return has_failed() ? PollStatus::error : PollStatus::skipped;
  }
  return has_failed() ? PollStatus::error : PollStatus::none;
}

PollStatus PollWalk::execute(Node node) {
  PollStatus status = precondition(node);
  if (status == PollStatus::none) {
    status = tick(node);
    if (status == PollStatus::skipped)
      tell_node(watcher_, NodeStepKind::skip, tree_.word_of(node), ESPALIER_SKIP_CHILDREN);
  }
  if (status == PollStatus::error || has_failed()) return PollStatus::error;
  if (is_completed(status)) {
    const PollHook hook = status == PollStatus::success ? PollHook::on_success : PollHook::on_failure;
    if (!run_hook(node, hook) || !run_hook(node, PollHook::post)) return PollStatus::error;
  }
  if (status != PollStatus::skipped) set_status(node, status);
  if (is_decorator(node)) {
    const Node child = first_child(node);
    if (is_completed(agent_.status(child))) set_status(child, PollStatus::idle);
  }
  return status;
}

// ---- Halting

void PollWalk::reset(Node node) {
  if (agent_.status(node) == PollStatus::running) halt(node);
  set_status(node, PollStatus::idle);
}

void PollWalk::reset_children(Node node) {
  for (const Node child : children_of(node)) {
    if (has_failed()) return;
    reset(child);
  }
}

void PollWalk::halt(Node node) {
  halted(node);
  if (!has_failed()) run_hook(node, PollHook::on_halted);
}

void PollWalk::halted(Node node) {
  switch (opcode_of(node)) {
    case Opcode::poll_sequence:
    case Opcode::poll_fallback:
    case Opcode::poll_if_then_else:
    case Opcode::poll_switch:
    case Opcode::poll_pipeline:
    case Opcode::poll_recovery:
    case Opcode::poll_round_robin:
    case Opcode::poll_repeat:
    case Opcode::poll_retry:
      agent_.set_memory(node, 0);
      break;
    case Opcode::poll_parallel:
    case Opcode::poll_parallel_all: {
      const std::uint32_t words = memory_words(opcode_of(node), tree_.polled_of(node).child_count);
      for (std::uint32_t i = 0; i < words; ++i) agent_.set_memory(node, 0, i);
      break;
    }
    case Opcode::poll_updated:
      agent_.set_memory(node, agent_.memory(node) & ~std::uint64_t{1});
      break;
    case Opcode::poll_timeout:
    case Opcode::poll_delay:
    case Opcode::poll_sleep:
      clear_timer(node);
      break;
    case Opcode::poll_try_catch:
      halt_try_catch(node);
      break;
    case Opcode::poll_action:
      if (agent_.status(node) == PollStatus::running) {
        set_status(node, PollStatus::idle);
        caller_.behavior(tree_.polled_of(node).host, tree_.word_of(node), {&fault_, 0}).interrupt();
      }
      break;
    default:
      break;
  }
  if (has_failed()) return;
  reset_children(node);
  set_status(node, PollStatus::idle);
}

void PollWalk::halt_tree() {
  const Node root = tree_.root();
  halt(root);
  fault_ = PollFault::none;
  for (std::uint32_t i = 0; i < tree_.unit.node_count; ++i) {
    halt(tree_.node(i));
    fault_ = PollFault::none;
  }
  set_status(root, PollStatus::idle);
}

// ---- Ports

bool PollWalk::read(Node node, std::uint32_t port, PollValue* value) {
  char buffer[kNumberText];
  const PollFault fault = board_.read(tree_.port_of(node, port), value, buffer);
  if (fault != PollFault::none) fail(node, fault);
  return fault == PollFault::none;
}

bool PollWalk::read_whole(Node node, std::uint32_t port, std::int64_t* whole) {
  PollValue value;
  if (!read(node, port, &value)) return false;
  *whole = value.whole;
  return true;
}

bool PollWalk::try_read(Node node, std::uint32_t port, PollValue* value, char* buffer) const {
  return board_.read(tree_.port_of(node, port), value, buffer) == PollFault::none;
}

// ---- Timers

void PollWalk::set_timer(Node node, std::uint64_t milliseconds) {
  agent_.set_memory(node, host_.clock_us + milliseconds * 1000);
  agent_.set_memory(node, (agent_.memory(node, 1) & kTimerFlags) | kTimerSet | std::uint64_t{next_order()} << 32, 1);
}

void PollWalk::clear_timer(Node node) {
  agent_.set_memory(node, 0);
  agent_.set_memory(node, 0, 1);
}

std::uint32_t PollWalk::next_order() const {
  std::uint32_t order = 0;
  for (std::uint32_t i = 0; i < tree_.record.timer_count; ++i) {
    const std::uint64_t state = agent_.memory(timer_node(i), 1);
    if ((state & kTimerSet) != 0 && state >> 32 >= order) order = static_cast<std::uint32_t>(state >> 32) + 1;
  }
  return order;
}

PollWalk::Node PollWalk::timer_node(std::uint32_t timer) const {
  return tree_.node(array<std::uint32_t>(tree_.asset, SectionId::poll_timers)[tree_.record.first_timer + timer]);
}

void PollWalk::fire_due() {
  const std::uint64_t now_us = host_.clock_us;
  while (!has_failed()) {
    Node next = nullptr;
    std::uint64_t due_us = 0;
    std::uint64_t order = 0;
    for (std::uint32_t i = 0; i < tree_.record.timer_count; ++i) {
      const Node node = timer_node(i);
      const std::uint64_t state = agent_.memory(node, 1);
      const std::uint64_t due = agent_.memory(node);
      if ((state & kTimerSet) == 0 || due > now_us) continue;
      if (next != nullptr && (due > due_us || (due == due_us && state >> 32 > order))) continue;
      next = node;
      due_us = due;
      order = state >> 32;
    }
    if (next == nullptr) break;
    host_.clock_us = due_us;
    caller_.set_clock(due_us);
    fire(next);
    host_.clock_us = now_us;
    caller_.set_clock(now_us);
  }
}

void PollWalk::fire(Node node) {
  std::uint64_t state = agent_.memory(node, 1) & ~kTimerSet;
  agent_.set_memory(node, state, 1);
  if (opcode_of(node) == Opcode::poll_timeout) {
    const Node child = first_child(node);
    if (agent_.status(child) != PollStatus::running) return;
    agent_.set_memory(node, state | kTimerFired, 1);
    reset(child);
  } else {
    agent_.set_memory(node, state | kTimerFired, 1);
  }
  signal_ = true;
}

// ---- The update

Result PollWalk::update() {
  const Node root = tree_.root();
  fire_due();
  PollStatus status = has_failed() ? PollStatus::error : PollStatus::running;
  for (std::uint32_t round = 0; !has_failed(); ++round) {
    if (round == layout::kMaxPollRounds) {
      status = fail(root, PollFault::endless);
      break;
    }
    signal_ = false;
    status = execute(root);
    if (!has_failed()) fire_due();
    if (status != PollStatus::running || !signal_ || (tree_.record.flags & layout::kOneRound) != 0) break;
  }
  if (has_failed()) {
    caller_.log(tree_.word_of(fault_node_), kFaultTexts[static_cast<std::size_t>(fault_)]);
    fault_ = PollFault::none;
    halt_tree();
    return Result::error;
  }
  if (is_completed(status)) set_status(root, PollStatus::idle);
  return result_of(status);
}

}  // namespace espalier
