// The runtime against a model: the update rules of behaviour selection trees implemented a second time, as plain
// recursion over the tree as it was read. Random trees run with random traces through both. The model shares no code
// with the runtime.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "payloads.h"
#include "runtime/format/opcodes/select.h"
#include "runtime_condition_model.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace runtime_model {

namespace {

using namespace espalier;

// Events of an agent: the calls of its behaviours, with the leaf.
using Events = std::vector<std::string>;

std::string event(const char* what, std::string_view behavior, std::uint32_t leaf) {
  return std::string(what) + " " + std::string(behavior) + " of leaf " + std::to_string(leaf);
}

// What behaviours do with what they are told. `Subject`: the agent, or its model. Both have `set` and `signal`, and
// count their variables and signals. The data of a signal is how many signals it may still raise.
template <typename Subject>
void react(Subject& subject, std::uint32_t leaf, std::uint32_t signal, std::uint32_t data) {
  if (leaf % 2 == 0) subject.set((leaf + signal) % subject.variable_count(), data % 2 == 0);
  if (data > 0) subject.signal((signal + leaf) % subject.signal_count(), data - 1);
}
template <typename Subject>
void raise_in(Subject& subject, bool enters, std::uint32_t leaf) {
  if (subject.signal_count() > 0 && leaf % 4 == (enters ? 0 : 1)) subject.signal(leaf % subject.signal_count(), 1);
}

class Model {
 public:
  // `other_events`: how many the project declares and the tree does not name.
  explicit Model(const test::DraftTree& tree, std::uint32_t other_events) : tree_(&tree), other_events_(other_events) {
    for (const ir::Variable& variable : tree.variables) variables_.push_back(variable.initial);
    number_leaves(tree.root);
  }

  bool variable(std::uint32_t variable) const { return variables_[variable]; }
  std::uint32_t leaf() const { return current_ == nullptr ? kNoLeaf : leaf_numbers_.at(current_); }
  std::uint32_t leaf_count() const { return static_cast<std::uint32_t>(leaf_numbers_.size()); }
  std::uint32_t variable_count() const { return static_cast<std::uint32_t>(variables_.size()); }
  std::uint32_t signal_count() const { return static_cast<std::uint32_t>(tree_->signals.size()) + other_events_; }
  Events events;

  void set(std::uint32_t variable, bool value) {
    if (variables_[variable] == value) return;
    variables_[variable] = value;
    changed_ = true;
  }

  void signal(std::uint32_t signal, std::uint32_t data) {
    if (signal < tree_->signals.size()) {
      for (const ir::Assignment& assignment : tree_->signals[signal].assignments) {
        set(assignment.variable, holds(assignment.condition));
      }
    }
    if (active_ == nullptr) return;
    events.push_back(event("event", active_->as<ir::Leaf>().behavior, leaf_numbers_.at(active_)));
    react(*this, leaf_numbers_.at(active_), signal, data);
  }

  Result update() {
    if (changed_) {
      const test::Draft* selected = evaluate(tree_->root);
      changed_ = false;
      select(selected);
      changed_ = changed_ || selected == nullptr;
    }
    return current_ == nullptr ? Result::failure : Result::running;
  }

  void stop() { select(nullptr); }

 private:
  void number_leaves(const test::Draft& node) {
    if (node.opcode == opcode::select_leaf) leaf_numbers_.emplace(&node, leaf_count());
    for (const test::Draft& child : node.children) number_leaves(child);
  }

  bool holds(ir::ConditionIndex condition) const { return test::holds(tree_->conditions[condition], variables_); }

  static bool is_below(const test::Draft* leaf, const test::Draft& node) {
    if (leaf == &node) return true;
    for (const test::Draft& child : node.children) {
      if (is_below(leaf, child)) return true;
    }
    return false;
  }

  const test::Draft* evaluate(const test::Draft& node) {
    if (node.opcode == opcode::select_leaf) return &node;
    if (node.opcode == opcode::select_machine) return evaluate_machine(node);
    for (const test::Draft& child : node.children) {
      if (const auto condition = ir::condition_of(child); condition && !holds(*condition)) continue;
      if (const test::Draft* selected = evaluate(child)) return selected;
    }
    return nullptr;
  }

  std::optional<std::uint32_t> next_state(const test::Draft& state) const {
    for (const ir::Transition& transition : state.as<ir::Transitions>().transitions) {
      if (holds(transition.condition)) return transition.target;
    }
    return std::nullopt;
  }

  const test::Draft* evaluate_machine(const test::Draft& machine) {
    const bool active = current_ != nullptr && is_below(current_, machine);
    const std::uint32_t stored = stored_states_[&machine];
    std::set<std::uint32_t> visited = {stored};
    std::uint32_t state = active ? stored : 0;
    while (const std::optional<std::uint32_t> next = next_state(machine.children[state])) {
      state = *next;
      if (!visited.insert(state).second) break;
    }
    stored_states_[&machine] = state;
    return evaluate(machine.children[state].children.front());
  }

  void select(const test::Draft* selected) {
    if (selected == current_) return;
    const test::Draft* old = current_;
    current_ = selected;
    active_ = nullptr;
    if (old != nullptr) {
      events.push_back(event("leave", old->as<ir::Leaf>().behavior, leaf_numbers_.at(old)));
      raise_in(*this, false, leaf_numbers_.at(old));
    }
    active_ = selected;
    if (selected != nullptr) {
      events.push_back(event("enter", selected->as<ir::Leaf>().behavior, leaf_numbers_.at(selected)));
      raise_in(*this, true, leaf_numbers_.at(selected));
    }
  }

  const test::DraftTree* tree_;
  std::uint32_t other_events_;
  std::map<const test::Draft*, std::uint32_t> leaf_numbers_;
  std::map<const test::Draft*, std::uint32_t> stored_states_;  // missing ones are in the first state
  std::vector<bool> variables_;
  const test::Draft* current_ = nullptr;
  const test::Draft* active_ = nullptr;  // gets signals: none while the old behaviour is left
  bool changed_ = true;
};

// The agent of a call, as react() sees it.
struct CalledAgent {
  const Call& call;
  std::uint32_t variable_count() const { return espalier::variable_count(call.tree); }
  std::uint32_t signal_count() const { return espalier::signal_count(call.tree); }
  void set(std::uint32_t variable, bool value) const { espalier::set(call.tree, call.agent, variable, value); }
  void signal(std::uint32_t signal, std::uint32_t data) const {
    espalier::signal(call.tree, call.agent, signal, *call.host, &data);
  }
};

void note(const Call* call, const char* what) {
  static_cast<Events*>(call->host->user)
      ->push_back(event(what, behavior_name(*call->tree.asset, call->behavior), call->leaf));
}

void on_enter(const Call* call) {
  note(call, "enter");
  CalledAgent agent{*call};
  raise_in(agent, true, call->leaf);
}

void on_leave(const Call* call) {
  note(call, "leave");
  CalledAgent agent{*call};
  raise_in(agent, false, call->leaf);
}

void on_event(const Call* call) {
  note(call, "event");
  CalledAgent agent{*call};
  react(agent, call->leaf, call->signal, *static_cast<const std::uint32_t*>(call->data));
}

// An agent of the runtime, with the model's interface.
class Agent {
 public:
  explicit Agent(const Tree& tree) : tree_(tree), block_(agent_bytes(tree) / sizeof(std::uint64_t)) {
    Behavior behavior;
    behavior.enter = on_enter;
    behavior.leave = on_leave;
    behavior.event = on_event;
    table_.assign(behavior_count(*tree.asset), behavior);
    start(tree, block_.data());
  }

  Events events;
  bool variable(std::uint32_t variable) const { return espalier::variable(tree_, block_.data(), variable); }
  std::uint32_t leaf() const { return current_leaf(tree_, block_.data()); }
  void set(std::uint32_t variable, bool value) { espalier::set(tree_, block_.data(), variable, value); }
  void signal(std::uint32_t signal, std::uint32_t data) {
    espalier::signal(tree_, block_.data(), signal, host(), &data);
  }
  void stop() { espalier::stop(tree_, block_.data(), host()); }

  // Uses each way of updating in the runtime in turn.
  Result update(std::uint32_t way) {
    if (way == 0) {
      update_all(tree_, block_.data(), block_.size() * sizeof(std::uint64_t), 1, host());
      return leaf() == kNoLeaf ? Result::failure : Result::running;
    }
    if (way == 1) {
      const Watcher watcher = {[](void*, const Step*) {}, nullptr};
      return update_watched(tree_, block_.data(), host(), watcher);
    }
    return espalier::update(tree_, block_.data(), host());
  }

 private:
  Host host() { return {table_.data(), &events, 0}; }

  Tree tree_;
  std::vector<std::uint64_t> block_;
  std::vector<Behavior> table_;
};

// The difference between an agent and its model; empty if there is none.
std::string difference(const Agent& agent, const Model& model, const test::DraftTree& tree) {
  if (agent.leaf() != model.leaf()) {
    return "leaf " + std::to_string(agent.leaf()) + ", by the model " + std::to_string(model.leaf());
  }
  for (std::uint32_t i = 0; i < tree.variables.size(); ++i) {
    if (agent.variable(i) != model.variable(i)) return "variable " + tree.variables[i].name;
  }
  if (agent.events != model.events) {
    std::string text = "events:";
    for (const std::string& happened : agent.events) text += " " + happened + ",";
    text += " by the model:";
    for (const std::string& happened : model.events) text += " " + happened + ",";
    return text;
  }
  return "";
}

struct Tally {
  std::uint64_t updates = 0;
  std::uint64_t selections = 0;  // updates that changed the leaf
  std::uint64_t nothings = 0;    // updates that selected nothing
  std::uint64_t signals = 0;     // that reached a behaviour
};

// Runs one random trace through both; the first difference, or empty.
std::string run_trace(test::Random& random, const Tree& tree, const test::DraftTree& ir_tree,
                      std::uint32_t other_events, Tally& tally) {
  Agent agent(tree);
  Model model(ir_tree, other_events);
  std::optional<std::pair<Agent, Model>> saved;
  constexpr std::uint32_t kSteps = 60;
  for (std::uint32_t step = 0; step < kSteps; ++step) {
    const std::uint32_t action = random.below(100);
    if (action < 40) {
      const std::uint32_t variable = random.below(static_cast<std::uint32_t>(ir_tree.variables.size()));
      const bool value = random.chance(50);
      agent.set(variable, value);
      model.set(variable, value);
    } else if (action < 60 && model.signal_count() > 0) {
      const std::uint32_t signal = random.below(model.signal_count());
      const std::uint32_t data = random.below(4);
      tally.signals += model.leaf() != kNoLeaf ? 1 : 0;
      agent.signal(signal, data);
      model.signal(signal, data);
    } else if (action < 63) {
      saved.emplace(agent, model);
    } else if (action < 66 && saved) {
      agent = saved->first;
      model = saved->second;
    } else {
      const std::uint32_t leaf_before = model.leaf();
      const Result result = agent.update(random.below(3));
      if (result != model.update()) return "result of step " + std::to_string(step);
      ++tally.updates;
      tally.selections += model.leaf() != leaf_before ? 1 : 0;
      tally.nothings += model.leaf() == kNoLeaf ? 1 : 0;
    }
    const std::string found = difference(agent, model, ir_tree);
    if (!found.empty()) return "step " + std::to_string(step) + ": " + found;
  }
  agent.stop();
  model.stop();
  return difference(agent, model, ir_tree);
}

}  // namespace

TEST_CASE("random trees run as the rules say, update by update") {
  const std::uint64_t project_count = rounds_of(1500u);
  Tally tally;
  for (std::uint64_t seed = 1; seed <= project_count; ++seed) {
    INFO("seed " << seed);
    test::Random random{seed};
    test::DraftProject project = test::random_project(random);
    if (seed % 3 == 0) project.events = {"an event", "another one"};
    const auto other_events = static_cast<std::uint32_t>(project.events.size());
    test::Compiled compiled;
    test::compile(project, compiled, random.chance(50));
    for (const test::DraftTree& ir_tree : project.trees) {
      Tree tree;
      REQUIRE(find_tree(compiled.asset, ir_tree.name, &tree) == Status::ok);
      REQUIRE(leaf_count(tree) == Model(ir_tree, other_events).leaf_count());
      for (int trace = 0; trace < 3; ++trace) {
        const std::string found = run_trace(random, tree, ir_tree, other_events, tally);
        if (!found.empty()) FAIL("tree " << ir_tree.name << ", trace " << trace << ", " << found);
      }
    }
  }
  // The trees would show nothing if they always selected the same.
  CHECK(tally.updates > rounds_of(100000u));
  CHECK(tally.selections > tally.updates / 10);
  CHECK(tally.nothings > tally.updates / 100);
  CHECK(tally.nothings < tally.updates / 2);
  CHECK(tally.signals > rounds_of(10000u));
}

}  // namespace runtime_model
