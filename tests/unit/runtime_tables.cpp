// Prepared trees and tables select what an update selects: random trees of every shape, in all states of few variables
// and in random states of many, and the trees' blocks are the same, byte for byte.
#include <algorithm>
#include <string>
#include <vector>

#include "payloads.h"
#include "runtime_random_trees.h"
#include "select/tables_walk.h"
#include "unit.h"

namespace runtime_tables {

namespace {

using namespace espalier;

using Words = std::vector<std::uint64_t>;
using Events = std::vector<std::string>;

void note(const Call* call, const char* what) {
  static_cast<Events*>(call->host->user)->push_back(what + std::to_string(call->leaf));
}
void enter(const Call* call) { note(call, "enter "); }
void leave(const Call* call) { note(call, "leave "); }

// One tree, updated in three ways; with tables in several.
class Trio {
 public:
  Trio(const Asset& asset, std::uint32_t index)
      : tree_(tree(asset, index)), prepared_(prepare(tree_)), with_tables_(prepared_) {
    memory_.assign(tables_bytes(tree_) / 8, 0xA5A5A5A5A5A5A5A5);
    has_tables_ = !memory_.empty();
    memory_.push_back(kAfter);
    with_base_vectors_ = with_tables_;
    if (has_tables_) {
      make_tables(&with_tables_, memory_.data());
      use_tables(with_base_vectors_, *reinterpret_cast<const DecisionTables*>(memory_.data()), false);
    }
    Behavior functions;
    functions.enter = enter;
    functions.leave = leave;
    behaviors_.assign(behavior_count(asset), functions);
    for (Agent& agent : agents_) {
      agent.block.resize(agent_bytes(tree_) / 8);
      start(tree_, agent.block.data());
    }
  }

  bool has_tables() const { return has_tables_; }
  bool is_inside_its_memory() const { return memory_.back() == kAfter; }
  std::uint32_t variables() const { return variable_count(tree_); }

  void set_all(std::uint32_t variable, bool value) {
    for (Agent& agent : agents_) set(tree_, agent.block.data(), variable, value);
  }
  void stop_all() {
    for (Agent& agent : agents_) stop(tree_, agent.block.data(), host(agent));
  }

  // Do all of them give the same result, calls and bytes?
  bool update_all() {
    const Result results[] = {update(tree_, agents_[0].block.data(), host(agents_[0])),
                              update(prepared_, agents_[1].block.data(), host(agents_[1])),
                              update(with_tables_, agents_[2].block.data(), host(agents_[2]))};
    espalier::update_all(with_tables_, agents_[3].block.data(), 8 * agents_[3].block.size(), 1, host(agents_[3]));
    const Result others[] = {update(with_tables_, agents_[4].block.data(), Host()),
                             update(with_base_vectors_, agents_[5].block.data(), Host())};
    return results[1] == results[0] && results[2] == results[0] && others[0] == results[0] && others[1] == results[0] &&
           agents_[4].block == agents_[0].block && agents_[5].block == agents_[0].block &&
           std::all_of(agents_, agents_ + 4, [&](const Agent& agent) {
             return agent.block == agents_[0].block && agent.events == agents_[0].events;
           });
  }
  std::uint32_t leaf() const { return current_leaf(tree_, agents_[2].block.data()); }

 private:
  static constexpr std::uint64_t kAfter = 0x1234567812345678;
  struct Agent {
    Words block;
    Events events;
  };

  Host host(Agent& agent) const {
    Host made;
    made.behaviors = behaviors_.data();
    made.user = &agent.events;
    return made;
  }

  Tree tree_;
  Prepared prepared_;
  Prepared with_tables_;
  Prepared with_base_vectors_;  // the same tables
  Words memory_;
  bool has_tables_ = false;
  std::vector<Behavior> behaviors_;
  Agent agents_[6];  // the last two have no behaviours
};

}  // namespace

TEST_CASE("a prepared tree and its tables select what an update selects") {
  test::Random random{16};
  std::uint32_t with_tables = 0;
  std::uint32_t selections = 0;
  const int round_count = rounds_of(300);
  for (int round = 0; round < round_count; ++round) {
    test::Compiled compiled;
    test::compile(test::random_project(random), compiled);
    for (std::uint32_t index = 0; index < tree_count(compiled.asset); ++index) {
      CAPTURE(round, index);
      Trio trio(compiled.asset, index);
      with_tables += trio.has_tables() ? 1 : 0;
      CHECK(trio.is_inside_its_memory());
      bool is_same = true;
      for (int step = 0; step < 200 && is_same; ++step) {
        const std::uint32_t flips = random.chance(20) ? trio.variables() : random.below(3);
        for (std::uint32_t i = 0; i < flips; ++i) trio.set_all(random.below(trio.variables()), random.chance(50));
        if (random.chance(2)) trio.stop_all();
        is_same = trio.update_all();
        selections += trio.leaf() != kNoLeaf ? 1 : 0;
      }
      CHECK(is_same);
    }
  }
  CHECK(with_tables > rounds_of(400u));
  CHECK(selections > rounds_of(20000u));
}

TEST_CASE("tables select the same in every state of few variables") {
  test::Random random{17};
  test::TreeShape shape;
  shape.max_nodes = 60;
  for (int round = 0; round < 40; ++round) {
    test::DraftProject project;
    project.trees.push_back(test::random_tree(random, shape, "Tree"));
    test::Compiled compiled;
    test::compile(project, compiled);
    Trio trio(compiled.asset, 0);
    REQUIRE(trio.has_tables());
    CAPTURE(round);
    bool is_same = true;
    for (std::uint32_t state = 0; state >> trio.variables() == 0 && is_same; ++state) {
      for (std::uint32_t v = 0; v < trio.variables(); ++v) trio.set_all(v, (state >> v & 1) != 0);
      is_same = trio.update_all();
    }
    CHECK(is_same);
  }
}

TEST_CASE("tables of large trees select the same") {
  test::Random random{18};
  for (const std::uint32_t variables : {32, 64, 100}) {
    test::TreeShape shape;
    shape.max_nodes = 1500;
    shape.max_variables = variables;
    for (int round = 0; round < 4; ++round) {
      test::DraftProject project;
      project.trees.push_back(test::random_tree(random, shape, "Tree"));
      test::Compiled compiled;
      test::compile(project, compiled);
      Trio trio(compiled.asset, 0);
      CAPTURE(round, variables);
      REQUIRE(trio.has_tables());
      bool is_same = true;
      for (int step = 0; step < 500 && is_same; ++step) {
        const std::uint32_t flips = random.chance(20) ? trio.variables() : 1;
        for (std::uint32_t i = 0; i < flips; ++i) trio.set_all(random.below(trio.variables()), random.chance(50));
        is_same = trio.update_all();
      }
      CHECK(is_same);
      CHECK(trio.is_inside_its_memory());
    }
  }
}

}  // namespace runtime_tables
