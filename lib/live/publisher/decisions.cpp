// Following programs. See decisions.h.
#include "live/publisher/decisions.h"

#include <algorithm>
#include <utility>

#include "live/attempt.h"

namespace espalier::live {
namespace {

constexpr std::int64_t kComplete_us = 20'000;  // after its last change an update is over
constexpr std::int64_t kMostWait_us = 2'000'000;
constexpr std::uint16_t kRoot = 1;

}  // namespace

void Decisions::begin(const std::vector<NodeStatus>& statuses) {
  lose();
  const auto has_run = [](const NodeStatus& each) { return each.status != 0; };
  const auto is_active = [](const NodeStatus& each) { return each.status != 0 && each.status < kStatusCount; };
  is_fresh_ = std::none_of(statuses.begin(), statuses.end(), has_run);
  if (std::none_of(statuses.begin(), statuses.end(), is_active)) state_ = State::idle;
}

// What is pending is not followed.
void Decisions::lose() {
  rest_.insert(rest_.end(), pending_.changes.begin(), pending_.changes.end());
  pending_.changes.clear();
  ways_.clear();
  state_ = State::waits;
  is_fresh_ = false;
  is_apart_ = true;
}

void Decisions::add(const Change& change) {
  const bool is_root = change.uid == kRoot;
  if (state_ == State::idle && !is_root) lose();  // changes before it are missing
  if (state_ == State::idle) {
    state_ = State::follows;
    origin_us_ = change.at_us;
  }
  (state_ == State::follows ? pending_.changes : rest_).push_back(change);
  if (state_ == State::waits && is_root && change.status == Status::idle) state_ = State::idle;
}

// Changes of whole updates.
std::size_t Decisions::complete_count(std::int64_t now_us) const {
  const std::vector<Change>& changes = pending_.changes;
  if (changes.empty() || now_us - changes.back().at_us >= kComplete_us) return changes.size();
  std::size_t count = changes.size() - 1;
  while (count > 0 && changes[count].at_us - changes[count - 1].at_us < kOtherUpdate_us) --count;
  return count;
}

std::optional<Decided> Decisions::follow(std::int64_t now_us) {
  const std::size_t count = complete_count(now_us);
  if (state_ != State::follows || count == 0) return std::nullopt;
  Log log;
  const auto end = pending_.changes.begin() + static_cast<std::ptrdiff_t>(count);
  log.changes.assign(pending_.changes.begin(), end);
  if (ways_.empty()) ways_ = is_fresh_ ? std::vector{beginning_of(tree_)} : beginnings(tree_, log, 0, false);
  is_fresh_ = false;
  std::vector<Beginning> ends;
  FittedRun run = go_on(tree_, log, origin_us_, ways_, &ends);
  const bool fits = !run.misfit && !ends.empty();
  if (!fits) {
    // More changes may complete it.
    const bool may_fit = !ways_.empty() && now_us - pending_.changes.front().at_us < kMostWait_us &&
                         now_us - pending_.changes.back().at_us < kMostWait_us / 4;
    if (!may_fit) lose();
    return std::nullopt;
  }
  Decided decided{std::move(run), std::move(log.changes), origin_us_, is_apart_ || run.start != told_};
  pending_.changes.erase(pending_.changes.begin(), end);
  ways_ = std::move(ends);
  told_ = ways_.front().block;
  is_apart_ = false;
  return decided;
}

std::vector<Change> Decisions::take_rest() { return std::exchange(rest_, {}); }

}  // namespace espalier::live
