// What all nodes have in common: conditions, halting, results; and the update. See walk.h.
#include "poll/walk.h"

#include "format/node.h"
#include "format/opcodes/poll.h"
#include "poll/script.h"

namespace espalier {
namespace {

constexpr const char* kFaultTexts[] = {
#define POLL_FAULT(name, text) text,
#include "poll/faults.def"
#include "poll/nodes.h"
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

// Has it one child, whatever it is?
bool is_decorator(const std::uint32_t* node) { return opcode_info(opcode_of(node)).children == Children::one; }

}  // namespace

// A function of the host may have failed before: then the fault is known, but not the node.
PollStatus PollWalk::refuse(Node node, PollFault fault, std::string_view name) {
  if (!has_failed()) progress_.call.fault = fault;
  if (fault_node_ == nullptr) {
    fault_node_ = node;
    fault_name_ = name;
  }
  return PollStatus::error;
}

PollStatus PollWalk::refuse(Node node, PollFault fault) { return refuse(node, fault, {}); }

PollWalk::Move PollWalk::fail(Node node, PollFault fault) {
  refuse(node, fault);
  return Move::end;
}

// "there is no such entry: 'goal'"
void PollWalk::log_fault(PollFault fault) {
  constexpr std::size_t kMostName = 200;
  const std::string_view words = kFaultTexts[static_cast<std::size_t>(fault)];
  const std::string_view name = fault_name_.substr(0, kMostName);
  char text[2 * kMostName];
  char* end = text;
  const auto add = [&end](std::string_view part) {
    std::memcpy(end, part.data(), part.size());
    end += part.size();
  };
  add(words);
  if (!name.empty()) {
    add(": '");
    add(name);
    add("'");
  }
  *end = '\0';
  // A function that is told that its node ends, or is halted, may fail: nothing is asked of the node then.
  caller_.log(tree_.word_of(fault_node_ != nullptr ? fault_node_ : node_), text);
}

void PollWalk::set_status(Node node, PollStatus status) {
  const PollStatus before = agent_.set_status(node, status);
  if (before != status && watcher_ != nullptr && watcher_->node != nullptr) tell_status(node, before, status);
}

// Apart from it: it is called for each node, and seldom watched.
void PollWalk::tell_status(Node node, PollStatus before, PollStatus status) {
  const std::uint32_t word = tree_.word_of(node);
  const bool is_begin = !is_completed(status) ? status == PollStatus::running : before != PollStatus::running;
  if (is_begin) tell_node(watcher_, NodeStepKind::begin, word);
  if (is_completed(status)) {
    tell_node(watcher_, NodeStepKind::complete, word, result_of(status));
  } else if (status == PollStatus::idle) {
    tell_node(watcher_, before == PollStatus::running ? NodeStepKind::interrupt : NodeStepKind::reset, word);
  }
}

// `script`: 1 + its number in the tree. `truth` may be null. False: the update has failed.
bool PollWalk::run_script(Node node, std::uint32_t script, bool* truth) {
  const ScriptCode code(tree_, script - 1);
  const layout::Instruction* const rest = run_plain_script(tree_, agent_, code, truth);
  if (rest == code.end) return true;
  ScriptRun run(tree_, board_);
  const PollFault fault = run.run(code, rest, truth);
  if (fault == PollFault::none) return true;
  refuse(node, fault, run.culprit());
  return false;
}

// What the conditions of a node say; `none`: it is ticked; `running`: it is halted, and then skipped.
PollStatus PollWalk::precondition(Node node) {
  const PollStatus status = agent_.status(node);
  const Polled& polled = tree_.polled_of(node);
  // Is there such a script, and is its truth this one?
  const auto holds = [&](std::uint32_t script, bool expected) {
    bool truth = false;
    return script != 0 && !has_failed() && run_script(node, script, &truth) && truth == expected;
  };
  const auto decide = [&](std::uint32_t reason, PollStatus result) {
    tell_node(watcher_, NodeStepKind::skip, tree_.word_of(node), reason);
    return result;
  };
  if (status == PollStatus::idle) {
    if (holds(polled.failure_if, true)) return decide(ESPALIER_SKIP_FAILURE_IF, PollStatus::failure);
    if (holds(polled.success_if, true)) return decide(ESPALIER_SKIP_SUCCESS_IF, PollStatus::success);
    if (holds(polled.skip_if, true)) return decide(ESPALIER_SKIP_SKIP_IF, PollStatus::skipped);
    if (holds(polled.while_true, false)) return decide(ESPALIER_SKIP_WHILE, PollStatus::skipped);
  } else if (status == PollStatus::running && holds(polled.while_true, false)) {
    return decide(ESPALIER_SKIP_WHILE, PollStatus::running);
  }
  return has_failed() ? PollStatus::error : PollStatus::none;
}

// ---- The walk

PollStatus PollWalk::run(Move move, Node node) {
  node_ = node;
  progress_.depth = 0;
  progress_.frames[0] = {};
  if (move == Move::halt) progress_.frames[0].stage = kHalted;
  return walk(move);
}

PollStatus PollWalk::walk(Move move) {
  while (move != Move::end) move = make(move);
  return has_failed() ? PollStatus::error : status_;
}

PollWalk::Move PollWalk::execute_node() {
  if (has_flag(node_, kHasHooks)) {
    const PollStatus status = precondition(node_);
    if (status == PollStatus::error) return Move::end;
    if (status == PollStatus::running) {
      frame().stage = kDecided;
      return Move::halt;
    }
    if (status != PollStatus::none) {
      frame().stage = kDecided;
      return give(status);
    }
  }
  if (watcher_ == nullptr && is_plain(node_)) return walk_plain();
  return tick(Event::begin);
}

PollWalk::Move PollWalk::give_node() {
  const Node node = node_;
  if (has_failed()) return Move::end;
  if (watcher_ != nullptr && status_ == PollStatus::skipped && frame().stage != kDecided) {
    tell_node(watcher_, NodeStepKind::skip, tree_.word_of(node), ESPALIER_SKIP_CHILDREN);
  }
  if (has_flag(node, kHasHooks) && is_completed(status_) && !run_end_hooks(node)) return Move::end;
  if (status_ != PollStatus::skipped) set_status(node, status_);
  if (is_decorator(node) && is_completed(agent_.status(first_child(node)))) set_idle(first_child(node));
  if (progress_.depth == 0) return Move::end;
  --progress_.depth;
  child_ = node;
  node_ = parent_of(node);
  return tick(Event::answered);
}

// ---- Halting

PollWalk::Move PollWalk::halt_node() {
  const Node node = node_;
  switch (shape_of(opcode_of(node)).halt) {
    case PollHalt::clears:
      clear_memory(node);
      break;
    case PollHalt::clears_first:
      *agent_.memory(node) = 0;
      break;
    case PollHalt::itself:
      return halt_try_catch();
    case PollHalt::keeps:
      break;
  }
  if (opcode_of(node) == opcode::poll_action && agent_.status(node) == PollStatus::running) {
    set_idle(node);
    caller_.behavior(tree_.polled_of(node).host, tree_.word_of(node), {&progress_, 0}).interrupt();
    if (has_failed()) return fail(node, progress_.call.fault);
  }
  return halt_children();
}

PollWalk::Move PollWalk::halt_children() {
  child_ = first_child(node_);
  frame().except = 0;
  return Move::reset;
}

PollWalk::Move PollWalk::reset_from_child() {
  const Frame& frame = this->frame();
  const Node end = end_of(node_);
  Node child = child_;
  for (; child != end; child = end_of(child)) {
    if (frame.except != 0 && node_number(child) == frame.except) continue;
    if (needs_halt(child)) {
      node_ = child;
      progress_.frames[++progress_.depth] = {};
      this->frame().stage = kHalted;
      return Move::halt;
    }
    set_idle(child);
    if ((frame.stage & kOnlyOne) != 0) break;
  }
  child_ = child;
  return end_reset();
}

PollWalk::Move PollWalk::end_reset() {
  Frame& frame = this->frame();
  frame.stage = static_cast<std::uint8_t>(frame.stage & ~kOnlyOne);
  frame.except = 0;
  switch (frame.stage) {
    case kGives:
      frame.stage = kTicked;
      return give(frame.given);
    case kHalted:
    case kDecided:
      return end_halt();
    case kCatchResets:
    case kCatchIsHalted:
      return poll_try_catch(node_, Event::reset);
    default:
      return tick(Event::reset);
  }
}

PollWalk::Move PollWalk::end_halt() {
  const Node node = node_;
  set_idle(node);
  if (!run_hook(node, tree_.polled_of(node).on_halted)) return Move::end;
  if (frame().stage == kDecided) return give(PollStatus::skipped);
  if (progress_.depth == 0) return Move::end;
  --progress_.depth;
  child_ = node;
  node_ = parent_of(node);
  set_idle(child_);
  if ((frame().stage & kOnlyOne) != 0) return end_reset();
  child_ = end_of(child_);
  return Move::reset;
}

PollFault PollWalk::halt_tree() {
  return halt_tree_but([](Node) { return false; });
}

void PollWalk::stop() {
  const PollFault fault = halt_tree();
  if (fault != PollFault::none) log_fault(fault);
}

// ---- Ports

bool PollWalk::read(Node node, std::uint32_t port, PollValue* value) {
  char buffer[kNumberText];
  const PollFault fault = board_.read(tree_.port_of(node, port), value, buffer);
  if (fault != PollFault::none) refuse(node, fault, tree_.name(tree_.port_of(node, port).name));
  return fault == PollFault::none;
}

bool PollWalk::read_whole(Node node, std::uint32_t port, std::int64_t* whole) {
  PollValue value = {};
  if (!read(node, port, &value)) return false;
  *whole = value.whole;
  return true;
}

bool PollWalk::try_read(Node node, std::uint32_t port, PollValue* value, char* buffer) const {
  return board_.read(tree_.port_of(node, port), value, buffer) == PollFault::none;
}

// ---- Timers

void PollWalk::set_timer(Node node, std::uint64_t milliseconds) {
  const std::uint64_t due_us = clock_us() + milliseconds * 1000;
  const std::uint32_t order = next_order(due_us);
  agent_.set_time_us(node, due_us);
  set_timer_state(node, (timer_state(node) & kTimerFlags) | kTimerSet | order << kTimerOrder);
}

void PollWalk::clear_timer(Node node) {
  agent_.set_time_us(node, 0);
  set_timer_state(node, 0);
}

std::uint32_t PollWalk::next_order(std::uint64_t due_us) const {
  std::uint32_t order = 0;
  for (std::uint32_t i = 0; i < tree_.record.timer_count; ++i) {
    const Node node = timer_node(i);
    const std::uint32_t state = timer_state(node);
    if ((state & kTimerSet) == 0 || agent_.time_us(node) != due_us) continue;
    if (state >> kTimerOrder >= order) order = (state >> kTimerOrder) + 1;
  }
  return order;
}

PollWalk::Node PollWalk::timer_node(std::uint32_t timer) const {
  return tree_.node(array<std::uint32_t>(tree_.asset, SectionId::poll_timers)[tree_.record.first_timer + timer]);
}

// A recorder gives a host of its own, and knows it by its address.
void PollWalk::fire_due() {
  const Host& host = caller_.host();
  Host copy = host;
  Host& own = host.recorder != nullptr ? const_cast<Host&>(host) : copy;
  const std::uint64_t now_us = host.clock_us;
  while (!has_failed()) {
    Node next = nullptr;
    std::uint64_t due_us = 0;
    std::uint32_t order = 0;
    for (std::uint32_t i = 0; i < tree_.record.timer_count; ++i) {
      const Node node = timer_node(i);
      const std::uint32_t state = timer_state(node);
      const std::uint64_t due = agent_.time_us(node);
      if ((state & kTimerSet) == 0 || due > now_us) continue;
      if (next != nullptr && (due > due_us || (due == due_us && state >> kTimerOrder > order))) continue;
      next = node;
      due_us = due;
      order = state >> kTimerOrder;
    }
    if (next == nullptr) break;
    own.clock_us = due_us;
    caller_.look_at_host(own);
    fire(next);
  }
  own.clock_us = now_us;
  caller_.look_at_host(host);
}

void PollWalk::fire(Node node) {
  rested_ = 0;
  agent_.set_cursor(0);
  const std::uint32_t state = timer_state(node) & ~kTimerSet;
  set_timer_state(node, state);
  if (opcode_of(node) == opcode::poll_timeout) {
    const Node child = first_child(node);
    if (!needs_halt(child)) return;
    set_timer_state(node, state | kTimerFired);
    run(Move::halt, child);
    if (has_failed()) return;
    set_idle(child);
  } else {
    set_timer_state(node, state | kTimerFired);
  }
  progress_.has_signal = true;
}

// ---- The update

// The nodes above the action are as they are when they are walked, and it has answered.
PollStatus PollWalk::go_on(Node action, Result result, PollFault fault) {
  progress_.depth = 0;
  progress_.frames[0] = {};
  hold_path(tree_.root(), action);
  node_ = action;
  frame() = {};
  progress_.call.fault = fault;
  const Move move = answer(action, result);
  if (move == Move::give && is_completed(status_)) {
    caller_.behavior(tree_.polled_of(action).host, tree_.word_of(action), {&progress_, 0}).leave();
  }
  return walk(move);
}

Result PollWalk::update(Node action, Result answer, PollFault fault) {
  const Node root = tree_.root();
  const bool has_timers = tree_.record.timer_count != 0;
  if (action == nullptr && has_timers) fire_due();
  PollStatus status = status_;
  for (std::uint32_t round = progress_.round; !has_failed() && round <= layout::kMaxPollRounds; ++round) {
    if (round == layout::kMaxPollRounds) {
      status = refuse(root, PollFault::endless);
      break;
    }
    agent_.set_cursor(0);
    progress_.has_signal = false;
    progress_.round = static_cast<std::uint16_t>(round + 1);
    status = action != nullptr ? go_on(action, answer, fault) : run(Move::execute, root);
    action = nullptr;
    rested_ = 0;
    progress_.round = 0;
    if (has_timers && !has_failed()) fire_due();
    if (status != PollStatus::running || !progress_.has_signal || (tree_.record.flags & layout::kOneRound) != 0) break;
  }
  if (has_failed()) {
    log_fault(progress_.call.fault);
    progress_.call.fault = PollFault::none;
    halt_tree();
    return Result::error;
  }
  if (is_completed(status)) set_idle(root);
  return result_of(status);
}

}  // namespace espalier
