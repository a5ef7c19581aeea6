// Updating agents of selection trees, by nodes and by tables, against hand-written nested ifs over a bit mask. A
// floor's agent is a mask, a leaf, a flag and the states of its machines.
//
// How the variables are distributed decides how well branches are predicted: `uniform`: each is true with 1/2;
// `sparse`: with 1/10; `one flip`: from one agent to the next one variable differs; `spread`: all leaves that were
// found reachable are equally likely.
#include <cstdio>
#include <cstring>
#include <map>
#include <set>

#include "bench.h"

namespace bench {
namespace {

using espalier::Host;

struct FloorAgent {
  std::uint64_t variables = 0;
  std::uint32_t leaf = 0xFFFFFFFF;
  bool changed = true;
  std::uint8_t states[kFloorMachines] = {};
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

// The distributions.
constexpr int kStateKinds = 4;
const char* const kStateKindNames[kStateKinds] = {"uniform", "sparse", "one flip", "spread"};

struct Subject {
  const FloorTree* source = nullptr;
  Compiled compiled;
  espalier::Tree tree;
  std::size_t block_words = 0;
  espalier::Prepared prepared;  // with tables
  std::vector<std::uint64_t> tables;
  std::vector<Flip> flips;     // one after the other
  Agents states[kStateKinds];  // updated once, then set to states of each distribution
  Agents herd;                 // updated once, then one variable flipped in those that are to be evaluated
  Agents herd_hundredth;       // the same with one in 100
  Agents herd_quiet;           // the same with none
};

void update_floor(const Subject& subject, FloorAgent& agent) {
  if (!agent.changed) return;
  agent.changed = false;
  const std::uint32_t leaf = subject.source->select(agent.variables, agent.leaf, agent.states);
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

// Updates all agents, one call for each. `tree`: a tree or a prepared one.
template <typename AnyTree>
double time_each(const Subject& subject, Agents& agents, const AnyTree& tree) {
  agents.reset();
  const std::size_t count = agents.floor.size();
  const Host host;
  const Clock::time_point begin = Clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    benchmark::DoNotOptimize(espalier::update(tree, block(subject, agents, i), host));
  }
  return seconds_since(begin);
}

// The same in one call.
template <typename AnyTree>
double time_together(const Subject& subject, Agents& agents, const AnyTree& tree) {
  agents.reset();
  const Clock::time_point begin = Clock::now();
  espalier::update_all(tree, agents.blocks.data(), subject.block_words * 8, agents.floor.size(), Host{});
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

double time_floor(const Subject& subject, Agents& agents) {
  agents.reset();
  const Clock::time_point begin = Clock::now();
  for (FloorAgent& agent : agents.floor) update_floor(subject, agent);
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

template <Agents Subject::*agents>
double update_each(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  return time_each(subject, subject.*agents, subject.tree);
}

template <Agents Subject::*agents>
double update_each_prepared(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  return time_each(subject, subject.*agents, subject.prepared);
}

template <Agents Subject::*agents>
double update_each_floor(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  return time_floor(subject, subject.*agents);
}

template <int kind>
double update_states(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  return time_each(subject, subject.states[kind], subject.tree);
}

template <int kind>
double update_states_prepared(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  return time_each(subject, subject.states[kind], subject.prepared);
}

template <int kind>
double update_states_floor(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  return time_floor(subject, subject.states[kind]);
}

template <Agents Subject::*agents>
double update_together(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  return time_together(subject, subject.*agents, subject.tree);
}

template <Agents Subject::*agents>
double update_together_prepared(void* data) {
  Subject& subject = *static_cast<Subject*>(data);
  return time_together(subject, subject.*agents, subject.prepared);
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

std::uint64_t all_variables(const Subject& subject) {
  return subject.source->variable_count == 64 ? ~std::uint64_t{0}
                                              : (std::uint64_t{1} << subject.source->variable_count) - 1;
}

// Some states for each leaf that a random walk finds. Its steps flip one variable; from time to time it goes elsewhere.
std::vector<std::vector<std::uint64_t>> find_states(const Subject& subject, std::size_t step_count) {
  constexpr std::size_t kStatesOfLeaf = 400;
  Random random{4};
  std::map<std::uint32_t, std::vector<std::uint64_t>> found;
  std::uint64_t state = 0;
  for (std::size_t step = 0; step < step_count; ++step) {
    state ^= std::uint64_t{1} << random.below(subject.source->variable_count);
    if (step % 64 == 0) {
      state = random.next();
      for (std::uint32_t i = random.below(4); i > 1; --i) state &= random.next();
      if (random.below(4) == 0) state |= random.next();
      state &= all_variables(subject);
    }
    std::uint8_t states[kFloorMachines] = {};
    for (std::uint8_t& each : states) each = static_cast<std::uint8_t>(random.below(2));
    std::vector<std::uint64_t>& same = found[subject.source->select(state, 0xFFFFFFFF, states)];
    if (same.size() < kStatesOfLeaf) same.push_back(state);
  }
  std::vector<std::vector<std::uint64_t>> each;
  for (auto& [leaf, states] : found) each.push_back(std::move(states));
  return each;
}

std::vector<std::uint64_t> make_states(const Subject& subject, int kind, std::size_t count, std::size_t step_count) {
  Random random{5};
  std::vector<std::vector<std::uint64_t>> by_leaf;
  if (kind == 3) by_leaf = find_states(subject, step_count);
  std::vector<std::uint64_t> states;
  std::uint64_t state = 0;
  while (states.size() < count) {
    if (kind == 0) state = random.next() & all_variables(subject);
    if (kind == 1) {
      state = 0;
      for (std::uint32_t v = 0; v < subject.source->variable_count; ++v) {
        state |= std::uint64_t{random.below(10) == 0} << v;
      }
    }
    if (kind == 2) state ^= std::uint64_t{1} << random.below(subject.source->variable_count);
    if (kind == 3) {
      const std::vector<std::uint64_t>& same = by_leaf[random.below(static_cast<std::uint32_t>(by_leaf.size()))];
      state = same[random.below(static_cast<std::uint32_t>(same.size()))];
    }
    states.push_back(state);
  }
  return states;
}

Agents make_distributed(Subject& subject, int kind, std::size_t count, std::size_t step_count) {
  Agents agents = make_uniform(subject, count);
  const std::vector<std::uint64_t> states = make_states(subject, kind, count, step_count);
  for (std::size_t i = 0; i < count; ++i) {
    (void)espalier::update(subject.tree, block(subject, agents, i), Host{});
    update_floor(subject, agents.floor[i]);
    for (std::uint32_t v = 0; v < subject.source->variable_count; ++v) {
      set_both(subject, agents, i, v, (states[i] >> v & 1) != 0);
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
    (void)espalier::update(subject.prepared, block(subject, agents, i), Host{});
    update_floor(subject, agents.floor[i]);
    if (espalier::current_leaf(subject.tree, block(subject, agents, i)) != agents.floor[i].leaf) return {};
    leaves.insert(agents.floor[i].leaf);
  }
  return leaves;
}

bool check(Subject& subject) {
  std::size_t leaf_counts[kStateKinds] = {};
  for (int kind = 0; kind < kStateKinds; ++kind) leaf_counts[kind] = leaves_of(subject, subject.states[kind]).size();
  const std::set<std::uint32_t> herd = leaves_of(subject, subject.herd);
  Agents one = make_agents(subject, 1);
  bool same = !herd.empty();
  for (const std::size_t leaf_count : leaf_counts) same = same && leaf_count > 0;
  for (const Flip& flip : subject.flips) {
    set_both(subject, one, 0, flip.variable, flip.value);
    (void)espalier::update(subject.tree, block(subject, one, 0), Host{});
    update_floor(subject, one.floor[0]);
    same = same && espalier::current_leaf(subject.tree, block(subject, one, 0)) == one.floor[0].leaf;
  }
  std::printf(
      "%-12s %5u leaves, %2u variables, %2zu bytes an agent, %zu bytes of tables; leaves that occur: %zu uniform, %zu "
      "sparse, %zu one flip, %zu spread%s\n",
      subject.source->name, subject.source->leaf_count, subject.source->variable_count,
      espalier::agent_bytes(subject.tree), subject.tables.size() * 8, leaf_counts[0], leaf_counts[1], leaf_counts[2],
      leaf_counts[3], same ? "" : "; THE TWO SIDES DIFFER");
  return same;
}

template <int kind>
void add_states(const std::string& name, std::size_t count, Subject& subject) {
  const std::string what = name + kStateKindNames[kind] + ", by ";
  add_row(what + "nodes", "update", count, update_states<kind>, update_states_floor<kind>, &subject);
  add_row(what + "tables", "update", count, update_states_prepared<kind>, update_states_floor<kind>, &subject,
          std::string(subject.source->name) + " by tables");
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
    subject.prepared = espalier::prepare(subject.tree);
    subject.tables.resize(espalier::tables_bytes(subject.tree) / 8);
    espalier::make_tables(&subject.prepared, subject.tables.data());
    for (int kind = 0; kind < kStateKinds; ++kind) {
      subject.states[kind] = make_distributed(subject, kind, state_count, quick ? 100000 : 4000000);
    }
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
    add_row(name + "nothing changed, prepared", "update", herd_count, update_each_prepared<&Subject::herd_quiet>,
            update_each_floor<&Subject::herd_quiet>, &subject);
    add_states<0>(name, state_count, subject);
    add_states<1>(name, state_count, subject);
    add_states<2>(name, state_count, subject);
    add_states<3>(name, state_count, subject);
    add_row(herd + "one flip in each", "agent", herd_count, update_together<&Subject::herd>,
            update_each_floor<&Subject::herd>, &subject);
    add_row(herd + "one flip in 1 of 100", "agent", herd_count, update_together<&Subject::herd_hundredth>,
            update_each_floor<&Subject::herd_hundredth>, &subject);
    add_row(herd + "none changed", "agent", herd_count, update_together<&Subject::herd_quiet>,
            update_each_floor<&Subject::herd_quiet>, &subject);
    add_row(herd + "none changed, prepared", "agent", herd_count, update_together_prepared<&Subject::herd_quiet>,
            update_each_floor<&Subject::herd_quiet>, &subject);
  }
  return all_same;
}

}  // namespace bench
