// Trees made by hand. See codegen_trees.h.
#include "codegen_trees.h"

#include <utility>

#include "codegen/compile.h"
#include "dialects/condition/condition.h"
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

void compile(const ir::Project& project, Compiled& compiled, bool strip) {
  text::Sources sources;
  sources.add("trees.xml", std::string(1000, '\n'));
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

}  // namespace espalier::test
