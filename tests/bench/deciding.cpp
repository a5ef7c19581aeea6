// Updating agents of trees of deciders. Floors: the same tests of flags as ifs, the same Decide functions and
// behaviours called through tables of function pointers as a host's are.
#include <array>
#include <cstdio>
#include <utility>

#include "bench.h"

namespace bench {
namespace {

using espalier::Call;
using espalier::Result;

constexpr std::size_t kChildCount = 32;

espalier_result run_on(const Call*) { return Result::running; }
espalier_result fail_now(const Call*) { return Result::failure; }
bool accept(const Call*) { return true; }
void leave(const Call*) {}
double refuse(const Call*) { return 0; }

// The functions that the floors call instead.
double (*volatile decide_floor)(std::uint64_t) = [](std::uint64_t) { return 0.0; };
bool (*volatile tick_floor)(std::uint64_t) = [](std::uint64_t) { return true; };
bool (*volatile fail_floor)(std::uint64_t) = [](std::uint64_t) { return false; };
void (*volatile change_floor)(std::uint64_t) = [](std::uint64_t) {};

struct Herd {
  Compiled compiled;
  espalier::Tree tree;
  std::size_t block_bytes = 0;
  std::vector<std::uint64_t> blocks;
  std::vector<espalier::Behavior> behaviors;
  std::vector<espalier::Behavior> functions;
  std::vector<std::uint64_t> flags;  // the floor's agents
  espalier::Host host;
  int update_count = 0;  // in one measurement
};

void make_herd(const std::string& xml, std::size_t agent_count, int update_count, Herd& herd) {
  compile(xml, herd.compiled);
  herd.tree = espalier::tree(herd.compiled.asset, 0);
  herd.block_bytes = espalier::agent_bytes(herd.tree);
  herd.blocks.resize(agent_count * herd.block_bytes / 8);
  herd.flags.resize(agent_count);
  for (std::uint32_t i = 0; i < espalier::behavior_count(herd.compiled.asset); ++i) {
    espalier::Behavior behavior;
    behavior.activate = accept;
    behavior.tick = espalier::behavior_name(herd.compiled.asset, i) == "Fails" ? fail_now : run_on;
    behavior.deactivate = leave;
    herd.behaviors.push_back(behavior);
  }
  herd.functions.resize(espalier::host_condition_count(herd.compiled.asset));
  for (espalier::Behavior& function : herd.functions) function.decide = refuse;
  herd.host.behaviors = herd.behaviors.data();
  herd.host.conditions = herd.functions.data();
  herd.update_count = update_count;
  for (std::size_t i = 0; i < agent_count; ++i) {
    void* block = &herd.blocks[i * herd.block_bytes / 8];
    espalier::start(herd.tree, block);
    // The first update activates, the second one finds what later ones can pass.
    for (int k = 0; k < 2; ++k) (void)espalier::update(herd.tree, block, herd.host);
  }
}

// ---- What is measured

double update_all(void* data) {
  Herd& herd = *static_cast<Herd*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < herd.update_count; ++i) {
    espalier::update_all(herd.tree, herd.blocks.data(), herd.block_bytes, herd.flags.size(), herd.host);
  }
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

// Calls `update_one` with the flags of each agent.
template <typename UpdateOne>
double update_floor(void* data, const UpdateOne& update_one) {
  const Herd& herd = *static_cast<Herd*>(data);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < herd.update_count; ++i) {
    for (const std::uint64_t& flags : herd.flags) {
      benchmark::DoNotOptimize(flags);
      benchmark::DoNotOptimize(update_one(flags));
    }
  }
  return seconds_since(begin);
}

// Child i requires flag i and forbids the next flag.
template <std::size_t... i>
bool is_wanted(std::uint64_t flags, std::index_sequence<i...>) {
  return (((flags & std::uint64_t{3} << i) == std::uint64_t{1} << i) || ...);
}

double test_flags(void* data) {
  return update_floor(data, [](std::uint64_t flags) {
    return !is_wanted(flags, std::make_index_sequence<kChildCount - 1>()) && tick_floor(flags);
  });
}

double call_decides(void* data) {
  return update_floor(data, [](std::uint64_t flags) {
    for (std::size_t i = 0; i + 1 < kChildCount; ++i) {
      if (decide_floor(flags) > 0) return false;
    }
    return tick_floor(flags);
  });
}

double tick_alone(void* data) {
  return update_floor(data, [](std::uint64_t flags) { return tick_floor(flags); });
}

// The running behaviour is deactivated; another is activated, ticked and deactivated; then the first is activated and
// ticked again.
double fail_and_decide(void* data) {
  return update_floor(data, [](std::uint64_t flags) {
    change_floor(flags);
    change_floor(flags);
    const bool goes_on = fail_floor(flags);
    change_floor(flags);
    change_floor(flags);
    return !goes_on && tick_floor(flags);
  });
}

// ---- Inputs

std::string tree_of(const std::string& root) {
  std::string flags;
  for (std::size_t i = 0; i <= kChildCount; ++i) flags += "<Flag name=\"f" + std::to_string(i) + "\"/>";
  return "<DeciderTree name=\"T\"><DecisionFlags>" + flags +
         "</DecisionFlags><Behaviors><Behavior name=\"Runs\"/><Behavior name=\"Fails\"/></Behaviors>" + root +
         "</DeciderTree>";
}

// Children that refuse, followed by one that keeps running.
template <typename Attributes>
std::string list_of(const Attributes& attributes) {
  std::string xml = "<Group name=\"Root\" policy=\"prioritizedList\">";
  for (std::size_t i = 0; i + 1 < kChildCount; ++i) {
    xml += "<Decider name=\"d" + std::to_string(i) + "\" behavior=\"Runs\" " + attributes(i) + "/>";
  }
  return xml + "<Decider name=\"last\" behavior=\"Runs\"/></Group>";
}

std::string nested(int depth) {
  std::string xml = "<Decider name=\"last\" behavior=\"Runs\"/>";
  for (int i = 0; i < depth; ++i) {
    xml = "<Group name=\"g" + std::to_string(i) + "\" policy=\"prioritizedList\">" + xml + "</Group>";
  }
  return xml;
}

}  // namespace

bool add_deciding(bool quick) {
  static Herd by_flags, by_calls, deep, failing;
  const std::size_t agents = quick ? 100 : 10000;
  const int updates = quick ? 1 : 10;
  const auto wanted = [](std::size_t i) {
    return "flagsAll=\"f" + std::to_string(i) + " !f" + std::to_string(i + 1) + "\"";
  };
  make_herd(tree_of(list_of(wanted)), agents, updates, by_flags);
  make_herd(tree_of(list_of([](std::size_t) { return std::string("decide=\"d\""); })), agents, updates, by_calls);
  make_herd(tree_of(nested(10)), agents, updates, deep);
  make_herd(
      tree_of(
          "<Group name=\"Root\" policy=\"sequential\"><Group name=\"g\" policy=\"prioritizedList\"><Decider name=\"a\" "
          "behavior=\"Fails\"/><Decider name=\"b\" behavior=\"Runs\"/></Group></Group>"),
      agents, updates, failing);

  const std::string all = std::to_string(agents) + " agents: ";
  const std::string children = std::to_string(kChildCount - 1);
  const std::size_t agent_updates = agents * static_cast<std::size_t>(updates);
  add_row(all + children + " children refuse by flags", "agent", agent_updates, update_all, test_flags, &by_flags);
  add_row(all + children + " children refuse by Decide", "agent", agent_updates, update_all, call_decides, &by_calls);
  add_row(all + "a behaviour goes on at depth 10", "agent", agent_updates, update_all, tick_alone, &deep);
  add_row(all + "one takes over and fails at once", "agent", agent_updates, update_all, fail_and_decide, &failing);

  const bool same = espalier::update(by_flags.tree, by_flags.blocks.data(), by_flags.host) == Result::running &&
                    espalier::active_count(by_flags.tree, by_flags.blocks.data()) == 2 &&
                    espalier::active_count(deep.tree, deep.blocks.data()) == 11 &&
                    espalier::active_count(failing.tree, failing.blocks.data()) == 3;
  if (!same) std::printf("TREES OF DECIDERS DO NOT DO WHAT IS MEASURED\n");
  return same;
}

}  // namespace bench
