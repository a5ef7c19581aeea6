// Small random trees that select, and traces that run through the model of an agent.
#pragma once
#include "explore/explore.h"
#include "lint_select_model.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace explore_selecting {

using namespace espalier;
using explore::Method;
using test::SelectAgent;
using test::SelectExplorer;

inline constexpr test::TreeShape kSmall = {12, 4, 4, 3, 2, 15};

inline explore::Options options_of(Method method) { return {.budget = {.threads = 1}, .method = method}; }

// A tree with few states, and which of its variables only signals set.
struct Subject {
  ir::Project project;
  test::Compiled compiled;
  std::vector<std::string> signal_only;
  std::vector<bool> is_writable;

  explicit Subject(std::uint64_t seed) {
    test::Random random{seed};
    project.trees.push_back(test::random_tree(random, kSmall, "Tree"));
    for (const ir::Variable& variable : project.trees.front().variables) {
      is_writable.push_back(random.chance(70));
      if (!is_writable.back()) signal_only.push_back(random.chance(50) ? variable.name : "Tree/" + variable.name);
    }
    test::compile(project, compiled, false);
  }

  const ir::Tree& tree() const { return project.trees.front(); }

  explore::Options options(Method method) const {
    explore::Options options = options_of(method);
    options.signal_only = signal_only;
    return options;
  }
};

// A line of a trace, by its text.
inline void run_line(const ir::Tree& tree, const SelectExplorer& explorer, SelectAgent& agent, const std::string& line) {
  for (std::uint32_t i = 0; i < tree.signals.size(); ++i) {
    if (line == "{\"signal\": \"" + tree.signals[i].name + "\"}") return explorer.signal(agent, i);
  }
  for (std::uint32_t i = 0; i < tree.variables.size(); ++i) {
    for (const bool value : {true, false}) {
      const std::string text = value ? ": true}}" : ": false}}";
      if (line == "{\"set\": {\"" + tree.variables[i].name + '"' + text) return explorer.set(agent, i, value);
    }
  }
  REQUIRE(line == "{\"tick\": 0.1}");
  explorer.tick(agent);
}

}  // namespace explore_selecting
