// What differs between ways. See way_steps.h.
#include "live/way_steps.h"

#include <algorithm>

#include "explore/host_values.h"

namespace espalier::live {
namespace {

bool has_set(const Update& update, const EntrySet& wanted) {
  return std::any_of(update.sets.begin(), update.sets.end(), [&](const EntrySet& set) {
    return set.entry == wanted.entry && explore::text_of(set.value) == explore::text_of(wanted.value);
  });
}

}  // namespace

std::uint32_t WaySteps::end_of(std::uint32_t step) const {
  return steps_[step].update.first_change + steps_[step].update.change_count;
}

std::uint32_t WaySteps::furthest() const {
  std::uint32_t last = kNone;
  for (std::uint32_t i = 0; i < steps_.size(); ++i) {
    if (last == kNone || end_of(i) > end_of(last)) last = i;
  }
  return last;
}

void WaySteps::merge_ended(std::uint32_t furthest) {
  const std::uint32_t before = steps_[furthest].parent == kNone ? furthest : steps_[furthest].parent;
  const std::uint32_t from = steps_[before].update.first_change;
  std::vector<bool> has_next(steps_.size());
  for (const WayStep& step : steps_)
    if (step.parent != kNone) has_next[step.parent] = true;
  for (std::uint32_t i = 0; i < steps_.size(); ++i)
    if (!has_next[i] && end_of(i) > from) merge(furthest, i);
}

bool WaySteps::are_same(const Update& a, const Update& b) const {
  if (a.first_change != b.first_change || a.change_count != b.change_count || a.answer_count != b.answer_count)
    return false;
  for (std::uint32_t i = 0; i < a.answer_count; ++i) {
    const LeafAnswer& one = answers[a.first_answer + i];
    const LeafAnswer& other = answers[b.first_answer + i];
    if (one.node != other.node || one.result != other.result) return false;
  }
  return true;
}

void WaySteps::merge(std::uint32_t kept, std::uint32_t dropped) {
  while (kept != dropped && kept != kNone && dropped != kNone) {
    Update& update = steps_[kept].update;
    const Update& other = steps_[dropped].update;
    if (are_same(update, other)) {
      for (std::uint32_t i = 0; i < update.answer_count; ++i)
        answers[update.first_answer + i].fitting |= answers[other.first_answer + i].fitting;
      for (EntrySet& set : update.sets) set.is_open = set.is_open || !has_set(other, set);
      kept = steps_[kept].parent;
      dropped = steps_[dropped].parent;
    } else {
      update.is_certain = false;
      // The one that begins later in the log goes back.
      const bool goes_back = update.first_change >= other.first_change;
      if (update.first_change <= other.first_change) dropped = steps_[dropped].parent;
      if (goes_back) kept = steps_[kept].parent;
    }
  }
}

}  // namespace espalier::live
