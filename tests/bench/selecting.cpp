// Updating agents of selection trees, against hand-written nested ifs over a bit mask. A floor's agent is a mask, a
// leaf and a flag.
#include <cstdio>
#include <cstring>
#include <set>

#include "bench.h"

namespace bench {
namespace {

using espalier::Host;

struct FloorAgent {
  std::uint64_t variables = 0;
  std::uint32_t leaf = 0xFFFFFFFF;
  bool changed = true;
};

struct Flip {
  std::uint32_t variable;
  bool value;
};

// Agents of both kinds in the same states, and copies to reset them to.
struct Agents {
  std::vector<std::uint64_t> blocks, blocks_before;
  std::vector<FloorAgent> floor, floor_before;
  void reset() {
    blocks = blocks_before;
    floor = floor_before;
  }
};

struct Subject {
  const FloorTree* source = nullptr;
  Compiled compiled;
  espalier::Tree tree;
  std::size_t block_words = 0;
  std::vector<Flip> flips;  // one after the other
  Agents uniform;           // each in a different state, started and not yet updated
  Agents herd;              // updated once, then one variable flipped in those that are to be evaluated
  Agents herd_hundredth;    // the same with one in 100
  Agents herd_quiet;        // the same with none
};

void update_floor(const Subject& subject, FloorAgent& agent) {
  if (!agent.changed) return;
  agent.changed = false;
  const std::uint32_t leaf = subject.source->select(agent.variables);
  if (leaf != agent.leaf) agent.leaf = leaf;
}

unsigned char* block(const Subject& subject, Agents& agents, std::size_t index) {
  return reinterpret_cast<unsigned char*>(agents.blocks.data() + index * subject.block_words);
}

void set_both(Subject& subject, Agents& agents, std::size_t index, std::uint32_t variable, bool value) {
  espalier::set(subject.tree, block(subject, agents, index), variable, value);
  FloorAgent& floor = agents.floor[index];
  const std::uint64_t before = floor.variables;
  floor.variables = (before & ~(std::uint64_t{1} << variable)) | std::uint64_t{value} << variable;
  floor.changed |= floor.variables != before;
}

// ---- What is measured
// ------------------------------------------------------------------------------------------------------

double flip_and_update(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  std::uint64_t agent[64];
  espalier::start(subject.tree, agent);
  const Host host;
  const Clock::time_point begin = Clock::now();
  for (const Flip& flip : subject.flips) {
    espalier::set(subject.tree, agent, flip.variable, flip.value);
    benchmark::DoNotOptimize(espalier::update(subject.tree, agent, host));
  }
  return seconds_since(begin);
}

double flip_and_update_floor(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  FloorAgent agent;
  const Clock::time_point begin = Clock::now();
  for (const Flip& flip : subject.flips) {
    const std::uint64_t before = agent.variables;
    agent.variables = (before & ~(std::uint64_t{1} << flip.variable)) | std::uint64_t{flip.value} << flip.variable;
    agent.changed |= agent.variables != before;
    update_floor(subject, agent);
    benchmark::DoNotOptimize(agent);
  }
  return seconds_since(begin);
}

template <Agents Subject::*agents>
double update_each(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  (subject.*agents).reset();
  const std::size_t count = (subject.*agents).floor.size();
  const Host host;
  const Clock::time_point begin = Clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    benchmark::DoNotOptimize(espalier::update(subject.tree, block(subject, subject.*agents, i), host));
  }
  return seconds_since(begin);
}

template <Agents Subject::*agents>
double update_together(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  (subject.*agents).reset();
  const Clock::time_point begin = Clock::now();
  espalier::update_all(subject.tree, (subject.*agents).blocks.data(), subject.block_words * 8,
                       (subject.*agents).floor.size(), Host{});
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

template <Agents Subject::*agents>
double update_each_floor(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  (subject.*agents).reset();
  const Clock::time_point begin = Clock::now();
  for (FloorAgent& agent : (subject.*agents).floor) update_floor(subject, agent);
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

// ---- Inputs
// ----------------------------------------------------------------------------------------------------------------

Agents make_agents(Subject& subject, std::size_t count) {
  Agents agents;
  agents.blocks.resize(count * subject.block_words);
  agents.floor.resize(count);
  for (std::size_t i = 0; i < count; ++i) espalier::start(subject.tree, block(subject, agents, i));
  return agents;
}

// One variable after the other, a quarter of them true on average.
std::vector<Flip> make_flips(std::uint32_t variable_count, std::size_t count) {
  Random random{1};
  std::uint64_t state = 0;
  std::vector<Flip> flips;
  while (flips.size() < count) {
    const std::uint32_t variable = random.below(variable_count);
    const bool value = random.below(4) == 0;
    if ((state >> variable & 1) == std::uint64_t{value}) continue;
    state ^= std::uint64_t{1} << variable;
    flips.push_back({variable, value});
  }
  return flips;
}

Agents make_uniform(Subject& subject, std::size_t count) {
  Random random{2};
  Agents agents = make_agents(subject, count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t state = random.next();
    for (std::uint32_t v = 0; v < subject.source->variable_count; ++v) {
      set_both(subject, agents, i, v, (state >> v & 1) != 0);
    }
  }
  agents.blocks_before = agents.blocks;
  agents.floor_before = agents.floor;
  return agents;
}

// One in `every` agents has a variable flipped; 0: none.
Agents make_herd(Subject& subject, std::size_t count, std::size_t every) {
  Random random{3};
  Agents agents = make_uniform(subject, count);
  for (std::size_t i = 0; i < count; ++i) {
    (void)espalier::update(subject.tree, block(subject, agents, i), Host{});
    update_floor(subject, agents.floor[i]);
    if (every == 0 || i % every != 0) continue;
    const std::uint32_t variable = random.below(subject.source->variable_count);
    set_both(subject, agents, i, variable, (agents.floor[i].variables >> variable & 1) == 0);
  }
  agents.blocks_before = agents.blocks;
  agents.floor_before = agents.floor;
  return agents;
}

// ---- Both sides agree
// ------------------------------------------------------------------------------------------------------

// Runs all agents on both sides; returns the leaves that occurred, or none if the sides differ.
std::set<std::uint32_t> leaves_of(Subject& subject, Agents& agents) {
  std::set<std::uint32_t> leaves;
  agents.reset();
  for (std::size_t i = 0; i < agents.floor.size(); ++i) {
    (void)espalier::update(subject.tree, block(subject, agents, i), Host{});
    update_floor(subject, agents.floor[i]);
    if (espalier::current_leaf(subject.tree, block(subject, agents, i)) != agents.floor[i].leaf) return {};
    leaves.insert(agents.floor[i].leaf);
  }
  return leaves;
}

bool check(Subject& subject) {
  const std::set<std::uint32_t> uniform = leaves_of(subject, subject.uniform);
  const std::set<std::uint32_t> herd = leaves_of(subject, subject.herd);
  Agents one = make_agents(subject, 1);
  std::set<std::uint32_t> flipped;
  bool same = !uniform.empty() && !herd.empty();
  for (const Flip& flip : subject.flips) {
    set_both(subject, one, 0, flip.variable, flip.value);
    (void)espalier::update(subject.tree, block(subject, one, 0), Host{});
    update_floor(subject, one.floor[0]);
    same = same && espalier::current_leaf(subject.tree, block(subject, one, 0)) == one.floor[0].leaf;
    flipped.insert(one.floor[0].leaf);
  }
  std::printf(
      "%-12s %5u leaves, %2u variables, %2zu bytes an agent; leaves that occur: %zu uniform, %zu by one flip%s\n",
      subject.source->name, subject.source->leaf_count, subject.source->variable_count,
      espalier::agent_bytes(subject.tree), uniform.size(), flipped.size(), same ? "" : "; THE TWO SIDES DIFFER");
  return same;
}

}  // namespace

bool add_selecting(bool quick) {
  static Subject subjects[kFloorTreeCount];
  const std::size_t state_count = quick ? 4096 : 262144;  // fewer would be learnt by the branch predictor
  const std::size_t herd_count = quick ? 1000 : 100000;
  bool all_same = true;
  for (int i = 0; i < kFloorTreeCount; ++i) {
    Subject& subject = subjects[i];
    subject.source = &kFloorTrees[i];
    compile(subject.source->xml, subject.compiled);
    subject.tree = espalier::tree(subject.compiled.asset, 0);
    subject.block_words = espalier::agent_bytes(subject.tree) / 8;
    subject.flips = make_flips(subject.source->variable_count, quick ? 5000 : 500000);
    subject.uniform = make_uniform(subject, state_count);
    subject.herd = make_herd(subject, herd_count, 1);
    subject.herd_hundredth = make_herd(subject, herd_count, 100);
    subject.herd_quiet = make_herd(subject, herd_count, 0);
    all_same = check(subject) && all_same;

    const std::string name = std::string(subject.source->name) + ", ";
    const std::string herd = name + "all of " + std::to_string(herd_count) + ": ";
    add_row(name + "nothing changed", "update", herd_count, update_each<&Subject::herd_quiet>,
            update_each_floor<&Subject::herd_quiet>, &subject);
    add_row(name + "one variable flipped", "update", subject.flips.size(), flip_and_update, flip_and_update_floor,
            &subject);
    add_row(name + "uniform states", "update", state_count, update_each<&Subject::uniform>,
            update_each_floor<&Subject::uniform>, &subject);
    add_row(herd + "one flip in each", "agent", herd_count, update_together<&Subject::herd>,
            update_each_floor<&Subject::herd>, &subject);
    add_row(herd + "one flip in 1 of 100", "agent", herd_count, update_together<&Subject::herd_hundredth>,
            update_each_floor<&Subject::herd_hundredth>, &subject);
    add_row(herd + "none changed", "agent", herd_count, update_together<&Subject::herd_quiet>,
            update_each_floor<&Subject::herd_quiet>, &subject);
  }
  return all_same;
}

}  // namespace bench
