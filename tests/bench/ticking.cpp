// Updating agents of trees that tick. Floors: the tree as nested && and ||, its leaves called through a table of
// function pointers as a host's are, or inlined; for a running action, one such call. Where BehaviorTree.CPP is
// installed, it ticks the same trees.
#include <cstdio>
#include <cstring>

#include "bench.h"
#include "peer.h"
#include "runtime/asset/view.h"

namespace bench {
namespace {

using espalier::Call;
using espalier::Result;

unsigned char bytes[8] = {1, 1, 1, 1, 0, 0, 0, 0};

template <int leaf>
espalier_result act(const Call* call) {
  return *static_cast<const unsigned char*>(call->user) != 0 ? Result::success : Result::failure;
}

template <int leaf>
bool act_floor(const unsigned char* byte) {
  return *byte != 0;
}

constexpr decltype(espalier::Behavior::tick) kActions[] = {act<0>, act<1>, act<2>, act<3>,
                                                           act<4>, act<5>, act<6>, act<7>};
bool (*const kFloorActions[])(const unsigned char*) = {act_floor<0>, act_floor<1>, act_floor<2>, act_floor<3>,
                                                       act_floor<4>, act_floor<5>, act_floor<6>, act_floor<7>};

espalier_result run_on(const Call* call) {
  return *static_cast<const unsigned char*>(call->user) != 0 ? Result::running : Result::failure;
}

struct Herd {
  Compiled compiled;
  espalier::Tree tree;
  std::size_t block_words = 0;
  std::vector<std::uint64_t> blocks;
  std::vector<std::uint64_t> shared;
  std::vector<espalier::Behavior> table;
  std::vector<std::uint64_t> floor;  // 8 bytes per agent
  espalier::Host host;
  std::shared_ptr<Peer> peer;  // the same tree; null: there is no peer
  int update_count = 0;        // in one measurement
};

// Actions are named Act0 to Act7, or Run for one that keeps running.
void make_herd(const std::string& xml, std::size_t agent_count, int update_count, Herd& herd) {
  compile(xml, herd.compiled);
  herd.tree = espalier::tree(herd.compiled.asset, 0);
  herd.block_words = espalier::agent_bytes(herd.tree) / 8;
  herd.blocks.resize(agent_count * herd.block_words);
  herd.floor.resize(agent_count);
  herd.table.resize(espalier::behavior_count(herd.compiled.asset));
  for (std::uint32_t i = 0; i < herd.table.size(); ++i) {
    const std::string_view name = espalier::behavior_name(herd.compiled.asset, i);
    const int leaf = name == "Run" ? 0 : name.back() - '0';
    herd.table[i].tick = name == "Run" ? run_on : kActions[leaf];
    herd.table[i].user = &bytes[leaf];
  }
  herd.host.behaviors = herd.table.data();
  herd.update_count = update_count;
  for (std::size_t i = 0; i < agent_count; ++i) {
    espalier::start(herd.tree, &herd.blocks[i * herd.block_words]);
    (void)espalier::update(herd.tree, &herd.blocks[i * herd.block_words], herd.host);
  }
}

// ---- What is measured

double update_one(void* data) {
  Herd& herd = *static_cast<Herd*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < herd.update_count; ++i) {
    benchmark::DoNotOptimize(espalier::update(herd.tree, herd.blocks.data(), herd.host));
  }
  return seconds_since(begin);
}

double update_prepared(void* data) {
  Herd& herd = *static_cast<Herd*>(data);
  const espalier::Prepared prepared = espalier::prepare(herd.tree);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < herd.update_count; ++i) {
    benchmark::DoNotOptimize(espalier::update(prepared, herd.blocks.data(), herd.host));
  }
  return seconds_since(begin);
}

double update_all(void* data) {
  Herd& herd = *static_cast<Herd*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < herd.update_count; ++i) {
    espalier::update_all(herd.tree, herd.blocks.data(), herd.block_words * 8, herd.floor.size(), herd.host);
  }
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

double tick_by_calls(void* data) {
  const Herd& herd = *static_cast<Herd*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < herd.update_count; ++i) {
    benchmark::DoNotOptimize(kTickingFloor.tick_by_calls(kFloorActions, bytes));
  }
  return seconds_since(begin);
}

double tick_in_place(void* data) {
  const Herd& herd = *static_cast<Herd*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < herd.update_count; ++i) benchmark::DoNotOptimize(kTickingFloor.tick_in_place(bytes));
  return seconds_since(begin);
}

double tick_peer(void* data) {
  const Herd& herd = *static_cast<Herd*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < herd.update_count; ++i) benchmark::DoNotOptimize(tick(*herd.peer));
  return seconds_since(begin);
}

// Each agent has the number of its leaf, which is called through the table.
double call_leaves(void* data) {
  const Herd& herd = *static_cast<Herd*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < herd.update_count; ++i) {
    for (const std::uint64_t& leaf : herd.floor) {
      benchmark::DoNotOptimize(leaf);
      benchmark::DoNotOptimize(kFloorActions[leaf](bytes + leaf));
    }
  }
  return seconds_since(begin);
}

// ---- Inputs

std::string in_sequences(std::uint32_t depth) {
  std::string xml;
  for (std::uint32_t i = 0; i < depth; ++i) xml += "<Sequence>";
  xml += "<Run/>";
  for (std::uint32_t i = 0; i < depth; ++i) xml += "</Sequence>";
  return xml;
}

std::string tree_of(const std::string& root) { return "<BehaviorTree><Root>" + root + "</Root></BehaviorTree>"; }

void print_memory(const char* what, const Herd& herd, std::uint32_t node_count) {
  std::printf("%-32s %3zu bytes an agent; %zu of nodes in the asset, %.1f a node\n", what,
              espalier::agent_bytes(herd.tree),
              std::size_t{4} * espalier::record_count(herd.compiled.asset, espalier::layout::SectionId::nodes),
              4.0 * espalier::record_count(herd.compiled.asset, espalier::layout::SectionId::nodes) / node_count);
}

// The rows of trees that a peer ticks too, with its results as they must be. False: they are others.
bool add_peer(Herd& herd, const std::string& what, const std::string& unit, std::size_t count, const std::string& xml,
              PeerResult expected) {
  herd.peer = make_peer(xml, bytes);
  if (herd.peer == nullptr) return true;
  add_row(what + ", against BehaviorTree.CPP", unit, count, update_one, tick_peer, &herd);
  return tick(*herd.peer) == expected && tick(*herd.peer) == expected;
}

}  // namespace

bool add_ticking(bool quick) {
  static Herd visited, at_root, deep_10, deep_50, many, many_deep, restarted;
  const int updates = quick ? 20 : 2000;
  const std::size_t agents = quick ? 100 : 10000;
  make_herd(kTickingFloor.xml, 1, updates, visited);
  make_herd(tree_of("<Run/>"), 1, updates, at_root);
  make_herd(tree_of(in_sequences(10)), 1, updates, deep_10);
  make_herd(tree_of(in_sequences(50)), 1, updates, deep_50);
  make_herd(tree_of("<Loop><Sequence><Run/></Sequence></Loop>"), agents, quick ? 1 : 10, many);
  make_herd(tree_of(in_sequences(50)), agents, quick ? 1 : 10, many_deep);
  make_herd(tree_of("<Loop><Act0/></Loop>"), agents, quick ? 1 : 10, restarted);

  const std::uint32_t nodes = kTickingFloor.node_count;
  print_memory("ticking tree", visited, nodes);
  print_memory("root is a running action", at_root, 1);
  print_memory("running action at depth 50", deep_50, 51);

  const auto count = static_cast<std::size_t>(updates);
  const std::string all = std::to_string(agents) + " agents: ";
  const std::string tree = std::to_string(nodes) + " nodes, all visited, ";
  add_row(tree + "against calls", "node", count * nodes, update_one, tick_by_calls, &visited);
  add_row(tree + "against && and ||", "node", count * nodes, update_one, tick_in_place, &visited);
  add_row("running action, the root", "update", count, update_one, call_leaves, &at_root);
  add_row("running action, depth 10", "update", count, update_one, call_leaves, &deep_10);
  add_row("running action, depth 50", "update", count, update_one, call_leaves, &deep_50);
  add_row("running action, depth 10, prepared", "update", count, update_prepared, call_leaves, &deep_10);
  add_row("running action, depth 50, prepared", "update", count, update_prepared, call_leaves, &deep_50);
  const std::size_t agent_updates = agents * static_cast<std::size_t>(many.update_count);
  add_row(all + "running action in a loop", "agent", agent_updates, update_all, call_leaves, &many);
  add_row(all + "running action, depth 50", "agent", agent_updates, update_all, call_leaves, &many_deep);
  add_row(all + "a loop's action ends and begins", "agent", agent_updates, update_all, call_leaves, &restarted);

  const bool is_peer_same =
      add_peer(visited, std::to_string(nodes) + " nodes, all visited", "node", count * nodes, kTickingFloor.xml,
               PeerResult::success) &&
      add_peer(deep_10, "running action, depth 10", "update", count, tree_of(in_sequences(10)), PeerResult::running) &&
      add_peer(deep_50, "running action, depth 50", "update", count, tree_of(in_sequences(50)), PeerResult::running);
  const bool same = is_peer_same &&
                    espalier::update(visited.tree, visited.blocks.data(), visited.host) == Result::success &&
                    kTickingFloor.tick_by_calls(kFloorActions, bytes) && kTickingFloor.tick_in_place(bytes) &&
                    espalier::update(deep_50.tree, deep_50.blocks.data(), deep_50.host) == Result::running;
  if (!same) std::printf("THE TWO SIDES OF TREES THAT TICK DIFFER\n");
  return same;
}

}  // namespace bench
