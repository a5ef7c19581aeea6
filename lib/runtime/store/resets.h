// Resets of nodes of an agent of trees that store their results: they go backwards, so that what began last ends first.
#pragma once
#include "format/opcodes/store.h"
#include "store/calls.h"
#include "store/nodes.h"
#include "store/path.h"
#include "store/places.h"
#include "store/seats.h"

namespace espalier {

class StoreResets {
 public:
  // All must outlive this.
  StoreResets(StoreCalls& calls, StorePath& path, const StoreSeats& seats, const StorePlaces& places, const Host& host)
      : calls_(calls), path_(path), seats_(seats), places_(places), host_(host) {}

  // Resets a node of the present instance and all its descendants, in reverse order.
  void reset(const std::uint32_t* top) {
    const std::uint32_t top_depth = path_.depth();
    const std::uint32_t* node = end_of(top);
    for (;;) {
      // A tree in a slot is done: its store_child comes next.
      if (path_.depth() > top_depth && node == instance().root()) {
        node = path_.go_out();
        finish_reset(node);
        continue;
      }
      if (path_.depth() == top_depth && node == top) return;
      const std::uint32_t* first = path_.depth() == top_depth ? top : instance().root();
      if (!calls_.is_watched() && (node = pass_plain(node, first)) == first) continue;
      node = instance().previous(node);
      if (instance().has_child(node)) {
        path_.go_in(node);
        node = instance().end();
        continue;
      }
      finish_reset(node);
    }
  }

  // Resets the children of a node from `first` on that are in this state (none: all), in reverse order.
  void reset_children(const std::uint32_t* node, const std::uint32_t* first, Stored wanted) {
    const std::uint32_t* end = end_of(node);
    while (end != first) {
      const std::uint32_t* child = instance().previous(end);
      while (parent_of(child) != node) child = parent_of(child);
      if (wanted == Stored::none || instance().stored(child) == wanted) reset(child);
      end = child;
    }
  }

 private:
  const StoreInstance& instance() const { return path_.instance(); }

  // What reset() does with nodes that hold nothing, when nobody watches and no action has memory or times: goes
  // backwards from a node, or the end, as far as `first`, and returns the last one that it has passed.
  const std::uint32_t* pass_plain(const std::uint32_t* node, const std::uint32_t* first) {
    const Behavior* const behaviors = host_.behaviors;
    const StoreInstance& own = instance();
    if (behaviors == nullptr || own.may_have_memory()) return node;
    const StoredResults results = own.results();
    const std::uint32_t* const root = own.root();
    const std::uint32_t* const words = own.node_words();
    const std::uint32_t begin = node == own.end() ? own.node_count() : node_number(node);
    const std::uint32_t end = node_number(first);
    std::uint32_t number = begin;
    calls_.forget_memory();
    for (; number != end; --number) {
      const Stored stored = results[number - 1];
      if (stored == Stored::none) continue;
      const std::uint32_t* next = root + words[number - 1];
      if (opcode_of(next) == opcode::store_action) {
        results.clear(number - 1);
        const BoundBehavior bound = calls_.plain_behavior(behaviors, next);
        stored == Stored::running ? bound.interrupt() : bound.reset();
      } else {
        if (!store_row(opcode_of(next)).may_be_watched) break;
        results.clear(number - 1);
      }
    }
    return number == begin ? node : own.node(number);
  }

  // Releases what a node holds, and clears its result. Its descendants were already reset.
  void finish_reset(const std::uint32_t* node) {
    const Stored stored = instance().stored(node);
    if (stored == Stored::none) return;
    const bool is_running = stored == Stored::running;
    instance().set_stored(node, Stored::none);
    if (is_running) {
      calls_.watch(NodeStepKind::interrupt, node);
    } else {
      calls_.watch(NodeStepKind::reset, node, static_cast<std::uint32_t>(to_result(stored)));
    }
    switch (opcode_of(node)) {
      case opcode::store_action:
        return reset_action(node, is_running);
      case opcode::store_gate:
        if (is_running) places_.count_out(node);
        return;
      case opcode::store_cooldown:
      case opcode::store_cooldown_all:
        if (is_running && !has_flag(node, kStartsAtEntry)) places_.close_cooldown(instance(), node);
        return;
      case opcode::store_group:
        return seats_.leave(node, true);
      case opcode::store_barrier:
        if (is_running) seats_.take_arrival_back(node);
        return;
      default:
        return;
    }
  }

  void reset_action(const std::uint32_t* node, bool is_running) {
    if (host_.behaviors == nullptr) return;
    const Behavior& functions = host_.behaviors[operand<OperandKind::behavior, EngineId::store>(node)];
    if ((is_running ? functions.interrupt : functions.reset) == nullptr) return;
    Memory memory;
    const Times times = instance().times(node, &memory);
    const BoundBehavior bound = calls_.behavior(node, times.of(memory, host_.clock_us));
    is_running ? bound.interrupt() : bound.reset();
  }

  StoreCalls& calls_;
  StorePath& path_;
  const StoreSeats& seats_;
  const StorePlaces& places_;
  const Host& host_;
};

}  // namespace espalier
