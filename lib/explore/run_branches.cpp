// Branches that are walked once for all states in which they are alike: at the first question of one, an update is
// left, and goes on after it, once for each way in which the branch may end. What it does from there to the next one is
// walked once, too, for all states in which the bytes are equal that it looks at. See BranchRow.
#include <algorithm>

#include "explore/run.h"

namespace espalier::explore {
namespace {

constexpr std::uint32_t kMostWays = 256;  // through a branch

void add_end(BranchEnd end, BranchEnds& ends) {
  const auto same = std::find_if(ends.begin(), ends.end(), [&](const BranchEnd& other) {
    return other.status == end.status && other.fault == end.fault && other.words == end.words;
  });
  if (same == ends.end()) {
    ends.push_back(std::move(end));
    return;
  }
  for (const std::uint64_t mark : end.marks) {
    if (std::find(same->marks.begin(), same->marks.end(), mark) == same->marks.end()) same->marks.push_back(mark);
  }
}

// Is all else in the blocks equal?
bool are_all_changes(const Places& places, std::vector<unsigned char>& before,
                     const std::vector<unsigned char>& after) {
  std::vector<std::uint64_t> words(places.size());
  std::vector<unsigned char> changed = before;
  read_words(places, after.data(), words.data());
  write_words(places, changed.data(), words.data());
  return changed == after;
}

}  // namespace

// What a branch does may not depend on what the host has answered elsewhere: its names are asked for nowhere else, or
// get another answer each time.
void Run::set_branches(std::shared_ptr<KnownBranches> known) {
  const Side& in = world_.sides().front();
  const BranchRow* const row = in.engine->branches;
  const bool is_one = world_.sides().size() == 1 && world_.agent_count() == 1;
  if (row == nullptr || !is_one || observer_.heard || !row->is_known(in)) return;
  known_branches_ = std::move(known);
  const auto is_asked_once = [&](std::uint32_t name) { return bool(in.is_asked_once[name]); };
  for (std::uint32_t branch = 0; answers_ == Answers::free; ++branch) {
    const std::vector<std::uint32_t> names = row->names(in, branch);
    if (names.empty()) break;
    is_free_branch_.push_back(choices_ == Choices::wide || std::all_of(names.begin(), names.end(), is_asked_once));
  }
}

// The gate where the host is asked; null: there is none.
Gate* Run::gate_at(const Call& call, std::uint32_t name) {
  const std::uint32_t branch = side().engine->branches->branch_of(side(), call.node_word);
  const bool is_free = branch < is_free_branch_.size() && is_free_branch_[branch];
  rest_.clear();
  if (!side().engine->rest_of_update(call, rest_)) return nullptr;
  return &known_branches_->gate(side(), is_free ? branch : kNoValue, name, call.node_word, rest_);
}

// False: the host is asked. Else the update is left, and the block then is worth nothing.
bool Run::enters_branch(const Call& call, std::uint32_t name) {
  if (!uses_passages() || is_refused_ || is_free_branch_.empty()) return false;
  Gate* const gate = gate_at(call, name);
  if (gate == nullptr || gate->branch == kNoValue) return false;
  gate_ = gate;
  add_asked().place = place_;
  is_leaving_ = true;
  return true;
}

// Goes on with an update that came to a gate. If there is a choice, it can be gone back to.
Result Run::pass_gate(const Host& host, const Watcher& watcher) {
  Gate& gate = *std::exchange(gate_, nullptr);
  if (gate.branch == kNoValue) return pass_question(gate, host, watcher);
  const bool was_left = std::exchange(is_leaving_, false);
  if (was_left) go_back_to(asked_[asked_count_]);
  const BranchEnds* const known = is_refused_ ? nullptr : &ends_from(gate, was_left, host, watcher);
  if (known == nullptr || known->empty()) {
    is_in_unknown_ = true;
    return side().engine->go_on(side(), World::block(side(), state_, agent_), gate.rest, host, watcher);
  }
  const BranchEnds& ends = *known;
  if (ends.size() > 1 && place_ == path_.size()) {
    path_.push_back({0, static_cast<std::uint32_t>(ends.size())});
    if (may_keep_asked()) {
      Asked& asked = was_left ? asked_[asked_count_] : add_asked();
      asked.place = place_;
      asked.gate = &gate;
      asked.ends = &ends;
      ++asked_count_;
    }
  }
  return leave_gate(gate, ends, host, watcher);
}

Result Run::leave_gate(Gate& gate, const BranchEnds& ends, const Host& host, const Watcher& watcher) {
  const BranchEnd& end = ends[ends.size() > 1 ? path_[place_++].option : 0];
  for (const std::uint64_t mark : end.marks) moment_->mark(mark);
  ++ask_count_;
  is_asked_again_ = false;
  is_going_on_ = true;
  const BranchRow& row = *side().engine->branches;
  unsigned char* const block = World::block(side(), state_, agent_);
  write_words(row.places(side(), gate.branch), block, end.words.data());
  return pass(gate.passages_after(end), [&](Visits* visits) {
    return row.leave(side(), gate.branch, block, gate.rest, end, host, watcher, visits);
  });
}

Result Run::pass_question(Gate& gate, const Host& host, const Watcher& watcher) {
  const Answer answer = ask_and_keep(gate.name, gate.node_word, [&](Asked& asked) {
    asked.gate = &gate;
    return true;
  });
  is_asked_again_ = false;
  is_going_on_ = true;
  return pass(gate.passages_after(answer), [&](Visits* visits) {
    known_answer_ = answer;
    return side().engine->branches->go_on(side(), World::block(side(), state_, agent_), gate.rest, host, watcher,
                                          visits);
  });
}

Result Run::begin_with_gates(const Host& host, const Watcher& watcher) {
  return pass(known_branches_->begin(), [&](Visits* visits) {
    return side().engine->branches->begin(side(), World::block(side(), state_, agent_), host, watcher, visits);
  });
}

template <typename Walk>
Result Run::pass(Passages& from, const Walk& walk) {
  if (!from.is_useful()) return walk(nullptr);
  const Passage* const known = from.pass(World::block(side(), state_, agent_));
  if (known == nullptr) return record(from, walk);
  for (const std::uint64_t mark : known->marks) moment_->mark(mark);
  return known->gate == nullptr ? known->result : come_to(*known->gate);
}

// As when the host is asked there.
Result Run::come_to(Gate& gate) {
  is_asked_again_ = false;
  if (may_be_point() && may_merge()) look_for_point(gate.rest_hash);
  if (!gives_up()) gate_ = &gate;
  return Result::stopped;
}

template <typename Walk>
Result Run::record(Passages& from, const Walk& walk) {
  const auto* const block = World::block(side(), state_, agent_);
  const std::size_t mark_count = marks_.size();
  recorded_.before.assign(block, block + side().block_bytes);
  recorded_.passage = {};
  recorded_.is_known = true;
  is_recording_ = true;
  const Result result = walk(&recorded_.visits);
  if (is_recording_) end_recording(nullptr, 0);
  std::optional<Places> places;
  if (recorded_.is_known) {
    places =
        side().engine->branches->places_of(side(), recorded_.visits, recorded_.before.data(), recorded_.after.data());
  }
  if (!places || !are_all_changes(*places, recorded_.before, recorded_.after)) {
    from.add_unknown();
    return result;
  }
  recorded_.passage.result = result;
  recorded_.passage.marks.assign(marks_.begin() + static_cast<std::ptrdiff_t>(mark_count),
                                 marks_.begin() + static_cast<std::ptrdiff_t>(recorded_.mark_count));
  known_branches_->add(from, *places, recorded_.before.data(), recorded_.after.data(), std::move(recorded_.passage));
  return result;
}

// At its first question of the host, or at its end.
void Run::end_recording(const Call* call, std::uint32_t name) {
  is_recording_ = false;
  recorded_.after.assign(block(), block() + side().block_bytes);
  recorded_.mark_count = marks_.size();
  if (call == nullptr) return;
  recorded_.passage.gate = gate_at(*call, name);
  recorded_.is_known = recorded_.passage.gate != nullptr;
}

const BranchEnds& Run::ends_from(Gate& gate, bool was_left, const Host& host, const Watcher& watcher) {
  const Places& places = side().engine->branches->places(side(), gate.branch);
  std::vector<std::uint64_t>& words = branch_words_;
  words.resize(places.size());
  read_words(places, block(), words.data());
  if (const std::uint32_t known = gate.ends->rows.find(words.data()); known != 0) return gate.ends->ends[known - 1];
  Asked& asked = was_left ? asked_[asked_count_] : add_asked();
  asked.place = place_;
  return known_branches_->add(gate, words.data(), walk_branch(asked, gate, host, watcher));
}

// All ways through it. None: it cannot be left so.
BranchEnds Run::walk_branch(const Asked& asked, const Gate& gate, const Host& host, const Watcher& watcher) {
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
               side().engine->branches->walk(side(), gate.branch, block, before, gate.rest, host, watcher, end) &&
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
