// How trees that store their results run, as plain recursion from the root at each update: slow, and close to the words
// of the rules. It shares no code with the runtime, not even structures.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime_store_host.h"

namespace espalier::test {

enum class StoreKind : std::uint8_t {
  sequence,
  selector,
  parallel,
  condition,
  action,
  invert,
  succeed,
  fail,
  repeat,
  monitor,
  gate,
  cooldown,
  group,
  role,
  barrier,
  child_tree
};

enum class StoreLeave : std::uint8_t { fail, reset, ignore };

struct ModelStoreNode {
  StoreKind kind = StoreKind::sequence;
  std::string name;                      // of a condition, action or barrier; the label of a gate or group; the slot
  std::vector<ModelStoreNode> children;  // of a role: its work, or its condition and its work
  bool succeeds_with_any = false;        // parallel
  bool fails_with_all = false;
  std::uint32_t count = 0;  // repeat, gate
  bool until_failure = false;
  bool is_each_update = false;           // repeat
  bool starts_at_entry = false;          // cooldown
  bool is_global = false;                // cooldown
  std::optional<std::uint64_t> time_us;  // cooldown, group
  StoreLeave on_leave = StoreLeave::fail;
  std::string default_tree;  // child_tree; empty if none
};

struct ModelStoreTree {
  std::string name;
  std::uint32_t max_depth = 8;
  ModelStoreNode root;
};

struct ModelSlot {
  std::string name;
  std::optional<std::vector<std::string>> accepts;
  std::optional<std::uint32_t> budget_bytes;
};

struct ModelStoreProject {
  std::vector<ModelStoreTree> trees;
  std::vector<ModelSlot> slots;

  const ModelStoreTree* find_tree(const std::string& name) const;
  const ModelSlot* find_slot(const std::string& name) const;
};

class StoreModel {
 public:
  using AgentNumber = StoreHost::Agent;
  // Does a tree that a slot accepts fit into it, in an agent with this own tree? The model does not know sizes.
  using Fits = std::function<bool(const std::string& own_tree, const std::string& slot, const std::string& tree)>;

  // The project and the host must not move.
  StoreModel(const ModelStoreProject& project, StoreHost& host, Fits fits);

  std::uint64_t now_us = 0;
  enum class What : std::uint8_t { begins, succeeds, fails, is_bound, enters };
  // If set: called with what happens to a node; a role is bound, a tree enters a child_tree.
  std::function<void(const ModelStoreNode& node, What what)> watch;

  // Numbers are never used again.
  AgentNumber spawn(const std::string& tree);
  StoreResult update(AgentNumber number);
  // An empty name means no tree. Returns false after an error, which is reported to the host.
  bool inject(AgentNumber number, const std::string& slot, const std::string& tree, bool is_immediate);
  // Ends its actions and releases all it holds; it can be updated again.
  void stop(AgentNumber number);
  // A hot reload: it restarts, with the trees in its slots.
  void move(AgentNumber number);
  void destroy(AgentNumber number);

  std::vector<AgentNumber> living() const;
  std::vector<std::string> running(AgentNumber number);  // actions, in tree order
  std::size_t inside(const ModelStoreNode& gate_or_group) const;
  // The same for all nodes with this label.
  std::size_t inside(const std::string& label) const;
  bool is_everything_given_back() const;
  // All of the state that matters, with times relative to now: the same text, the same future.
  std::string state_text() const;
  // Times from now on at which a cooldown opens or a group is left.
  std::set<std::uint64_t> waits() const;

 private:
  struct Instance;
  struct State {
    StoreResult result = StoreResult::none;
    std::uint32_t times = 0;                    // repeat: completions
    std::uint32_t arrival = 0;                  // barrier: which one this was, from 1
    std::optional<std::uint64_t> closed_at_us;  // cooldown of an agent
    std::shared_ptr<Instance> child;            // child_tree; it outlives a reset
  };
  // A tree at a place of an agent.
  struct Instance {
    const ModelStoreTree* tree = nullptr;
    std::uint32_t level = 1;
    std::map<const ModelStoreNode*, State> states;
  };
  struct Agent {
    AgentNumber number = 0;
    Instance root;
    std::map<std::string, std::string> slots;
    std::vector<std::pair<Instance*, const ModelStoreNode*>> monitors;  // in order of registration
    bool is_to_be_reset = false;
  };
  // Where evaluation is.
  struct Place {
    Agent& agent;
    Instance& instance;
    const ModelStoreNode& node;

    State& state() const { return instance.states[&node]; }
    Place child(std::size_t index) const { return {agent, instance, node.children[index]}; }
    StoreResult result_of_child(std::size_t index) const { return child(index).state().result; }
  };

  struct Member {
    AgentNumber agent = 0;
    std::uint64_t arrived_us = 0;
    std::vector<bool> met;  // by role
    std::optional<std::size_t> role;
  };
  enum class Phase : std::uint8_t { gathering, bound, broken };
  struct Group {
    Phase phase = Phase::gathering;
    std::vector<Member> members;                                            // in order of arrival
    std::vector<StoreResult> results;                                       // by role: none, success or failure
    std::map<std::pair<std::size_t, std::string>, std::uint32_t> arrivals;  // by role and barrier
  };
  struct BarrierPlace {
    const ModelStoreNode* group = nullptr;
    std::size_t role = 0;
  };

  void find_barriers(const ModelStoreNode& node, BarrierPlace nearest);

  StoreResult evaluate(const Place& at);
  StoreResult evaluate_kind(const Place& at, bool is_entered);
  StoreResult sequence(const Place& at, StoreResult goes_on_with);
  StoreResult parallel(const Place& at);
  StoreResult action(const Place& at, bool is_entered);
  StoreResult changed(const Place& at);
  StoreResult repeat(const Place& at);
  void reset_running_after(const Place& at, std::size_t child);
  StoreResult monitor(const Place& at);
  StoreResult gate(const Place& at, bool is_entered);
  StoreResult cooldown(const Place& at, bool is_entered);
  StoreResult group(const Place& at, bool is_entered);
  StoreResult arrive(const Place& at);
  StoreResult go_on_with_role(const Place& at);
  StoreResult barrier(const Place& at, bool is_entered);
  StoreResult child_tree(const Place& at, bool is_entered);

  void reset(const Place& at);
  void reset_below(const Place& at);
  void give_back(const Place& at, bool was_running);
  void clear_below(const Place& at);
  void reset_tree(Agent& agent);
  void ask_monitors(Agent& agent);

  void bind(const ModelStoreNode& node, Group& group);
  void leave(const Place& at);
  void take_out(Group& group, AgentNumber agent);
  std::optional<std::uint64_t>& closed_at(const Place& at);
  void find_slot_nodes(const Place& at, const std::string& slot, std::vector<Place>& found);
  void visit_states(const Instance& instance,
                    const std::function<void(const Instance&, const ModelStoreNode&, const State&)>& visit) const;
  void tell(const ModelStoreNode& node, What what) const {
    if (watch) watch(node, what);
  }
  void find_running(const Place& at, std::vector<std::string>& names);

  const ModelStoreProject& project_;
  StoreHost& host_;
  Fits fits_;
  AgentNumber next_number_ = 0;
  std::map<AgentNumber, std::unique_ptr<Agent>> agents_;
  // Shared state of the trees, by node.
  std::map<const ModelStoreNode*, BarrierPlace> barriers_;
  std::map<const ModelStoreNode*, std::uint32_t> gates_;  // agents inside
  std::map<const ModelStoreNode*, std::optional<std::uint64_t>> global_cooldowns_;
  std::map<const ModelStoreNode*, Group> groups_;
};

}  // namespace espalier::test
