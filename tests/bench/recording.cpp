// What recording adds to a call of a host's function, where the answers are those of the update before. The floor is
// the same update without a recorder.
#include <espalier/recording.h>
#include <array>
#include <cstdio>

#include "bench.h"

namespace bench {
namespace {

using espalier::Call;
using espalier::Result;

std::size_t call_count = 0;

espalier_result run_on(const Call*) {
  ++call_count;
  return Result::running;
}
espalier_result succeed(const Call*) {
  ++call_count;
  return Result::success;
}
bool accept(const Call*) {
  ++call_count;
  return true;
}
double refuse(const Call*) {
  ++call_count;
  return 0;
}
bool run_script(const Call*, std::uint32_t) {
  ++call_count;
  return true;
}
void be_told(const Call*) { ++call_count; }

struct Recorded {
  Compiled compiled;
  espalier::Tree tree;
  std::size_t block_bytes = 0;
  std::vector<std::uint64_t> blocks;
  std::vector<std::uint64_t> shared;
  std::vector<espalier::Behavior> behaviors;
  std::vector<espalier::Behavior> conditions;
  std::vector<std::uint64_t> memory;  // of the recorder
  espalier_recorder* recorder = nullptr;
  espalier::Host host;
  std::size_t agent_count = 0;
  int update_count = 0;             // in one measurement
  std::size_t calls_a_measure = 0;  // in it
  Result result = Result::error;    // of one agent
};

double update(Recorded& agents, espalier_recorder* recorder) {
  agents.host.recorder = recorder;
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < agents.update_count; ++i) {
    if (recorder != nullptr) espalier_recorder_frame(recorder, 0);
    espalier::update_all(agents.tree, agents.blocks.data(), agents.block_bytes, agents.agent_count, agents.host);
  }
  benchmark::ClobberMemory();
  return seconds_since(begin);
}

double update_recorded(void* data) {
  Recorded& agents = *static_cast<Recorded*>(data);
  return update(agents, agents.recorder);
}
double update_bare(void* data) { return update(*static_cast<Recorded*>(data), nullptr); }

bool drop(void*, const void*, std::size_t) { return true; }

// `has_others`: actions have all of their functions, not only a tick.
bool make_recorded(const std::string& xml, std::size_t agent_count, int update_count, bool has_others,
                   Recorded& agents) {
  compile(xml, agents.compiled);
  const espalier::Asset& asset = agents.compiled.asset;
  agents.tree = espalier::tree(asset, 0);
  agents.block_bytes = espalier::agent_bytes(agents.tree);
  agents.blocks.resize((agent_count * agents.block_bytes + 7) / 8);
  agents.shared.resize(espalier::shared_bytes(agents.tree) / 8);
  agents.agent_count = agent_count;
  agents.update_count = update_count;
  for (std::uint32_t i = 0; i < espalier::behavior_count(asset); ++i) {
    espalier::Behavior behavior;
    behavior.tick = espalier::behavior_name(asset, i) == "Run" ? run_on : succeed;
    if (has_others) behavior.enter = behavior.leave = behavior.reset = be_told;
    agents.behaviors.push_back(behavior);
  }
  agents.conditions.resize(espalier::host_condition_count(asset));
  for (espalier::Behavior& condition : agents.conditions) {
    condition.tick = succeed;
    condition.ask = accept;
    condition.decide = refuse;
  }
  agents.host.script = run_script;
  agents.host.behaviors = agents.behaviors.data();
  agents.host.conditions = agents.conditions.data();
  agents.host.shared = agents.shared.data();
  if (!agents.shared.empty()) espalier::start_shared(agents.tree, agents.shared.data());
  espalier_recorder_options options;
  options.write = drop;
  const auto count = static_cast<std::uint32_t>(agent_count);
  agents.memory.resize(espalier_recorder_bytes(&asset, count, &options) / 8 + 1);
  if (espalier_recorder_begin(&asset, count, &options, agents.memory.data(), &agents.recorder) != ESPALIER_OK)
    return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    void* const block = reinterpret_cast<unsigned char*>(agents.blocks.data()) + i * agents.block_bytes;
    espalier::start(agents.tree, block);
    espalier_recorder_agent(agents.recorder, i, agents.tree, block, agents.host.shared, nullptr);
  }
  update_recorded(&agents);  // what follows is predicted
  call_count = 0;
  update_recorded(&agents);
  agents.calls_a_measure = call_count;
  return agents.calls_a_measure != 0 && espalier_recorder_fault(agents.recorder) == nullptr;
}

std::string repeated(const std::string& element, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += element;
  return text;
}

}  // namespace

bool add_recording(bool quick) {
  constexpr int kActions = 40;
  const std::string polled = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\">";
  const std::string models =
      "</BehaviorTree><TreeNodesModel><Action ID=\"A\"/><Action ID=\"Run\"/><Condition "
      "ID=\"C\"/></TreeNodesModel></root>";
  std::string deciders;
  for (int i = 0; i < kActions; ++i)
    deciders += "<Decider name=\"D" + std::to_string(i) + "\" behavior=\"A\" decide=\"C\"/>";
  struct Kind {
    const char* what;
    std::string xml;
    bool has_others;
  };
  const Kind kinds[] = {
      {"an action that ticks",
       "<BehaviorTree><Root><Sequence>" + repeated("<A/>", kActions) + "</Sequence></Root></BehaviorTree>", false},
      {"a running action", "<BehaviorTree><Root><Run/></Root></BehaviorTree>", false},
      {"an action that is entered, ticks, is left and reset",
       "<SynchronizedTree name=\"T\"><Sequence>" + repeated("<Action name=\"A\"/>", kActions) +
           "</Sequence></SynchronizedTree>",
       true},
      {"an action of a rule",
       "<behaviorTree><sequence>" + repeated("<action name=\"A\"/>", kActions) + "</sequence></behaviorTree>", false},
      {"a condition that is asked, and an action of a rule",
       "<behaviorTree><sequence>" + repeated("<action name=\"A\"><condition>c</condition></action>", kActions) +
           "</sequence></behaviorTree>",
       false},
      {"a decider that is asked",
       "<DeciderTree name=\"T\"><Behaviors><Behavior name=\"A\"/></Behaviors>"
       "<Group name=\"G\" policy=\"prioritizedList\">" +
           deciders + "</Group></DeciderTree>",
       false},
      {"a script that the host runs",
       "<BehaviorTree><Root><Sequence>" + repeated("<ExecuteLua code=\"run()\"/>", kActions) +
           "</Sequence></Root></BehaviorTree>",
       false},
      {"a condition that polls", polled + "<Sequence>" + repeated("<C/>", kActions) + "</Sequence>" + models, false},
      {"an action that polls", polled + "<Sequence>" + repeated("<A/>", kActions) + "</Sequence>" + models, false},
  };
  static std::array<Recorded, std::size(kinds)> all;
  const std::size_t agents = quick ? 100 : 1000;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Kind& kind = kinds[i];
    if (!make_recorded(kind.xml, agents, quick ? 2 : 100, kind.has_others, all[i])) {
      std::printf("%s IS NOT RECORDED\n", kind.what);
      return false;
    }
    add_row(std::string("recording: ") + kind.what, "call", all[i].calls_a_measure, update_recorded, update_bare,
            &all[i]);
  }
  return true;
}

}  // namespace bench
