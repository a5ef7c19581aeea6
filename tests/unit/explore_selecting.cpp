// Trees that select, explored on decision diagrams: against lists of their states, and against a model that explores
// agents one state at a time.
#include "explore_selecting_trees.h"
#include "runtime/format/opcodes/select.h"

namespace explore_selecting {

using explore::Reached;

namespace {

// The length of the shortest trace to each item, in the order of the file; none: nothing reaches it.
std::vector<std::optional<std::size_t>> lengths_of_items(const Subject& subject) {
  const SelectExplorer explorer(subject.tree());
  std::map<const ir::Node*, std::size_t> nodes;
  std::map<std::pair<const ir::Node*, std::size_t>, std::size_t> transitions;
  const auto note = [](auto& lengths, const auto& item, std::size_t length) {
    const auto [known, is_new] = lengths.try_emplace(item, length);
    if (!is_new) known->second = std::min(known->second, length);
  };
  for (const auto& [agent, length] : explorer.reachable(subject.is_writable)) {
    if (!agent.is_pending) continue;
    SelectAgent evaluated = agent;
    const test::Evaluation seen = explorer.evaluate(evaluated);
    if (seen.selected != nullptr) note(nodes, seen.selected, length + 1);
    for (const auto& [machine, state] : seen.ends) note(nodes, &machine->children()[state], length + 1);
    for (const auto& [transition, holds] : seen.transitions) {
      if (holds) note(transitions, transition, length + 1);
    }
  }
  std::vector<std::optional<std::size_t>> result;
  const auto add = [&](const auto& lengths, const auto& item) {
    const auto found = lengths.find(item);
    result.push_back(found == lengths.end() ? std::nullopt : std::optional(found->second));
  };
  for (const ir::Node* node : explorer.nodes()) {
    if (node->opcode == opcode::select_leaf) add(nodes, node);
    if (node->opcode != opcode::select_state) continue;
    add(nodes, node);
    for (std::size_t i = 0; i < node->as<ir::Transitions>().transitions.size(); ++i) {
      add(transitions, std::pair(node, i));
    }
  }
  return result;
}

}  // namespace

TEST_CASE("items of selection trees are found as functions as by listing states, and as by a model") {
  const Method method = GENERATE(Method::diagrams, Method::solver);
  std::size_t reached = 0;
  std::size_t missed = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    INFO("seed " << seed);
    const Subject subject(seed);
    const explore::Cover found = cover(subject.compiled.asset, {}, subject.options(method));
    const explore::Cover listed = cover(subject.compiled.asset, {}, subject.options(Method::list));
    const std::vector<explore::Item>& items = found.trees.front().items;
    const std::vector<std::optional<std::size_t>> lengths = lengths_of_items(subject);
    REQUIRE(found.trees.front().is_complete);
    REQUIRE(items.size() == lengths.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      INFO("item " << i << ", " << name_of(items[i].kind) << ' ' << items[i].name);
      REQUIRE((items[i].reached == Reached::yes) == lengths[i].has_value());
      REQUIRE((items[i].reached == Reached::no) == !lengths[i].has_value());
      REQUIRE(items[i].steps == lengths[i].value_or(0));
      const explore::Item& other = listed.trees.front().items[i];
      REQUIRE(items[i].reached == other.reached);
      REQUIRE(items[i].steps == other.steps);
      REQUIRE(items[i].trace == other.trace);
      ++(lengths[i] ? reached : missed);
    }
    REQUIRE(found.traces.size() == listed.traces.size());
    for (std::size_t i = 0; i < found.traces.size(); ++i) {
      REQUIRE(text_of(found.traces[i].trace) == text_of(listed.traces[i].trace));
    }
  }
  // The trees would show nothing if all of their items were reached.
  CHECK(reached > 1500);
  CHECK(missed > 500);
}

}  // namespace explore_selecting
