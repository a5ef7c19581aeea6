// What the fuzzers share for trees that store their results: agents of several trees that meet in one shared block, are
// given trees for their slots, and come and go. They must leave all gates and groups they enter; at the end none is
// occupied.
#pragma once
#include <array>

#include "codegen/dump/listing.h"
#include "columns.h"
#include "fuzz.h"
#include "runtime/format/opcodes/store.h"

namespace fuzz {

class Crowd {
 public:
  Crowd(const espalier::Asset& asset, const std::vector<espalier::Tree>& trees, std::uint64_t seed)
      : asset_(asset),
        trees_(trees),
        dice_{seed},
        shared_(new unsigned char[shared_bytes(trees[0])]),
        table_(behavior_count(asset)),
        conditions_(host_condition_count(asset)) {
    find_nodes();
    for (espalier::Behavior& behavior : table_) {
      behavior = {enter, leave, act, interrupt, reset};
    }
    for (espalier::Behavior& condition : conditions_) condition.ask = answer;
    start_shared(trees[0], shared_.get());
    for (Agent& agent : agents_) begin(agent);
  }

  void play() {
    for (int step = 0; step < 64; ++step) {
      clock_us_ += dice_.below(4) == 0 ? dice_.below(3'000'000) : 0;
      Agent& agent = agents_[dice_.below(kAgentCount)];
      switch (dice_.below(8)) {
        case 0:
          put_in(agent);
          break;
        case 1:
          end(agent);
          if (dice_.below(2) == 0) begin(agent);
          break;
        case 2:
          move(agent);
          break;
        default:
          update(agent);
      }
    }
    for (Agent& agent : agents_) end(agent);
    for (const std::uint32_t word : meeting_places_) require(inside_count(asset_, shared_.get(), word) == 0);
  }

 private:
  static constexpr std::uint32_t kAgentCount = 5;

  struct Agent {
    espalier::Tree tree;
    std::unique_ptr<unsigned char[]> block;
    std::uint32_t running_count = 0;  // actions, without those that a monitor watches
    std::uint32_t done_count = 0;
  };

  // Finds gates and groups, and the nodes below monitors, whose results are discarded without a call.
  void find_nodes() {
    is_watched_.resize(record_count(asset_, espalier::layout::SectionId::nodes));
    for (const espalier::Tree& tree : trees_) {
      espalier::codegen::visit_unit(
          asset_, espalier::tree_record(tree).unit, [this](const espalier::codegen::NodeView& node, std::size_t) {
            namespace opcode = espalier::opcode;
            const bool is_place = node.opcode == opcode::store_gate || node.opcode == opcode::store_group;
            if (is_place) meeting_places_.push_back(node.word);
            if (node.opcode != opcode::store_monitor) return;
            for (std::uint32_t i = 0; i < node.extent; ++i) is_watched_[node.word + i] = true;
          });
    }
  }

  espalier::Host host(Agent& agent) {
    espalier::Host host;
    host.behaviors = table_.data();
    host.conditions = conditions_.data();
    host.user = this;
    host.clock_us = clock_us_;
    host.shared = shared_.get();
    host.too_deep = [](const espalier::Call* call, std::uint32_t slot) {
      read_name(slot_name(*call->tree.asset, slot));
    };
    present_ = &agent;
    return host;
  }

  void begin(Agent& agent) {
    if (agent.block != nullptr) return;
    agent.tree = trees_[dice_.below(static_cast<std::uint32_t>(trees_.size()))];
    agent.block.reset(new unsigned char[agent_bytes(agent.tree)]);
    start(agent.tree, agent.block.get());
  }

  void end(Agent& agent) {
    if (agent.block == nullptr) return;
    stop(agent.tree, agent.block.get(), host(agent));
    require_untouched(agent);
    agent.block.reset();
  }

  void update(Agent& agent) {
    if (agent.block == nullptr) return;
    const espalier::Result result = espalier::update(agent.tree, agent.block.get(), host(agent));
    require(result <= espalier::Result::success);
    if (result != espalier::Result::running) return require_untouched(agent);
    std::size_t count = 0;
    const auto look = [](void* counted, std::uint32_t) { ++*static_cast<std::size_t*>(counted); };
    visit_active(agent.tree, agent.block.get(), look, &count);
    require(count > 0 && count >= agent.running_count);
  }

  // Into any slot, or one that does not exist; a refused call must change nothing.
  void put_in(Agent& agent) {
    if (agent.block == nullptr) return;
    const std::uint32_t slot = dice_.below(slot_count(asset_) + 1);
    const std::uint32_t chosen = dice_.below(tree_count(asset_) + 2);
    const std::uint32_t tree = chosen > tree_count(asset_) ? espalier::kNoTree : chosen;
    const bool has_slot = slot < slot_count(asset_);
    const std::uint32_t before = has_slot ? injected_tree(agent.tree, agent.block.get(), slot) : espalier::kNoTree;
    const espalier::Status status = inject(agent.tree, agent.block.get(), slot, tree, dice_.below(2) == 0, host(agent));
    if (!has_slot) return require(status != espalier::Status::ok);
    const std::uint32_t after = injected_tree(agent.tree, agent.block.get(), slot);
    const bool keeps_slots = espalier::codegen::store_record(agent.tree).child_count > 0;
    require(after == (status == espalier::Status::ok && keeps_slots ? tree : before));
  }

  // To an agent of any of the trees, as a hot reload does.
  void move(Agent& agent) {
    if (agent.block == nullptr) return;
    const espalier::Tree from = agent.tree;
    const std::unique_ptr<unsigned char[]> old = std::move(agent.block);
    agent.tree = trees_[dice_.below(static_cast<std::uint32_t>(trees_.size()))];
    agent.block.reset(new unsigned char[agent_bytes(agent.tree)]);
    move_agent(from, old.get(), host(agent), agent.tree, agent.block.get(), host(agent));
    require_untouched(agent);
  }

  static void require_untouched(const Agent& agent) {
    require(agent.running_count == 0 && agent.done_count == 0);
    for (int i = 0; i < 4; ++i) require(agent.block[i] == 0);  // no monitors, no seats
    const auto look = [](void*, std::uint32_t) { require(false); };
    visit_active(agent.tree, agent.block.get(), look, nullptr);
  }

  static Crowd& of(const espalier::Call* call) {
    auto& crowd = *static_cast<Crowd*>(call->host->user);
    for (std::uint32_t i = 0; i < parameter_count(call); ++i) read_name(parameter(call, i).name);
    return crowd;
  }
  // The counts of the agent that is called, for nodes that no monitor watches.
  static Agent& counted(const espalier::Call* call) {
    Crowd& crowd = of(call);
    return crowd.is_watched_[call->node_word] ? crowd.nobody_ : *crowd.present_;
  }
  static void enter(const espalier::Call* call) { ++counted(call).running_count; }
  static void leave(const espalier::Call* call) {
    --counted(call).running_count;
    ++counted(call).done_count;
  }
  static void interrupt(const espalier::Call* call) { --counted(call).running_count; }
  static void reset(const espalier::Call* call) { --counted(call).done_count; }
  static espalier_result act(const espalier::Call* call) {
    return static_cast<espalier::Result>(of(call).dice_.below(3));
  }
  static bool answer(const espalier::Call* call) { return of(call).dice_.below(3) != 0; }

  const espalier::Asset& asset_;
  std::vector<espalier::Tree> trees_;
  Dice dice_;
  std::unique_ptr<unsigned char[]> shared_;
  std::vector<espalier::Behavior> table_;
  std::vector<espalier::Behavior> conditions_;
  std::vector<std::uint32_t> meeting_places_;
  std::vector<bool> is_watched_;  // by word of NODES
  std::array<Agent, kAgentCount> agents_;
  Agent nobody_;
  Agent* present_ = nullptr;
  std::uint64_t clock_us_ = 0;
};

// Runs an agent of each tree; agents of trees that store run together.
inline void run_agents(const espalier::Asset& asset, std::uint64_t seed) {
  std::vector<espalier::Tree> storing;
  const std::uint32_t tree_total = tree_count(asset) < 8 ? tree_count(asset) : 8;
  for (std::uint32_t i = 0; i < tree_total; ++i) {
    const espalier::Tree tree = espalier::tree(asset, i);
    read_names(tree);
    if (engine_id_of(tree) == espalier::EngineId::store) {
      storing.push_back(tree);
    } else {
      Game(tree, seed).play();
      if (engine_id_of(tree) == espalier::EngineId::select) Columns(tree, seed).play();
    }
  }
  if (!storing.empty()) Crowd(asset, storing, seed).play();
}

}  // namespace fuzz
