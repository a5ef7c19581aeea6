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

  explicit Subject(std::uint64_t seed, bool has_machines = true) {
    test::Random random{seed};
    do {
      project.trees = {test::random_tree(random, kSmall, "Tree")};
    } while (!has_machines && !SelectExplorer(project.trees.front()).machines().empty());
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

}  // namespace explore_selecting
