// Times of behaviours: espalier_call.active_us and passed_us. A behaviour whose declaration asks for them has two
// clocks of 8 bytes each in the agent's block: when its node became active, and when it was called last.
#pragma once
#include "core/bytes.h"
#include "core/host_call.h"

namespace espalier {

class Times {
 public:
  // Null: the behaviour keeps no times.
  explicit Times(unsigned char* clocks) : clocks_(clocks) {}

  bool are_kept() const { return clocks_ != nullptr; }
  // The node becomes active.
  void begin(std::uint64_t clock_us) const {
    if (clocks_ != nullptr) store_u64(clocks_, clock_us);
    called(clock_us);
  }
  void called(std::uint64_t clock_us) const {
    if (clocks_ != nullptr) store_u64(clocks_ + 8, clock_us);
  }
  // The memory, with the times at this clock.
  Memory of(Memory memory, std::uint64_t clock_us) const {
    if (clocks_ == nullptr) return memory;
    memory.active_us = since(clocks_, clock_us);
    memory.passed_us = since(clocks_ + 8, clock_us);
    return memory;
  }
  // Both times are unknown, until the node becomes active or is called.
  void forget() const { begin(kNoTime); }
  // Hot reload: continues other times, or begins.
  void move_from(const Times& old, std::uint64_t clock_us) const {
    begin(clock_us);
    if (clocks_ != nullptr && old.clocks_ != nullptr) std::memcpy(clocks_, old.clocks_, layout::kTimesBytes);
  }

 private:
  static std::uint64_t since(const unsigned char* clock, std::uint64_t clock_us) {
    const std::uint64_t then_us = load_u64(clock);
    return then_us == kNoTime ? kNoTime : clock_us - then_us;
  }

  unsigned char* clocks_;
};

// Memory that ends with times is given to the behaviour without them.
inline Times times_in(const Asset& asset, std::uint32_t behavior, Memory* memory) {
  if (!keeps_times(asset, behavior)) return Times(nullptr);
  memory->size_bytes -= layout::kTimesBytes;
  unsigned char* clocks = static_cast<unsigned char*>(memory->bytes) + memory->size_bytes;
  if (memory->size_bytes == 0) memory->bytes = nullptr;
  return Times(clocks);
}

// Of the current behaviour of an agent that selects or runs rules: at the end of its block, if the tree has room there.
Times times_of_current(const Tree& tree, void* agent, std::uint32_t behavior);

}  // namespace espalier
