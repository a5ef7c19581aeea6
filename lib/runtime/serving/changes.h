// The last changes of statuses since a client asked to record them.
#pragma once
#include <cstdint>

namespace espalier::serving {

inline constexpr std::uint32_t kMostChanges = 1000;  // the oldest are dropped

// As the protocol numbers them.
enum class NodeStatus : std::uint8_t { idle, running, success, failure };

struct Change {
  std::uint64_t since_us = 0;  // the recording began
  std::uint16_t uid = 0;
  NodeStatus status = NodeStatus::idle;
};

// Of the program.
struct Clock {
  std::uint64_t (*now_us)(void* user);
  void* user;
  std::uint64_t now() const { return now_us(user); }
};

class Changes {
 public:
  // `memory`: kMostChanges of them.
  Changes(Change* memory, Clock clock) : changes_(memory), clock_(clock) {}

  // Returns the time since 1970 at which the recording begins.
  std::uint64_t begin() {
    is_on_ = true;
    clear();
    return first_us_ = clock_.now();
  }
  void end() { is_on_ = false; }
  void add(std::uint16_t uid, NodeStatus status) {
    if (!is_on_) return;
    const std::uint64_t now_us = clock_.now();
    changes_[(first_ + count_) % kMostChanges] = {now_us > first_us_ ? now_us - first_us_ : 0, uid, status};
    if (count_ < kMostChanges) {
      ++count_;
    } else {
      first_ = (first_ + 1) % kMostChanges;
    }
  }
  void clear() { count_ = 0; }
  std::uint32_t count() const { return count_; }
  const Change& operator[](std::uint32_t number) const { return changes_[(first_ + number) % kMostChanges]; }

 private:
  Change* changes_;
  Clock clock_;
  std::uint64_t first_us_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
  bool is_on_ = false;
};

}  // namespace espalier::serving
