// Breadth-first search over the states of a world. See search.h.
#include "explore/search.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "explore/traces.h"
#include "text/parallel.h"

namespace espalier::explore {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr std::uint64_t kStepsAState = 64;  // that the budget for a state allows on average
constexpr std::size_t kShare = 64;          // states that one thread expands at a time
constexpr std::size_t kLeastShare = 16;     // fewer are not worth a thread

std::uint64_t hash_of_state(const unsigned char* bytes, std::size_t size) {
  std::uint64_t hash = 0x9E3779B97F4A7C15;
  for (std::size_t i = 0; i < size; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + i, sizeof word);
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9;
    hash ^= hash >> 29;
  }
  return hash ^ (hash >> 32);
}

}  // namespace

Search::Search(const World& world, const Observer& observer, Choices choices, Answers answers, const Budget& budget)
    : world_(world),
      observer_(observer),
      choices_(choices),
      answers_(answers),
      budget_(budget),
      size_(world.state_bytes()) {}

// ---- States

void Search::grow() {
  const std::size_t size = std::max<std::size_t>(1024, table_.size() * 2);
  table_.assign(size, 0);
  for (std::uint32_t state = 0; state < states_.size(); ++state) {
    std::size_t place = hash_of_state(bytes_of(state), size_) & (size - 1);
    while (table_[place] != 0) place = (place + 1) & (size - 1);
    table_[place] = state + 1;
  }
}

std::uint32_t Search::add(const unsigned char* bytes, bool* is_new) {
  if (states_.size() * 2 >= table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash_of_state(bytes, size_) & mask;
  for (; table_[place] != 0; place = (place + 1) & mask) {
    if (std::memcmp(bytes_of(table_[place] - 1), bytes, size_) != 0) continue;
    *is_new = false;
    return table_[place] - 1;
  }
  const auto state = static_cast<std::uint32_t>(states_.size());
  if (state % kBlockStates == 0)
    blocks_.push_back(std::make_unique_for_overwrite<unsigned char[]>(kBlockStates * size_));
  std::memcpy(blocks_.back().get() + std::size_t{state % kBlockStates} * size_, bytes, size_);
  states_.emplace_back();
  table_[place] = state + 1;
  *is_new = true;
  return state;
}

// ---- Exploring

void Search::expand(Run& run, std::uint32_t state, std::uint32_t steps, Chunk& chunk) const {
  const unsigned char* from = bytes_of(state);
  std::uint32_t number = 0;
  run.expand(from, [&](const Run::Next& next) {
    const std::uint32_t own = number++;
    ++chunk.step_count;
    std::uint32_t mark_count = 0;
    for (const std::uint64_t mark : next.marks) {
      const Found* found = find(mark);
      if (found != nullptr && found->steps <= steps + next.cost) continue;
      chunk.marks.push_back(mark);
      ++mark_count;
    }
    const bool is_news = next.goes_on && std::memcmp(next.state, from, size_) != 0;
    if (mark_count == 0 && !is_news) return;
    chunk.next.push_back({state, own, next.cost, mark_count, is_news});
    if (is_news) chunk.states.insert(chunk.states.end(), next.state, next.state + size_);
  });
}

void Search::add_mark(std::uint64_t mark, const Found& found) {
  const auto [known, is_new] = marks_.try_emplace(mark, found);
  if (!is_new && found.steps < known->second.steps) known->second = found;
}

void Search::merge(const Chunk& chunk, std::uint32_t steps) {
  const unsigned char* bytes = chunk.states.data();
  const std::uint64_t* mark = chunk.marks.data();
  for (const Chunk::Next& next : chunk.next) {
    for (std::uint32_t i = 0; i < next.mark_count; ++i) {
      add_mark(*mark++, {steps + next.cost, next.from, next.number, mark_order_++});
    }
    if (!next.goes_on) continue;
    bool is_new = false;
    const std::uint32_t state = add(bytes, &is_new);
    bytes += size_;
    const std::uint32_t distance = steps + next.cost;
    if (!is_new && states_[state].steps <= distance) continue;
    states_[state] = {next.from, next.number, distance};
    if (distance_.size() <= distance) distance_.resize(distance + 1);
    distance_[distance].push_back(state);
  }
  step_count_ += chunk.step_count;
  has_left_out_ = has_left_out_ || chunk.has_left_out;
}

const Search::Found* Search::find(std::uint64_t mark) const {
  const auto found = marks_.find(mark);
  return found == marks_.end() ? nullptr : &found->second;
}

// Nothing that is found later has fewer steps.
bool Search::is_found(std::uint64_t wanted_marks, std::uint32_t steps) const {
  if (wanted_marks == 0 || marks_.size() < wanted_marks) return false;
  return std::all_of(marks_.begin(), marks_.end(), [&](const auto& entry) { return entry.second.steps <= steps + 1; });
}

void Search::run(std::uint64_t wanted_marks) {
  const auto begin = std::chrono::steady_clock::now();
  const auto is_late = [&] {
    const auto passed = std::chrono::steady_clock::now() - begin;
    return budget_.milliseconds != 0 && std::chrono::duration_cast<std::chrono::milliseconds>(passed).count() >=
                                            static_cast<std::int64_t>(budget_.milliseconds);
  };
  std::vector<std::uint64_t> start(size_ / 8 + 1);
  auto* first = reinterpret_cast<unsigned char*>(start.data());
  world_.start(first);
  bool is_new = false;
  states_[add(first, &is_new)] = {kNone, 0, 0};
  distance_.assign(1, {0});
  const std::uint32_t thread_count =
      budget_.threads != 0 ? budget_.threads : std::max(1u, std::thread::hardware_concurrency());
  const std::size_t part = kShare * thread_count;
  for (std::uint32_t steps = 0; steps < distance_.size(); ++steps) {
    if (is_found(wanted_marks, steps)) return;
    std::vector<std::uint32_t> states = std::move(distance_[steps]);
    std::erase_if(states, [&](std::uint32_t state) { return states_[state].steps != steps; });
    for (std::size_t done = 0; done < states.size(); done += part) {
      if (states_.size() >= budget_.states || step_count_ / kStepsAState >= budget_.states || is_late()) return;
      const std::size_t count = std::min(part, states.size() - done);
      const std::size_t share = std::min(kShare, std::max(kLeastShare, (count + thread_count - 1) / thread_count));
      std::vector<Chunk> chunks((count + share - 1) / share);
      text::run_parallel(chunks.size(), thread_count, 1, [&]() -> text::Worker {
        return [&, run = std::make_shared<Run>(world_, observer_, choices_, answers_)](std::size_t index) {
          for (std::size_t i = index * share; i < std::min(count, (index + 1) * share); ++i) {
            expand(*run, states[done + i], steps, chunks[index]);
          }
          chunks[index].has_left_out = run->has_left_out();
        };
      });
      for (const Chunk& chunk : chunks) merge(chunk, steps);
    }
  }
  is_complete_ = !has_left_out_ && !world_.leaves_out_steps();
}

// ---- Traces

std::vector<Edge> Search::edges(const Found& found) const {
  Run run(world_, observer_, choices_, answers_);
  std::vector<Edge> edges = {run.edge(bytes_of(found.state), found.number)};
  for (std::uint32_t state = found.state; states_[state].before != kNone; state = states_[state].before) {
    edges.push_back(run.edge(bytes_of(states_[state].before), states_[state].number));
  }
  std::reverse(edges.begin(), edges.end());
  return edges;
}

std::optional<Trace> Search::trace(std::uint64_t mark, const Found& found) const {
  std::vector<Edge> path = edges(found);
  Run run(world_, observer_, choices_, answers_);
  return trace_of(world_, path, [&](std::uint64_t seed) { return run.replays(path, seed, mark); });
}

}  // namespace espalier::explore
