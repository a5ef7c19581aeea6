// Updates of variables, and reachability, compared with systems that are explored one state at a time.
#include "logic/reachability.h"

#include <algorithm>
#include <map>

#include "logic_expressions.h"
#include "unit.h"

namespace logic_reachability {

using namespace espalier;
using logic::Answer;
using logic::Diagrams;
using logic::Function;
using logic::Variable;

namespace {

constexpr std::uint32_t kCount = 5;  // state variables, with even numbers
constexpr std::size_t kPlenty = 1'000'000;

using State = std::uint32_t;  // bit i: the value of variable 2 * i

std::vector<bool> values_of(State state) {
  std::vector<bool> values(std::size_t{2} * kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) values[std::size_t{2} * i] = (state >> i & 1) != 0;
  return values;
}

State state_of(const std::vector<bool>& values) {
  State state = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) state |= static_cast<State>(values[std::size_t{2} * i]) << i;
  return state;
}

Function drawn_function(Drawing& drawing, Diagrams& diagrams) {
  Expression expression = drawn_expression(drawing, kCount, 1 + drawing.below(8));
  for (std::uint32_t i = 0; i < kCount; ++i) expression.terms[i].first = 2 * i;
  return function_of(expression, diagrams);
}

// A step of each kind: functions, constants, and flips that give other variables fixed values.
logic::Step drawn_step(Drawing& drawing, Diagrams& diagrams) {
  logic::Step step;
  const std::uint32_t kind = drawing.below(3);
  const std::uint32_t first = drawing.below(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const auto variable = static_cast<Variable>(2 * i);
    if (kind == 0 && i == first) step.push_back({variable, diagrams.negation(diagrams.variable(variable))});
    if (kind == 0 && i == (first + 1) % kCount) step.push_back({variable, diagrams.constant(true)});
    if (kind == 1 && drawing.below(3) == 0) step.push_back({variable, diagrams.constant(drawing.below(2) == 0)});
    if (kind == 2 && drawing.below(2) == 0) step.push_back({variable, drawn_function(drawing, diagrams)});
  }
  return step;
}

State after(const Diagrams& diagrams, const logic::Step& step, State state) {
  std::vector<bool> result = values_of(state);
  for (const logic::Update& update : step) {
    result[update.variable] = diagrams.value(update.value, values_of(state)) == Answer::yes;
  }
  return state_of(result);
}

std::vector<bool> members(const Diagrams& diagrams, Function set) {
  std::vector<bool> result;
  for (State state = 0; state < State{1} << kCount; ++state) {
    result.push_back(diagrams.value(set, values_of(state)) == Answer::yes);
  }
  return result;
}

}  // namespace

TEST_CASE("updates of random variables lead where they do for each state") {
  Drawing drawing(3);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    Diagrams diagrams(kPlenty);
    const Function set = drawn_function(drawing, diagrams);
    const logic::Step step = drawn_step(drawing, diagrams);
    std::vector<Variable> changed;
    for (std::uint32_t v = 0; v < kCount; ++v) {
      if (drawing.below(2) == 0) changed.push_back(static_cast<Variable>(2 * v));
    }
    std::vector<bool> image(State{1} << kCount);
    std::vector<bool> preimage(image.size());
    std::vector<bool> neighbors(image.size());
    const std::vector<bool> is_member = members(diagrams, set);
    for (State state = 0; state < image.size(); ++state) {
      const State next = after(diagrams, step, state);
      preimage[state] = is_member[next];
      if (!is_member[state]) continue;
      image[next] = true;
      for (const Variable variable : changed) neighbors[state ^ (State{1} << variable / 2)] = true;
    }
    CHECK(members(diagrams, diagrams.after(set, step)) == image);
    CHECK(members(diagrams, diagrams.before(set, step)) == preimage);
    CHECK(members(diagrams, diagrams.neighbors(set, changed)) == neighbors);
  }
}

TEST_CASE("reachable states, and the first of the shortest ways, are those of a search state by state") {
  Drawing drawing(4);
  std::size_t longest = 0;
  int unreachable_count = 0;
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    Diagrams diagrams(kPlenty);
    logic::System system;
    system.start = values_of(drawing.below(State{1} << kCount));
    const std::uint32_t step_count = 1 + drawing.below(4);
    for (std::uint32_t step = 0; step < step_count; ++step) system.steps.push_back(drawn_step(drawing, diagrams));
    // The first way to each state in order of length, then of steps: breadth first, steps in order.
    std::map<State, std::vector<std::size_t>> ways = {{state_of(system.start), {}}};
    std::vector<State> open = {state_of(system.start)};
    for (std::size_t at = 0; at < open.size(); ++at) {
      for (std::size_t step = 0; step < system.steps.size(); ++step) {
        std::vector<std::size_t> way = ways.at(open[at]);
        way.push_back(step);
        const State next = after(diagrams, system.steps[step], open[at]);
        if (ways.emplace(next, way).second) open.push_back(next);
      }
    }
    logic::Reachability reachability(diagrams, system);
    const std::vector<bool> reachable = members(diagrams, reachability.all());
    for (State state = 0; state < reachable.size(); ++state) CHECK(reachable[state] == (ways.count(state) != 0));
    const Function target = drawn_function(drawing, diagrams);
    const std::vector<bool> is_target = members(diagrams, target);
    const std::vector<std::size_t>* best = nullptr;
    for (const State state : open) {
      const std::vector<std::size_t>& way = ways.at(state);
      const bool is_better =
          best == nullptr || way.size() < best->size() || (way.size() == best->size() && way < *best);
      if (is_target[state] && is_better) best = &way;
    }
    const logic::Way way = reachability.way_to(target);
    REQUIRE(way.answer == (best != nullptr ? Answer::yes : Answer::no));
    unreachable_count += best == nullptr ? 1 : 0;
    if (best == nullptr) continue;
    CHECK(way.steps == *best);
    longest = std::max(longest, best->size());
    REQUIRE(way.states.size() == best->size() + 1);
    for (std::size_t at = 0; at < best->size(); ++at) {
      CHECK(state_of(way.states[at + 1]) == after(diagrams, system.steps[(*best)[at]], state_of(way.states[at])));
    }
  }
  CHECK(longest >= 3);
  CHECK(unreachable_count > 10);
}

TEST_CASE("reachability without the budget that it needs says that it does not know") {
  Drawing drawing(5);
  Diagrams diagrams(kPlenty);
  logic::System system;
  system.start = values_of(0);
  for (int i = 0; i < 4; ++i) system.steps.push_back(drawn_step(drawing, diagrams));
  const Function target = drawn_function(drawing, diagrams);
  diagrams.allow(1);
  logic::Reachability reachability(diagrams, system);
  CHECK_FALSE(reachability.all().is_known());
  CHECK(reachability.way_to(target).answer == Answer::unknown);
  CHECK(diagrams.is_exhausted());
  diagrams.allow(kPlenty);
  CHECK_FALSE(diagrams.is_exhausted());
  CHECK(logic::Reachability(diagrams, system).way_to(target).answer != Answer::unknown);
}

}  // namespace logic_reachability
