// See first_statuses.h.
#include "live/first_statuses.h"

#include <algorithm>

namespace espalier::live {

FirstStatuses::FirstStatuses(const LoggedTree& tree, const Log& log, std::uint32_t first)
    : tree_(tree), log_(log), first_(first), firsts_(tree.nodes().size(), kNoChange), before_(firsts_.size()) {
  for (std::uint32_t i = 0; i < first; ++i) {
    const std::uint16_t uid = log.changes[i].uid;
    if (uid != 0 && uid <= before_.size()) before_[uid - 1u] = set_of(log.changes[i].status);
  }
  find_first_changes();
  for (std::uint32_t node = 0; node < firsts_.size(); ++node)
    allowed_.push_back(log.has_idle ? allowed_before(node) : kAnyStatus);
}

// A run ends when its root is idle.
void FirstStatuses::find_first_changes() {
  for (end_ = first_; end_ < log_.changes.size() && !ends_idle_; ++end_) {
    const Change& change = log_.changes[end_];
    const auto note = [&](std::uint32_t node) { firsts_[node] = std::min(firsts_[node], end_); };
    if (change.uid != 0 && change.uid <= firsts_.size()) note(change.uid - 1u);
    for (std::uint32_t node = 0; change.uid == 0 && node < firsts_.size(); ++node)
      if (tree_.is_of(change, log_, node)) note(node);
    ends_idle_ = change.status == Status::idle && tree_.is_of(change, log_, 0);
  }
}

Statuses FirstStatuses::allowed_before(std::uint32_t node) const {
  if (!is_alone(node)) return kAnyStatus;
  Statuses allowed = kAnyStatus;
  if (firsts_[node] != kNoChange) {
    const Change& change = log_.changes[firsts_[node]];
    allowed &= static_cast<Statuses>(~set_of(change.status));
    if (change.previous != 0) allowed = set_of(static_cast<Status>(change.previous - 1));
  } else if (ends_idle_) {
    allowed &= static_cast<Statuses>(~kRuns);  // else it would have been halted
  }
  if (before_[node] != 0) return allowed & before_[node];
  return is_sampled(node) ? allowed & set_of(log_.first_statuses->statuses[node]) : allowed;
}

// Is the status that was sampled the one that the node had before its first change?
bool FirstStatuses::is_sampled(std::uint32_t node) const {
  if (!log_.first_statuses || node >= log_.first_statuses->statuses.size()) return false;
  return firsts_[node] == kNoChange || log_.changes[firsts_[node]].at_us - kSampleApart_us > log_.first_statuses->at_us;
}

// Is each change of the node known for one of it? A log without numbers has names alone.
bool FirstStatuses::is_alone(std::uint32_t node) const {
  if (log_.changes.front().uid != 0) return true;
  return std::count_if(tree_.nodes().begin(), tree_.nodes().end(),
                       [&](const LoggedNode& other) { return other.is_called(tree_.nodes()[node].name); }) == 1;
}

std::uint32_t FirstStatuses::first_change(std::uint32_t node, std::uint32_t count) const {
  return count == 0 ? kNoChange : *std::min_element(firsts_.begin() + node, firsts_.begin() + node + count);
}

std::uint32_t FirstStatuses::first_change_to(std::uint32_t node, Statuses statuses) {
  const auto [found, is_new] = found_.try_emplace({node, statuses}, kNoChange);
  for (std::uint32_t i = first_; is_new && i < end_ && found->second == kNoChange; ++i) {
    const bool is_one = (statuses & set_of(log_.changes[i].status)) != 0;
    if (is_one && tree_.is_of(log_.changes[i], log_, node)) found->second = i;
  }
  return found->second;
}

std::uint32_t FirstStatuses::last_idle(std::uint32_t node, std::uint32_t before) {
  constexpr std::uint32_t kLast = 0x100;  // behind all sets
  const auto [found, is_new] = found_.try_emplace({node, kLast}, kNoChange);
  for (std::uint32_t i = std::min(before, end_); is_new && i-- > first_ && found->second == kNoChange;) {
    if (log_.changes[i].status == Status::idle && tree_.is_of(log_.changes[i], log_, node)) found->second = i;
  }
  return found->second;
}

std::uint64_t FirstStatuses::time_of(std::uint32_t change) const {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, log_.changes[change].at_us - log_.changes[first_].at_us));
}

}  // namespace espalier::live
