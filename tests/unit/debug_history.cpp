// What held at any moment of a run is found from what is kept of it, in a bounded number of steps.
#include <random>

#include "debug/history.h"
#include "unit.h"

namespace debug_history {

using namespace espalier::debug;

namespace {

// Agents that write variables at random.
History written(std::uint32_t agents, std::size_t moments) {
  History history;
  std::mt19937 random(1);
  for (std::size_t i = 0; i < moments; ++i)
    history.add({.time_us = i,
                 .agent = static_cast<std::uint32_t>(random() % agents),
                 .name = history.number_of("entry " + std::to_string(random() % 10)),
                 .value = history.number_of(std::to_string(i % 100)),
                 .kind = MomentKind::set});
  return history;
}

}  // namespace

TEST_CASE("Any moment of a run is near one at which all is kept") {
  const auto [agents, moments, most] = GENERATE(table<std::uint32_t, std::size_t, std::size_t>(
      {{1, 360'000, 4096},  // an hour of one agent at 10 Hz, with ten things an update
       {1000, 360'000, 64'000}}));
  const History history = written(agents, moments);
  std::size_t farthest = 0;
  for (std::size_t count = 0; count <= moments; ++count)
    farthest = std::max(farthest, count - history.checkpoint_before(count));
  CHECK(farthest < most);
}

TEST_CASE("What held then is what a run from the beginning gives") {
  const History history = written(3, 20'000);
  Now now;
  for (std::size_t count = 0; count < 20'000; count += 997) {
    const Now then = history.at(count);
    CHECK(then.size() == now.size());
    for (const auto& [agent, values] : then) CHECK(values.values == now[agent].values);
    history.advance(now, count, count + 997);
  }
}

}  // namespace debug_history
