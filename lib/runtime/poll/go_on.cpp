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

Result PollWalk::go_on_from(const PollProgress& asked, Node node, PollVisit* visits) {
  take(asked);
  if (visits != nullptr) visits[node_number(node)] = PollVisit::walked;
  status_ = walk_visiting(ask_again(node), visits);
  return end_explored(asked.round, visits);
}

Result PollWalk::begin_explored(PollVisit* visits) {
  progress_.round = 1;
  progress_.depth = 0;
  frame() = {};
  node_ = tree_.root();
  status_ = walk_visiting(Move::execute, visits);
  return end_explored(1, visits);
}

Result PollWalk::go_on_after(const PollProgress& asked, Node node, PollStatus status, PollVisit* visits) {
  take(asked);
  frame() = {};
  node_ = node;
  status_ = walk_visiting(give(status), visits);
  return end_explored(asked.round, visits);
}

Result PollWalk::go_on_failed(const PollProgress& asked, Node node, PollFault fault, PollVisit* visits) {
  take(asked);
  node_ = node;
  status_ = PollStatus::error;
  progress_.call.fault = fault;
  return end_explored(asked.round, visits);
}

// A step of the walk is about a node, and about its parent if it goes up.
PollStatus PollWalk::walk_visiting(Move move, PollVisit* visits) {
  if (visits == nullptr) return walk(move);
  for (; move != Move::end; move = make(move)) {
    visits[node_number(node_)] = PollVisit::walked;
    if (progress_.depth != 0) visits[node_number(parent_of(node_))] = PollVisit::walked;
  }
  return has_failed() ? PollStatus::error : status_;
}

PollStatus PollWalk::go_on_within(const PollProgress& asked, Node node, Node above) {
  take(asked);
  Move move = ask_again(node);
  while (move != Move::end && (move != Move::give || node_ != above)) move = make(move);
  return move == Move::end || has_failed() ? PollStatus::error : status_;
}

Result PollWalk::end_explored(std::uint16_t round, PollVisit* visits) {
  if (progress_.call.is_given_up) return Result::stopped;
  rested_ = 0;
  progress_.round = 0;
  if (tree_.record.timer_count != 0 && !has_failed()) fire_due();
  const bool has_more = progress_.has_signal && (tree_.record.flags & layout::kOneRound) == 0;
  const bool begins_again = status_ == PollStatus::running && has_more;
  for (std::uint32_t i = 0; visits != nullptr && i < tree_.unit.node_count; ++i) {
    if (begins_again) visits[i] = PollVisit::walked;
    if (has_failed() && visits[i] == PollVisit::none) visits[i] = PollVisit::halted;
  }
  if (has_failed()) {  // as update() does it, but nodes that need no walk take none
    log_fault(progress_.call.fault);
    progress_.call.fault = PollFault::none;
    halt_tree_but([this](Node each) { return halts_at_once(each); });
    return Result::error;
  }
  // Of an update without more rounds the end is left.
  progress_.round = begins_again ? round : layout::kMaxPollRounds + 1;
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
