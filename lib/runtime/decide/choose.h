// How a group of deciders chooses among its children, by its policy. A group that delegates also chooses when it is
// asked. Frames of nested groups form a stack in scratch memory, so nothing recurses (decide/layout.h).
#pragma once
#include <new>

#include "decide/host.h"
#include "format/node.h"
#include "format/opcodes/decide.h"

namespace espalier {

// A child that has accepted. It is followed by its decider block and, if it is a group that delegates, by the answer of
// the child that it has chosen.
struct DeciderAnswer {
  std::uint32_t number;      // of the child's node in the tree
  std::uint32_t size_bytes;  // including what follows it
  double value;
};
static_assert(sizeof(DeciderAnswer) == kAnswerBytes);

// Children that have failed in this update, by the number of their node: at most as many as the limit of redecisions.
struct FailedChildren {
  std::uint32_t count = 0;
  std::uint16_t numbers[layout::kMaxRedecides];

  bool has(std::uint32_t number) const {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (numbers[i] == number) return true;
    }
    return false;
  }
};

class DeciderChooser {
 public:
  // `scratch`: as many bytes as the tree's record specifies, aligned to 8.
  DeciderChooser(const DeciderTree& tree, DeciderHost& host, const FailedChildren& failed, unsigned char* scratch,
                 const Watcher* watcher)
      : tree_(tree), host_(host), failed_(failed), scratch_(scratch), watcher_(watcher) {}

  // The child that a group without an active child chooses; null if none accepts. The answer is valid until the next
  // call.
  const DeciderAnswer* choose(const Placed& group, std::uint32_t depth) {
    active_level_ = 0;
    return begin(group, depth, nullptr);
  }

  // The child that takes over from the active child of a group at this level of the path; null if none does. `active`
  // is the placement of the active child.
  const DeciderAnswer* take_over(const Placed& group, std::uint32_t depth, const std::uint32_t* active) {
    const Opcode opcode = group.opcode();
    if (opcode != opcode::decide_prioritized && opcode != opcode::decide_scored) return nullptr;
    active_level_ = depth + 1;
    return begin(group, depth, active);
  }

  // The decider block of an answer, and the answer that a delegating child has chosen.
  const unsigned char* block_of(const DeciderAnswer* answer) const {
    return reinterpret_cast<const unsigned char*>(answer + 1);
  }
  const DeciderAnswer* next_of(const DeciderAnswer* answer, const layout::Decider& decider) const {
    return reinterpret_cast<const DeciderAnswer*>(block_of(answer) + to_8(decider.block_bytes));
  }

  // Stores in the group that this child will be activated.
  void set_ran(const Placed& group, const std::uint32_t* child) const {
    if (group.opcode() == opcode::decide_sequential) {
      host_.agent().set_ran_last(*group.decider, 1 + tree_.number_of(child));
    } else if (group.opcode() == opcode::decide_shuffle) {
      unsigned char* order = host_.agent().order(*group.decider);
      const std::uint32_t index = child_index<opcode::decide_behavior>(group.node, child);
      std::uint32_t place = 0;
      while (order[1 + place] != index) ++place;
      order[0] = static_cast<unsigned char>(1 + place + 1);
    }
  }

 private:
  struct Frame {
    Placed group;
    const std::uint32_t* child = nullptr;   // placement of the child that was asked last; null: none yet
    const std::uint32_t* active = nullptr;  // placement of the active child, if others may take over; else null
    double best = 0;                        // value of the answer that was kept last; 0: none
    std::uint64_t bits = 0;                 // shuffle: children that have refused; random: weights of those that accept
    Frame* below = nullptr;                 // frame of the group that asks this one; null: none
    std::uint32_t top = 0;                  // position of the next answer
    std::uint32_t depth = 0;                // of the group
    std::uint16_t place = 0;  // shuffle: index of the next child in the order; sequential: 1 if some were asked
    bool is_done = false;
    bool has_drawn = false;
  };
  static_assert(sizeof(Frame) <= kFrameBytes);

  // The most frequent case needs no frame: the children of a prioritized list refuse, or one of them accepts by its
  // Decide. What run() does then, when nobody watches; from the first child without a Decide on, run() does it.
  const DeciderAnswer* begin(const Placed& group, std::uint32_t depth, const std::uint32_t* active) {
    if (watcher_ != nullptr || group.opcode() != opcode::decide_prioritized) return run(group, depth, active, nullptr);
    const std::uint32_t* const end = active != nullptr ? active : group.end();
    const bool has_any_failed = failed_.count != 0;
    host_.begin_asking();
    for (const std::uint32_t* child = group.first_child(); child != end; child = end_of_decider(child)) {
      const Placed placed = tree_.placed(child);
      if (host_.check(*placed.decider) != DecideStepKind::asked) continue;
      if (has_any_failed && failed_.has(tree_.number_of(child))) continue;
      if (placed.decider->decide == 0) return run(group, depth, active, child_before(group, child));
      DeciderAnswer* answer = answer_at(kFrameBytes);
      const double value = host_.ask(placed, reinterpret_cast<unsigned char*>(answer + 1));
      if (!(value > 0)) continue;
      const std::uint32_t size_bytes = kAnswerBytes + to_8(placed.decider->block_bytes);
      return new (answer) DeciderAnswer{tree_.number_of(child), size_bytes, value};
    }
    return nullptr;
  }

  // Null if it is the first one.
  static const std::uint32_t* child_before(const Placed& group, const std::uint32_t* child) {
    const std::uint32_t* before = nullptr;
    for (const std::uint32_t* each = group.first_child(); each != child; each = end_of_decider(each)) before = each;
    return before;
  }

  // `before`: the last child that needs not be asked, or null.
  const DeciderAnswer* run(const Placed& group, std::uint32_t depth, const std::uint32_t* active,
                           const std::uint32_t* before) {
    active_value_ = 0;
    open(group, depth, nullptr, 0);
    frame_->child = before;
    frame_->active = active;
    for (;;) {
      const std::uint32_t* child = next_child(*frame_);
      if (child != nullptr) {
        ask(tree_.placed(child));
        continue;
      }
      const Frame closing = *frame_;
      const DeciderAnswer* chosen = chosen_of(closing);
      watch_choice(closing, chosen);
      if (closing.below == nullptr) return chosen;
      leave(closing, chosen);
    }
  }

  // Moves the answer that a group has chosen to where its frame was: after the group's own answer.
  void leave(const Frame& closing, const DeciderAnswer* chosen) {
    double value = 0;
    std::uint32_t size_bytes = 0;
    if (chosen != nullptr) {
      value = chosen->value;
      size_bytes = chosen->size_bytes;
      std::memmove(static_cast<void*>(frame_), chosen, size_bytes);
    }
    frame_ = closing.below;
    answer_at(frame_->top)->size_bytes += size_bytes;
    answered(value);
  }

  // The offset of the first answer of the group's children.
  std::uint32_t first_answer() const {
    return static_cast<std::uint32_t>(reinterpret_cast<unsigned char*>(frame_) - scratch_) + kFrameBytes;
  }
  DeciderAnswer* answer_at(std::uint32_t offset) { return reinterpret_cast<DeciderAnswer*>(scratch_ + offset); }

  void open(const Placed& group, std::uint32_t depth, Frame* below, std::uint32_t offset) {
    frame_ = new (scratch_ + offset) Frame;
    Frame& opened = *frame_;
    opened.group = group;
    opened.below = below;
    opened.top = offset + kFrameBytes;
    opened.depth = depth;
    if (group.opcode() != opcode::decide_shuffle) return;
    const unsigned stored = host_.agent().order(*group.decider)[0];
    if (stored == 0) {
      draw_order(opened);
    } else {
      opened.place = static_cast<std::uint16_t>(stored - 1);
    }
  }

  void watch(DecideStepKind kind, const Frame& frame, const Placed& child, double value = 0) const {
    if (watcher_ != nullptr) tell(*watcher_, tree_, kind, frame.depth + 1, child.node, nullptr, value);
  }

  // ---- The child that is asked next; null if there is none

  const std::uint32_t* next_child(Frame& frame) {
    if (frame.is_done) return nullptr;
    const Placed& group = frame.group;
    for (;;) {
      const std::uint32_t* child = group.opcode() == opcode::decide_shuffle      ? next_shuffled(frame, group)
                                   : group.opcode() == opcode::decide_sequential ? next_in_turn(frame, group)
                                                                                 : next_in_order(frame, group);
      if (child == nullptr) return nullptr;
      if (failed_.count == 0 || !failed_.has(tree_.number_of(child))) return child;
      watch(DecideStepKind::masked, frame, tree_.placed(child));
    }
  }

  static const std::uint32_t* next_in_order(Frame& frame, const Placed& group) {
    const std::uint32_t* next = frame.child == nullptr ? group.first_child() : end_of_decider(frame.child);
    if (next == group.end() || (next == frame.active && group.opcode() == opcode::decide_prioritized)) return nullptr;
    return frame.child = next;
  }

  // The next child after the one that ran last, going round once.
  const std::uint32_t* next_in_turn(Frame& frame, const Placed& group) const {
    const std::uint32_t stored = host_.agent().ran_last(*group.decider);
    const std::uint32_t* last = stored == 0 ? nullptr : tree_.placed(std::uint64_t{stored - 1}).placement;
    if (frame.child == last && frame.place != 0) return nullptr;
    const std::uint32_t* begin = frame.child == nullptr ? last : frame.child;
    const std::uint32_t* next = begin == nullptr ? group.first_child() : end_of_decider(begin);
    if (next == group.end()) {
      if (last == nullptr) return nullptr;
      next = group.first_child();
    }
    frame.place = 1;
    return frame.child = next;
  }

  // From the current position of the order; at its end a new order is drawn, once.
  const std::uint32_t* next_shuffled(Frame& frame, const Placed& group) {
    const unsigned char* order = host_.agent().order(*group.decider) + 1;
    for (;;) {
      if (frame.place == group.decider->child_count) {
        if (frame.has_drawn) return nullptr;
        draw_order(frame);
      }
      const unsigned index = order[frame.place++];
      if ((frame.bits >> index & 1) == 0) return frame.child = child_at<opcode::decide_behavior>(group.node, index);
    }
  }

  void draw_order(Frame& frame) {
    const Placed& group = frame.group;
    unsigned char* order = host_.agent().order(*group.decider);
    shuffle(host_.agent().generator(), order + 1, group.decider->child_count, watcher_);
    order[0] = 1;
    frame.place = 0;
    frame.has_drawn = true;
  }

  // ---- Asking

  void ask(const Placed& child) {
    Frame& asking = *frame_;
    const layout::Decider& decider = *child.decider;
    if (child.placement == asking.active) return weigh_active(child);
    const DecideStepKind found = host_.check(decider);
    if (found != DecideStepKind::asked) {
      watch(found, asking, child);
      return settle(0);
    }
    DeciderAnswer* answer = answer_at(asking.top);
    new (answer) DeciderAnswer{tree_.number_of(child.placement), kAnswerBytes + to_8(decider.block_bytes), 1};
    unsigned char* block = reinterpret_cast<unsigned char*>(answer + 1);
    if (decider.decide != 0) return answered(decide(asking.depth + 1, child, block));
    host_.restart_timer(decider);
    if (decider.block_bytes > 0) std::memset(block, 0, decider.block_bytes);
    if (!child.has(kDelegates)) return answered(1);
    open(child, asking.depth + 1, frame_, asking.top + answer->size_bytes);
  }

  double decide(std::uint32_t depth, const Placed& child, unsigned char* block) {
    const double value = host_.decide(child, block);
    if (watcher_ != nullptr) tell(*watcher_, tree_, DecideStepKind::decided, depth, child.node, nullptr, value);
    return value;
  }

  // Determines the value of the active child, without its preconditions: that of its Decide if it has one; else, if it
  // delegates, the value of its own active child; else 1.
  void weigh_active(Placed child) {
    Frame& asking = *frame_;
    alignas(8) unsigned char block[layout::kMaxBlockBytes];
    const Placed active = child;
    double value = 1;
    for (std::uint32_t level = active_level_;; child = host_.agent().level(++level)) {
      if (child.decider->decide != 0) {
        value = decide(level, child, block);
        break;
      }
      host_.restart_timer(*child.decider);
      if (!child.has(kDelegates)) break;
      if (level + 1 == host_.agent().level_count()) {
        value = 0;
        break;
      }
    }
    active_value_ = value > 0 ? value : 0;
    watch(DecideStepKind::asked, asking, active, value);
  }

  // The child that was asked last has given this value; its answer is at the frame's top.
  void answered(double value) {
    watch(DecideStepKind::asked, *frame_, tree_.placed(frame_->child), value);
    settle(value);
  }

  // The same without a report. A child whose preconditions are not met has the value 0, and no answer.
  void settle(double value) {
    Frame& asking = *frame_;
    const Opcode opcode = asking.group.opcode();
    if (!(value > 0)) {
      if (opcode == opcode::decide_shuffle)
        asking.bits |= std::uint64_t{1} << child_index<opcode::decide_behavior>(asking.group.node, asking.child);
      return;
    }
    DeciderAnswer* answer = answer_at(asking.top);
    answer->value = value;
    if (opcode == opcode::decide_scored) {
      if (value <= asking.best) return;
      const std::uint32_t kept = first_answer();
      std::memmove(scratch_ + kept, answer, answer->size_bytes);
      asking.top = kept + answer_at(kept)->size_bytes;
    } else {
      asking.top += answer->size_bytes;
    }
    asking.best = value;
    asking.is_done = opcode != opcode::decide_scored && opcode != opcode::decide_random;
    if (opcode == opcode::decide_random) asking.bits += weight_of(asking.child);
  }

  // The weight among its siblings in a decide_random.
  static std::uint32_t weight_of(const std::uint32_t* placement) {
    return operand<OperandKind::weight, EngineId::decide>(placement);
  }

  // The answer of the child that the frame's group has chosen, after it has asked its children; null if there is none.
  const DeciderAnswer* chosen_of(const Frame& closing) {
    if (!(closing.best > (closing.active != nullptr ? active_value_ : 0))) return nullptr;
    std::uint32_t chosen = first_answer();
    if (closing.group.opcode() != opcode::decide_random) return answer_at(chosen);
    if (watcher_ != nullptr) tell_weights(chosen, closing.top);
    std::uint64_t left = next_below(host_.agent().generator(), closing.bits, watcher_);
    for (;; chosen += answer_at(chosen)->size_bytes) {
      const std::uint64_t weight = weight_of(tree_.placed(std::uint64_t{answer_at(chosen)->number}).placement);
      if (left < weight) return answer_at(chosen);
      left -= weight;
    }
  }

  // Of the children that accept: their answers are in the scratch memory, from the first one on.
  void tell_weights(std::uint32_t answer, std::uint32_t end) {
    for (; answer < end; answer += answer_at(answer)->size_bytes) {
      const std::uint64_t weight = weight_of(tree_.placed(std::uint64_t{answer_at(answer)->number}).placement);
      static_cast<void>(choose_bits(*watcher_, ESPALIER_DRAW_WEIGHT, weight, 0));
    }
  }

  void watch_choice(const Frame& closing, const DeciderAnswer* chosen) const {
    if (watcher_ == nullptr) return;
    const std::uint32_t* node = closing.group.node;
    if (chosen != nullptr) {
      const std::uint32_t* child = tree_.placed(std::uint64_t{chosen->number}).node;
      tell(*watcher_, tree_, DecideStepKind::chosen, closing.depth, node, child, chosen->value);
    } else if (closing.active == nullptr) {
      tell(*watcher_, tree_, DecideStepKind::refused_all, closing.depth, node, nullptr, 0);
    }
  }

  const DeciderTree& tree_;
  DeciderHost& host_;
  const FailedChildren& failed_;
  unsigned char* const scratch_;
  const Watcher* const watcher_;
  Frame* frame_ = nullptr;
  std::uint32_t active_level_ = 0;
  double active_value_ = 0;
};

}  // namespace espalier
