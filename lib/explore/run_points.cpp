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
  if (!side().engine->is_point(side(), block(), step, failed_, may_be_point() ? &point_key_ : nullptr)) return;
  begin_point(point_key_.data(), point_key_.size());
  const std::size_t own = static_cast<std::size_t>(block() - state_);  // beside the block of the agent
  add_to_point(state_, own);
  add_to_point(state_ + own + side().block_bytes, size_ - own - side().block_bytes);
  add_point();
}

void Run::look_for_point(const Call& call) {
  if (!may_be_point() || !may_merge()) return;
  rest_.clear();
  if (side().engine->rest_of_update(call, rest_)) look_for_point(hash_of(rest_.data(), rest_.size()));
}

// `rest`: of what EngineRow::rest_of_update() adds.
void Run::look_for_point(const Hash& rest) {
  begin_point(state_, size_);
  add_to_point(&rest, sizeof rest);
  add_point();
}

// What follows is the same, so that all of it is known, unless this way to the point has reached something new. A trace
// cannot have what is refused, however it goes on.
void Run::add_point() {
  const std::uint64_t head[] = {clock_us_, agent_, notes_.size()};
  add_to_point(head, sizeof head);
  if (!notes_.empty()) add_to_point(notes_.data(), notes_.size() * sizeof notes_[0]);
  for (const std::vector<Heard>& heard : heard_) {
    const std::size_t heard_count = heard.size();
    add_to_point(&heard_count, sizeof heard_count);
    for (const Heard& each : heard) add_to_point(&each.number, sizeof each.number);
  }
  add_answers_to_point();
  const Hash point = hash_of(point_bytes_.data(), point_size_);
  const bool may_be_of_others = shares_points() && known_points_ != nullptr;
  if (may_be_of_others) known_points_->fetch(point);
  const bool may_add = !is_refused_ && points_.size() < kMostPoints;
  bool is_known = may_be_of_others && known_points_->contains(point);
  if (!is_known && may_add && points_.insert(point)) {
    passed_.push_back({place_, point});
  } else {
    is_known = is_known || points_.contains(point);
  }
  while (told_count_ < marks_.size() && told_marks_.count(marks_[told_count_]) != 0) ++told_count_;
  is_merged_ = is_refused_ || (is_known && told_count_ == marks_.size());
  ++point_counts_.looked_at;
  point_counts_.merged += is_merged_ ? 1 : 0;
}

// What later answers, and the lines that set all of them, depend on. Free answers that are not asked for again are
// forgotten.
void Run::add_answers_to_point() {
  const bool is_plain = choices_ == Choices::plain;
  for (const std::uint32_t name : names_asked_again_) {
    if (!is_plain && answers_ == Answers::free) break;
    const Chain& given = chain_of(agent_, name);
    unsigned char answer = '-';
    if (is_plain && given.first != kNoGiven) answer = static_cast<unsigned char>(given_[given.first].answer);
    if (!is_plain && is_changed_[name] != 0) answer = static_cast<unsigned char>(given_[given.last].answer);
    add_to_point(&answer, sizeof answer);
  }
  for (const Given& given : given_) {
    if (!given.is_foreseen) continue;
    const std::uint32_t foreseen[] = {given.name, given.node_word, static_cast<std::uint32_t>(given.answer)};
    add_to_point(foreseen, sizeof foreseen);
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
  constexpr std::size_t kHashedWords = 32;  // of long states, which mostly differ there
  const std::size_t hashed = std::min(size_ / sizeof words_[0], kHashedWords);
  const std::size_t place = hash_of_words(words_.data(), hashed) >> 32 & (ends_.size() - 1);
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
