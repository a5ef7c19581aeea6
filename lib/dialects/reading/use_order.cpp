// A depth-first search. See use_order.h.
#include "dialects/reading/use_order.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "dialects/reading/element_table.h"

namespace espalier::dialects {
namespace {

constexpr std::size_t kMaxShown = 20;  // things of one cycle in a message

enum class State : std::uint8_t { unseen, open, done };

// A thing that is being visited, and the use that the search follows.
struct Step {
  std::size_t thing;
  std::size_t next = 0;
  std::size_t use = 0;
};

// The cycle that the last step closes by using `back`.
std::vector<std::size_t> cycle_in(const std::vector<Step>& steps, std::size_t back) {
  auto begin = steps.end() - 1;
  while (begin->thing != back) --begin;
  const auto lowest =
      std::min_element(begin, steps.end(), [](const Step& a, const Step& b) { return a.thing < b.thing; });
  std::vector<std::size_t> uses;
  auto step = lowest;
  do {
    uses.push_back(step->use);
    if (++step == steps.end()) step = begin;
  } while (step != lowest && uses.size() <= kMaxShown);
  return uses;
}

}  // namespace

UseOrder order_by_use(std::size_t count, std::span<const Use> uses) {
  UseOrder result;
  std::vector<std::vector<std::size_t>> uses_of(count);
  for (std::size_t i = 0; i < uses.size(); ++i) uses_of[uses[i].user].push_back(i);
  std::vector<State> states(count, State::unseen);
  std::set<std::pair<std::size_t, std::size_t>> closing;
  std::vector<Step> steps;
  for (std::size_t start = 0; start < count; ++start) {
    if (states[start] == State::unseen) steps.push_back({start});
    while (!steps.empty()) {
      Step& step = steps.back();
      states[step.thing] = State::open;
      if (step.next == uses_of[step.thing].size()) {
        states[step.thing] = State::done;
        result.order.push_back(step.thing);
        steps.pop_back();
        continue;
      }
      step.use = uses_of[step.thing][step.next++];
      const std::size_t used = uses[step.use].used;
      if (states[used] == State::unseen) {
        steps.push_back({used});
      } else if (states[used] == State::open && closing.emplace(step.thing, used).second) {
        result.cycles.push_back(cycle_in(steps, used));
      }
    }
  }
  return result;
}

std::string describe_cycle(std::span<const CycleStep> steps) {
  std::string cycle;
  for (const CycleStep& step : steps.first(std::min(steps.size(), kMaxShown))) cycle += step.name + " -> ";
  return cycle + (steps.size() > kMaxShown ? "..." : steps[0].name);
}

std::vector<text::Related> places_of_cycle(std::span<const CycleStep> steps) {
  std::vector<text::Related> places;
  for (std::size_t i = 1; i < std::min(steps.size(), kMaxShown); ++i) {
    places.push_back({steps[i].use, quote(steps[i].name) + " uses " + quote(steps[(i + 1) % steps.size()].name)});
  }
  return places;
}

}  // namespace espalier::dialects
