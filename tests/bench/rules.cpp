// Updating agents of trees of rules. Floors: the same actions called through a table of function pointers as a host's
// is.
#include <cstdio>

#include "bench.h"

namespace bench {
namespace {

using espalier::Call;
using espalier::Result;

espalier_result run_on(const Call*) { return Result::running; }
espalier_result succeed(const Call*) { return Result::success; }

// The function that the floors call instead.
bool (*volatile action_floor)(std::uint64_t) = [](std::uint64_t) { return true; };

struct Agent {
  Compiled compiled;
  espalier::Tree tree;
  std::size_t block_words = 0;
  std::vector<std::uint64_t> block;  // of one agent, or of several
  std::vector<espalier::Behavior> behaviors;
  espalier::Host host;
  int update_count = 0;  // in one measurement
  int action_count = 0;  // called by an update
  Result result = Result::error;
};

void make_agent(const std::string& root, int action_count, int update_count, Agent& agent,
                std::size_t agent_count = 1) {
  compile("<behaviorTree>" + root + "</behaviorTree>", agent.compiled);
  agent.tree = espalier::tree(agent.compiled.asset, 0);
  agent.block_words = espalier::agent_bytes(agent.tree) / 8 + 1;
  agent.block.resize(agent_count * agent.block_words);
  agent.behaviors.resize(espalier::behavior_count(agent.compiled.asset));
  for (std::uint32_t i = 0; i < agent.behaviors.size(); ++i) {
    agent.behaviors[i].tick = espalier::behavior_name(agent.compiled.asset, i) == "Runs" ? run_on : succeed;
  }
  agent.host.behaviors = agent.behaviors.data();
  agent.update_count = update_count;
  agent.action_count = action_count;
  for (std::size_t i = 0; i < agent_count; ++i) {
    espalier::start(agent.tree, &agent.block[i * agent.block_words]);
    agent.result = espalier::update(agent.tree, &agent.block[i * agent.block_words], agent.host);
  }
}

double update(void* data) {
  Agent& agent = *static_cast<Agent*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < agent.update_count; ++i) {
    agent.result = espalier::update(agent.tree, agent.block.data(), agent.host);
  }
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

double update_prepared(void* data) {
  Agent& agent = *static_cast<Agent*>(data);
  const espalier::Prepared prepared = espalier::prepare(agent.tree);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < agent.update_count; ++i) {
    agent.result = espalier::update(prepared, agent.block.data(), agent.host);
  }
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

double update_all(void* data) {
  Agent& agents = *static_cast<Agent*>(data);
  const std::size_t count = agents.block.size() / agents.block_words;
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < agents.update_count; ++i) {
    espalier::update_all(agents.tree, agents.block.data(), 8 * agents.block_words, count, agents.host);
  }
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

// For each agent the actions that it calls.
double act(void* data) {
  const Agent& agent = *static_cast<Agent*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < agent.update_count; ++i) {
    const auto calls = static_cast<std::size_t>(agent.action_count) * (agent.block.size() / agent.block_words);
    for (std::size_t j = 0; j < calls; ++j) benchmark::DoNotOptimize(action_floor(agent.block[0]));
  }
  return seconds_since(begin);
}

constexpr const char* kRuns = "<action name=\"Runs\"/>";

std::string nested(int depth) {
  std::string xml = kRuns;
  for (int i = 0; i < depth; ++i) xml = "<sequence>" + xml + "</sequence>";
  return xml;
}

std::string actions(int count, const std::string& last) {
  std::string xml = "<sequence>";
  for (int i = 0; i < count; ++i) xml += "<action name=\"Succeeds\"/>";
  return xml + last + "</sequence>";
}

}  // namespace

bool add_rules(bool quick) {
  static Agent deep, behind, all, crowd;
  constexpr int kActions = 40;
  const int updates = quick ? 100 : 100000;
  make_agent(nested(10), 1, updates, deep);
  make_agent(actions(kActions, kRuns), 1, updates, behind);
  make_agent(actions(kActions, ""), kActions, updates / 10, all);
  const std::size_t agents = quick ? 100 : 10000;
  make_agent(nested(10), 1, quick ? 1 : 10, crowd, agents);

  const auto count = static_cast<std::size_t>(updates);
  add_row("rules: an action goes on in 10 sequences", "update", count, update, act, &deep);
  add_row("rules: an action goes on behind 40 results", "update", count, update, act, &behind);
  add_row("rules: an action goes on in 10 sequences, prepared", "update", count, update_prepared, act, &deep);
  add_row("rules: an action goes on behind 40 results, prepared", "update", count, update_prepared, act, &behind);
  add_row("rules: " + std::to_string(agents) + " agents: an action goes on in 10 sequences", "agent",
          agents * static_cast<std::size_t>(crowd.update_count), update_all, act, &crowd);
  add_row("rules: a sequence of 40 actions", "rule", count / 10 * kActions, update, act, &all);

  const bool same = deep.result == Result::running && behind.result == Result::running &&
                    all.result == Result::success && crowd.result == Result::running;
  if (!same) std::printf("TREES OF RULES DO NOT DO WHAT IS MEASURED\n");
  return same;
}

}  // namespace bench
