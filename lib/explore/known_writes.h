// What writes of entries do, by the bytes that they change: see EngineRow::entry_places. What is known of it changes no
// result.
#pragma once
#include <cstdint>
#include <vector>

#include "explore/places.h"

namespace espalier::explore {

class KnownWrites {
 public:
  // Of one step.
  class OfStep {
   public:
    explicit OfStep(std::size_t size) : rows_(size) {}
    // 1 + the number of what is known; 0: nothing is.
    std::uint32_t find(const std::uint64_t* before) const { return rows_.find(before); }
    // `is_refused`: the entry does not take the value.
    void add(const std::uint64_t* before, const std::uint64_t* after, bool is_refused) {
      rows_.add(before);
      after_.insert(after_.end(), after, after + rows_.size());
      is_refused_.push_back(is_refused ? 1 : 0);
    }
    const std::uint64_t* after(std::uint32_t number) const { return after_.data() + number * rows_.size(); }
    bool is_refused(std::uint32_t number) const { return is_refused_[number] != 0; }
    std::size_t size() const { return rows_.size(); }
    bool is_full() const { return rows_.count() >= kMostRows; }

   private:
    static constexpr std::uint32_t kMostRows = 1u << 10;
    WordRows rows_;
    std::vector<std::uint64_t> after_;
    std::vector<unsigned char> is_refused_;
  };

  // By the number of a step. `size`: of the places of its entry.
  OfStep& of(std::uint32_t step, std::size_t size) {
    while (steps_.size() <= step) steps_.emplace_back(size);
    OfStep& known = steps_[step];
    if (known.is_full() || known.size() != size) known = OfStep(size);
    return known;
  }

 private:
  std::vector<OfStep> steps_;
};

}  // namespace espalier::explore
