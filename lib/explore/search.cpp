// Breadth-first search over the states of a world. See search.h.
#include "explore/search.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "explore/engine.h"
#include "explore/traces.h"
#include "text/parallel.h"

namespace espalier::explore {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr std::uint64_t kLeastCost = 1u << 22;   // that one state may take in any case
constexpr std::uint64_t kLeastSteps = 1u << 16;  // the same, where costs are not counted
constexpr std::uint64_t kPaidAShare = 64;        // states that pay for what a thread looks at in one go, about
constexpr std::size_t kSmallMarks = 1u << 14;
constexpr std::size_t kMaxShare = 64;                       // states
constexpr std::size_t kBytesAShare = std::size_t{1} << 19;  // of new states that it finds, about
constexpr std::size_t kSharesAtOnce = 16;  // until what was found is put together, for any number of threads
constexpr std::size_t kLookedUpAtOnce = 32;
constexpr std::size_t kFewEntries = std::size_t{1} << 12;  // that are kept of few states

constexpr std::size_t kAhead = 8;  // so many look-ups before one, its memory is fetched

// As long as there are fewer than `most`.
void insert_all(HashSet& set, std::span<const Hash> hashes, std::size_t most) {
  for (std::size_t i = 0; i < hashes.size() && set.size() < most; ++i) {
    if (i + kAhead < hashes.size()) set.fetch(hashes[i + kAhead]);
    set.insert(hashes[i]);
  }
}

}  // namespace

Search::Search(const World& world, const Observer& observer, Choices choices, Answers answers, const Budget& budget)
    : world_(world),
      observer_(observer),
      choices_(choices),
      answers_(answers),
      budget_(budget),
      size_(bytes_of_states(world, answers)),
      kept_(size_),
      is_marked_(kSmallMarks) {}

// ---- States

bool Search::add(const unsigned char* bytes, std::uint64_t hash, const State& state, std::uint32_t write) {
  const auto is_it = [&](std::uint32_t number) { return kept_.is(number, bytes); };
  std::uint32_t& known = table_.find_or_add(hash, state_count_, is_it);
  if (known != 0) return true;
  if (state_count_ >= budget_.states) return false;
  const std::uint32_t number = state_count_++;
  const std::size_t place = number % kBlockStates;
  if (place == 0) {
    blocks_.push_back({std::make_unique_for_overwrite<State[]>(kBlockStates),
                       std::make_unique_for_overwrite<std::uint16_t[]>(kBlockStates)});
  }
  kept_.add(bytes);
  blocks_.back().states[place] = state;
  blocks_.back().writes[place] = static_cast<std::uint16_t>(write <= 0xFFFF ? write : 0);
  fresh_.push_back(number);
  known = number + 1;
  return true;
}

// ---- Exploring

// Neither found before, nor by this thread for the chunk.
bool Search::is_news(const unsigned char* bytes, std::uint64_t hash, Chunk& chunk) const {
  if (find(bytes, hash) != 0) return false;
  if (chunk.hashes.size() * 2 >= chunk.table.size()) {
    chunk.table.assign(std::max<std::size_t>(64, chunk.table.size() * 2), 0);
    for (std::uint32_t i = 0; i < chunk.hashes.size(); ++i) {
      std::size_t place = chunk.hashes[i] & (chunk.table.size() - 1);
      while (chunk.table[place] != 0) place = (place + 1) & (chunk.table.size() - 1);
      chunk.table[place] = i + 1;
    }
  }
  std::size_t place = hash & (chunk.table.size() - 1);
  for (; chunk.table[place] != 0; place = (place + 1) & (chunk.table.size() - 1)) {
    const std::size_t index = chunk.table[place] - 1;
    if (chunk.hashes[index] == hash && std::memcmp(chunk.states.data() + index * size_, bytes, size_) == 0)
      return false;
  }
  chunk.hashes.push_back(hash);
  chunk.table[place] = static_cast<std::uint32_t>(chunk.hashes.size());
  chunk.states.insert(chunk.states.end(), bytes, bytes + size_);
  return true;
}

// Several at once: what is looked at of each is far apart in memory, and is fetched while the others are looked at.
void Search::look_up(Chunk& chunk) const {
  for (const Chunk::Next& next : chunk.waiting) {
    const std::uint32_t first = table_.first(next.hash);
    if (next.is_news && first != 0) kept_.fetch(first - 1);
  }
  const unsigned char* bytes = chunk.waiting_states.data();
  for (std::size_t i = 0; i < chunk.waiting.size(); ++i, bytes += size_) {
    Chunk::Next& next = chunk.waiting[i];
    next.is_news = next.is_news && is_news(bytes, next.hash, chunk);
    if (next.mark_count == 0 && !next.is_news) continue;
    chunk.next.push_back(next);
    ++chunk.sources[chunk.waiting_sources[i]].next_count;
  }
  chunk.waiting.clear();
  chunk.waiting_sources.clear();
}

// Takes what is one step farther than `steps`: from a nearer state, what costs more lines of a trace.
void Search::expand(Run& run, std::uint32_t state, std::uint32_t steps, Chunk& chunk) const {
  chunk.from.resize(size_);
  kept_.read(state, chunk.from.data());
  const std::uint32_t cost = steps + 1 - state_of(state).steps;
  const auto source = static_cast<std::uint32_t>(chunk.sources.size());
  chunk.sources.push_back({.state = state});
  chunk.waiting_states.resize(kLookedUpAtOnce * size_);
  const bool has_more = run.expand(
      chunk.from.data(), cost,
      [&](const Run::Next& next) {
        std::uint32_t mark_count = 0;
        for (const std::uint64_t mark : next.marks) {
          if (is_found(mark)) continue;
          chunk.marks.push_back(mark);
          ++mark_count;
        }
        const std::uint64_t hash = next.goes_on ? short_hash_of(next.state, size_) : 0;
        if (next.goes_on) table_.fetch(hash);
        std::memcpy(chunk.waiting_states.data() + chunk.waiting.size() * size_, next.state, size_);
        chunk.waiting.push_back({mark_count, next.write, hash, next.goes_on});
        chunk.waiting_sources.push_back(source);
        if (chunk.waiting.size() == kLookedUpAtOnce) look_up(chunk);
      },
      write_of(state));
  chunk.sources[source].work = run.work();
  chunk.sources[source].has_more = has_more;
}

// False: it is over.
template <typename IsOver>
bool Search::merge(const Chunk& chunk, std::uint32_t steps, const IsOver& is_over) {
  const unsigned char* bytes = chunk.states.data();
  const std::uint64_t* mark = chunk.marks.data();
  const Chunk::Next* next = chunk.next.data();
  bool is_full = false;
  has_left_out_ = has_left_out_ || chunk.has_left_out;
  news_count_ += chunk.hashes.size();
  for (const Chunk::Source& source : chunk.sources) {
    for (const Chunk::Next* end = next + source.next_count; next != end; ++next) {
      if (next + kAhead < chunk.next.data() + chunk.next.size()) table_.fetch(next[kAhead].hash);
      for (std::uint32_t i = 0; i < next->mark_count; ++i) {
        if (*mark < is_marked_.size()) is_marked_[static_cast<std::size_t>(*mark)] = 1;
        marks_.try_emplace(*mark++, Found{steps + 1, source.state, mark_order_++});
      }
      if (!next->is_news) continue;
      is_full |= !add(bytes, next->hash, {source.state, steps + 1}, next->write);
      if (budget_.cost_a_state != 0) work_ += Run::work_to_keep(size_);
      bytes += size_;
    }
    if (source.has_more) again_.push_back(source.state);
    work_ += source.work;
    ++source_count_;
    if (is_full || is_over()) return false;
  }
  point_counts_.looked_at += chunk.point_counts.looked_at;
  point_counts_.merged += chunk.point_counts.merged;
  const std::size_t most_points = std::clamp<std::size_t>(state_count_, kFewPoints, kMostPoints);
  insert_all(points_, chunk.points, most_points);
  entry_counts_.looked_at += chunk.entry_counts.looked_at;
  entry_counts_.merged += chunk.entry_counts.merged;
  const std::size_t most_entries = std::clamp<std::size_t>(state_count_ / 4, kFewEntries, kMostPoints);
  insert_all(known_entries_, chunk.entries, most_entries);
  return true;
}

// How many states a thread expands in one go, which usually takes half of `most_work` at most. What all threads find is
// in memory twice until it is put together.
std::size_t Search::share(std::uint64_t most_work) const {
  const std::uint64_t work = std::min(kPaidAShare * budget_.work_a_state(), most_work / 2);
  const std::uint64_t by_work = work * source_count_ / std::max<std::uint64_t>(1, work_);
  const std::uint64_t by_bytes = kBytesAShare / size_ * source_count_ / std::max<std::uint64_t>(1, news_count_);
  return std::clamp<std::size_t>(std::min(by_work, by_bytes), 1, kMaxShare);
}

void Search::run(std::uint64_t wanted_marks) {
  const auto begin = std::chrono::steady_clock::now();
  const auto is_late = [&] {
    return budget_.is_interrupted() ||
           (budget_.milliseconds != 0 &&
            std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(budget_.milliseconds));
  };
  std::optional<std::uint64_t> work_to_first;
  const auto find_enough = [&] {
    if (budget_.states_then == 0 || marks_.empty()) return false;
    if (!work_to_first) work_to_first = work_;
    has_enough_ = work_ >= 2 * *work_to_first + budget_.work_a_state() * budget_.states_then;
    return has_enough_;
  };
  const auto is_over = [&] {
    return work_left() == 0 || find_enough() || (wanted_marks != 0 && marks_.size() >= wanted_marks);
  };
  std::vector<std::uint64_t> start(world_.state_bytes() / 8 + 1);
  auto* first = reinterpret_cast<unsigned char*>(start.data());
  world_.start(first);
  static_cast<void>(add(first, short_hash_of(first, size_), {kNone, 0}));
  const std::uint32_t thread_count =
      budget_.threads != 0 ? budget_.threads : std::max(1u, std::thread::hardware_concurrency());
  for (std::uint32_t steps = 0; !again_.empty() || !fresh_.empty(); ++steps) {
    // Nearer states come first.
    std::vector<std::uint32_t> states = std::exchange(again_, {});
    states.insert(states.end(), fresh_.begin(), fresh_.end());
    fresh_.clear();
    std::size_t count = 0;
    for (std::size_t done = 0; done < states.size(); done += count) {
      // No share takes more than its part of what is left, but for states that alone take some time: together they
      // stay within the budget, about.
      const std::uint64_t part = std::max(budget_.work_a_state(), work_left() / kSharesAtOnce);
      const std::uint64_t most_work = std::max(part, budget_.cost_a_state != 0 ? kLeastCost : kLeastSteps);
      const std::size_t one_share = share(part);
      count = std::min(one_share * kSharesAtOnce, states.size() - done);
      std::vector<Chunk> chunks((count + one_share - 1) / one_share);
      text::run_parallel(chunks.size(), thread_count, 1, [&]() -> text::Worker {
        auto run = std::make_shared<Run>(world_, observer_, choices_, answers_, budget_);
        run->set_marked(is_marked_);
        run->set_points(points_, meets_often());
        if (knows_entries()) run->set_known_entries(known_entries_);
        run->set_branches(branches_.take());
        run->set_known_writes(writes_.take());
        run->set_late(is_late);
        if (budget_.cost_a_state != 0) run->set_costs();
        return [&, run = std::move(run)](std::size_t index) {
          run->forget_points();
          std::uint64_t left = most_work;
          const std::size_t end = std::min(count, (index + 1) * one_share);
          std::size_t i = index * one_share;
          for (; i < end && left != 0; ++i) {
            if (is_late()) return look_up(chunks[index]);
            run->set_limit(left);
            expand(*run, states[done + i], steps, chunks[index]);
            left -= std::min(left, run->work());
          }
          look_up(chunks[index]);
          chunks[index].points = run->take_points();
          chunks[index].point_counts = run->point_counts();
          chunks[index].entries = run->take_entries();
          chunks[index].entry_counts = run->entry_counts();
          chunks[index].has_left_out = run->has_left_out() || i < end;
        };
      });
      for (Chunk& chunk : chunks) {
        if (!merge(chunk, steps, is_over)) return;
        chunk = {};
      }
      if (is_late()) return;
    }
  }
  is_complete_ = !has_left_out_ && !world_.leaves_out_steps();
}

// ---- Traces

std::vector<Edge> finished(std::vector<Edge> parts) {
  std::vector<Edge> edges;
  for (Edge& part : parts) {
    if (edges.empty() || !edges.back().is_unfinished) {
      edges.push_back(std::move(part));
      continue;
    }
    Edge& whole = edges.back();
    whole.given.insert(whole.given.end(), part.given.begin(), part.given.end());
    whole.draws.insert(whole.draws.end(), part.draws.begin(), part.draws.end());
    whole.is_unfinished = part.is_unfinished;
  }
  return edges;
}

std::function<bool(const Run::Next& next)> Search::leads_to(std::uint64_t mark) {
  return [mark](const Run::Next& next) {
    return std::find(next.marks.begin(), next.marks.end(), mark) != next.marks.end();
  };
}

// From the state before it.
const Edge& Search::edge_to(Run& run, std::uint32_t state) const {
  const auto [known, is_new] = edges_.try_emplace(state);
  if (!is_new) return known->second;
  const State& reached = state_of(state);
  const std::uint32_t cost = reached.steps - state_of(reached.before).steps;
  std::vector<unsigned char> before(size_);
  kept_.read(reached.before, before.data());
  known->second =
      run.edge(before.data(), cost, [&](const Run::Next& next) { return next.goes_on && kept_.is(state, next.state); });
  work_for_traces_ += run.work();
  return known->second;
}

std::vector<Edge> Search::edges(std::uint64_t mark, const Found& found) const {
  Run run(world_, observer_, choices_, answers_, budget_);
  if (budget_.cost_a_state != 0) run.set_costs();
  const std::uint32_t cost = found.steps - state_of(found.state).steps;
  std::vector<unsigned char> before(size_);
  kept_.read(found.state, before.data());
  std::vector<Edge> edges = {run.edge(before.data(), cost, leads_to(mark))};
  work_for_traces_ += run.work();
  for (std::uint32_t state = found.state; state_of(state).before != kNone; state = state_of(state).before)
    edges.push_back(edge_to(run, state));
  std::reverse(edges.begin(), edges.end());
  return finished(std::move(edges));
}

void Search::show(std::uint64_t mark, std::vector<Edge> path, std::uint64_t seed) const {
  Run run(world_, observer_, choices_, answers_, budget_);
  run.replays(path, seed, mark, true);
}

std::optional<Trace> Search::trace(std::uint64_t mark, const Found& found, std::vector<Edge>& path) const {
  path = edges(mark, found);
  Run run(world_, observer_, choices_, answers_, budget_);
  std::uint64_t work = 0;
  std::optional<Trace> trace = trace_of(
      world_, path, [&](std::uint64_t seed) { return run.replays(path, seed, mark); }, &work);
  if (budget_.cost_a_state != 0) work_for_traces_ += work;
  return trace;
}

}  // namespace espalier::explore
