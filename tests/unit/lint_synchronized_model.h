// A slow model of trees that store their results, in which hosts and other agents give any answers. It tries all of
// them; analyses may report only what holds for all.
#pragma once
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "lint_synchronized.h"
#include "payloads.h"
#include "runtime/format/opcodes/store.h"

namespace drawn_store {

namespace opcode = espalier::opcode;

// Enumerates all sequences of choices: choose() first returns 0; advance() begins the next sequence.
struct Choices {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken = {};  // with the number of answers
  std::size_t next = 0;

  std::uint32_t choose(std::uint32_t count) {
    if (next == taken.size()) taken.emplace_back(0, count);
    return taken[next++].first;
  }
  bool advance() {
    next = 0;
    while (!taken.empty() && taken.back().first + 1 == taken.back().second) taken.pop_back();
    if (!taken.empty()) ++taken.back().first;
    return !taken.empty();
  }
};

enum class Stored : std::uint8_t { none, running, failure, success };

struct StoreState {
  std::vector<Stored> stored;
  std::vector<std::uint32_t> counts;    // rounds of a repeat; a group's role and one; number of a barrier's arrival
  std::vector<std::uint32_t> monitors;  // in order of registration
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> arrivals;  // by role and name

  bool operator<(const StoreState& other) const {
    return std::tie(stored, counts, monitors, arrivals) <
           std::tie(other.stored, other.counts, other.monitors, other.arrivals);
  }
  bool operator==(const StoreState& other) const { return !(*this < other) && !(other < *this); }
};

struct StoreModel {
  using Opcode = espalier::Opcode;
  using Index = std::uint32_t;

  const espalier::test::DraftTree& tree;
  bool is_group = false;  // the root is a group whose agents are all modelled; actions do not run then
  std::vector<const espalier::test::Draft*> nodes = {};
  std::vector<Index> parents = {};
  std::vector<std::vector<Index>> children = {};
  std::vector<bool> is_evaluated = {};
  std::vector<bool> is_asked_again = {};
  std::vector<std::set<Stored>> seen = {};
  StoreState state = {};
  Choices choices = {};

  explicit StoreModel(const espalier::test::DraftTree& of_tree, bool of_group = false)
      : tree(of_tree), is_group(of_group) {
    lay_out(tree.root, 0);
    is_evaluated.resize(nodes.size());
    is_asked_again.resize(nodes.size());
    seen.resize(nodes.size());
    state.stored.resize(nodes.size());
    state.counts.resize(nodes.size());
  }
  void lay_out(const espalier::test::Draft& node, Index parent) {
    const auto index = static_cast<Index>(nodes.size());
    nodes.push_back(&node);
    parents.push_back(parent);
    children.emplace_back();
    if (index != parent) children[parent].push_back(index);
    for (const espalier::test::Draft& child : node.children) lay_out(child, index);
  }
  std::uint32_t maximum(Index node) const { return nodes[node]->as<espalier::ir::Limit>().maximum; }
  const std::string& barrier(Index node) const { return nodes[node]->as<espalier::ir::Barrier>().name; }
  bool has(Index node, unsigned flag) const { return (nodes[node]->flags & flag) != 0; }
  bool is_each_update(Index node) const {
    return nodes[node]->opcode == opcode::store_repeat && has(node, espalier::kEachUpdate);
  }
  static bool is_done(Stored stored) { return stored == Stored::success || stored == Stored::failure; }

  // ---- Evaluation

  void clear_below(Index node) {
    for (const Index child : children[node]) reset(child);
  }
  void reset(Index node) {
    for (auto child = children[node].rbegin(); child != children[node].rend(); ++child) reset(*child);
    if (nodes[node]->opcode == opcode::store_barrier && state.stored[node] == Stored::running && is_group) {
      --state.arrivals[{role_of(node), barrier(node)}];
    }
    state.stored[node] = Stored::none;
    state.counts[node] = 0;
    state.monitors.erase(std::remove(state.monitors.begin(), state.monitors.end(), node), state.monitors.end());
  }
  Stored evaluate(Index node) {
    if (is_done(state.stored[node]) && !is_each_update(node)) return state.stored[node];
    is_evaluated[node] = true;
    const Stored result = result_of(node);
    state.stored[node] = result;
    seen[node].insert(result);
    return result;
  }
  Stored result_of(Index node) {
    const std::vector<Index>& below = children[node];
    switch (nodes[node]->opcode) {
      case opcode::store_sequence:
        return row(node, Stored::success);
      case opcode::store_selector:
        return row(node, Stored::failure);
      case opcode::store_parallel:
        return parallel_result(node);
      case opcode::store_condition:
        return chosen({Stored::failure, Stored::success});
      case opcode::store_invert: {
        const Stored result = evaluate(below[0]);
        if (result == Stored::running) return result;
        return result == Stored::success ? Stored::failure : Stored::success;
      }
      case opcode::store_succeed:
        return evaluate(below[0]) == Stored::running ? Stored::running : Stored::success;
      case opcode::store_fail:
        return evaluate(below[0]) == Stored::running ? Stored::running : Stored::failure;
      case opcode::store_repeat:
        return repeat_result(node);
      case opcode::store_monitor: {
        const Stored result = evaluate(below[0]);
        if (std::find(state.monitors.begin(), state.monitors.end(), node) == state.monitors.end()) {
          state.monitors.push_back(node);
        }
        return result;
      }
      case opcode::store_gate:
      case opcode::store_cooldown:
        if (state.stored[node] == Stored::none && choices.choose(2) == 1) return Stored::failure;
        return evaluate(below[0]);
      case opcode::store_group:
        return group_result(node);
      case opcode::store_role:
        return evaluate(below.back());
      case opcode::store_barrier:
        return is_group      ? barrier_result(node)
               : alone(node) ? Stored::success
                             : chosen({Stored::success, Stored::running});
      default:
        if (is_group) return chosen({Stored::failure, Stored::success});
        return chosen({Stored::failure, Stored::success, Stored::running});
    }
  }
  Stored chosen(const std::vector<Stored>& of) { return of[choices.choose(static_cast<std::uint32_t>(of.size()))]; }
  Stored row(Index node, Stored next) {
    for (const Index child : children[node]) {
      const Stored result = evaluate(child);
      if (result == next) continue;
      for (auto after = children[node].rbegin(); *after != child; ++after) {
        if (state.stored[*after] == Stored::running) reset(*after);
      }
      return result;
    }
    return next;
  }
  Stored parallel_result(Index node) {
    std::set<Stored> results;
    for (const Index child : children[node]) results.insert(evaluate(child));
    const bool runs = results.count(Stored::running) != 0;
    const bool fails = has(node, espalier::kFailsWithAll) ? results == std::set<Stored>{Stored::failure}
                                                          : results.count(Stored::failure) != 0;
    const bool succeeds = has(node, espalier::kSucceedsWithAny) ? results.count(Stored::success) != 0
                                                                : results == std::set<Stored>{Stored::success};
    if (!fails && !succeeds && runs) return Stored::running;
    for (auto child = children[node].rbegin(); child != children[node].rend(); ++child) {
      if (state.stored[*child] == Stored::running) reset(*child);
    }
    return succeeds && !fails ? Stored::success : Stored::failure;
  }
  Stored repeat_result(Index node) {
    const Index child = children[node][0];
    if (is_done(state.stored[child])) reset(child);
    const Stored result = evaluate(child);
    if (result == Stored::running || is_each_update(node)) return result;
    if (result == Stored::failure && has(node, espalier::kUntilFailure)) return result;
    if (maximum(node) == 0) return Stored::running;
    return ++state.counts[node] >= maximum(node) ? Stored::success : Stored::running;
  }

  // ---- Groups

  bool alone(Index node) const {
    while (nodes[node]->opcode != opcode::store_group) node = parents[node];
    return children[node].size() == 1;
  }
  // The result for one agent of it, while the others do anything.
  Stored group_result(Index node) {
    const auto count = static_cast<std::uint32_t>(children[node].size());
    if (state.counts[node] == 0) {
      const std::uint32_t way = choices.choose(count == 1 ? 2 : 2 + count);
      if (way == 0) return Stored::failure;
      if (way > count) return Stored::running;  // it waits
      state.counts[node] = way;
    }
    const Stored result = evaluate(children[node][state.counts[node] - 1]);
    if (result == Stored::running || count == 1) return result;
    if (result == Stored::failure) return chosen({Stored::failure, Stored::running});
    return chosen({Stored::failure, Stored::success, Stored::running});
  }
  Index role_of(Index node) const {
    while (nodes[node]->opcode != opcode::store_role) node = parents[node];
    return node;
  }
  bool has_barrier(Index node, const std::string& name) const {
    if (nodes[node]->opcode == opcode::store_barrier && barrier(node) == name) return true;
    return std::any_of(children[node].begin(), children[node].end(),
                       [&](Index child) { return has_barrier(child, name); });
  }
  Stored barrier_result(Index node) {
    const std::string& name = barrier(node);
    const Index own = role_of(node);
    if (state.stored[node] == Stored::none) state.counts[node] = ++state.arrivals[{own, name}];
    for (const Index role : children[0]) {
      if (role == own || is_done(state.stored[role]) || !has_barrier(role, name)) continue;
      if (state.arrivals[{role, name}] < state.counts[node]) return Stored::running;
    }
    return Stored::success;
  }

  // ---- Updates

  void update() {
    const std::vector<Index> monitors = state.monitors;
    for (const Index watched : monitors) {
      is_asked_again[watched] = true;
      clear_below(watched);
      if (evaluate(children[watched][0]) != Stored::success) continue;
      reset(0);
      break;
    }
    if (is_done(evaluate(0))) reset(0);
  }
  // Visits all states that updates can reach; false if there are too many.
  bool explore(std::size_t max_state_count) {
    std::set<StoreState> known = {state};
    std::vector<StoreState> open = {state};
    while (!open.empty()) {
      const StoreState from = open.back();
      open.pop_back();
      choices = {};
      do {
        state = from;
        update();
        if (known.insert(state).second) open.push_back(state);
      } while (choices.advance());
      if (known.size() > max_state_count) return false;
    }
    return true;
  }
  // For a group: can its agents reach a state in which none of those that have not finished can continue?
  bool can_stop(std::size_t max_state_count) {
    std::set<StoreState> known = {state};
    std::vector<StoreState> open = {state};
    while (!open.empty() && known.size() <= max_state_count) {
      const StoreState from = open.back();
      open.pop_back();
      bool goes_on = false;
      bool is_over = true;
      for (const Index role : children[0]) {
        if (is_done(from.stored[role])) continue;
        is_over = false;
        choices = {};
        do {
          state = from;
          evaluate(role);
          goes_on = goes_on || !(state == from);
          if (known.insert(state).second) open.push_back(state);
        } while (choices.advance());
      }
      if (!goes_on && !is_over) return true;
    }
    return false;
  }
};

}  // namespace drawn_store
