// Walks through plain nodes: those that most trees mostly consist of, lists without scripts of their own and leaves,
// when nobody watches. What they do is defined by the other functions of PollWalk; this one does the same with less
// work. Nodes that begin and are done in one go leave no trace in the block. The walk leaves plain nodes for others,
// and for children that are skipped; before that it stores the nodes on the way from the one where it began, as
// running.
#include "format/node.h"
#include "poll/place.h"
#include "poll/walk.h"

namespace espalier {
namespace {

bool is_in_order(Opcode opcode) { return opcode == Opcode::poll_sequence || opcode == Opcode::poll_fallback; }
bool is_reactive(Opcode opcode) {
  return opcode == Opcode::poll_reactive_sequence || opcode == Opcode::poll_reactive_fallback;
}
// With which result of a child a list goes on to the next one.
PollStatus goes_on_of(Opcode opcode) {
  return opcode == Opcode::poll_sequence || opcode == Opcode::poll_reactive_sequence ? PollStatus::success
                                                                                     : PollStatus::failure;
}

}  // namespace

// The list runs, and this child of it: those before it have answered.
void PollWalk::hold(Node list, Node child) {
  const Opcode opcode = opcode_of(list);
  const bool was_running = needs_halt(list);
  if (!was_running) agent_.set_status(list, PollStatus::running);
  if (!is_in_order(opcode)) return;
  const Places places(agent_.memory(list), list);
  const std::uint32_t before = was_running ? places.place() : 0;
  const std::uint32_t place = place_of(list, child);
  if (was_running && place == before) return;
  const Node from = child_at_place(list, before);
  for (Node other = from == nullptr ? first_child(list) : from; other < child;
       other = end_of<Opcode::poll_action>(other)) {
    agent_.set_status(other, goes_on_of(opcode));
  }
  places.set(place, 0);
}

// All nodes from `top` to the parent of this one run.
void PollWalk::hold_path(Node top, Node node) {
  std::uint32_t level_count = 0;
  for (Node at = node; at != top; at = parent_of(at)) ++level_count;
  progress_.depth += level_count;
  std::uint32_t depth = progress_.depth;
  for (Node at = node; at != top; at = parent_of(at)) {
    const Node list = parent_of(at);
    Frame& frame = progress_.frames[--depth];
    frame = {};
    if (is_reactive(opcode_of(list)) && at != first_child(list)) frame.first = 1;
    hold(list, at);
  }
}

// The node begins, or goes on, as any node does.
PollWalk::Move PollWalk::leave_plain(Node top, Node node) {
  hold_path(top, node);
  node_ = node;
  frame() = {};
  return has_flag(node, kHasHooks) ? Move::execute : tick(Event::begin);
}

// The node has answered, and its parent goes on as any node does.
PollWalk::Move PollWalk::give_plain(Node top, Node node, PollStatus status) {
  hold_path(top, node);
  node_ = node;
  return give(status);
}

// A node that ran is done: it and its children are idle. False: a child must be halted before, and nothing has changed.
bool PollWalk::settle(Node list) {
  for (const Node child : children_of(list)) {
    if (needs_halt(child)) return false;
  }
  for (const Node child : children_of(list)) agent_.set_status(child, PollStatus::idle);
  if (is_in_order(opcode_of(list))) Places(agent_.memory(list), list).set(0, 0);
  agent_.set_status(list, PollStatus::idle);
  return true;
}

// The leaf runs, and so do the nodes above it. `stored`: a node above it, or the leaf: the block has the way from `top`
// to it.
PollWalk::Move PollWalk::rest_plain(Node top, Node stored, Node leaf) {
  agent_.set_status(leaf, PollStatus::running);
  for (Node node = leaf; node != top; node = parent_of(node)) {
    const Node list = parent_of(node);
    if (is_reactive(opcode_of(list))) {
      for (const Node other : children_of(list)) {
        if (other == node) continue;
        const PollStatus status = agent_.status(other);
        if (status == PollStatus::running) return give_plain(top, node, PollStatus::running);
        if (status != PollStatus::idle) agent_.set_status(other, PollStatus::idle);
      }
    }
    if (node > stored) hold(list, node);
  }
  node_ = top;
  return give(PollStatus::running);
}

// Any leaf, with its scripts: status_ is its answer, unless the update has failed. False: it is halted first.
bool PollWalk::answer_leaf(Node leaf) {
  const PollStatus before = agent_.status(leaf);
  const bool has_hooks = has_flag(leaf, kHasHooks);
  if (has_hooks && before == PollStatus::running && tree_.polled_of(leaf).while_true != 0) return false;
  node_ = leaf;
  status_ = has_hooks ? precondition(leaf) : PollStatus::none;
  if (status_ == PollStatus::none && tick(Event::begin) == Move::end) return true;
  if (has_failed() || !is_completed(status_)) return true;
  if (has_hooks && !run_end_hooks(leaf)) return true;
  if (before != PollStatus::idle) agent_.set_status(leaf, status_);
  return true;
}

namespace {

// A plain node with children, whose child is walked.
struct PlainParent {
  explicit PlainParent(const std::uint32_t* parent)
      : node(parent), end(end_of<Opcode::poll_action>(parent)), goes_on(goes_on_of(opcode_of(parent))) {}

  const std::uint32_t* node;
  const std::uint32_t* end;
  PollStatus goes_on;  // of a node with one child it has no meaning
};

}  // namespace

// From node_ on, which is plain. Below a node that was idle all nodes are, and have nothing in the block.
PollWalk::Move PollWalk::walk_plain() {
  constexpr auto kCondition = static_cast<std::uint32_t>(Opcode::poll_condition);
  constexpr auto kAction = static_cast<std::uint32_t>(Opcode::poll_action);
  constexpr auto kSyncAction = static_cast<std::uint32_t>(Opcode::poll_sync_action);
  const Node top = node_;
  const Node first_node = tree_.nodes;
  const Records<Polled> polled = tree_.polled;
  const Behavior* const behaviors = caller_.host().behaviors;
  const Behavior* const conditions = caller_.host().conditions;
  caller_.remember({&progress_, 0});
  PlainParent parent(top);
  Node idle = nullptr;  // the topmost node that was idle, if the present one is below such a node
  Node stored = top;    // see rest_plain()
  for (Node node = top;;) {
    // ---- Down
    while (is_plain(node)) {
      parent = PlainParent(node);
      if (idle == nullptr) {
        const PollStatus before = agent_.status(node);
        if (is_completed(before)) return leave_plain(top, node);
        if (before == PollStatus::idle) idle = node;
        if (before == PollStatus::running && is_in_order(opcode_of(node))) {
          const Places places(agent_.memory(node), node);
          const Node child = child_at_place(node, places.place());
          if (child == nullptr || places.skips() != 0) return leave_plain(top, node);
          if (stored == node) stored = child;
          node = child;
          continue;
        }
      }
      node = first_child(node);
    }
    // ---- A leaf: opcode and flags are tested in one
    PollStatus status;
    const std::uint32_t kind = node[0] & 0xFFFF;
    if (kind == kCondition && conditions != nullptr) {
      const std::uint32_t condition = polled[operand<OperandKind::polled, EngineId::poll>(node)].host;
      const BoundBehavior bound =
          caller_.plain_behavior(conditions[condition], condition, static_cast<std::uint32_t>(node - first_node));
      const Result result = bound.tick(Result::success);
      if (has_failed()) return fail(node, progress_.fault);
      if (result == Result::running) return rest_plain(top, stored, node);
      if (result == Result::skipped) return give_plain(top, node, PollStatus::skipped);
      status = result == Result::success ? PollStatus::success : PollStatus::failure;
    } else if ((kind == kAction || kind == kSyncAction) && behaviors != nullptr) {
      const bool can_run = kind == kAction;
      const PollStatus before = can_run && idle == nullptr ? agent_.status(node) : PollStatus::idle;
      if (is_completed(before)) {
        status = before;
      } else {
        const std::uint32_t behavior = polled[operand<OperandKind::polled, EngineId::poll>(node)].host;
        const BoundBehavior bound =
            caller_.plain_behavior(behaviors[behavior], behavior, static_cast<std::uint32_t>(node - first_node));
        if (before == PollStatus::idle) bound.enter();
        const Result result = bound.tick(Result::success);
        if (has_failed()) return fail(node, progress_.fault);
        if (result == Result::running)
          return can_run ? rest_plain(top, stored, node) : fail(node, PollFault::bad_answer);
        if (result != Result::skipped || before == PollStatus::idle) bound.leave();
        if (result == Result::skipped) return give_plain(top, node, PollStatus::skipped);
        if (before != PollStatus::idle) agent_.set_status(node, PollStatus::idle);
        status = result == Result::success ? PollStatus::success : PollStatus::failure;
      }
    } else if (opcode_of(node) >= Opcode::poll_result) {
      if (!answer_leaf(node)) return leave_plain(top, node);
      if (has_failed()) return Move::end;
      if (status_ == PollStatus::running) return rest_plain(top, stored, node);
      if (status_ == PollStatus::skipped) return give_plain(top, node, status_);
      status = status_;
    } else {
      return leave_plain(top, node);
    }
    // ---- Up, to the next child
    Node end = next_node(node);
    while (status != parent.goes_on || end == parent.end) {
      if (idle == nullptr && needs_halt(parent.node) && !settle(parent.node)) return give_plain(top, node, status);
      if (node == stored) stored = parent.node;
      node = parent.node;
      end = parent.end;
      if (opcode_of(node) == Opcode::poll_invert) {
        status = status == PollStatus::success ? PollStatus::failure : PollStatus::success;
      }
      if (node == top) {
        node_ = top;
        return give(status);
      }
      if (node == idle) idle = nullptr;
      parent = PlainParent(parent_of(node));
    }
    if (node == stored) stored = parent.node;
    node = end;
  }
}

}  // namespace espalier
