// The steps of ways through a log, and what differs between ways. See ways.h.
#pragma once
#include <cstdint>
#include <vector>

#include "live/lockstep.h"

namespace espalier::live {

// An update after another one.
struct WayStep {
  std::uint32_t parent = 0xFFFFFFFF;
  std::uint32_t beginning = 0;
  Update update = {};
};

class WaySteps {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // Returns its number.
  std::uint32_t add(WayStep step) {
    steps_.push_back(std::move(step));
    return static_cast<std::uint32_t>(steps_.size() - 1);
  }
  WayStep& operator[](std::uint32_t step) { return steps_[step]; }
  const WayStep& operator[](std::uint32_t step) const { return steps_[step]; }
  // That ends last in the log; none: kNone.
  [[nodiscard]] std::uint32_t furthest() const;
  // Marks what differs between the furthest way and those that ended in its last two updates.
  void merge_ended(std::uint32_t furthest);
  // Marks what differs between a way that is kept and one that is not, by their last steps.
  void merge(std::uint32_t kept, std::uint32_t dropped);

  std::vector<LeafAnswer> answers = {};  // of all steps

 private:
  [[nodiscard]] bool are_same(const Update& a, const Update& b) const;
  [[nodiscard]] std::uint32_t end_of(std::uint32_t step) const;

  std::vector<WayStep> steps_;
};

}  // namespace espalier::live
