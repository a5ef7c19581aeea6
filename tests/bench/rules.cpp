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
  std::vector<std::uint64_t> block;
  std::vector<espalier::Behavior> behaviors;
  espalier::Host host;
  int update_count = 0;  // in one measurement
  int action_count = 0;  // called by an update
  Result result = Result::error;
};

void make_agent(const std::string& root, int action_count, int update_count, Agent& agent) {
  compile("<behaviorTree>" + root + "</behaviorTree>", agent.compiled);
  agent.tree = espalier::tree(agent.compiled.asset, 0);
  agent.block.resize(espalier::agent_bytes(agent.tree) / 8 + 1);
  agent.behaviors.resize(espalier::behavior_count(agent.compiled.asset));
  for (std::uint32_t i = 0; i < agent.behaviors.size(); ++i) {
    agent.behaviors[i].tick = espalier::behavior_name(agent.compiled.asset, i) == "Runs" ? run_on : succeed;
  }
  agent.host.behaviors = agent.behaviors.data();
  agent.update_count = update_count;
  agent.action_count = action_count;
  espalier::start(agent.tree, agent.block.data());
  agent.result = espalier::update(agent.tree, agent.block.data(), agent.host);
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

double act(void* data) {
  const Agent& agent = *static_cast<Agent*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < agent.update_count; ++i) {
    for (int j = 0; j < agent.action_count; ++j) benchmark::DoNotOptimize(action_floor(agent.block[0]));
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
  static Agent deep, behind, all;
  constexpr int kActions = 40;
  const int updates = quick ? 100 : 100000;
  make_agent(nested(10), 1, updates, deep);
  make_agent(actions(kActions, kRuns), 1, updates, behind);
  make_agent(actions(kActions, ""), kActions, updates / 10, all);

  const auto count = static_cast<std::size_t>(updates);
  add_row("rules: an action goes on in 10 sequences", "update", count, update, act, &deep);
  add_row("rules: an action goes on behind 40 results", "update", count, update, act, &behind);
  add_row("rules: an action goes on in 10 sequences, prepared", "update", count, update_prepared, act, &deep);
  add_row("rules: an action goes on behind 40 results, prepared", "update", count, update_prepared, act, &behind);
  add_row("rules: a sequence of 40 actions", "rule", count / 10 * kActions, update, act, &all);

  const bool same = deep.result == Result::running && behind.result == Result::running && all.result == Result::success;
  if (!same) std::printf("TREES OF RULES DO NOT DO WHAT IS MEASURED\n");
  return same;
}

}  // namespace bench
