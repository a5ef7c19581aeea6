// Trees made by hand. See codegen_trees.h.
#include "codegen_trees.h"

#include <optional>
#include <sstream>
#include <utility>

#include "codegen/compile.h"
#include "dialects/condition/condition.h"
#include "runtime/format/opcode_words.h"
#include "unit.h"

namespace espalier::test {

std::vector<ir::Variable> letters(std::uint32_t count) {
  std::vector<ir::Variable> variables;
  for (std::uint32_t i = 0; i < count; ++i) {
    variables.push_back({i < 26 ? std::string(1, static_cast<char>('A' + i)) : "V" + std::to_string(i), false, {}});
  }
  return variables;
}

ir::ConditionIndex add_condition(ir::Tree& tree, std::string_view text) {
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

ir::Node node(ir::Tree& tree, Opcode opcode, std::string name, std::string_view condition, std::uint32_t place,
              std::vector<ir::Node> children) {
  ir::Node made;
  made.opcode = opcode;
  made.name = std::move(name);
  made.span = {0, place, place + 1};
  if (opcode == Opcode::select_leaf) made.behavior = "Do" + made.name;
  if (!condition.empty()) made.condition = add_condition(tree, condition);
  made.children = std::move(children);
  return made;
}

ir::Tree ticking_tree(std::string name) {
  ir::Tree tree;
  tree.name = std::move(name);
  tree.details.emplace_back();
  return tree;
}

ir::Node tick_node(ir::Tree& tree, Opcode opcode, std::string name, std::vector<ir::Node> children,
                   ir::Details details) {
  ir::Node made;
  made.opcode = opcode;
  made.name = std::move(name);
  made.behavior = made.name;
  made.details = static_cast<ir::DetailsIndex>(tree.details.size());
  made.span = {0, made.details % 1000, made.details % 1000};
  made.children = std::move(children);
  tree.details.push_back(std::move(details));
  return made;
}

ir::Node rule(ir::Tree& tree, Opcode opcode, std::string id, std::vector<ir::Node> children, ir::Details details) {
  details.id = std::move(id);
  ir::Node made = tick_node(tree, opcode, opcode == Opcode::rule_file ? "" : opcode_name(opcode), std::move(children),
                            std::move(details));
  made.behavior.clear();
  return made;
}

ir::Node rule_action(ir::Tree& tree, std::string behavior, std::string id, ir::Details details) {
  ir::Node made = rule(tree, Opcode::rule_action, std::move(id), {}, std::move(details));
  made.behavior = std::move(behavior);
  return made;
}

namespace {

constexpr text::FileId kGuardFile = 1;
constexpr text::FileId kIdleFile = 2;
constexpr text::FileId kWanderFile = 3;

ir::Details of_file(text::FileId file, std::uint32_t flags = 0) {
  ir::Details details;
  details.file = file;
  details.flags = static_cast<std::uint8_t>(flags);
  return details;
}

ir::Details asking(ir::Details details, std::vector<std::string> conditions,
                   layout::AskMode mode = layout::AskMode::all_true) {
  details.host_conditions = std::move(conditions);
  details.mode = mode;
  return details;
}

ir::Details with_text(const char* name, const char* value) {
  ir::Details details;
  details.parameters.emplace_back();
  details.parameters[0].name = name;
  details.parameters[0].text = value;
  return details;
}

// The spans are those of the file.
void place_in(ir::Node& node, text::FileId file, std::uint32_t line) { node.span = {file, line - 1, line - 1}; }

ir::Node wandering(ir::Tree& tree, const std::string& prefix) {
  ir::Node walk = rule_action(tree, "walk", prefix + "walk", asking(with_text("to", "home"), {"tired"}));
  place_in(walk, kWanderFile, 2);
  ir::Node wait = rule(tree, Opcode::rule_yield);
  place_in(wait, kWanderFile, 3);
  ir::Node use =
      rule(tree, Opcode::rule_subtree, prefix + "wander", {std::move(walk), std::move(wait)}, of_file(kWanderFile));
  return use;
}

ir::Node idling(ir::Tree& tree, const std::string& prefix) {
  std::vector<ir::Node> rules;
  rules.push_back(rule_action(tree, "walk", prefix + "idle", asking(with_text("to", "home"), {"tired"})));
  rules.push_back(wandering(tree, prefix));
  ir::Node list = rule(tree, Opcode::rule_choice, prefix + "list", std::move(rules), of_file(0, kDoesNotFail));
  place_in(list, kIdleFile, 2);
  place_in(list.children[0], kIdleFile, 3);
  place_in(list.children[1], kIdleFile, 4);
  return list;
}

}  // namespace

ir::Tree rule_tree(std::string name) {
  ir::Tree tree;
  tree.name = std::move(name);
  tree.run_limit = 100;
  return tree;
}

ir::Tree guarding() {
  ir::Tree tree = rule_tree("guard");
  std::vector<ir::Node> rules;
  rules.push_back(rule(tree, Opcode::rule_subtree, "a", {idling(tree, "a.")}, of_file(kIdleFile)));
  rules.push_back(rule_action(tree, "shoot", "shoot",
                              asking(of_file(0, kDoesNotFail), {"seen", "near", "seen"}, layout::AskMode::any_false)));
  rules.push_back(wandering(tree, ""));
  rules.push_back(rule(tree, Opcode::rule_subtree, "b", {idling(tree, "b.")}, of_file(kIdleFile, kBeginsAnew)));
  rules.push_back(rule(tree, Opcode::rule_result, "", {}, of_file(0, static_cast<std::uint32_t>(Result::success))));
  for (std::uint32_t i = 0; i < rules.size(); ++i) place_in(rules[i], kGuardFile, 3 + i);
  ir::Node root = rule(tree, Opcode::rule_sequence, "root", std::move(rules), of_file(0, kBeginsAnew));
  place_in(root, kGuardFile, 2);
  tree.root = rule(tree, Opcode::rule_file, "", {std::move(root)}, of_file(kGuardFile));
  return tree;
}

ir::Tree idle() {
  ir::Tree tree = rule_tree("idle");
  tree.is_used = true;
  tree.run_limit = 7;
  ir::Node list = idling(tree, "");
  tree.root = rule(tree, Opcode::rule_file, "", {std::move(list)}, of_file(kIdleFile));
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

ir::Tree guard() {
  using enum Opcode;
  ir::Tree tree;
  tree.name = "Guard";
  tree.variables = {{"Alerted", false, {}}, {"Hurt", true, {}}, {"Far", false, {}}};
  const ir::Node weapons =
      node(tree, select_priority, "Weapons", "Alerted", 20,
           {node(tree, select_leaf, "Shoot", "!Hurt", 21), node(tree, select_leaf, "Reload", "Far", 22),
            node(tree, select_leaf, "Wait", "", 23), node(tree, select_leaf, "Look", "Far or !Hurt", 24)});
  ir::Node machine = node(tree, select_machine, "Stance", "Alerted and (Hurt or Far)", 2,
                          {node(tree, select_state, "Near", "", 3, {weapons}),
                           node(tree, select_state, "Away", "", 4, {node(tree, select_leaf, "Run", "", 5)})});
  machine.children[0].transitions = {{1, add_condition(tree, "Far"), {}}};
  machine.children[1].transitions = {{0, add_condition(tree, "!Far"), {}}, {0, add_condition(tree, "true"), {}}};
  tree.root =
      node(tree, select_priority, "Root", "", 1, {std::move(machine), weapons, node(tree, select_leaf, "Idle", "", 9)});
  tree.signals = {
      {"Noise", {{0, add_condition(tree, "true"), {}}, {2, add_condition(tree, "Alerted == Hurt"), {}}}, {}}};
  return tree;
}

namespace {

ir::Details with_flags(std::uint32_t flags) {
  ir::Details details;
  details.flags = static_cast<std::uint8_t>(flags);
  return details;
}

ir::Details with_numbers(std::uint64_t first, std::uint64_t second = 0, std::uint32_t flags = 0) {
  ir::Details details = with_flags(flags);
  details.numbers[0] = first;
  details.numbers[1] = second;
  return details;
}

ir::Details with_count(std::uint32_t count, std::string text = {}) {
  ir::Details details;
  details.count = count;
  details.texts[0] = std::move(text);
  return details;
}

ir::Details with_texts(std::string first, std::string second = {}, std::string third = {}) {
  ir::Details details;
  details.texts[0] = std::move(first);
  details.texts[1] = std::move(second);
  details.texts[2] = std::move(third);
  return details;
}

ir::Details with_scripts(std::optional<std::string> first, std::optional<std::string> second = {}) {
  ir::Details details;
  details.scripts[0] = std::move(first);
  details.scripts[1] = std::move(second);
  return details;
}

ir::Details with_signal(std::uint32_t signal, std::uint32_t flags) {
  ir::Details details = with_flags(flags);
  details.signal = signal;
  return details;
}

ir::Details with_timestamp(std::optional<std::uint32_t> timestamp, std::uint64_t number, std::uint32_t flags) {
  ir::Details details = with_numbers(number, 0, flags);
  details.timestamp = timestamp;
  return details;
}

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

ir::Tree soldier() {
  using enum Opcode;
  constexpr std::uint32_t kSuccess = static_cast<std::uint32_t>(Result::success);
  constexpr std::uint32_t kFailure = static_cast<std::uint32_t>(Result::failure);
  ir::Tree tree = ticking_tree("Soldier");
  tree.variables = {{"Alerted", false, {}}, {"Hurt", true, {}}};
  tree.signals = {{"Noise", {{0, add_condition(tree, "true"), {}}}, {}}, {"Quiet", {}, {}}};
  tree.timestamps = {{"Heard", 0, 1, {}}, {"Calm", 1, {}, {}}};
  const auto leaf = [&](Opcode opcode, const char* name, ir::Details details) {
    return tick_node(tree, opcode, name, {}, std::move(details));
  };
  const auto around = [&](Opcode opcode, const char* name, ir::Node child, ir::Details details = {}) {
    return tick_node(tree, opcode, name, {std::move(child)}, std::move(details));
  };
  const auto wait = [&] { return leaf(tick_wait, "Wait", with_numbers(2500000, 0, kSuccess)); };
  ir::Details move;
  move.parameters = parameters_of_all_types();
  ir::Details stand;
  stand.texts[0] = "Stand";
  stand.transitions = {{0, 1, {}}, {1, 0, {}}};
  ir::Node gate = around(tick_gate, "IfCondition", wait());
  gate.condition = add_condition(tree, "Alerted and !Hurt");
  ir::Node monitor = leaf(tick_condition, "MonitorCondition", with_flags(0));
  monitor.condition = add_condition(tree, "Hurt");
  ir::Node first_case = around(tick_case, "Case", std::move(gate));
  first_case.condition = add_condition(tree, "Alerted");
  ir::Node gates =
      tick_node(tree, tick_selector, "Selector",
                {around(tick_chance_gate, "RandomGate", wait(), with_numbers(std::uint64_t{1} << 52)),
                 around(tick_time_gate, "IfTime", wait(), with_timestamp(0, 5000000, kTimeIsLess | kTimeNeverSet)),
                 around(tick_limit, "LimitConcurrentUsers", wait(), with_count(3)),
                 around(tick_scope, "GroupScope", wait(), with_count(2, "Cover")),
                 around(tick_script_gate, "LuaGate", wait(), with_scripts("return true")),
                 around(tick_script_wrapper, "LuaWrapper", wait(), with_scripts({}, "leave()")),
                 around(tick_wrapper, "HoldFormation", wait(), with_flags(kWrapperKeeps)),
                 around(tick_log, "", wait(), with_texts("begins", "", "ends"))});
  ir::Node leaves =
      tick_node(tree, tick_sequence, "Sequence",
                {leaf(tick_result, "Fail", with_flags(kFailure)), leaf(tick_message, "Log", with_texts("hello")),
                 leaf(tick_wait_event, "WaitForEvent", with_signal(1, kSuccess)), std::move(monitor),
                 leaf(tick_time, "AssertTime", with_timestamp({}, static_cast<std::uint64_t>(-1250000), kFailure)),
                 leaf(tick_send, "SendEvent", with_signal(0, kSuccess)),
                 leaf(tick_queue, "Signal", with_signal(1, kSuccess | 1U << kReceiversShift)),
                 leaf(tick_script, "AssertLua",
                      [&] {
                        ir::Details details = with_scripts("return true");
                        details.flags = kScriptDecides;
                        return details;
                      }()),
                 tick_node(tree, tick_action, "Move", {}, std::move(move))});
  ir::Node machine =
      tick_node(tree, tick_machine, "StateMachine",
                {around(tick_state, "State", std::move(leaves), std::move(stand)),
                 around(tick_state, "State", around(tick_loop, "Loop", wait(), with_count(3)), with_texts("Run"))});
  ir::Node priority =
      tick_node(tree, tick_priority, "Priority",
                {std::move(first_case), around(tick_case, "Case", around(tick_suppress, "SuppressFailure", wait()))});
  tree.root = tick_node(tree, tick_parallel, "Parallel",
                        {around(tick_branch, "", std::move(machine)), around(tick_branch, "", std::move(priority)),
                         around(tick_branch, "", std::move(gates)), around(tick_branch, "", wait())},
                        with_flags(kSucceedsWithAny));
  return tree;
}

ir::Tree decider_tree(std::string name) {
  ir::Tree tree;
  tree.name = std::move(name);
  tree.max_redecides = 16;
  tree.variables = {{"Dead", false, {}}, {"Night", false, {}}};
  tree.stimuli = {{"TookHit", 2000000, {}}, {"Smell", 0, {}}, {"Heard", 500000, {}}};
  return tree;
}

ir::Node decider(ir::Tree& tree, Opcode opcode, std::string name, std::vector<ir::Node> children, ir::Decider decider) {
  ir::Node made;
  made.opcode = opcode;
  made.name = std::move(name);
  if (children.empty()) made.behavior = made.name;
  made.details = static_cast<ir::DetailsIndex>(tree.deciders.size());
  made.span = {0, made.details % 1000, made.details % 1000};
  made.children = std::move(children);
  tree.deciders.push_back(std::move(decider));
  return made;
}

ir::Node share(const ir::Tree& tree, const std::string& name, std::uint32_t weight) {
  ir::Node made;
  made.opcode = Opcode::decide_share;
  made.name = name;
  while (made.details < tree.shared.size() && tree.shared[made.details].name != name) ++made.details;
  REQUIRE(made.details < tree.shared.size());
  made.weight = weight;
  return made;
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

ir::WantedList wanted_flags(const ir::Tree& tree, const std::string& words) { return wanted(tree.variables, words); }
ir::WantedList wanted_stimuli(const ir::Tree& tree, const std::string& words) { return wanted(tree.stimuli, words); }

ir::Tree creature() {
  using enum Opcode;
  ir::Tree tree = decider_tree("Creature");
  tree.behavior_flags = {"run", "walk"};
  tree.signals = {{"OnDamage", {{0, 0, {}}}, {}}, {"OnNoise", {{2, 0, {}}, {0, 0, {}}}, {}}};

  ir::Decider rest;
  rest.decide = "IsTired";
  rest.memory_bytes = 4;
  tree.shared.push_back(decider(tree, decide_behavior, "Rest", {}, rest));
  tree.shared.push_back(decider(tree, decide_behavior, "Never"));
  tree.shared.push_back(
      decider(tree, decide_shuffle, "Naps", {share(tree, "Rest"), decider(tree, decide_behavior, "Yawn")}));

  ir::Decider flee;
  flee.flags_all = wanted_flags(tree, "!Dead");
  flee.stimuli_any = wanted_stimuli(tree, "TookHit Heard");
  flee.decide = "ShouldFlee";
  flee.behavior_flags = 3;
  flee.memory_bytes = 20;
  flee.block_bytes = 12;
  ir::Decider guard;
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

  ir::Node guarding = decider(tree, decide_scored, "Guard",
                              {decider(tree, decide_behavior, "Growl", {}, growl), share(tree, "Rest"),
                               decider(tree, decide_behavior, "Patrol", {}, patrol)},
                              guard);
  guarding.behavior = "OnGuard";
  ir::Node play =
      decider(tree, decide_random, "Play",
              {decider(tree, decide_behavior, "Jump"), share(tree, "Naps", 65535), share(tree, "Rest")}, asks_children);
  play.children[0].weight = 3;
  ir::Node tour = decider(tree, decide_sequential, "Tour",
                          {decider(tree, decide_behavior, "North"), decider(tree, decide_behavior, "South")});
  tree.root = decider(tree, decide_prioritized, "Root",
                      {decider(tree, decide_behavior, "Flee", {}, flee), std::move(guarding), std::move(play),
                       std::move(tour), share(tree, "Naps"), decider(tree, decide_behavior, "Idle")});
  return tree;
}

}  // namespace espalier::test
