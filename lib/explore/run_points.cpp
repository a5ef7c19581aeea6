// Points of an update: where several ways through it come to the same point, one of them is followed. With free answers
// these may be ways from several states. See run.h.
#include <algorithm>
#include <bit>
#include <cstring>

#include "explore/run.h"

namespace espalier::explore {

// Most updates have few paths, and in some each path leads to points of its own: there it is not worth while.
bool Run::may_be_point() const {
  constexpr std::uint64_t kTriedPoints = 1024;
  constexpr std::uint64_t kPointsAMerged = 128;
  const bool is_worth_while = point_counts_.looked_at < std::max(kTriedPoints, point_counts_.merged * kPointsAMerged);
  const bool has_few_paths = path_count_ < few_paths_ && !(looks_early_ && shares_points());
  return is_worth_while && !is_merged_ && !has_few_paths && place_ == path_.size();
}

void Run::look_for_point(const DecideStep& step) {
  const unsigned char* block = World::block(side(), state_, agent_);
  if (side().engine->is_point(side(), block, step, failed_, may_be_point() ? &point_ : nullptr)) add_point();
}

void Run::look_for_point(const Call& call) {
  if (!may_be_point() || !may_merge()) return;
  rest_.clear();
  if (side().engine->rest_of_update(call, rest_)) look_for_point(hash_of(rest_.data(), rest_.size()));
}

// `rest`: of what EngineRow::rest_of_update() adds.
void Run::look_for_point(const Hash& rest) {
  point_.assign(reinterpret_cast<const char*>(block()), side().block_bytes);
  point_.append(reinterpret_cast<const char*>(&rest), sizeof rest);
  add_point();
}

// What follows is the same, so that all of it is known, unless this way to the point has reached something new. A trace
// cannot have what is refused, however it goes on.
void Run::add_point() {
  const auto add = [&](const void* bytes, std::size_t size) {
    if (size != 0) point_.append(static_cast<const char*>(bytes), size);
  };
  const std::uint64_t head[] = {clock_us_, agent_, notes_.size()};
  add(head, sizeof head);
  const std::size_t own = static_cast<std::size_t>(block() - state_);  // beside the block of the agent
  add(state_, own);
  add(state_ + own + side().block_bytes, size_ - own - side().block_bytes);
  add(notes_.data(), notes_.size() * sizeof notes_[0]);
  for (const std::vector<Heard>& heard : heard_) {
    const std::size_t heard_count = heard.size();
    add(&heard_count, sizeof heard_count);
    for (const Heard& each : heard) add(&each.number, sizeof each.number);
  }
  add_answers_to_point();
  const Hash point = hash_of(point_.data(), point_.size());
  const bool may_be_of_others = shares_points() && known_points_ != nullptr;
  if (may_be_of_others) known_points_->fetch(point);
  const bool is_known = points_.contains(point) || (may_be_of_others && known_points_->contains(point));
  while (told_count_ < marks_.size() && told_marks_.count(marks_[told_count_]) != 0) ++told_count_;
  is_merged_ = is_refused_ || (is_known && told_count_ == marks_.size());
  ++point_counts_.looked_at;
  point_counts_.merged += is_merged_ ? 1 : 0;
  if (is_refused_ || is_known || points_.size() >= kMostPoints) return;
  points_.insert(point);
  passed_.push_back({place_, point});
}

// What later answers, and the lines that set all of them, depend on. Free answers that are not asked for again are
// forgotten.
void Run::add_answers_to_point() {
  for (const std::uint32_t name : names_asked_again_) {
    const Chain& given = chain_of(agent_, name);
    if (choices_ == Choices::plain) {
      point_ += given.first == kNoGiven ? '-' : static_cast<char>(given_[given.first].answer);
    } else if (answers_ == Answers::kept) {
      point_ += is_changed_[name] != 0 ? static_cast<char>(given_[given.last].answer) : '-';
    }
  }
  for (const Given& given : given_) {
    if (!given.is_foreseen) continue;
    const std::uint32_t foreseen[] = {given.name, given.node_word, static_cast<std::uint32_t>(given.answer)};
    point_.append(reinterpret_cast<const char*>(foreseen), sizeof foreseen);
  }
}

// The next path differs from those before in a choice before this place.
void Run::leave_points(std::size_t place) {
  while (!passed_.empty() && passed_.back().place >= place) {
    if (shares_points()) new_points_.push_back(passed_.back().point);
    passed_.pop_back();
  }
}

void Run::forget_points() {
  ++end_number_;
  forget_points_of_updates();
  own_entries_.clear();
  entry_counts_ = {};
}

void Run::forget_points_of_updates() {
  points_.clear();
  passed_.clear();
  told_marks_.clear();
  point_counts_ = {};
}

// Has a path ended in this state before, as far as that is kept? Ways that differ in the last answer often end alike:
// an action may succeed or fail under a node that does not look at its result. So do updates of different states, if
// what they lead to is all that matters. What was marked or heard is not compared.
bool Run::ends_as_before() {
  if (below_ != nullptr || replayed_ != nullptr || !marks_.empty() || !heard_.empty()) return false;
  if (ends_.empty()) {
    ends_.resize(std::bit_floor(std::clamp(kEndBytes / size_, kLeastEnds, kMostEnds)));
    end_states_.resize(ends_.size() * size_);
    end_statuses_.resize(ends_.size() * statuses_.size());
  }
  const std::size_t place = hash_of_words(words_.data(), size_ / sizeof words_[0]) >> 32 & (ends_.size() - 1);
  End& end = ends_[place];
  unsigned char* const state = end_states_.data() + place * size_;
  std::optional<Result>* const statuses = end_statuses_.data() + place * statuses_.size();
  if (end.number == end_number_ && end.clock_us == clock_us_ && std::memcmp(state, state_, size_) == 0 &&
      std::equal(statuses_.begin(), statuses_.end(), statuses))
    return true;
  end = {end_number_, clock_us_};
  std::memcpy(state, state_, size_);
  std::copy(statuses_.begin(), statuses_.end(), statuses);
  return false;
}

}  // namespace espalier::explore
