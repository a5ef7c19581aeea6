// How the cost of an update grows with a tree, and with the number of agents: for the plots of table.py.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "bench.h"

namespace bench {
namespace {

constexpr int kRepetitions = 9;
constexpr std::size_t kLeastUpdates = 100'000;  // in one measurement

espalier_result run_on(const espalier::Call*) { return espalier::Result::running; }
espalier_result succeed(const espalier::Call*) { return espalier::Result::success; }

}  // namespace

// The action Run keeps running, all others succeed. Variables of trees that select are set at random before each
// measured update, so that each agent decides anew.
double update_ns(const char* file_name, std::size_t agent_count) {
  std::ifstream file(file_name, std::ios::binary);
  const std::string xml{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  Compiled compiled;
  compile(xml, compiled);
  const espalier::Tree tree = espalier::tree(compiled.asset, 0);
  std::vector<espalier::Behavior> behaviors(espalier::behavior_count(compiled.asset));
  for (std::uint32_t i = 0; i < behaviors.size(); ++i) {
    behaviors[i].tick = espalier::behavior_name(compiled.asset, i) == "Run" ? run_on : succeed;
  }
  espalier::Host host;
  host.behaviors = behaviors.data();
  const std::size_t block_words = espalier::agent_bytes(tree) / 8;
  std::vector<std::uint64_t> blocks(agent_count * block_words);
  const auto block = [&](std::size_t agent) { return blocks.data() + agent * block_words; };
  for (std::size_t i = 0; i < agent_count; ++i) espalier::start(tree, block(i));
  Random random{4};
  const std::size_t rounds = std::max<std::size_t>(1, kLeastUpdates / agent_count);
  double best = 0;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    double seconds = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < agent_count; ++i) {
        std::uint64_t state = random.next();
        for (std::uint32_t v = 0; v < espalier::variable_count(tree); ++v, state = state >> 1 | state << 63) {
          espalier::set(tree, block(i), v, (state & 1) != 0);
        }
      }
      const Clock::time_point begin = Clock::now();
      espalier::update_all(tree, blocks.data(), block_words * 8, agent_count, host);
      benchmark::ClobberMemory();
      seconds += seconds_since(begin);
    }
    if (repetition == 0 || seconds < best) best = seconds;
  }
  return best * 1e9 / static_cast<double>(rounds * agent_count);
}

}  // namespace bench
