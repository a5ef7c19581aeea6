// Branches that are walked once for all states in which they are alike: at the first question of one, an update is
// left, and goes on after it, once for each way in which the branch may end. See BranchRow.
#include <algorithm>

#include "explore/run.h"

namespace espalier::explore {
namespace {

constexpr std::uint32_t kMostWays = 256;  // through a branch

void add_end(BranchEnd end, BranchEnds& ends) {
  const auto same = std::find_if(ends.begin(), ends.end(), [&](const BranchEnd& other) {
    return other.status == end.status && other.fault == end.fault && other.bytes == end.bytes;
  });
  if (same == ends.end()) {
    ends.push_back(std::move(end));
    return;
  }
  for (const std::uint64_t mark : end.marks) {
    if (std::find(same->marks.begin(), same->marks.end(), mark) == same->marks.end()) same->marks.push_back(mark);
  }
}

}  // namespace

// What a branch does may not depend on what the host has answered elsewhere: its names are asked for nowhere else, or
// get another answer each time.
void Run::set_branches(std::shared_ptr<KnownBranches> known) {
  const Side& in = world_.sides().front();
  const BranchRow* const row = in.engine->branches;
  const bool is_one = world_.sides().size() == 1 && world_.agent_count() == 1;
  if (row == nullptr || !is_one || answers_ == Answers::kept || observer_.heard) return;
  const auto is_asked_once = [&](std::uint32_t name) { return bool(in.is_asked_once[name]); };
  for (std::uint32_t branch = 0;; ++branch) {
    const std::vector<std::uint32_t> names = row->names(in, branch);
    if (names.empty()) break;
    is_free_branch_.push_back(choices_ == Choices::wide || std::all_of(names.begin(), names.end(), is_asked_once));
  }
  if (!is_free_branch_.empty()) known_branches_ = std::move(known);
}

// False: the host is asked.
bool Run::enters_branch(const Call& call) {
  if (!uses_branches() || is_refused_) return false;
  const std::uint32_t branch = side().engine->branches->branch_of(side(), call.node_word);
  if (branch == kNoValue || !is_free_branch_[branch]) return false;
  Asked& asked = add_asked();
  if (!side().engine->rest_of_update(call, asked.rest)) return false;
  ++asked_count_;
  asked.place = place_;
  asked.branch = branch;
  is_leaving_ = true;
  return true;
}

// Goes on with an update that was left there. If there is a choice, it can be gone back to.
Result Run::pass_branch(const Host& host, const Watcher& watcher) {
  is_leaving_ = false;
  Asked& asked = asked_[--asked_count_];
  const BranchEnds& ends = ends_of(asked, host, watcher);
  if (ends.empty()) {
    is_in_unknown_ = true;
    return side().engine->go_on(side(), World::block(side(), state_, agent_), asked.rest, host, watcher);
  }
  asked.ends = &ends;
  if (ends.size() > 1 && place_ == path_.size()) {
    path_.push_back({0, static_cast<std::uint32_t>(ends.size())});
    if (may_keep_asked()) ++asked_count_;
  }
  return leave_branch(asked, host, watcher);
}

Result Run::leave_branch(const Asked& asked, const Host& host, const Watcher& watcher) {
  const BranchEnds& ends = *asked.ends;
  const BranchEnd& end = ends[ends.size() > 1 ? path_[place_++].option : 0];
  for (const std::uint64_t mark : end.marks) moment_->mark(mark);
  ++ask_count_;
  is_asked_again_ = false;
  is_going_on_ = true;
  return side().engine->branches->leave(side(), asked.branch, World::block(side(), state_, agent_), asked.rest, end,
                                        host, watcher);
}

const BranchEnds& Run::ends_of(const Asked& asked, const Host& host, const Watcher& watcher) {
  const auto* const block = World::block(side(), asked.state.data(), agent_);
  branch_key_.assign(reinterpret_cast<const char*>(&asked.branch), sizeof asked.branch);
  side().engine->branches->add_key(side(), asked.branch, block, asked.rest, branch_key_);
  if (const BranchEnds* const known = known_branches_->find(branch_key_); known != nullptr) {
    go_back_to(asked);
    return *known;
  }
  return known_branches_->add(branch_key_, walk_branch(asked, host, watcher));
}

// All ways through it. None: it cannot be left so.
BranchEnds Run::walk_branch(const Asked& asked, const Host& host, const Watcher& watcher) {
  const auto* const before = World::block(side(), asked.state.data(), agent_);
  unsigned char* const block = World::block(side(), state_, agent_);
  const std::uint64_t ask_count = ask_count_;
  BranchEnds ends;
  std::vector<Choice> path;
  path_.swap(path);
  is_walking_ = true;
  bool is_known = true;
  for (std::uint32_t count = 0; is_known; ++count) {
    go_back_to(asked);
    place_ = 0;
    BranchEnd end;
    is_known = count < kMostWays && !is_refused_ &&
               side().engine->branches->walk(side(), asked.branch, block, before, asked.rest, host, watcher, end) &&
               !is_refused_;
    if (!is_known) break;
    end.marks.assign(marks_.begin() + static_cast<std::ptrdiff_t>(asked.mark_count), marks_.end());
    add_end(std::move(end), ends);
    path_.resize(place_);
    if (!next_path()) break;
  }
  is_walking_ = false;
  path_.swap(path);
  ask_count_ = ask_count;
  go_back_to(asked);
  if (!is_known) ends.clear();
  return ends;
}

}  // namespace espalier::explore
