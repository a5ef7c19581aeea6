// Goes on with an update from where the host was asked. Apart from walk.cpp, so that programs that do not explore pay
// nothing.
#include "core/watch.h"
#include "format/opcodes/poll.h"
#include "poll/walk.h"

namespace espalier {

void PollWalk::take(const PollProgress& asked) {
  progress_.has_signal = asked.has_signal;
  progress_.round = asked.round;
  progress_.depth = asked.depth;
  std::memcpy(progress_.frames, asked.frames, (asked.depth + 1) * sizeof(Frame));
}

PollWalk::Move PollWalk::ask_again(Node node) {
  node_ = node;
  const bool is_action = opcode_of(node) == opcode::poll_action || opcode_of(node) == opcode::poll_sync_action;
  return is_action ? call_again(node) : tick(Event::begin);
}

Result PollWalk::go_on_from(const PollProgress& asked, Node node) {
  take(asked);
  status_ = walk(ask_again(node));
  return end_explored(asked.round);
}

Result PollWalk::begin_explored() {
  progress_.round = 1;
  progress_.depth = 0;
  frame() = {};
  node_ = tree_.root();
  status_ = walk(Move::execute);
  return end_explored(1);
}

Result PollWalk::go_on_after(const PollProgress& asked, Node node, PollStatus status) {
  take(asked);
  frame() = {};
  node_ = node;
  status_ = walk(give(status));
  return end_explored(asked.round);
}

Result PollWalk::go_on_failed(const PollProgress& asked, Node node, PollFault fault) {
  take(asked);
  node_ = node;
  status_ = PollStatus::error;
  progress_.call.fault = fault;
  return end_explored(asked.round);
}

PollStatus PollWalk::go_on_within(const PollProgress& asked, Node node, Node above) {
  take(asked);
  Move move = ask_again(node);
  while (move != Move::end && (move != Move::give || node_ != above)) move = make(move);
  return move == Move::end || has_failed() ? PollStatus::error : status_;
}

Result PollWalk::end_explored(std::uint16_t round) {
  if (progress_.call.is_given_up) return Result::stopped;
  rested_ = 0;
  progress_.round = 0;
  if (tree_.record.timer_count != 0 && !has_failed()) fire_due();
  if (has_failed()) {  // as update() does it, but nodes that need no walk take none
    log_fault(progress_.call.fault);
    progress_.call.fault = PollFault::none;
    halt_tree_but([this](Node each) { return halts_at_once(each); });
    return Result::error;
  }
  const bool has_more = progress_.has_signal && (tree_.record.flags & layout::kOneRound) == 0;
  // Of an update without more rounds the end is left.
  progress_.round = status_ == PollStatus::running && has_more ? round : layout::kMaxPollRounds + 1;
  return update();
}

// As poll_action() does after it has entered.
PollWalk::Move PollWalk::call_again(Node node) {
  const BoundBehavior action = caller_.behavior(tree_.polled_of(node).host, tree_.word_of(node), {&progress_, 0});
  const Result result = action.tick(Result::success);
  const bool is_first = agent_.status(node) == PollStatus::idle;
  if (result != Result::running && (result != Result::skipped || is_first) && !has_failed()) action.leave();
  const bool is_wrong = opcode_of(node) != opcode::poll_action && result == Result::running && !has_failed();
  return is_wrong ? fail(node, PollFault::bad_answer) : answer(node, result);
}

}  // namespace espalier
