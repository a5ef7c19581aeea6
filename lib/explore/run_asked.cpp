// Ways through an update that differ in an answer of the host have the same beginning. It is walked once: the next way
// goes on from where the host was asked, with what was there then. See run.h.
#include <algorithm>
#include <utility>

#include "explore/run.h"

namespace espalier::explore {
namespace {

// Of an update that asks very often, only what was there at its first choices is kept: what follows is walked again.
constexpr std::size_t kMostAskedBytes = std::size_t{1} << 20;

}  // namespace

bool Run::may_keep_asked() const { return asked_count_ * size_ < kMostAskedBytes; }

// As it is now. It counts only once asked_count_ does.
Run::Asked& Run::add_asked() {
  if (asked_.size() == asked_count_) asked_.emplace_back();
  Asked& asked = asked_[asked_count_];
  asked.rest.clear();
  asked.gate = nullptr;
  asked.ends = nullptr;
  asked.state.assign(state_, state_ + size_);
  asked.notes = notes_;
  asked.given_count = given_.size();
  asked.changed_count = changed_.size();
  asked.draw_count = draws_.size();
  asked.mark_count = marks_.size();
  asked.told_count = told_count_;
  asked.agent = agent_;
  asked.heard_count = heard_.empty() ? 0 : heard_[agent_].size();
  asked.ask_count = ask_count_ - asked_before_;
  asked.is_refused = is_refused_;
  return asked;
}

Answer Run::ask_about(const Call& call, std::uint32_t name) {
  if (known_answer_) return *std::exchange(known_answer_, std::nullopt);
  is_asked_again_ = false;
  if (side().engine->rest_of_update == nullptr || is_walking_) return ask(name, call.node_word);
  if (!std::exchange(is_in_unknown_, false)) {
    if (is_recording_) end_recording(&call, name);
    look_for_point(call);
    if (gives_up() || (known_branches_ != nullptr && enters_branch(call, name))) return Answer::none;
  }
  if (!may_go_on()) return ask(name, call.node_word);
  return ask_and_keep(name, call.node_word,
                      [&](Asked& asked) { return side().engine->rest_of_update(call, asked.rest); });
}

// The next path differs from those before in a choice before this place.
void Run::forget_asked(std::size_t place) {
  while (asked_count_ > 0 && asked_[asked_count_ - 1].place >= place) --asked_count_;
}

void Run::forget_given(std::size_t count) {
  while (given_.size() > count) {
    const auto last = static_cast<std::uint32_t>(given_.size() - 1);
    Chain& chain = chain_of(given_.back().agent, given_.back().name);
    if (chain.first == last) {
      chain = {};
    } else {
      std::uint32_t before = chain.first;
      while (given_[before].next != last) before = given_[before].next;
      given_[before].next = kNoGiven;
      chain.last = before;
    }
    given_.pop_back();
  }
}

// As begin().
void Run::go_back_to(const Asked& asked) {
  std::copy(asked.state.begin(), asked.state.end(), state_);
  notes_ = asked.notes;
  place_ = asked.place;
  is_merged_ = false;
  is_unfinished_ = false;
  is_refused_ = asked.is_refused;
  forget_given(asked.given_count);
  given_to_all_.clear();
  for (; changed_.size() > asked.changed_count; changed_.pop_back()) is_changed_[changed_.back()] = 0;
  weights_.clear();
  draws_.erase(draws_.begin() + static_cast<std::ptrdiff_t>(asked.draw_count), draws_.end());
  marks_.resize(asked.mark_count);
  told_count_ = asked.told_count;
  if (!heard_.empty()) heard_[asked.agent].resize(asked.heard_count);
  std::fill(statuses_.begin(), statuses_.end(), std::nullopt);
}

// For the last of them.
void Run::go_back_to_asked() {
  const Asked& asked = asked_[asked_count_ - 1];
  go_back_to(asked);
  asked_before_ = ask_count_;
  ask_count_ += asked.ask_count;
  is_asked_again_ = true;
}

}  // namespace espalier::explore
