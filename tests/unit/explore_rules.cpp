// What is claimed of small random trees of rules is what brute force over their model finds.
#include <algorithm>

#include "explore_brute_force.h"
#include "payloads.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime_rules_model.h"
#include "unit.h"

namespace explore_rules {

using namespace espalier::test;
using espalier::test::Random;
namespace ir = espalier::ir;
using espalier::Opcode;
namespace opcode = espalier::opcode;
using espalier::Result;

DraftProject small_rules(Random& random) {
  for (;;) {
    DraftProject project = random_rules(random, {.max_depth = 3, .max_children = 3, .name_count = 2, .file_count = 1});
    RuleAnswers answers;
    if (RuleModel(project.trees[0], answers).rule_count() <= 24) return project;
  }
}

// The n-th rule that is not in a subtree's file, of `count` in all.
Draft* find_rule_node(Draft& node, std::uint32_t& count, std::uint32_t wanted) {
  if (node.opcode != opcode::rule_file && count++ == wanted) return &node;
  if (node.opcode == opcode::rule_subtree) return nullptr;
  for (Draft& child : node.children) {
    if (Draft* found = find_rule_node(child, count, wanted)) return found;
  }
  return nullptr;
}

// Another version, with the same names.
void mutate(Random& random, DraftProject& project) {
  Draft& root = project.trees[0].root;
  std::uint32_t count = 0;
  find_rule_node(root, count, 0xFFFFFFFF);
  const std::uint32_t wanted = random.below(count);
  count = 0;
  Draft& node = *find_rule_node(root, count, wanted);
  auto* const rule = std::get_if<ir::Rule>(&node.payload);
  switch (random.below(5)) {
    case 0:
      if (node.opcode == opcode::rule_action) rule->behavior = rule->behavior == "A0" ? "A1" : "A0";
      return;
    case 1:
      if (rule != nullptr) rule->mode = static_cast<espalier::layout::QueryMode>(random.below(4));
      return;
    case 2:
      if (rule != nullptr && !rule->conditions.empty()) rule->conditions.pop_back();
      return;
    case 3:
      if (node.opcode == opcode::rule_sequence || node.opcode == opcode::rule_choice) {
        node.opcode = node.opcode == opcode::rule_choice ? opcode::rule_sequence : opcode::rule_choice;
      } else if (node.opcode == opcode::rule_action) {
        node.flags ^= espalier::kDoesNotFail;
      }
      return;
    default:
      if (node.opcode == opcode::rule_subtree || node.children.size() < 2) return;
      std::swap(node.children[0], node.children[1]);
      return;
  }
}

void visit_rules(const Draft& node, const std::function<void(const ir::Rule&)>& visit) {
  if (const auto* rule = node.as_if<ir::Rule>()) visit(*rule);
  for (const Draft& child : node.children) visit_rules(child, visit);
}

// An agent of the model, and its host. `versions`: trees whose lines it hears, of which the first is its own.
struct RuleAgent : ModelAgents {
  const DraftTree& tree;
  RuleAnswers answers;
  RuleModel model;
  struct Name {
    std::string name;
    bool is_action = false;
    auto operator<=>(const Name&) const = default;
  };
  std::vector<Name> names;
  std::vector<std::string> ids;  // of rules, to which a line can jump
  std::map<std::string, std::size_t> present;
  std::string status;

  explicit RuleAgent(const DraftTree& of, const DraftTree* other = nullptr) : tree(of), model(of, answers) {
    std::set<Name> all;
    std::set<std::string> all_ids;
    for (const DraftTree* each : {&tree, other == nullptr ? &tree : other}) {
      visit_rules(each->root, [&](const ir::Rule& rule) {
        if (!rule.behavior.empty()) all.insert({rule.behavior, true});
        for (const std::string& condition : rule.conditions) all.insert({condition, false});
      });
      add_ids(each->root, all_ids);
    }
    names.assign(all.begin(), all.end());
    for (const Name& name : names) {
      if (name.is_action) behaviors.push_back(name.name);
    }
    rules.assign(all_ids.begin(), all_ids.end());
    ids.assign(all_ids.begin(), all_ids.end());
    answers.ask_instead = [this](const std::string& condition) { return present[condition] == 0; };
    answers.call_instead = [this](const std::string& action) {
      constexpr Result kAnswers[] = {Result::success, Result::running, Result::failure};
      return kAnswers[present[action]];
    };
    model.watch = [this](const ModelRule& rule) { reached.insert(rule.number); };
    lines = [this] { return find_lines(); };
    waits = [] { return std::set<std::uint64_t>(); };
    text = [this](const ModelLine& line) { return text_of_line(line); };
    run = [this](const ModelLine& line, ModelDraws&) { run_line(line); };
    state = [this] { return state_text(); };
    view = [this](std::size_t) { return view_now(); };
  }
  RuleAgent(const RuleAgent&) = delete;

  static void add_ids(const Draft& node, std::set<std::string>& ids) {
    if (!node.label.empty()) ids.insert(node.label);
    for (const Draft& child : node.children) add_ids(child, ids);
  }

  std::vector<ModelLine> find_lines() const {
    std::vector<ModelLine> found;
    for (std::size_t id = 0; id <= ids.size(); ++id) found.push_back({.kind = ModelLine::jump, .id = id});
    for (std::size_t name = 0; name < names.size(); ++name) {
      for (std::size_t value = 0; value < (names[name].is_action ? 3u : 2u); ++value)
        found.push_back({.kind = ModelLine::host, .id = name, .value = value});
    }
    return found;
  }

  std::string text_of_line(const ModelLine& line) const {
    if (line.kind == ModelLine::tick) return R"({"tick": 0.1})";
    if (line.kind == ModelLine::jump)
      return line.id == ids.size() ? R"({"jump": null})" : R"({"jump": ")" + ids[line.id] + "\"}";
    constexpr const char* kActions[] = {"\"success\"", "\"running\"", "\"failure\""};
    constexpr const char* kConditions[] = {"true", "false"};
    const Name& name = names[line.id];
    return R"({"host": {")" + name.name + "\": " + (name.is_action ? kActions : kConditions)[line.value] + "}}";
  }

  void run_line(const ModelLine& line) {
    if (line.kind == ModelLine::host) {
      present[names[line.id].name] = line.value;
    } else if (line.kind == ModelLine::jump) {
      if (line.id == ids.size()) return model.jump(espalier::kNoRule);
      for (std::uint32_t rule = 0; rule < model.rule_count(); ++rule) {
        if (model.rule(rule).node->label == ids[line.id]) return model.jump(rule);
      }
    } else {
      const Result result = model.update();
      if (result == Result::stopped) return;
      status = result == Result::running ? "running" : result == Result::success ? "success" : "failure";
    }
  }

  std::string state_text() const {
    std::string words =
        std::to_string(model.current()) + (model.first_run ? " first" : "") + (model.is_stopped ? " stopped" : "");
    for (const auto& [name, value] : present) words += value == 0 ? "" : ' ' + name + ' ' + std::to_string(value);
    return words;
  }

  ModelView view_now() const {
    ModelView seen;
    seen.status = status;
    seen.rule = model.id();
    const auto* current = model.rule(model.current()).node->as_if<ir::Rule>();
    if (current != nullptr && !current->behavior.empty()) seen.shown.push_back(current->behavior);
    if (model.is_running()) seen.running = seen.shown;
    return seen;
  }
};

struct RandomRules {
  static constexpr const char* kTree = "T";
  static DraftProject make(Random& random, Claims) { return small_rules(random); }
  static void mutate(Random& random, DraftProject& project) { explore_rules::mutate(random, project); }
  static void compile(const DraftProject& project, Compiled& compiled) { espalier::test::compile(project, compiled); }
  static std::shared_ptr<ModelAgents> agents(const DraftProject& project, const DraftProject* other) {
    return std::make_shared<RuleAgent>(project.trees[0], other != nullptr ? &other->trees[0] : nullptr);
  }
  static std::string text(const DraftProject&) { return "rules\n"; }
};

TEST_CASE("what is claimed of random rules is what brute force finds") {
  const RandomTest test = GENERATE(RandomTest{Claims::covers, 40, 100, 3}, RandomTest{Claims::proofs, 20, 5, 2},
                                   RandomTest{Claims::diffs, 40, 3, 2});
  compare_random_trees<RandomRules>(test);
}

}  // namespace explore_rules
