// Trees of rules: random ones compared with the model step by step, and features that the model lacks: positions, other
// versions of a tree, blocks of any content.
#include <cstring>
#include <map>

#include "payloads.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime_rules_model.h"
#include "unit.h"

namespace runtime_rules {

namespace {

using namespace espalier;
using test::Random;
using test::RuleAnswers;

// A game whose actions and conditions answer as `answers` says.
struct Game {
  RuleAnswers answers;
  Tree tree;
  std::vector<Behavior> actions;
  std::vector<Behavior> conditions;
  Host host;

  static Game& of(const Call* call) { return *static_cast<Game*>(call->host->user); }
  static std::string action(const Call* call) { return std::string(behavior_name(*call->tree.asset, call->behavior)); }
  static void note(const Call* call, const char* what) { of(call).answers.journal.push_back(what + action(call)); }

  explicit Game(const Tree& of_tree, std::uint64_t seed) : tree(of_tree) {
    answers.seed = seed;
    Behavior behavior;
    behavior.is_bound = [](const Call* call) { return of(call).answers.is_bound(action(call)); };
    behavior.enter = [](const Call* call) { note(call, "enter "); };
    behavior.leave = [](const Call* call) { note(call, "leave "); };
    behavior.interrupt = [](const Call* call) { note(call, "interrupt "); };
    behavior.tick = [](const Call* call) -> espalier_result {
      Game& game = of(call);
      const Result answer = game.answers.call(action(call));
      std::uint32_t target = 0;
      if (game.answers.jumps(rule_count(call->tree), &target)) jump(call->tree, call->agent, target, game.host);
      return answer;
    };
    actions.assign(behavior_count(*tree.asset), behavior);
    Behavior condition;
    condition.ask = [](const Call* call) {
      return of(call).answers.ask(std::string(host_condition_name(*call->tree.asset, call->behavior)));
    };
    conditions.assign(host_condition_count(*tree.asset), condition);
    host.behaviors = actions.data();
    host.conditions = conditions.data();
    host.user = this;
  }
};

struct AgentBlock {
  alignas(4) unsigned char bytes[4] = {};
};

test::Draft rule(Opcode opcode, test::Operands operands = {}, std::vector<test::Draft> children = {}) {
  return test::node_of(opcode, opcode == opcode::rule_file ? "" : "rule", std::move(operands), std::move(children));
}

test::Draft action(std::string name, std::string id = {}) {
  ir::Rule own;
  own.behavior = std::move(name);
  return rule(opcode::rule_action, {std::move(own), 0, std::move(id)});
}

// A sequence "root" of actions, each with its name as its id.
test::DraftProject sequence_of(const std::vector<std::string>& actions, const std::vector<std::string>& ids) {
  test::DraftProject project;
  test::DraftTree& tree = project.trees.emplace_back();
  tree.name = "T";
  tree.parts = ir::Ruling{100, false};
  std::vector<test::Draft> children;
  for (std::size_t i = 0; i < actions.size(); ++i) children.push_back(action(actions[i], ids[i]));
  test::Draft root = rule(opcode::rule_sequence, {{}, 0, "root"}, std::move(children));
  tree.root = rule(opcode::rule_file, {}, {std::move(root)});
  return project;
}

// Actions that answer running, and note what happens to them.
struct RunningGame {
  std::string journal;
  std::vector<Behavior> actions;
  Host host;
  explicit RunningGame(const Asset& asset) {
    Behavior behavior;
    const auto note = [](const Call* call, const char* what) {
      static_cast<RunningGame*>(call->host->user)->journal +=
          what + std::string(behavior_name(*call->tree.asset, call->behavior)) + "; ";
    };
    static const auto kNote = note;
    behavior.enter = [](const Call* call) { kNote(call, "enter "); };
    behavior.interrupt = [](const Call* call) { kNote(call, "interrupt "); };
    behavior.tick = [](const Call*) { return ESPALIER_RUNNING; };
    actions.assign(behavior_count(asset), behavior);
    host.behaviors = actions.data();
    host.user = this;
  }
};

}  // namespace

TEST_CASE("random trees of rules run as the page says, step by step") {
  const std::uint64_t seed_count = rounds_of(3000u);
  for (std::uint64_t seed = 1; seed <= seed_count; ++seed) {
    CAPTURE(seed);
    Random random{seed};
    const test::DraftProject project = test::random_rules(random);
    test::Compiled compiled;
    test::compile(project, compiled, true);
    Game game(tree(compiled.asset, 0), seed);
    RuleAnswers answers;
    answers.seed = seed;
    test::RuleModel model(project.trees[0], answers);
    REQUIRE(rule_count(game.tree) == model.rule_count());
    REQUIRE(agent_bytes(game.tree) == 4);
    AgentBlock block;
    start(game.tree, block.bytes);
    for (int step = 0; step < 60; ++step) {
      CAPTURE(step);
      if (random.chance(20)) {
        const std::uint32_t target = random.chance(20) ? kNoRule : random.below(model.rule_count());
        jump(game.tree, block.bytes, target, game.host);
        model.jump(target);
      } else {
        const Result expected = model.update();
        const Result found = step % 2 == 0 ? update(game.tree, block.bytes, game.host)
                                           : update(prepare(game.tree), block.bytes, game.host);
        REQUIRE(found == expected);
      }
      REQUIRE(game.answers.journal == answers.journal);
      REQUIRE(current_rule(game.tree, block.bytes) == model.current());
      REQUIRE(rule_id(game.tree, model.current()) == model.id());
      REQUIRE(is_action_running(game.tree, block.bytes) == model.is_running());
      REQUIRE(is_stopped(game.tree, block.bytes) == model.is_stopped);
      REQUIRE(has_run_away(game.tree, block.bytes) == model.has_run_away);
      game.answers.journal.clear();
      answers.journal.clear();
    }
    stop(game.tree, block.bytes, game.host);
    model.stop();
    CHECK(game.answers.journal == answers.journal);
  }
}

TEST_CASE("an agent of rules may hold any bytes") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random{seed};
    test::Compiled compiled;
    test::compile(test::random_rules(random), compiled, true);
    Game game(tree(compiled.asset, 0), seed);
    for (int i = 0; i < 50; ++i) {
      AgentBlock block;
      const std::uint64_t bytes = random.next();
      std::memcpy(block.bytes, &bytes, sizeof block.bytes);
      (void)update(game.tree, block.bytes, game.host);
      CHECK(current_rule(game.tree, block.bytes) < rule_count(game.tree));
      visit_active(
          game.tree, block.bytes, [](void*, std::uint32_t) {}, nullptr);
      stop(game.tree, block.bytes, game.host);
    }
  }
}

TEST_CASE("a tree without rules always fails, once") {
  test::DraftProject project;
  project.trees.emplace_back();
  project.trees[0].name = "T";
  project.trees[0].parts = ir::Ruling{100, false};
  project.trees[0].root = rule(opcode::rule_file);
  test::Compiled compiled;
  test::compile(project, compiled);
  const Tree tree = espalier::tree(compiled.asset, 0);
  AgentBlock block;
  start(tree, block.bytes);
  CHECK(current_rule(tree, block.bytes) == kNoRule);
  CHECK(update(tree, block.bytes, {}) == Result::failure);
  CHECK(update(tree, block.bytes, {}) == Result::stopped);
  jump(tree, block.bytes, kNoRule, {});
  CHECK(update(tree, block.bytes, {}) == Result::failure);
  Position position;
  CHECK(save_position(tree, block.bytes, &position) == Status::no_id);
}

TEST_CASE("the rules around the current one are visited from the root down") {
  test::Compiled compiled;
  test::compile(sequence_of({"A", "B"}, {"a", "b"}), compiled);
  const Tree tree = espalier::tree(compiled.asset, 0);
  AgentBlock block;
  start(tree, block.bytes);
  std::uint32_t rule = 0;
  REQUIRE(find_rule(tree, "b", &rule) == Status::ok);
  jump(tree, block.bytes, rule, {});
  std::vector<std::uint32_t> words;
  visit_active(
      tree, block.bytes,
      [](void* user, std::uint32_t word) { static_cast<std::vector<std::uint32_t>*>(user)->push_back(word); }, &words);
  CHECK(words == std::vector<std::uint32_t>{rule_node(tree, 0), rule_node(tree, rule)});
  CHECK(rule_parent(tree, rule) == 0);
  CHECK(rule_parent(tree, 0) == kNoRule);
}

TEST_CASE("a position is kept by its id and put back into another version of the tree") {
  test::Compiled before;
  test::Compiled after;
  test::compile(sequence_of({"A", "B"}, {"a", "b"}), before);
  test::compile(sequence_of({"New", "B", "C"}, {"new", "b", "c"}), after);
  const Tree old_tree = tree(before.asset, 0);
  const Tree new_tree = tree(after.asset, 0);
  RunningGame game(before.asset);
  AgentBlock block;
  start(old_tree, block.bytes);
  std::uint32_t rule = 0;
  REQUIRE(find_rule(old_tree, "b", &rule) == Status::ok);
  jump(old_tree, block.bytes, rule, game.host);
  CHECK(update(old_tree, block.bytes, game.host) == Result::running);
  Position position;
  REQUIRE(save_position(old_tree, block.bytes, &position) == Status::ok);
  CHECK(std::string(position.id) == "b");
  CHECK_FALSE(position.is_first_run);

  AgentBlock restored;
  start(new_tree, restored.bytes);
  RunningGame new_game(after.asset);
  CHECK(restore_position(new_tree, restored.bytes, position) == Status::ok);
  CHECK(is_action_running(new_tree, restored.bytes));
  CHECK(update(new_tree, restored.bytes, new_game.host) == Result::running);
  CHECK(new_game.journal.empty());
  CHECK(rule_id(new_tree, current_rule(new_tree, restored.bytes)) == "b");

  position.id = "gone";
  const AgentBlock untouched = restored;
  CHECK(restore_position(new_tree, restored.bytes, position) == Status::not_found);
  CHECK(std::memcmp(untouched.bytes, restored.bytes, sizeof untouched.bytes) == 0);
}

TEST_CASE("a rule without id cannot be kept") {
  test::Compiled compiled;
  test::compile(sequence_of({"A"}, {""}), compiled);
  const Tree tree = espalier::tree(compiled.asset, 0);
  RunningGame game(compiled.asset);
  AgentBlock block;
  start(tree, block.bytes);
  CHECK(update(tree, block.bytes, game.host) == Result::running);
  Position position;
  position.id = "untouched";
  CHECK(save_position(tree, block.bytes, &position) == Status::no_id);
  CHECK(std::string(position.id) == "untouched");
}

TEST_CASE("an agent moves to another version of its tree by the id of its rule") {
  const test::DraftProject old_project = sequence_of({"A", "B"}, {"a", "b"});
  struct {
    const char* why;
    test::DraftProject project;
    std::string current;
    std::string journal;  // the calls of the old host
    bool runs_on;
  } const cases[] = {
      {"the same tree", sequence_of({"A", "B"}, {"a", "b"}), "b", "", true},
      {"rules before and behind it", sequence_of({"X", "B", "Y"}, {"x", "b", "y"}), "b", "", true},
      {"another action of this id", sequence_of({"A", "Other"}, {"a", "b"}), "b", "interrupt B; ", false},
      {"no rule of this id", sequence_of({"A", "B"}, {"a", "c"}), "root", "interrupt B; ", false},
  };
  for (const auto& [why, project, current, journal, runs_on] : cases) {
    CAPTURE(why);
    test::Compiled before;
    test::Compiled after;
    test::compile(old_project, before);
    test::compile(project, after);
    const Tree old_tree = tree(before.asset, 0);
    const Tree new_tree = tree(after.asset, 0);
    RunningGame old_game(before.asset);
    RunningGame new_game(after.asset);
    AgentBlock block;
    AgentBlock moved;
    start(old_tree, block.bytes);
    std::uint32_t rule = 0;
    REQUIRE(find_rule(old_tree, "b", &rule) == Status::ok);
    jump(old_tree, block.bytes, rule, old_game.host);
    REQUIRE(update(old_tree, block.bytes, old_game.host) == Result::running);
    old_game.journal.clear();
    move_agent(old_tree, block.bytes, old_game.host, new_tree, moved.bytes, new_game.host);
    CHECK(old_game.journal == journal);
    CHECK(new_game.journal.empty());
    CHECK(rule_id(new_tree, current_rule(new_tree, moved.bytes)) == current);
    CHECK(is_action_running(new_tree, moved.bytes) == runs_on);
  }
}

TEST_CASE("an action knows the parameters of its rule, exactly by name") {
  test::DraftProject project;
  test::DraftTree& source = project.trees.emplace_back();
  source.name = "T";
  source.parts = ir::Ruling{100, false};
  test::Draft move = action("Move");
  move.as<ir::Rule>().conditions = {"Near"};
  move.as<ir::Rule>().parameters = {{"speed", ParameterType::text, "fast"}};
  source.root = rule(opcode::rule_file, {}, {std::move(move)});
  test::Compiled compiled;
  test::compile(project, compiled);
  const Tree tree = espalier::tree(compiled.asset, 0);

  static std::vector<std::string> seen;
  seen.clear();
  const auto look = [](const Call* call) {
    Parameter parameter = {};
    if (find_parameter(call, "SPEED", &parameter) == Status::ok) seen.push_back("without case");
    if (find_parameter(call, "speed", &parameter) == Status::ok) seen.push_back(std::string(parameter.text));
  };
  static const auto kLook = look;
  Behavior action;
  action.tick = [](const Call* call) {
    kLook(call);
    return ESPALIER_SUCCESS;
  };
  Behavior condition;
  condition.ask = [](const Call* call) {
    kLook(call);
    return true;
  };
  std::uint32_t missing = 0;
  Behavior actions[1];
  Behavior conditions[1];
  const Binding action_binding = {"Move", action};
  const Binding condition_binding = {"Near", condition};
  REQUIRE(bind(compiled.asset, &action_binding, 1, actions, nullptr, 0, nullptr) == Status::ok);
  CHECK(bind_conditions(compiled.asset, &action_binding, 1, conditions, &missing, 1, nullptr) ==
        Status::missing_binding);
  REQUIRE(bind_conditions(compiled.asset, &condition_binding, 1, conditions, nullptr, 0, nullptr) == Status::ok);
  Host host;
  host.behaviors = actions;
  host.conditions = conditions;
  AgentBlock block;
  start(tree, block.bytes);
  CHECK(update(tree, block.bytes, host) == Result::success);
  CHECK(seen == std::vector<std::string>{"fast", "fast"});
}

}  // namespace runtime_rules
