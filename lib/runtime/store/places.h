// Places in gates and the times of cooldowns. What all agents of a tree share is a value of the shared block, which
// several threads change at once: each function is atomic.
#pragma once
#include "format/node.h"
#include "format/opcodes/store.h"
#include "store/tree.h"

namespace espalier {

class StorePlaces {
 public:
  explicit StorePlaces(const Host& host) : host_(host) {}

  // Takes a place in a gate. False: it is full.
  bool count_in(const std::uint32_t* gate) const {
    SharedValue& taken = shared_value(gate);
    std::uint64_t count = taken.load(std::memory_order_relaxed);
    while (count < operand<OperandKind::maximum, EngineId::store>(gate)) {
      if (taken.compare_exchange_weak(count, count + 1, std::memory_order_acquire, std::memory_order_relaxed))
        return true;
    }
    return false;
  }
  void count_out(const std::uint32_t* gate) const { shared_value(gate).fetch_sub(1, std::memory_order_release); }

  // Can the cooldown be entered? If it starts at the entry, only one agent enters it at a time.
  bool open_cooldown(const StoreInstance& instance, const std::uint32_t* node) const {
    const bool starts = has_flag(node, kStartsAtEntry);
    if (opcode_of(node) == opcode::store_cooldown) {
      if (host_.clock_us < instance.time(kept_at(node))) return false;
      if (starts) close_cooldown(instance, node);
      return true;
    }
    SharedValue& opens = shared_value(node);
    std::uint64_t opens_us = opens.load(std::memory_order_relaxed);
    const std::uint64_t next_us = host_.clock_us + instance.number(node);
    while (host_.clock_us >= opens_us) {
      if (!starts || opens.compare_exchange_weak(opens_us, next_us, std::memory_order_relaxed)) return true;
    }
    return false;
  }

  // Begins the time of a cooldown.
  void close_cooldown(const StoreInstance& instance, const std::uint32_t* node) const {
    const std::uint64_t open_us = host_.clock_us + instance.number(node);
    if (opcode_of(node) == opcode::store_cooldown) return instance.set_time(kept_at(node), open_us);
    shared_value(node).store(open_us, std::memory_order_relaxed);
  }

 private:
  SharedValue& shared_value(const std::uint32_t* node) const {
    return static_cast<SharedValue*>(host_.shared)[shared_value_of(node)];
  }

  const Host& host_;
};

}  // namespace espalier
