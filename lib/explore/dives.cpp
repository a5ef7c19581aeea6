// Random runs. See dives.h.
#include "explore/dives.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "explore/traces.h"

namespace espalier::explore {
namespace {

constexpr std::uint32_t kMostIdleSteps = 8;  // of a run that reaches nothing new
constexpr std::size_t kMarks = 1u << 14;
constexpr std::uint64_t kShortening = 4;  // part of the budget

}  // namespace

Dives::Dives(const World& world, const Observer& observer, const Budget& budget)
    : world_(world), is_marked_(kMarks), run_(world, observer, Choices::plain, Answers::free, budget) {
  run_.set_marked(is_marked_);
  std::vector<std::uint64_t> start(world.state_bytes() / 8 + 1);
  auto* first = reinterpret_cast<unsigned char*>(start.data());
  world.start(first);
  places_.push_back({.state = {first, first + world.state_bytes()}, .before = 0, .edges = {}});
}

// Those that were tried least, and of these the last ones.
std::uint32_t Dives::choose_place() {
  constexpr std::uint32_t kLookedAt = 4;
  std::uint32_t best = below(static_cast<std::uint32_t>(places_.size()));
  for (std::uint32_t i = 1; i < kLookedAt; ++i) {
    const std::uint32_t other = below(static_cast<std::uint32_t>(places_.size()));
    if (places_[other].tries < places_[best].tries) best = other;
  }
  return best;
}

void Dives::dive(std::uint32_t place, const std::function<bool(std::uint64_t mark)>& is_known) {
  ++places_[place].tries;
  std::vector<std::uint64_t> words(world_.state_bytes() / 8 + 1);
  auto* state = reinterpret_cast<unsigned char*>(words.data());
  std::copy(places_[place].state.begin(), places_[place].state.end(), state);
  // In half of the runs mostly the first choices, which are what the host answers at present: they come farther in what
  // must go well several times.
  const bool is_steady = below(2) == 0;
  const Run::Below random = [&](std::uint32_t count) { return is_steady && below(4) != 0 ? 0 : below(count); };
  const auto step_count = static_cast<std::uint32_t>(world_.steps().size());
  std::vector<Edge> edges;
  for (std::uint32_t left = kMostIdleSteps; left > 0; --left) {
    // Updates, as often as all else.
    const Step* step = step_count == 0 || below(2) == 0 ? nullptr : &world_.steps()[below(step_count)];
    bool is_new = false;
    bool goes_on = false;
    Edge edge = run_.go_at_random(state, step, random, [&](const Run::Next& next) {
      goes_on = next.goes_on;
      for (const std::uint64_t mark : next.marks) {
        if (!marks_.try_emplace(mark, static_cast<std::uint32_t>(places_.size())).second) continue;
        if (mark < is_marked_.size()) is_marked_[static_cast<std::size_t>(mark)] = 1;
        if (!is_known(mark)) ++new_count_;
        is_new = true;
      }
      std::copy(next.state, next.state + world_.state_bytes(), state);
    });
    work_ += run_.work();
    if (!goes_on && !is_new) return;
    edges.push_back(std::move(edge));
    if (!is_new) continue;
    places_.push_back({.state = {state, state + world_.state_bytes()}, .before = place, .edges = std::move(edges)});
    if (!goes_on) return;
    edges.clear();
    place = static_cast<std::uint32_t>(places_.size() - 1);
    left = kMostIdleSteps;
  }
}

void Dives::run(std::uint64_t wanted_marks, const std::function<bool(std::uint64_t mark)>& is_known,
                const Budget& budget) {
  budget_ = budget;
  work_ = 0;
  work_for_traces_ = 0;
  if (budget_.cost_a_state != 0) run_.set_costs();
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(budget_.milliseconds);
  constexpr std::uint32_t kAtOnce = 64;
  do {
    for (std::uint32_t i = 0; i < kAtOnce; ++i) {
      if (new_count_ >= wanted_marks || paid_count() >= budget_.states) return;
      dive(choose_place(), is_known);
    }
    if (budget_.milliseconds != 0 && std::chrono::steady_clock::now() > end) return;
  } while (!budget_.is_interrupted());
}

// ---- Traces

bool Dives::reaches(std::vector<Edge>& edges, std::uint64_t mark) {
  const bool does = run_.replays(edges, 1, mark);
  work_for_traces_ += run_.work();
  return does;
}

// Leaves out parts, half as long each time. What random numbers decide stays as it is.
void Dives::shorten(std::uint64_t mark, std::vector<Edge>& edges) {
  if (std::any_of(edges.begin(), edges.end(), [](const Edge& edge) { return !edge.draws.empty(); })) return;
  for (std::size_t part = edges.size() / 2; part > 0; part /= 2) {
    for (std::size_t end = edges.size() - 1; end >= part;) {
      if (work_for_traces_ >= budget_.work() / kShortening || budget_.is_interrupted()) return;
      std::vector<Edge> fewer = edges;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(end - part);
      fewer.erase(first, first + static_cast<std::ptrdiff_t>(part));
      if (reaches(fewer, mark)) edges = std::move(fewer);
      end -= part;
    }
  }
}

std::optional<Trace> Dives::trace(std::uint64_t mark, std::uint32_t place, bool shortens) {
  is_marked_.assign(is_marked_.size(), 0);
  std::vector<Edge> edges;
  for (std::uint32_t at = place; at != 0; at = places_[at].before) {
    edges.insert(edges.begin(), places_[at].edges.begin(), places_[at].edges.end());
  }
  edges = finished(std::move(edges));
  if (shortens && !edges.empty()) shorten(mark, edges);
  std::uint64_t work = 0;
  std::optional<Trace> trace = trace_of(
      world_, edges, [&](std::uint64_t seed) { return run_.replays(edges, seed, mark); }, &work);
  if (budget_.cost_a_state != 0) work_for_traces_ += work;
  return trace;
}

}  // namespace espalier::explore
