// The state of the model as text, and the times at which it changes.
#include <algorithm>

#include "runtime_store_model.h"

namespace espalier::test {

void StoreModel::visit_states(
    const Instance& instance,
    const std::function<void(const Instance&, const ModelStoreNode&, const State&)>& visit) const {
  const std::function<void(const ModelStoreNode&)> visit_node = [&](const ModelStoreNode& node) {
    const auto found = instance.states.find(&node);
    const State state = found == instance.states.end() ? State() : found->second;
    visit(instance, node, state);
    if (state.child) visit_states(*state.child, visit);
    for (const ModelStoreNode& child : node.children) visit_node(child);
  };
  visit_node(instance.tree->root);
}

std::set<std::uint64_t> StoreModel::waits() const {
  std::set<std::uint64_t> found;
  const auto add = [&](std::uint64_t end_us) {
    if (end_us > now_us) found.insert(end_us - now_us);
  };
  for (const auto& [number, agent] : agents_) {
    visit_states(agent->root, [&](const Instance&, const ModelStoreNode& node, const State& state) {
      if (state.closed_at_us) add(*state.closed_at_us + *node.time_us);
    });
  }
  for (const auto& [node, closed] : global_cooldowns_) {
    if (closed) add(*closed + *node->time_us);
  }
  for (const auto& [node, group] : groups_) {
    if (group.phase != Phase::gathering || !node->time_us) continue;
    for (const Member& member : group.members) add(member.arrived_us + *node->time_us);
  }
  return found;
}

std::string StoreModel::state_text() const {
  std::string text;
  const auto add = [&](std::uint64_t number) { text += std::to_string(number) + ' '; };
  const auto left = [&](const std::optional<std::uint64_t>& since_us, std::uint64_t lasts_us) {
    return since_us && *since_us + lasts_us > now_us ? *since_us + lasts_us - now_us : 0;
  };
  // The fewest arrivals at a barrier, of roles that are not done: all could have been fewer by as many.
  std::map<std::pair<const ModelStoreNode*, std::string>, std::uint32_t> fewest;
  for (const auto& [node, group] : groups_) {
    for (const auto& [barrier, place] : barriers_) {
      if (place.group != node || group.phase != Phase::bound || is_completed(group.results[place.role])) continue;
      const auto arrived = group.arrivals.find({place.role, barrier->name});
      const std::uint32_t count = arrived == group.arrivals.end() ? 0 : arrived->second;
      const auto known = fewest.try_emplace({node, barrier->name}, count).first;
      known->second = std::min(known->second, count);
    }
  }
  for (const auto& [number, agent] : agents_) {
    text += agent->is_to_be_reset ? "! " : "agent ";
    for (const auto& [slot, tree] : agent->slots) {
      if (!tree.empty()) text += slot + '=' + tree + ' ';
    }
    std::map<std::pair<const Instance*, const ModelStoreNode*>, std::size_t> numbers;
    visit_states(agent->root, [&](const Instance& instance, const ModelStoreNode& node, const State& state) {
      numbers.emplace(std::pair(&instance, &node), numbers.size());
      add(static_cast<std::uint64_t>(state.result));
      if (state.result == StoreResult::running) add(state.times);
      if (node.time_us) add(left(state.closed_at_us, *node.time_us));
      if (state.child) text += state.child->tree->name + ' ';
      if (node.kind != StoreKind::barrier || state.result != StoreResult::running) return;
      const ModelStoreNode* group = barriers_.at(&node).group;
      const auto base = fewest.find({group, node.name});
      text += std::to_string(static_cast<std::int64_t>(state.arrival) -
                             (base == fewest.end() ? 0 : static_cast<std::int64_t>(base->second))) +
              ' ';
    });
    text += "monitors ";
    for (const auto& monitor : agent->monitors) add(numbers.at({monitor.first, monitor.second}));
  }
  for (const ModelStoreTree& tree : project_.trees) {
    const std::function<void(const ModelStoreNode&)> add_shared = [&](const ModelStoreNode& node) {
      if (const auto gate = gates_.find(&node); gate != gates_.end()) add(gate->second);
      text += '/';
      if (const auto closed = global_cooldowns_.find(&node); closed != global_cooldowns_.end()) {
        add(left(closed->second, *node.time_us));
      }
      if (const auto found = groups_.find(&node); found != groups_.end()) {
        const Group& group = found->second;
        add(static_cast<std::uint64_t>(group.phase));
        for (const Member& member : group.members) {
          add(member.agent);
          if (member.role) add(*member.role);
          if (group.phase != Phase::gathering) continue;
          if (node.time_us) add(left(member.arrived_us, *node.time_us));
          for (const bool met : member.met) add(met ? 1 : 0);
        }
        for (std::size_t role = 0; role < group.results.size() && group.phase == Phase::bound; ++role) {
          add(static_cast<std::uint64_t>(group.results[role]));
          if (is_completed(group.results[role])) continue;
          for (const auto& [place, count] : group.arrivals) {
            const auto base = fewest.find({&node, place.second});
            if (place.first == role && base != fewest.end()) add(count - base->second);
          }
        }
      }
      for (const ModelStoreNode& child : node.children) add_shared(child);
    };
    add_shared(tree.root);
  }
  return text;
}

}  // namespace espalier::test
