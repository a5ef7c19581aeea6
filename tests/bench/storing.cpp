// Updating agents of trees that store their results. Floors: the same conditions and actions called through tables of
// function pointers as a host's are, and an atomic counter if the tree has a gate.
#include <array>
#include <atomic>
#include <cstdio>

#include "bench.h"

namespace bench {
namespace {

using espalier::Call;
using espalier::Result;

constexpr int kActions = 40;

espalier_result run_on(const Call*) { return Result::running; }
espalier_result succeed(const Call*) { return Result::success; }
bool refuse(const Call*) { return false; }
void told(const Call*) {}

// The functions that the floors call instead.
bool (*volatile condition_floor)(std::uint64_t) = [](std::uint64_t) { return false; };
bool (*volatile action_floor)(std::uint64_t) = [](std::uint64_t) { return true; };
void (*volatile told_floor)(std::uint64_t) = [](std::uint64_t) {};
std::atomic<std::uint32_t> inside_floor = 0;

struct Crowd {
  Compiled compiled;
  espalier::Tree tree;
  std::size_t block_bytes = 0;
  std::vector<std::uint64_t> blocks;
  std::vector<std::uint64_t> shared;
  std::vector<espalier::Behavior> behaviors;
  std::vector<espalier::Behavior> conditions;
  std::vector<std::uint64_t> floor_agents;
  espalier::Host host;
  int update_count = 0;  // in one measurement
  int monitor_count = 0;
  Result result = Result::error;
};

void make_crowd(const std::string& root, std::size_t agent_count, int update_count, Crowd& crowd) {
  compile("<SynchronizedTree name=\"T\">" + root + "</SynchronizedTree>", crowd.compiled);
  crowd.tree = espalier::tree(crowd.compiled.asset, 0);
  crowd.block_bytes = espalier::agent_bytes(crowd.tree);
  crowd.blocks.resize(agent_count * crowd.block_bytes / 8);
  crowd.shared.resize(espalier::shared_bytes(crowd.tree) / 8);
  crowd.floor_agents.resize(agent_count);
  for (std::uint32_t i = 0; i < espalier::behavior_count(crowd.compiled.asset); ++i) {
    espalier::Behavior behavior;
    behavior.enter = told;
    behavior.leave = told;
    behavior.reset = told;
    behavior.tick = espalier::behavior_name(crowd.compiled.asset, i) == "Runs" ? run_on : succeed;
    crowd.behaviors.push_back(behavior);
  }
  crowd.conditions.resize(espalier::host_condition_count(crowd.compiled.asset));
  for (espalier::Behavior& condition : crowd.conditions) condition.ask = refuse;
  crowd.host.behaviors = crowd.behaviors.data();
  crowd.host.conditions = crowd.conditions.data();
  crowd.host.shared = crowd.shared.data();
  crowd.update_count = update_count;
  espalier::start_shared(crowd.tree, crowd.shared.data());
  for (std::size_t i = 0; i < agent_count; ++i) {
    void* block = &crowd.blocks[i * crowd.block_bytes / 8];
    espalier::start(crowd.tree, block);
    crowd.result = espalier::update(crowd.tree, block, crowd.host);
  }
}

// ---- What is measured

double update_all(void* data) {
  Crowd& crowd = *static_cast<Crowd*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < crowd.update_count; ++i) {
    espalier::update_all(crowd.tree, crowd.blocks.data(), crowd.block_bytes, crowd.floor_agents.size(), crowd.host);
  }
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

// Calls `update_one` for each agent.
template <typename UpdateOne>
double update_floor(void* data, const UpdateOne& update_one) {
  const Crowd& crowd = *static_cast<Crowd*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < crowd.update_count; ++i) {
    for (const std::uint64_t& agent : crowd.floor_agents) benchmark::DoNotOptimize(update_one(agent));
  }
  return seconds_since(begin);
}

double act(void* data) {
  return update_floor(data, [](std::uint64_t agent) { return action_floor(agent); });
}

double act_often(void* data) {
  return update_floor(data, [](std::uint64_t agent) {
    for (int i = 0; i < kActions; ++i) {
      told_floor(agent);
      if (!action_floor(agent)) return false;
      told_floor(agent);
      told_floor(agent);
    }
    return true;
  });
}

double watch_and_act(void* data) {
  const int count = static_cast<const Crowd*>(data)->monitor_count;
  return update_floor(data, [count](std::uint64_t agent) {
    for (int i = 0; i < count; ++i) {
      if (condition_floor(agent)) return false;
    }
    return action_floor(agent);
  });
}

double enter_and_act(void* data) {
  return update_floor(data, [](std::uint64_t agent) {
    inside_floor.fetch_add(1, std::memory_order_acquire);
    told_floor(agent);
    const bool result = action_floor(agent);
    told_floor(agent);
    inside_floor.fetch_sub(1, std::memory_order_release);
    told_floor(agent);
    return result;
  });
}

// ---- Inputs

constexpr const char* kRuns = "<Action name=\"Runs\"/>";

std::string nested(int depth) {
  std::string xml = kRuns;
  for (int i = 0; i < depth; ++i) xml = "<Sequence>" + xml + "</Sequence>";
  return xml;
}

std::string behind_conditions(int count) {
  std::string xml = "<Selector>";
  for (int i = 0; i < count; ++i) xml += "<Condition name=\"C\"/>";
  return xml + kRuns + "</Selector>";
}

// Each guards its own action; all of them refuse.
std::string behind_monitors(int count) {
  std::string xml = "<Selector>";
  for (int i = 0; i < count; ++i) {
    xml += std::string("<Sequence><Monitor><Condition name=\"C\"/></Monitor>") + kRuns + "</Sequence>";
  }
  return xml + kRuns + "</Selector>";
}

}  // namespace

bool add_storing(bool quick) {
  static Crowd deep, behind, far_behind, entering, all_run;
  static std::array<Crowd, 4> watching;
  constexpr std::array kMonitors = {1, 10, 40, 80};
  const std::size_t agents = quick ? 100 : 10000;
  const int updates = quick ? 1 : 10;
  make_crowd(nested(10), agents, updates, deep);
  make_crowd(behind_conditions(31), agents, updates, behind);
  make_crowd(behind_conditions(10000), agents / 10, updates, far_behind);
  for (std::size_t i = 0; i < kMonitors.size(); ++i) {
    make_crowd(behind_monitors(kMonitors[i]), agents / 10, updates, watching[i]);
    watching[i].monitor_count = kMonitors[i];
  }
  std::string actions;
  for (int i = 0; i < kActions; ++i) actions += "<Action name=\"Succeeds\"/>";
  make_crowd("<Sequence>" + actions + "</Sequence>", agents / 10, updates, all_run);
  make_crowd("<Gate agents=\"65535\"><Action name=\"Succeeds\"/></Gate>", agents, updates, entering);

  const std::string all = std::to_string(agents) + " agents: ";
  const std::size_t agent_updates = agents * static_cast<std::size_t>(updates);
  add_row(all + "an action goes on in 10 sequences", "agent", agent_updates, update_all, act, &deep);
  add_row(all + "an action goes on behind 31 results", "agent", agent_updates, update_all, act, &behind);
  add_row(std::to_string(agents / 10) + " agents: an action goes on behind 10000 results", "agent", agent_updates / 10,
          update_all, act, &far_behind);
  for (Crowd& crowd : watching) {
    add_row(std::to_string(agents / 10) +
                " agents: an action goes on, monitors refuse: " + std::to_string(crowd.monitor_count),
            "agent", agent_updates / 10, update_all, watch_and_act, &crowd);
  }
  add_row(all + "a gate is entered and left", "agent", agent_updates, update_all, enter_and_act, &entering);

  add_row(std::to_string(agents / 10) + " agents: 40 actions succeed, and are reset", "action",
          agent_updates / 10 * kActions, update_all, act_often, &all_run);

  bool same = entering.result == Result::success && all_run.result == Result::success;
  for (const Crowd* crowd : {&deep, &behind, &far_behind}) same = same && crowd->result == Result::running;
  for (const Crowd& crowd : watching) same = same && crowd.result == Result::running;
  if (!same) std::printf("TREES THAT STORE DO NOT DO WHAT IS MEASURED\n");
  return same;
}

}  // namespace bench
