// Trees made by hand. See codegen_trees.h.
#include "codegen_trees.h"

#include <optional>
#include <sstream>
#include <utility>

#include "codegen/compile.h"
#include "dialects/condition/condition.h"
#include "payloads.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/decide.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/opcodes/select.h"
#include "runtime/format/opcodes/tick.h"
#include "unit.h"

namespace espalier::test {

std::vector<ir::Variable> letters(std::uint32_t count) {
  std::vector<ir::Variable> variables;
  for (std::uint32_t i = 0; i < count; ++i) {
    variables.push_back({i < 26 ? std::string(1, static_cast<char>('A' + i)) : "V" + std::to_string(i), false, {}});
  }
  return variables;
}

ir::ConditionIndex add_condition(DraftTree& tree, std::string_view text) {
  dialects::condition::Parsed parsed = dialects::condition::parse(text);
  INFO(text);
  REQUIRE(parsed.is_complete);
  for (ir::Term& term : parsed.terms) {
    if (term.kind != ir::TermKind::variable) continue;
    const std::string_view name = text.substr(term.begin, term.end - term.begin);
    while (term.left < tree.variables.size() && tree.variables[term.left].name != name) ++term.left;
    REQUIRE(term.left < tree.variables.size());
  }
  tree.conditions.push_back({std::move(parsed.terms), {}});
  return static_cast<ir::ConditionIndex>(tree.conditions.size() - 1);
}

Draft node(DraftTree& tree, Opcode opcode, std::string name, std::string_view condition, std::uint32_t place,
           std::vector<Draft> children) {
  Draft made = node_of(opcode, std::move(name), {}, std::move(children));
  made.span = {0, place, place + 1};
  std::optional<ir::ConditionIndex> index;
  if (!condition.empty()) index = add_condition(tree, condition);
  if (opcode == opcode::select_leaf) {
    made.payload = ir::Leaf{index, "Do" + made.name};
  } else if (index) {
    made.payload = ir::Guard{index};
  }
  return made;
}

DraftTree ticking_tree(std::string name) {
  DraftTree tree;
  tree.name = std::move(name);
  tree.parts = ir::Ticking();
  return tree;
}

Draft tick_node(Opcode opcode, std::string name, std::vector<Draft> children, Operands operands) {
  Draft made = node_of(opcode, std::move(name), std::move(operands), std::move(children));
  if (auto* behavior = std::get_if<ir::Behavior>(&made.payload)) behavior->name = made.name;
  return made;
}

std::vector<Draft> only(Draft child) {
  std::vector<Draft> children;
  children.push_back(std::move(child));
  return children;
}

Draft rule(Opcode opcode, std::string id, std::vector<Draft> children, Operands operands) {
  operands.label = std::move(id);
  return node_of(opcode, opcode == opcode::rule_file ? "" : opcode_name(opcode), std::move(operands),
                 std::move(children));
}

Draft rule_action(std::string behavior, std::string id, ir::Rule rule, std::uint32_t flags) {
  rule.behavior = std::move(behavior);
  return test::rule(opcode::rule_action, std::move(id), {}, {std::move(rule), flags, {}});
}

Operands of_file(text::FileId file, std::uint32_t flags) { return {ir::RuleFile{file}, flags, {}}; }

namespace {

constexpr text::FileId kGuardFile = 1;
constexpr text::FileId kIdleFile = 2;
constexpr text::FileId kWanderFile = 3;

ir::Rule query(ir::Rule rule, std::vector<std::string> conditions,
               layout::QueryMode mode = layout::QueryMode::all_true) {
  rule.conditions = std::move(conditions);
  rule.mode = mode;
  return rule;
}

ir::Rule with_text(const char* name, const char* value) {
  ir::Rule rule;
  rule.parameters.emplace_back();
  rule.parameters[0].name = name;
  rule.parameters[0].text = value;
  return rule;
}

// The spans are those of the file.
void place_in(Draft& node, text::FileId file, std::uint32_t line) { node.span = {file, line - 1, line - 1}; }

Draft wandering(const std::string& prefix) {
  Draft walk = rule_action("walk", prefix + "walk", query(with_text("to", "home"), {"tired"}));
  place_in(walk, kWanderFile, 2);
  Draft wait = rule(opcode::rule_yield);
  place_in(wait, kWanderFile, 3);
  Draft use = rule(opcode::rule_subtree, prefix + "wander", {std::move(walk), std::move(wait)}, of_file(kWanderFile));
  return use;
}

Draft idling(const std::string& prefix) {
  std::vector<Draft> rules;
  rules.push_back(rule_action("walk", prefix + "idle", query(with_text("to", "home"), {"tired"})));
  rules.push_back(wandering(prefix));
  Draft list = rule(opcode::rule_choice, prefix + "list", std::move(rules), with_flags(kDoesNotFail));
  place_in(list, kIdleFile, 2);
  place_in(list.children[0], kIdleFile, 3);
  place_in(list.children[1], kIdleFile, 4);
  return list;
}

}  // namespace

DraftTree rule_tree(std::string name) {
  DraftTree tree;
  tree.name = std::move(name);
  tree.parts = ir::Ruling{100, false};
  return tree;
}

DraftTree guarding() {
  DraftTree tree = rule_tree("guard");
  std::vector<Draft> rules;
  rules.push_back(rule(opcode::rule_subtree, "a", {idling("a.")}, of_file(kIdleFile)));
  rules.push_back(
      rule_action("shoot", "shoot", query({}, {"seen", "near", "seen"}, layout::QueryMode::any_false), kDoesNotFail));
  rules.push_back(wandering(""));
  rules.push_back(rule(opcode::rule_subtree, "b", {idling("b.")}, of_file(kIdleFile, kBeginsAnew)));
  rules.push_back(rule(opcode::rule_result, "", {}, with_flags(static_cast<std::uint32_t>(Result::success))));
  for (std::uint32_t i = 0; i < rules.size(); ++i) place_in(rules[i], kGuardFile, 3 + i);
  Draft root = rule(opcode::rule_sequence, "root", std::move(rules), with_flags(kBeginsAnew));
  place_in(root, kGuardFile, 2);
  tree.root = rule(opcode::rule_file, "", {std::move(root)}, of_file(kGuardFile));
  return tree;
}

DraftTree idle() {
  DraftTree tree = rule_tree("idle");
  tree.parts = ir::Ruling{7, true};
  Draft list = idling("");
  tree.root = rule(opcode::rule_file, "", {std::move(list)}, of_file(kIdleFile));
  return tree;
}

void compile(const ir::Project& project, Compiled& compiled, bool strip) {
  text::Sources sources;
  for (const char* path : {"trees.xml", "guard.debt", "idle.debt", "wander.debt", "empty.debt"}) {
    sources.add(path, std::string(1000, '\n'));
  }
  text::Findings findings;
  compiled.words = codegen::compile(project, sources, {strip}, findings, &compiled.size_bytes);
  REQUIRE(findings.all().empty());
  Fault fault;
  REQUIRE(open(compiled.words.data(), compiled.size_bytes, &compiled.asset, &fault) == Status::ok);
}

Compiled compiled(std::vector<DraftTree> trees, bool strip) {
  DraftProject project;
  project.trees = std::move(trees);
  Compiled result;
  compile(project, result, strip);
  return result;
}

text::Findings findings_of(const DraftTree& tree) {
  DraftProject project;
  project.trees = {tree};
  text::Sources sources;
  sources.add("trees.xml", std::string(1000, '\n'));
  text::Findings findings;
  std::size_t size_bytes = 0;
  CHECK(codegen::compile(project, sources, {}, findings, &size_bytes).empty());
  return findings;
}

DraftTree guard() {
  using namespace espalier::opcode;
  DraftTree tree;
  tree.name = "Guard";
  tree.variables = {{"Alerted", false, {}}, {"Hurt", true, {}}, {"Far", false, {}}};
  const Draft weapons =
      node(tree, select_priority, "Weapons", "Alerted", 20,
           {node(tree, select_leaf, "Shoot", "!Hurt", 21), node(tree, select_leaf, "Reload", "Far", 22),
            node(tree, select_leaf, "Wait", "", 23), node(tree, select_leaf, "Look", "Far or !Hurt", 24)});
  Draft machine = node(tree, select_machine, "Stance", "Alerted and (Hurt or Far)", 2,
                       {node(tree, select_state, "Near", "", 3, {weapons}),
                        node(tree, select_state, "Away", "", 4, {node(tree, select_leaf, "Run", "", 5)})});
  machine.children[0].as<ir::Transitions>().transitions = {{1, add_condition(tree, "Far"), {}}};
  machine.children[1].as<ir::Transitions>().transitions = {{0, add_condition(tree, "!Far"), {}},
                                                           {0, add_condition(tree, "true"), {}}};
  tree.root =
      node(tree, select_priority, "Root", "", 1, {std::move(machine), weapons, node(tree, select_leaf, "Idle", "", 9)});
  tree.signals = {
      {"Noise", {{0, add_condition(tree, "true"), {}}, {2, add_condition(tree, "Alerted == Hurt"), {}}}, {}}};
  return tree;
}

namespace {

std::vector<ir::Parameter> parameters_of_all_types() {
  return {{"to", ParameterType::choice, "Cover", 1, {}},
          {"speed", ParameterType::number, {}, 0, {0.3, 0, 0}},
          {"steps", ParameterType::whole, {}, -3, {}},
          {"quiet", ParameterType::boolean, {}, 1, {}},
          {"offset", ParameterType::vector, {}, 0, {0, -1.5, 1e300}},
          {"note", ParameterType::text, "a \"b\"", 0, {}},
          {"then", ParameterType::event, "Noise", 0, {}},
          {"check", ParameterType::script, "return 1", 0, {}}};
}

}  // namespace

DraftTree soldier() {
  using namespace espalier::opcode;
  constexpr std::uint32_t kSuccess = static_cast<std::uint32_t>(Result::success);
  constexpr std::uint32_t kFailure = static_cast<std::uint32_t>(Result::failure);
  DraftTree tree = ticking_tree("Soldier");
  tree.variables = {{"Alerted", false, {}}, {"Hurt", true, {}}};
  tree.signals = {{"Noise", {{0, add_condition(tree, "true"), {}}}, {}}, {"Quiet", {}, {}}};
  tree.as<ir::Ticking>().timestamps = {{"Heard", 0, 1, {}}, {"Calm", 1, {}, {}}};
  const auto leaf = [&](Opcode opcode, const char* name, Operands operands) {
    return tick_node(opcode, name, {}, std::move(operands));
  };
  const auto around = [&](Opcode opcode, const char* name, Draft child, Operands operands = {}) {
    return tick_node(opcode, name, {std::move(child)}, std::move(operands));
  };
  const auto wait = [&] { return leaf(tick_wait, "Wait", {ir::Duration{2500000, 0}, kSuccess}); };
  ir::Behavior move;
  move.parameters = parameters_of_all_types();
  const auto guarded = [&](const char* condition) { return ir::Guard{add_condition(tree, condition)}; };
  Draft gate = around(tick_guard, "IfCondition", wait(), {guarded("Alerted and !Hurt")});
  Draft monitor = leaf(tick_condition, "MonitorCondition", {guarded("Hurt")});
  Draft first_case = around(tick_case, "Case", std::move(gate), {guarded("Alerted")});
  Draft gates =
      tick_node(tick_selector, "Selector",
                {around(tick_chance_guard, "RandomGate", wait(), {ir::Chance{std::uint64_t{1} << 52}}),
                 around(tick_time_guard, "IfTime", wait(), {ir::TimeTest{0, 5000000}, kTimeIsLess | kTimeNeverSet}),
                 around(tick_limit, "LimitConcurrentUsers", wait(), {ir::Limit{3, {}}}),
                 around(tick_scope, "GroupScope", wait(), {ir::Limit{2, "Cover"}}),
                 around(tick_script_guard, "LuaGate", wait(), {ir::Scripts{{"return true"}}}),
                 around(tick_script_wrapper, "LuaWrapper", wait(), {ir::Scripts{{"", "leave()"}}}),
                 around(tick_wrapper, "HoldFormation", wait(), with_flags(kWrapperKeeps)),
                 around(tick_log, "", wait(), {ir::Texts{{"begins", "", "ends"}}})});
  Draft leaves =
      tick_node(tick_sequence, "Sequence",
                {leaf(tick_result, "Fail", with_flags(kFailure)), leaf(tick_message, "Log", {ir::Texts{{"hello"}}}),
                 leaf(tick_wait_event, "WaitForEvent", {ir::Event{1}, kSuccess}), std::move(monitor),
                 leaf(tick_time, "AssertTime", {ir::TimeTest{{}, static_cast<std::uint64_t>(-1250000)}, kFailure}),
                 leaf(tick_send, "SendEvent", {ir::Event{0}, kSuccess}),
                 leaf(tick_queue, "Signal", {ir::Event{1}, kSuccess | 1U << kReceiversShift}),
                 leaf(tick_script, "AssertLua", {ir::Scripts{{"return true"}}, kScriptDecides}),
                 tick_node(tick_action, "Move", {}, {std::move(move)})});
  Draft machine = tick_node(
      tick_machine, "StateMachine",
      {around(tick_state, "State", std::move(leaves), {ir::EventTransitions{{{0, 1, {}}, {1, 0, {}}}}, 0, "Stand"}),
       around(tick_state, "State", around(tick_loop, "Loop", wait(), {ir::Limit{3, {}}}), {{}, 0, "Run"})});
  Draft priority =
      tick_node(tick_priority, "Priority",
                {std::move(first_case), around(tick_case, "Case", around(tick_suppress, "SuppressFailure", wait()))});
  tree.root = tick_node(tick_parallel, "Parallel",
                        {around(tick_branch, "", std::move(machine)), around(tick_branch, "", std::move(priority)),
                         around(tick_branch, "", std::move(gates)), around(tick_branch, "", wait())},
                        with_flags(kSucceedsWithAny));
  return tree;
}

DraftTree decider_tree(std::string name) {
  DraftTree tree;
  tree.name = std::move(name);
  ir::Deciding& deciding = tree.parts.emplace<ir::Deciding>();
  deciding.max_redecides = 16;
  tree.variables = {{"Dead", false, {}}, {"Night", false, {}}};
  deciding.stimuli = {{"TookHit", 2000000, {}}, {"Smell", 0, {}}, {"Heard", 500000, {}}};
  return tree;
}

Draft decider(Opcode opcode, std::string name, std::vector<Draft> children, ir::Decider decider) {
  if (children.empty()) decider.behavior = name;
  const ir::PlacedDecider place = {1, std::make_shared<const ir::Decider>(std::move(decider))};
  return node_of(opcode, std::move(name), {place}, std::move(children));
}

Draft share(const DraftTree& tree, const std::string& name, std::uint32_t weight) {
  const std::vector<Draft>& shared = tree.shared;
  std::uint32_t index = 0;
  while (index < shared.size() && shared[index].name != name) ++index;
  REQUIRE(index < shared.size());
  return node_of(opcode::decide_share, name, {ir::DeciderShare{weight, index}});
}

namespace {

template <typename Named>
ir::WantedList wanted(const std::vector<Named>& all, const std::string& words) {
  ir::WantedList list;
  std::istringstream stream(words);
  for (std::string word; stream >> word;) {
    ir::Wanted wanted;
    wanted.present = word[0] != '!';
    if (!wanted.present) word.erase(0, 1);
    while (wanted.index < all.size() && all[wanted.index].name != word) ++wanted.index;
    REQUIRE(wanted.index < all.size());
    list.words.push_back(wanted);
  }
  return list;
}

}  // namespace

ir::WantedList wanted_flags(const DraftTree& tree, const std::string& words) { return wanted(tree.variables, words); }
ir::WantedList wanted_stimuli(const DraftTree& tree, const std::string& words) {
  return wanted(tree.as<ir::Deciding>().stimuli, words);
}

DraftTree creature() {
  using namespace espalier::opcode;
  DraftTree tree = decider_tree("Creature");
  tree.as<ir::Deciding>().behavior_flags = {"run", "walk"};
  tree.signals = {{"OnDamage", {{0, 0, {}}}, {}}, {"OnNoise", {{2, 0, {}}, {0, 0, {}}}, {}}};

  std::vector<Draft>& shared = tree.shared;
  ir::Decider rest;
  rest.decide = "IsTired";
  rest.memory_bytes = 4;
  shared.push_back(decider(decide_behavior, "Rest", {}, rest));
  shared.push_back(decider(decide_behavior, "Never"));
  shared.push_back(decider(decide_shuffle, "Naps", {share(tree, "Rest"), decider(decide_behavior, "Yawn")}));

  ir::Decider flee;
  flee.flags_all = wanted_flags(tree, "!Dead");
  flee.stimuli_any = wanted_stimuli(tree, "TookHit Heard");
  flee.decide = "ShouldFlee";
  flee.behavior_flags = 3;
  flee.memory_bytes = 20;
  flee.block_bytes = 12;
  ir::Decider guard;
  guard.behavior = "OnGuard";
  guard.decide = "SeesIntruder";
  guard.decides_again = true;
  guard.memory_bytes = 8;
  ir::Decider growl;
  growl.every_us = 30000000;
  growl.decide = "IntruderNear";
  ir::Decider patrol;
  patrol.flags_any = wanted_flags(tree, "Night !Dead");
  patrol.stimuli_all = wanted_stimuli(tree, "!Smell");
  patrol.behavior_flags = 2;
  ir::Decider asks_children;
  asks_children.delegates = true;

  Draft guarding = decider(decide_scored, "Guard",
                           {decider(decide_behavior, "Growl", {}, growl), share(tree, "Rest"),
                            decider(decide_behavior, "Patrol", {}, patrol)},
                           guard);
  Draft play =
      decider(decide_random, "Play",
              {decider(decide_behavior, "Jump"), share(tree, "Naps", 65535), share(tree, "Rest")}, asks_children);
  play.children[0].as<ir::PlacedDecider>().weight = 3;
  Draft tour =
      decider(decide_sequential, "Tour", {decider(decide_behavior, "North"), decider(decide_behavior, "South")});
  tree.root = decider(decide_prioritized, "Root",
                      {decider(decide_behavior, "Flee", {}, flee), std::move(guarding), std::move(play),
                       std::move(tour), share(tree, "Naps"), decider(decide_behavior, "Idle")});
  return tree;
}

}  // namespace espalier::test
