// The rules of trees that store their results, sentence by sentence. The text in quotes is the rule that the following
// lines model.
#include "runtime_store_model.h"

#include <algorithm>
#include <utility>

namespace espalier::test {
namespace {

StoreResult result_of(bool is_success) { return is_success ? StoreResult::success : StoreResult::failure; }

// "A `Condition` that is the only child is the role's work."
bool has_condition(const ModelStoreNode& role) { return role.children.size() == 2; }

// "has a barrier B anywhere": one in a group within it "belongs to the nearest `Role` above", which is another.
bool has_barrier(const ModelStoreNode& node, const std::string& name) {
  if (node.kind == StoreKind::barrier && node.name == name) return true;
  if (node.kind == StoreKind::group) return false;
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const ModelStoreNode& child) { return has_barrier(child, name); });
}

// Can all roles from `role` on be given to different free agents? If there are fewer agents than roles: can each agent
// be given a role? `met` is by agent and role.
bool can_be_filled(const std::vector<std::vector<bool>>& met, std::vector<bool>& is_free, std::size_t role,
                   std::size_t to_be_filled) {
  if (to_be_filled == 0) return true;
  for (std::size_t next = role; !met.empty() && next < met.front().size(); ++next) {
    for (std::size_t agent = 0; agent < met.size(); ++agent) {
      if (!is_free[agent] || !met[agent][next]) continue;
      is_free[agent] = false;
      const bool fits = can_be_filled(met, is_free, next + 1, to_be_filled - 1);
      is_free[agent] = true;
      if (fits) return true;
    }
  }
  return false;
}

}  // namespace

const ModelStoreTree* ModelStoreProject::find_tree(const std::string& name) const {
  for (const ModelStoreTree& tree : trees) {
    if (tree.name == name) return &tree;
  }
  return nullptr;
}

const ModelSlot* ModelStoreProject::find_slot(const std::string& name) const {
  for (const ModelSlot& slot : slots) {
    if (slot.name == name) return &slot;
  }
  return nullptr;
}

StoreModel::StoreModel(const ModelStoreProject& project, StoreHost& host, Fits fits)
    : project_(project), host_(host), fits_(std::move(fits)) {
  for (const ModelStoreTree& tree : project.trees) find_barriers(tree.root, {});
}

// "belongs to the nearest `Role` above"
void StoreModel::find_barriers(const ModelStoreNode& node, BarrierPlace nearest) {
  if (node.kind == StoreKind::barrier) barriers_[&node] = nearest;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    find_barriers(node.children[i], node.kind == StoreKind::group ? BarrierPlace{&node, i} : nearest);
  }
}

// ---- Agents

StoreModel::AgentNumber StoreModel::spawn(const std::string& tree) {
  auto agent = std::make_unique<Agent>();
  agent->number = next_number_++;
  agent->root.tree = project_.find_tree(tree);
  const AgentNumber number = agent->number;
  agents_[number] = std::move(agent);
  return number;
}

// "An agent that is destroyed gives back all it holds: destroying is a reset."
void StoreModel::destroy(AgentNumber number) {
  stop(number);
  agents_.erase(number);
}

void StoreModel::stop(AgentNumber number) {
  Agent& agent = *agents_.at(number);
  reset_tree(agent);
}

void StoreModel::move(AgentNumber number) {
  stop(number);
  agents_.at(number)->root.states.clear();
}

std::vector<StoreModel::AgentNumber> StoreModel::living() const {
  std::vector<AgentNumber> numbers;
  for (const auto& [number, agent] : agents_) numbers.push_back(number);
  return numbers;
}

std::vector<std::string> StoreModel::running(AgentNumber number) {
  std::vector<std::string> names;
  Agent& agent = *agents_.at(number);
  find_running({agent, agent.root, agent.root.tree->root}, names);
  return names;
}

void StoreModel::find_running(const Place& at, std::vector<std::string>& names) {
  const State& state = at.state();
  if (at.node.kind == StoreKind::action && state.result == StoreResult::running) names.push_back(at.node.name);
  for (std::size_t i = 0; i < at.node.children.size(); ++i) find_running(at.child(i), names);
  if (state.child) find_running({at.agent, *state.child, state.child->tree->root}, names);
}

std::size_t StoreModel::inside(const ModelStoreNode& node) const {
  if (node.kind == StoreKind::gate) {
    const auto gate = gates_.find(&node);
    return gate == gates_.end() ? 0 : gate->second;
  }
  const auto group = groups_.find(&node);
  return group == groups_.end() ? 0 : group->second.members.size();
}

std::size_t StoreModel::inside(const std::string& label) const {
  std::size_t count = 0;
  for (const auto& [node, agents] : gates_) count += node->name == label ? agents : 0;
  for (const auto& [node, group] : groups_) count += node->name == label ? group.members.size() : 0;
  return count;
}

bool StoreModel::is_everything_given_back() const {
  return std::all_of(gates_.begin(), gates_.end(), [](const auto& gate) { return gate.second == 0; }) &&
         std::all_of(groups_.begin(), groups_.end(), [](const auto& group) {
           return group.second.members.empty() && group.second.phase == Phase::gathering;
         });
}

// "(1) if a group broke with `onLeave="reset"`, the tree is reset and 2 is left out; (2) monitors; (3) the root is
// evaluated; (4) if it completed, reset."
StoreResult StoreModel::update(AgentNumber number) {
  Agent& agent = *agents_.at(number);
  if (agent.is_to_be_reset) {
    reset_tree(agent);
  } else {
    ask_monitors(agent);
  }
  const StoreResult status = evaluate({agent, agent.root, agent.root.tree->root});
  if (is_completed(status)) reset_tree(agent);
  host_.tell(number, "status " + word_of(status));
  return status;
}

// "all registered monitors' children are evaluated afresh in order of registration (the stored results below the
// monitor are cleared first, without reset calls). The first that succeeds interrupts: those after it are not asked,
// the whole tree is reset, registrations are dropped". "When none succeeds the fresh results below it are kept, but the
// monitor's own stored result stands."
void StoreModel::ask_monitors(Agent& agent) {
  for (const auto& [instance, node] : agent.monitors) {
    const Place at = {agent, *instance, *node};
    clear_below(at);
    if (evaluate(at.child(0)) != StoreResult::success) continue;
    reset_tree(agent);
    return;
  }
}

void StoreModel::clear_below(const Place& at) {
  for (std::size_t i = 0; i < at.node.children.size(); ++i) {
    at.child(i).state().result = StoreResult::none;
    clear_below(at.child(i));
  }
}

// "Injecting a tree that is larger, not accepted, or unknown, or into a slot nobody has, is an error and changes
// nothing." "An `immediate` injection first resets the slot's nodes that are running (the last in order first), at
// once."
bool StoreModel::inject(AgentNumber number, const std::string& slot, const std::string& tree, bool is_immediate) {
  Agent& agent = *agents_.at(number);
  const ModelSlot* found = project_.find_slot(slot);
  const auto accepts = [&] {
    return !found->accepts || std::find(found->accepts->begin(), found->accepts->end(), tree) != found->accepts->end();
  };
  const bool is_good =
      found != nullptr &&
      (tree.empty() || (project_.find_tree(tree) != nullptr && accepts() && fits_(agent.root.tree->name, slot, tree)));
  if (!is_good) {
    host_.tell(number, "error inject " + slot + ' ' + tree);
    return false;
  }
  if (is_immediate) {
    std::vector<Place> nodes;
    find_slot_nodes({agent, agent.root, agent.root.tree->root}, slot, nodes);
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
      if (node->state().result == StoreResult::running) reset(*node);
    }
  }
  agent.slots[slot] = tree;
  return true;
}

// In file order; what runs in a node comes after it.
void StoreModel::find_slot_nodes(const Place& at, const std::string& slot, std::vector<Place>& found) {
  if (at.node.kind == StoreKind::child_tree && at.node.name == slot) found.push_back(at);
  for (std::size_t i = 0; i < at.node.children.size(); ++i) find_slot_nodes(at.child(i), slot, found);
  const State& state = at.state();
  if (state.child) find_slot_nodes({at.agent, *state.child, state.child->tree->root}, slot, found);
}

// ---- Evaluation

// "a node whose stored result is success or failure is not evaluated: its stored result stands"; with `each="update"`
// "the node is never passed over as stored; whenever its parent is evaluated it is evaluated too"
StoreResult StoreModel::evaluate(const Place& at) {
  const StoreResult stored = at.state().result;
  if (is_completed(stored) && !at.node.is_each_update) return stored;
  if (stored == StoreResult::none) tell(at.node, What::begins);
  const StoreResult result = evaluate_kind(at, stored == StoreResult::none);
  if (is_completed(result)) tell(at.node, result == StoreResult::success ? What::succeeds : What::fails);
  return at.state().result = result;
}

StoreResult StoreModel::evaluate_kind(const Place& at, bool is_entered) {
  switch (at.node.kind) {
    case StoreKind::sequence:
      return sequence(at, StoreResult::success);
    case StoreKind::selector:
      return sequence(at, StoreResult::failure);
    case StoreKind::parallel:
      return parallel(at);
    case StoreKind::condition:
      return result_of(host_.ask(at.agent.number, at.node.name));
    case StoreKind::action:
      return action(at, is_entered);
    case StoreKind::invert:
    case StoreKind::succeed:
    case StoreKind::fail:
      return changed(at);
    case StoreKind::repeat:
      return repeat(at);
    case StoreKind::monitor:
      return monitor(at);
    case StoreKind::gate:
      return gate(at, is_entered);
    case StoreKind::cooldown:
      return cooldown(at, is_entered);
    case StoreKind::group:
      return group(at, is_entered);
    case StoreKind::role:
      return evaluate(at.child(at.node.children.size() - 1));
    case StoreKind::barrier:
      return barrier(at, is_entered);
    case StoreKind::child_tree:
      return child_tree(at, is_entered);
  }
  return StoreResult::none;
}

StoreResult StoreModel::sequence(const Place& at, StoreResult goes_on_with) {
  for (std::size_t i = 0; i < at.node.children.size(); ++i) {
    const StoreResult result = evaluate(at.child(i));
    if (result == goes_on_with) continue;
    reset_running_after(at, i);
    return result;
  }
  return goes_on_with;
}

// "When a Sequence or Selector stops at a child while later siblings are running ..., those are reset, the last first,
// once the child's result is known; completed later siblings keep their results."
void StoreModel::reset_running_after(const Place& at, std::size_t child) {
  for (std::size_t i = at.node.children.size(); i-- > child + 1;) {
    if (at.result_of_child(i) == StoreResult::running) reset(at.child(i));
  }
}

// "all unfinished children are evaluated in order, each time all of them; then: failure if its rule holds; else success
// if its rule holds; else failure if no child is unfinished; else running. When it completes, children still running
// are reset, the last first"
StoreResult StoreModel::parallel(const Place& at) {
  std::size_t counts[4] = {};
  const std::size_t all = at.node.children.size();
  for (std::size_t i = 0; i < all; ++i) ++counts[static_cast<std::size_t>(evaluate(at.child(i)))];
  const std::size_t running = counts[static_cast<std::size_t>(StoreResult::running)];
  const std::size_t succeeded = counts[static_cast<std::size_t>(StoreResult::success)];
  const std::size_t failed = counts[static_cast<std::size_t>(StoreResult::failure)];
  const bool is_failure = failed >= (at.node.fails_with_all ? all : 1);
  const bool is_success = succeeded >= (at.node.succeeds_with_any ? 1 : all);
  if (!is_failure && !is_success && running > 0) return StoreResult::running;
  for (std::size_t i = all; i-- > 0;) {
    if (at.result_of_child(i) == StoreResult::running) reset(at.child(i));
  }
  return result_of(is_success && !is_failure);
}

// "an action's evaluations `enter A` (the stored result was none), `tick A RESULT` (every one), `leave A` (it
// completed)"
StoreResult StoreModel::action(const Place& at, bool is_entered) {
  if (is_entered) host_.tell(at.agent.number, "enter " + at.node.name);
  const StoreResult result = host_.tick(at.agent.number, at.node.name);
  if (is_completed(result)) host_.tell(at.agent.number, "leave " + at.node.name);
  return result;
}

// "change their child's completed result: the other one, success, failure"
StoreResult StoreModel::changed(const Place& at) {
  const StoreResult result = evaluate(at.child(0));
  if (!is_completed(result)) return result;
  if (at.node.kind == StoreKind::invert) return result_of(result == StoreResult::failure);
  return result_of(at.node.kind == StoreKind::succeed);
}

// "a child that completed is reset at the next evaluation, just before it is evaluated anew ... A completion is counted
// whatever its result, and at `count` of them: success. With `untilFailure="true"` a child's failure ends it with
// failure. Else running". With `each="update"`, "the child's result is the node's".
StoreResult StoreModel::repeat(const Place& at) {
  if (is_completed(at.result_of_child(0))) reset(at.child(0));
  const StoreResult result = evaluate(at.child(0));
  if (!is_completed(result) || at.node.is_each_update) return result;
  const std::uint32_t times = ++at.state().times;
  if (at.node.until_failure && result == StoreResult::failure) return StoreResult::failure;
  return times == at.node.count ? StoreResult::success : StoreResult::running;
}

// "its child is evaluated and the result stored as for any node ... and then the monitor is *registered* for this
// agent, whatever the result, once"
StoreResult StoreModel::monitor(const Place& at) {
  const StoreResult result = evaluate(at.child(0));
  const std::pair<Instance*, const ModelStoreNode*> me = {&at.instance, &at.node};
  auto& monitors = at.agent.monitors;
  if (std::find(monitors.begin(), monitors.end(), me) == monitors.end()) monitors.push_back(me);
  return result;
}

// "at most N agents are inside at a time. Entering takes a place or fails at once ...; the place is given back when the
// gate's child completes, or the gate is reset."
StoreResult StoreModel::gate(const Place& at, bool is_entered) {
  if (is_entered) {
    if (gates_[&at.node] >= at.node.count) return StoreResult::failure;
    ++gates_[&at.node];
  }
  const StoreResult result = evaluate(at.child(0));
  if (is_completed(result)) --gates_[&at.node];
  return result;
}

std::optional<std::uint64_t>& StoreModel::closed_at(const Place& at) {
  return at.node.is_global ? global_cooldowns_[&at.node] : at.state().closed_at_us;
}

// "entering fails until S seconds after its child last completed, with either result, or was interrupted by a reset: it
// is open again when now - then >= S. The first use is free." "with `entry` the time begins when an agent enters"
StoreResult StoreModel::cooldown(const Place& at, bool is_entered) {
  const std::optional<std::uint64_t> closed = closed_at(at);
  if (is_entered && closed && now_us - *closed < *at.node.time_us) return StoreResult::failure;
  if (is_entered && at.node.starts_at_entry) closed_at(at) = now_us;
  const StoreResult result = evaluate(at.child(0));
  if (is_completed(result) && !at.node.starts_at_entry) closed_at(at) = now_us;
  return result;
}

// "the agent's slot S names the tree to run there; empty means T, or failure when there is no default. The name is read
// when the node is entered"
StoreResult StoreModel::child_tree(const Place& at, bool is_entered) {
  std::shared_ptr<Instance>& child = at.state().child;
  if (is_entered) {
    const std::string& injected = at.agent.slots[at.node.name];
    const std::string& name = injected.empty() ? at.node.default_tree : injected;
    if (name.empty()) return StoreResult::failure;
    // "would start a tree at a level above the `maxDepth` of the agent's own tree fails at once with an error"
    const std::uint32_t level = at.instance.level + 1;
    if (level > at.agent.root.tree->max_depth) {
      host_.tell(at.agent.number, "error depth " + at.node.name);
      return StoreResult::failure;
    }
    // "an agent's own [time] is forgotten ... when another tree is entered at that `ChildTree`"
    const ModelStoreTree* tree = project_.find_tree(name);
    tell(at.node, What::enters);
    if (!child || child->tree != tree) child = std::make_shared<Instance>(Instance{tree, level, {}});
  }
  return evaluate({at.agent, *child, child->tree->root});
}

// ---- Resetting

void StoreModel::reset_tree(Agent& agent) {
  reset({agent, agent.root, agent.root.tree->root});
  agent.monitors.clear();
  agent.is_to_be_reset = false;
}

// "everything below it, then the node, in the exact reverse of file order ..., and only nodes whose stored result is
// not none." "What a gate, cooldown, group or barrier holds is given back in its turn of that order."
void StoreModel::reset(const Place& at) {
  State& state = at.state();
  if (state.result == StoreResult::none) return;
  reset_below(at);
  give_back(at, state.result == StoreResult::running);
  state.result = StoreResult::none;
}

void StoreModel::reset_below(const Place& at) {
  // "a running child tree counts as the child of its `ChildTree`"
  const State& state = at.state();
  if (state.child) reset({at.agent, *state.child, state.child->tree->root});
  for (std::size_t i = at.node.children.size(); i-- > 0;) reset(at.child(i));
}

void StoreModel::give_back(const Place& at, bool was_running) {
  if (at.node.kind == StoreKind::action) {
    host_.tell(at.agent.number, (was_running ? "interrupt " : "reset ") + at.node.name);
  }
  if (at.node.kind == StoreKind::repeat) at.state().times = 0;
  // "Resetting a monitor drops its registration."
  if (at.node.kind == StoreKind::monitor) {
    auto& monitors = at.agent.monitors;
    monitors.erase(std::remove(monitors.begin(), monitors.end(), std::pair(&at.instance, &at.node)), monitors.end());
  }
  if (!was_running) return;
  if (at.node.kind == StoreKind::gate) --gates_[&at.node];
  if (at.node.kind == StoreKind::cooldown && !at.node.starts_at_entry) closed_at(at) = now_us;
  if (at.node.kind == StoreKind::group) leave(at);
  // "One that is reset while it runs takes its arrival back."
  if (at.node.kind == StoreKind::barrier) {
    const BarrierPlace& place = barriers_.at(&at.node);
    --groups_[place.group].arrivals[{place.role, at.node.name}];
  }
}

// ---- Groups

StoreResult StoreModel::group(const Place& at, bool is_entered) {
  if (is_entered) return arrive(at);
  Group& group = groups_[&at.node];
  const auto is_me = [&](const Member& member) { return member.agent == at.agent.number; };
  const Member& me = *std::find_if(group.members.begin(), group.members.end(), is_me);
  if (group.phase == Phase::broken) {
    // "each other agent has its whole tree reset at the start of its next update": it broke during this one.
    if (at.node.on_leave == StoreLeave::reset) return StoreResult::running;
    // "each other agent has its group node's subtree reset and the group fails for it, when it is evaluated next"
    reset_below(at);
    take_out(group, at.agent.number);
    return StoreResult::failure;
  }
  if (group.phase == Phase::bound) return go_on_with_role(at);
  // "an agent that is evaluated T seconds or more after it arrived, and is not bound, leaves and fails"
  if (!at.node.time_us || now_us - me.arrived_us < *at.node.time_us) return StoreResult::running;
  take_out(group, at.agent.number);
  return StoreResult::failure;
}

StoreResult StoreModel::arrive(const Place& at) {
  Group& group = groups_[&at.node];
  // "An agent that enters it while it is bound fails at once, and is asked nothing; so does one that already waits or
  // is bound in it through another place."
  const auto is_me = [&](const Member& member) { return member.agent == at.agent.number; };
  if (group.phase != Phase::gathering || std::any_of(group.members.begin(), group.members.end(), is_me)) {
    return StoreResult::failure;
  }
  // "Else the conditions of all roles that have one are asked of it, in file order, each once."
  Member me = {at.agent.number, now_us, {}, {}};
  for (const ModelStoreNode& role : at.node.children) {
    me.met.push_back(!has_condition(role) || host_.ask(at.agent.number, role.children[0].name));
  }
  if (group.phase != Phase::gathering) return StoreResult::failure;  // bound while its host was asked
  // "It then waits (running) if it and all who wait can be given different roles, each one whose condition it met"
  group.members.push_back(me);
  std::vector<std::vector<bool>> met;
  for (const Member& member : group.members) met.push_back(member.met);
  std::vector<bool> is_free(met.size(), true);
  if (!can_be_filled(met, is_free, 0, met.size())) {
    group.members.pop_back();
    return StoreResult::failure;
  }
  // "When N wait they are bound"
  if (group.members.size() < at.node.children.size()) return StoreResult::running;
  bind(at.node, group);
  for (const ModelStoreNode& role : at.node.children) tell(role, What::is_bound);
  // "The agent that came last starts its role in the same evaluation"
  return go_on_with_role(at);
}

// "roles in file order each take the agent that arrived first, of those with which all later roles can still be filled"
void StoreModel::bind(const ModelStoreNode& node, Group& group) {
  const std::size_t count = node.children.size();
  group.phase = Phase::bound;
  group.results.assign(count, StoreResult::none);
  group.arrivals.clear();  // "A binding begins with no arrivals."
  std::vector<std::vector<bool>> met;
  for (const Member& member : group.members) met.push_back(member.met);
  std::vector<bool> is_free(count, true);
  for (std::size_t role = 0; role < count; ++role) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_free[i] || !met[i][role]) continue;
      is_free[i] = false;
      if (can_be_filled(met, is_free, role + 1, count - role - 1)) {
        group.members[i].role = role;
        break;
      }
      is_free[i] = true;
    }
  }
}

// "An agent whose role has completed goes on running. In the evaluation that completes the last role, the group
// completes for that agent, for the others when they are evaluated next: success when all roles succeeded, else
// failure. The group gathers again when all have taken the result or left"
StoreResult StoreModel::go_on_with_role(const Place& at) {
  Group& group = groups_[&at.node];
  const auto is_me = [&](const Member& member) { return member.agent == at.agent.number; };
  const std::size_t role = *std::find_if(group.members.begin(), group.members.end(), is_me)->role;
  if (group.results[role] == StoreResult::none) {
    const StoreResult result = evaluate(at.child(role));
    if (is_completed(result)) group.results[role] = result;
  }
  if (!std::all_of(group.results.begin(), group.results.end(), is_completed)) return StoreResult::running;
  const auto succeeded = [](StoreResult result) { return result == StoreResult::success; };
  const bool is_success = std::all_of(group.results.begin(), group.results.end(), succeeded);
  take_out(group, at.agent.number);
  return result_of(is_success);
}

void StoreModel::take_out(Group& group, AgentNumber agent) {
  const auto is_it = [&](const Member& member) { return member.agent == agent; };
  group.members.erase(std::find_if(group.members.begin(), group.members.end(), is_it));
  if (group.members.empty()) group.phase = Phase::gathering;
}

// "An agent that leaves ... when its role has completed changes nothing for the others. Before that, `onLeave` says
// what comes"
void StoreModel::leave(const Place& at) {
  Group& group = groups_[&at.node];
  const auto is_me = [&](const Member& member) { return member.agent == at.agent.number; };
  const std::optional<std::size_t> role = std::find_if(group.members.begin(), group.members.end(), is_me)->role;
  const bool leaves_a_role = group.phase == Phase::bound && group.results[*role] == StoreResult::none;
  take_out(group, at.agent.number);
  if (!leaves_a_role || group.members.empty()) return;
  // "the role counts as completed with failure, the others go on"
  if (at.node.on_leave == StoreLeave::ignore) {
    group.results[*role] = StoreResult::failure;
    return;
  }
  // "the group is broken", and "A broken group gathers again when all have left."
  group.phase = Phase::broken;
  if (at.node.on_leave == StoreLeave::fail) return;
  // "each other agent has its whole tree reset at the start of its next update"
  for (const Member& other : group.members) agents_.at(other.agent)->is_to_be_reset = true;
}

// "Entering it is an *arrival*, counted by role and name. It runs until each role of the group that has a barrier B
// anywhere, and has not completed, counts as many arrivals as this one was"
StoreResult StoreModel::barrier(const Place& at, bool is_entered) {
  const BarrierPlace& place = barriers_.at(&at.node);
  Group& group = groups_[place.group];
  if (is_entered) at.state().arrival = ++group.arrivals[{place.role, at.node.name}];
  for (std::size_t role = 0; role < place.group->children.size(); ++role) {
    if (is_completed(group.results[role]) || !has_barrier(place.group->children[role], at.node.name)) continue;
    if (group.arrivals[{role, at.node.name}] < at.state().arrival) return StoreResult::running;
  }
  return StoreResult::success;
}

}  // namespace espalier::test
