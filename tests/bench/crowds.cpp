// Updating a million agents of a selection tree as a crowd, all of them changed, against hand-written code for one
// agent after the other; and what it costs to put bytes and agents into a crowd's blocks and to take leaves out,
// against a copy of the same bytes.
#include <cstdio>
#include <cstring>

#include "bench.h"

namespace bench {
namespace {

constexpr std::size_t kAgents = espalier::kColumnAgents;  // of a block

struct alignas(64) Line {
  std::uint64_t words[8];
};

struct Crowd {
  const FloorTree* source = nullptr;
  Compiled compiled;
  espalier::Tree tree;
  std::vector<std::uint64_t> code;
  espalier::Columns columns;
  std::size_t block_count = 0;
  std::vector<Line> blocks, blocks_before, work;
  std::vector<std::uint64_t> variables;  // of each agent
  std::vector<std::uint32_t> floor_leaves;
  std::vector<std::uint8_t> bytes, bytes_copy;     // of one block: all values of a variable, then of the next
  std::vector<std::uint64_t> agents, agents_copy;  // of one block
  std::vector<std::uint16_t> leaves, leaves_copy;  // of one block
};

unsigned char* block(Crowd& crowd, std::size_t index) {
  return reinterpret_cast<unsigned char*>(crowd.blocks.data()) + index * crowd.columns.block_bytes;
}

Crowd& of(void* data) { return *static_cast<Crowd*>(data); }

double update(void* data) {
  Crowd& crowd = of(data);
  crowd.blocks = crowd.blocks_before;
  const Clock::time_point begin = Clock::now();
  espalier::update_columns(crowd.columns, crowd.blocks.data(), crowd.block_count, crowd.work.data());
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

double update_quiet(void* data) {
  Crowd& crowd = of(data);
  crowd.blocks = crowd.blocks_before;
  espalier::update_columns(crowd.columns, crowd.blocks.data(), crowd.block_count, crowd.work.data());
  const Clock::time_point begin = Clock::now();
  espalier::update_columns(crowd.columns, crowd.blocks.data(), crowd.block_count, crowd.work.data());
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

double update_floor(void* data) {
  Crowd& crowd = of(data);
  std::uint8_t states[kFloorMachines] = {};
  const Clock::time_point begin = Clock::now();
  for (std::size_t i = 0; i < crowd.variables.size(); ++i) {
    crowd.floor_leaves[i] = crowd.source->select(crowd.variables[i], 0xFFFFFFFF, states);
  }
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

double set_bytes(void* data) {
  Crowd& crowd = of(data);
  const Clock::time_point begin = Clock::now();
  for (std::uint32_t v = 0; v < crowd.source->variable_count; ++v) {
    espalier::set_column(crowd.columns, block(crowd, 0), v, &crowd.bytes[v * kAgents]);
  }
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

double load_agents(void* data) {
  Crowd& crowd = of(data);
  const Clock::time_point begin = Clock::now();
  espalier::load_columns(crowd.columns, block(crowd, 0), crowd.agents.data(), espalier::agent_bytes(crowd.tree),
                         kAgents);
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

double read_leaves(void* data) {
  Crowd& crowd = of(data);
  const Clock::time_point begin = Clock::now();
  espalier::column_leaves(crowd.columns, block(crowd, 0), crowd.leaves.data());
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

template <auto from, auto to>
double copy(void* data) {
  Crowd& crowd = of(data);
  const Clock::time_point begin = Clock::now();
  std::memcpy((crowd.*to).data(), (crowd.*from).data(), (crowd.*from).size() * sizeof((crowd.*from)[0]));
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

void prepare(Crowd& crowd, std::size_t block_count) {
  compile(crowd.source->xml, crowd.compiled);
  crowd.tree = espalier::tree(crowd.compiled.asset, 0);
  crowd.code.resize(espalier::columns_bytes(crowd.tree) / 8);
  crowd.columns = espalier::make_columns(crowd.tree, crowd.code.data());
  crowd.block_count = block_count;
  crowd.work.resize(crowd.columns.work_bytes / sizeof(Line));
  crowd.blocks.resize(block_count * crowd.columns.block_bytes / sizeof(Line));
  espalier::start_columns(crowd.columns, crowd.blocks.data(), block_count);
  crowd.variables.resize(block_count * kAgents);
  crowd.floor_leaves.resize(crowd.variables.size());
  crowd.bytes.resize(crowd.source->variable_count * kAgents);
  crowd.agents.resize(espalier::agent_bytes(crowd.tree) / 8 * kAgents);
  crowd.leaves.resize(kAgents);
  Random random{6};
  for (std::size_t i = 0; i < crowd.variables.size(); ++i) {
    const std::uint64_t state = random.next();
    for (std::uint32_t v = 0; v < crowd.source->variable_count; ++v) {
      const bool value = (state >> v & 1) != 0;
      espalier::set_in_column(crowd.columns, block(crowd, i / kAgents), i % kAgents, v, value);
      crowd.variables[i] |= std::uint64_t{value} << v;
      if (i < kAgents) crowd.bytes[v * kAgents + i] = value;
    }
  }
  crowd.blocks_before = crowd.blocks;
  espalier::store_columns(crowd.columns, crowd.blocks.data(), crowd.agents.data(), espalier::agent_bytes(crowd.tree),
                          kAgents);
  crowd.bytes_copy = crowd.bytes;
  crowd.agents_copy = crowd.agents;
  crowd.leaves_copy = crowd.leaves;
}

// Started agents whose machines are in their first states: the floor begins each with those.
bool check(Crowd& crowd) {
  (void)update(&crowd);
  for (std::size_t i = 0; i < crowd.variables.size(); ++i) {
    if (i % kAgents == 0) espalier::column_leaves(crowd.columns, block(crowd, i / kAgents), crowd.leaves.data());
    std::uint8_t states[kFloorMachines] = {};
    if (crowd.source->select(crowd.variables[i], 0xFFFFFFFF, states) != crowd.leaves[i % kAgents]) {
      std::printf("%s as a crowd: THE TWO SIDES DIFFER\n", crowd.source->name);
      return false;
    }
  }
  return true;
}

}  // namespace

bool add_crowds(bool quick) {
  static Crowd crowds[kFloorTreeCount];
  bool all_same = true;
  for (int i = 0; i < kFloorTreeCount; ++i) {
    Crowd& crowd = crowds[i];
    crowd.source = &kFloorTrees[i];
    prepare(crowd, quick ? 4 : 1024);
    all_same = check(crowd) && all_same;
    const std::string name = std::string(crowd.source->name) + ", crowd of " + std::to_string(crowd.variables.size());
    add_row(name + ": all changed", "agent", crowd.variables.size(), update, update_floor, &crowd);
    add_row(name + ": none changed", "agent", crowd.variables.size(), update_quiet, update_floor, &crowd);
    const std::string block_name = std::string(crowd.source->name) + ", a block: ";
    add_row(block_name + "all variables from bytes", "agent", kAgents, set_bytes,
            copy<&Crowd::bytes, &Crowd::bytes_copy>, &crowd);
    add_row(block_name + "from agents", "agent", kAgents, load_agents, copy<&Crowd::agents, &Crowd::agents_copy>,
            &crowd);
    add_row(block_name + "its leaves", "agent", kAgents, read_leaves, copy<&Crowd::leaves, &Crowd::leaves_copy>,
            &crowd);
  }
  return all_same;
}

}  // namespace bench
