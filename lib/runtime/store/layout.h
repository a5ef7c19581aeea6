// Sizes of trees that store their results, which the compiler computes and the verifier checks: the offsets of the
// parts of an instance, and the bytes of a group in the shared block. See format/records.h.
#pragma once
#include <atomic>
#include <cstdint>

#include "format/records.h"

namespace espalier {

// How many parts of each kind an instance has: see parts.def.
struct InstanceParts {
  std::uint32_t times = 0;
  std::uint32_t counts = 0;
  std::uint32_t group_seats = 0;
  std::uint32_t results = 0;
};

// Byte offsets of the parts in an instance, and of the rooms of its store_child nodes.
struct InstanceLayout {
  std::uint32_t counts = 0;
  std::uint32_t group_seats = 0;
  std::uint32_t results = 0;
  std::uint32_t rooms = 0;
};

constexpr InstanceLayout instance_layout(const InstanceParts& parts) {
  InstanceLayout layout;
  layout.counts = 8 * parts.times;
  layout.group_seats = layout.counts + 2 * parts.counts;
  layout.results = layout.group_seats + parts.group_seats;
  layout.rooms = (layout.results + (parts.results + 3) / 4 + 7) / 8 * 8;
  return layout;
}

// The parts before an agent's first instance: the link of the last registered monitor, the number of seats in groups,
// and its slots.
inline constexpr std::uint32_t kMonitorsOffset = 0;
inline constexpr std::uint32_t kSeatsOffset = 2;
inline constexpr std::uint32_t kSlotsOffset = 4;

constexpr std::uint32_t store_header_bytes(std::uint32_t slot_count) {
  return (kSlotsOffset + 2 * slot_count + 7) / 8 * 8;
}

// The usable part of a slot's budget: instances are multiples of 8 bytes.
constexpr std::uint32_t room_of_budget(std::uint32_t budget_bytes) { return budget_bytes / 8 * 8; }

// ---- The shared block: 8 bytes for each shared value (agents in a store_gate, or the clock at which a
// store_cooldown_all is open again), then the groups.

using SharedValue = std::atomic<std::uint64_t>;
static_assert(sizeof(SharedValue) == 8);

// The seat of an agent that waits in a group, or is bound.
struct SharedSeat {
  std::uint32_t arrival;  // lower for agents that came earlier
  std::uint16_t met;      // bit i: it can have role i
  std::uint8_t role;      // when bound
  std::uint8_t is_taken;
};

// A group, followed by a seat for each role and the arrivals at its barriers, 2 bytes each, those of the first role
// first. All of it is accessed only with the lock, which is never held while a host's function is called.
struct SharedGroup {
  std::atomic<std::uint32_t> lock;
  std::uint32_t next_arrival;
  std::uint8_t taken_count;  // of its seats
  std::uint8_t is_bound;
  std::uint8_t broken;  // 0: no; 1: the group fails for the remaining agents; 2: their trees are reset
  std::uint8_t reserved[5];
  std::uint8_t results[layout::kMaxRoles];  // of the roles: 0: not done, 1: success, 2: failure
};
static_assert(sizeof(SharedSeat) == 8 && sizeof(SharedGroup) == 32);

constexpr std::uint32_t shared_group_bytes(const layout::Group& group) {
  const std::uint32_t arrivals = 2 * group.role_count * group.barrier_count;
  return (static_cast<std::uint32_t>(sizeof(SharedGroup)) + 8 * group.role_count + arrivals + 7) / 8 * 8;
}

}  // namespace espalier
