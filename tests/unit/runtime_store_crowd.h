// Agents of the runtime and of the model: every step is applied to both, and after it their visible state must be the
// same. A difference fails the test and shows the trees and all steps.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/store_needs.h"
#include "payloads.h"
#include "runtime_store_trees.h"

namespace espalier::test {

class StoreCrowd {
 public:
  using AgentNumber = StoreHost::Agent;

  explicit StoreCrowd(ModelStoreProject project);
  StoreCrowd(const StoreCrowd&) = delete;
  StoreCrowd& operator=(const StoreCrowd&) = delete;

  AgentNumber spawn(std::uint32_t tree);
  void answer(AgentNumber agent, const std::string& name, const std::vector<StoreResult>& list);
  // Whenever the agent is asked or ticked with this name, or receives this event, the other one is updated or stopped
  // at once, unless it is already being updated or stopped.
  void meanwhile(AgentNumber agent, const std::string& name_or_event, AgentNumber other, bool stops);
  void advance(std::uint64_t us) { model_.now_us += us; }
  StoreResult update(AgentNumber agent);
  // An empty name means no tree.
  void inject(AgentNumber agent, const std::string& slot, const std::string& tree, bool is_immediate);
  // Resets its tree; it can be updated again.
  void stop(AgentNumber agent);
  // As a hot reload to the same trees does.
  void move(AgentNumber agent);
  void destroy(AgentNumber agent);
  void destroy_all();
  // When no agent is left: is the shared block as at the beginning, except for the times of cooldowns of all agents?
  void check_shared();

  std::vector<AgentNumber> living() const { return model_.living(); }
  const ModelStoreProject& project() const { return project_; }
  bool has_overlaps() const { return !needs_.room_offsets.empty(); }

 private:
  struct Agent {
    StoreCrowd* crowd = nullptr;
    AgentNumber number = 0;
    Tree tree;
    std::vector<std::uint64_t> block;
  };

  struct Meanwhile {
    AgentNumber other = 0;
    bool stops = false;
  };

  // For one of the two sides: updates or stops the other agent.
  using Act = std::function<void(AgentNumber other, bool stops)>;
  void act(AgentNumber agent, const std::string& name_or_event, std::vector<AgentNumber>& busy, const Act& act);
  StoreResult update_model(AgentNumber number);
  void update_runtime(AgentNumber number);
  void stop_model(AgentNumber number);
  void stop_runtime(AgentNumber number);

  static const Agent& of(const Call* call) { return *static_cast<const Agent*>(call->host->user); }
  static std::string name_of(const Call* call);
  Host host_of(Agent& agent);
  void compare(const std::string& what);
  void check_reset(AgentNumber number);
  void compare_inside(std::string* difference);
  std::uint32_t node_word_of(std::uint32_t tree, std::uint32_t node_number) const;

  const ModelStoreProject project_;
  const ir::Project ir_;
  const ir::StoreNeeds needs_;
  StoreHost model_host_;
  StoreHost host_;
  StoreModel model_;
  Compiled compiled_;
  std::vector<Behavior> behaviors_;
  std::vector<Behavior> conditions_;
  std::vector<std::uint64_t> shared_;
  std::vector<std::uint64_t> shared_at_first_;
  std::map<AgentNumber, Agent> agents_;
  std::map<std::pair<AgentNumber, std::string>, Meanwhile> meanwhile_;
  std::vector<AgentNumber> busy_in_model_;
  std::vector<AgentNumber> busy_in_runtime_;
  std::uint32_t update_count_ = 0;
  std::vector<std::string> history_;  // all steps and reports
};

}  // namespace espalier::test
