// The IR of correct rule files.
#include "dragengine_reading.h"
#include "runtime/format/opcode_words.h"
#include "unit.h"

namespace dialects_dragengine_trees {

using namespace espalier;

namespace {

// "sequence root", "subtree s file 1" ...: one rule per line, indented by its depth, with all its IR.
void show(const ir::Tree& tree, const ir::Node& node, std::string indent, Lines& lines) {
  const ir::Rule rule = node.as_if<ir::Rule>() == nullptr ? ir::Rule() : node.as<ir::Rule>();
  std::string line = indent + opcode_name(node.opcode) + ' ' + node.name;
  if (!rule.behavior.empty()) line += " calls " + rule.behavior;
  if (!node.label.empty()) line += " id " + node.label;
  if (node.flags != 0) line += " flags " + std::to_string(node.flags);
  if (rule.mode != layout::QueryMode::all_true) {
    line += " mode " + std::to_string(static_cast<unsigned>(rule.mode));
  }
  for (const std::string& condition : rule.conditions) line += " asks " + condition;
  for (const ir::Parameter& parameter : rule.parameters) line += ' ' + parameter.name + '=' + parameter.text;
  if (node.opcode == Opcode::rule_file || node.opcode == Opcode::rule_subtree) {
    line += " file " + std::to_string(node.as<ir::RuleFile>().file);
  }
  lines.push_back(std::move(line));
  for (const ir::Node& child : node.children) show(tree, child, indent + ' ', lines);
}

Lines show(const ir::Tree& tree) {
  Lines lines;
  show(tree, tree.root, {}, lines);
  return lines;
}

Lines show(const std::string& file) {
  const DragengineReading reading(file);
  CHECK(reading.found() == Lines{});
  REQUIRE(reading.project.trees.size() == 1);
  return show(reading.project.trees[0]);
}

}  // namespace

TEST_CASE("each rule has its opcode, its name as it is written and what it does") {
  CHECK(show(rule_file({"<choice id='root' doNotFail='true'>", "<action name='Move' id='.move' doNotFail='true'/>",
                        "<sequence loop='true'><success/><failure/><running/><yield id='y'/></sequence>",
                        "</choice>"})) == Lines{
                                              "rule_file  file 0",
                                              " rule_choice choice id root flags 1",
                                              "  rule_action action calls Move id root.move flags 1",
                                              "  rule_sequence sequence flags 2",
                                              "   rule_result success flags 2",
                                              "   rule_result failure flags 1",
                                              "   rule_result running",
                                              "   rule_yield yield id y",
                                          });
}

TEST_CASE("conditions, their mode and parameters may stand anywhere in a rule") {
  CHECK(show(rule_file({"<sequence>", "<condition>A</condition>",
                        "<action name='Move'><parameter name='x'>1</parameter><condition>B</condition></action>",
                        "<conditionMode>anyFalse</conditionMode>", "<condition>C</condition>",
                        "<parameter name='y'/></sequence>"})) == Lines{
                                                                     "rule_file  file 0",
                                                                     " rule_sequence sequence mode 2 asks A asks C y=",
                                                                     "  rule_action action calls Move asks B x=1",
                                                                 });
}

TEST_CASE("text is trimmed and its blanks are collapsed, character data and CDATA alike") {
  CHECK(show(rule_file({"<action name=' Move '><condition>", "  is\t", "near </condition>",
                        "<condition><![CDATA[a & b]]></condition><condition><!-- c -->d&#32;e</condition>",
                        "<conditionMode> allFalse </conditionMode></action>"})) ==
        Lines{"rule_file  file 0", " rule_action action calls  Move  mode 3 asks is near asks a & b asks d e"});
}

TEST_CASE("an id with a dot continues that of the nearest list with an id") {
  CHECK(show(rule_file({"<sequence id='root'><choice id='.a'><success id='.m'/></choice>",
                        "<sequence><choice id='.c'><success id='.l'/></choice></sequence>",
                        "<choice><sequence id='b'><success id='.x'/><success id='y'/></sequence></choice>",
                        "<success id='.z'/></sequence>"})) == Lines{
                                                                  "rule_file  file 0",
                                                                  " rule_sequence sequence id root",
                                                                  "  rule_choice choice id root.a",
                                                                  "   rule_result success id root.a.m flags 2",
                                                                  "  rule_sequence sequence",
                                                                  "   rule_choice choice id root.c",
                                                                  "    rule_result success id root.c.l flags 2",
                                                                  "  rule_choice choice",
                                                                  "   rule_sequence sequence id b",
                                                                  "    rule_result success id b.x flags 2",
                                                                  "    rule_result success id y flags 2",
                                                                  "  rule_result success id root.z flags 2",
                                                              });
}

TEST_CASE("a subtree holds the rules of the file it names, which get its id in front") {
  const DragengineReading reading({
      {"other.debt", rule_file({"<sequence>", "<action id='.flee' name='Flee'/>", "</sequence>"})},
      {"parts/a.xml", rule_file({"<sequence id='s'><success id='m'/><subtree id='q'>b.xml</subtree></sequence>"})},
      {"parts/b.xml", rule_file({"<success id='b'/>", "<success id='c'/>"})},
      {"tree.xml",
       rule_file({"<choice id='root'><subtree id='first' loop='true'>parts/a.xml</subtree>",
                  "<subtree>./parts/../parts/b.xml</subtree>", "<subtree id='.two'> /other.debt </subtree></choice>"})},
  });
  CHECK(reading.found() == Lines{"other.debt:3 relative-id-without-parent"});
  REQUIRE(reading.project.trees.size() == 3);
  const ir::Tree& tree = reading.project.trees[2];
  CHECK(tree.name == "tree");
  CHECK_FALSE(tree.as<ir::Ruling>().is_used);
  CHECK(reading.project.trees[0].as<ir::Ruling>().is_used);
  CHECK(show(tree) == Lines{
                          "rule_file  file 3",
                          " rule_choice choice id root",
                          "  rule_subtree subtree id first flags 2 file 1",
                          "   rule_sequence sequence id first.s",
                          "    rule_result success id first.m flags 2",
                          "    rule_subtree subtree id first.q file 2",
                          "     rule_result success id first.q.b flags 2",
                          "     rule_result success id first.q.c flags 2",
                          "  rule_subtree subtree file 2",
                          "   rule_result success id b flags 2",
                          "   rule_result success id c flags 2",
                          "  rule_subtree subtree id root.two file 0",
                          "   rule_sequence sequence",
                          "    rule_action action calls Flee id .flee",
                      });
}

TEST_CASE("every file with one rule is a tree, named by its path; one with several is none when it is used") {
  const DragengineReading reading({
      {"guard.debt", rule_file({"<sequence><subtree>lib/two.xml</subtree></sequence>"})},
      {"lib/one.xml", rule_file({"<success/>"})},
      {"lib/two.xml", rule_file({"<success/>", "<failure/>"})},
  });
  CHECK(reading.found() == Lines{});
  REQUIRE(reading.project.trees.size() == 2);
  CHECK(reading.project.trees[0].name == "guard");
  CHECK(reading.project.trees[1].name == "lib/one");
}

TEST_CASE("a file without rules is a tree without one") {
  const DragengineReading reading(rule_file({}));
  CHECK(reading.found() == Lines{"tree.xml:1 empty-tree"});
  REQUIRE(reading.project.trees.size() == 1);
  CHECK(show(reading.project.trees[0]) == Lines{"rule_file  file 0"});
}

TEST_CASE("a used file without rules gives a subtree without children, and is no tree") {
  const DragengineReading reading(
      {{"none.xml", rule_file({})}, {"tree.xml", rule_file({"<subtree>none.xml</subtree>"})}});
  CHECK(reading.found() == Lines{});
  REQUIRE(reading.project.trees.size() == 1);
  CHECK(show(reading.project.trees[0]) == Lines{"rule_file  file 1", " rule_subtree subtree file 0"});
}

TEST_CASE("what is configured is kept in the tree") {
  dialects::Options options;
  options.run_limit = 7;
  CHECK(DragengineReading(rule_file({"<success/>"}), options).project.trees.at(0).as<ir::Ruling>().run_limit == 7);
  CHECK(DragengineReading(rule_file({"<success/>"})).project.trees.at(0).as<ir::Ruling>().run_limit == 100);
}

TEST_CASE("an action can answer what is declared of it, and the engine's own what they can") {
  dialects::Options options;
  options.rule_actions.push_back({});
  options.rule_actions[0].name = "wander";
  options.rule_actions[0].results = 1;
  const auto results = [&](const std::string& rule) {
    const DragengineReading reading(rule_file({rule}), options);
    REQUIRE(reading.project.trees.size() == 1);
    const ir::Tree& tree = reading.project.trees[0];
    return unsigned{tree.root.children[0].as<ir::Rule>().results};
  };
  const std::string flag = "<parameter name='flag'>f</parameter>";
  CHECK(results("<action name='wander'/>") == 1);
  CHECK(results("<action name='timer.wait'/>") == 5);
  CHECK(results("<action name='timer.start'/>") == 4);
  CHECK(results("<action name='flags.check'>" + flag + "</action>") == 6);
  CHECK(results("<action name='flags.check'>" + flag + "<parameter name='wait'/></action>") == 5);
}

TEST_CASE("parameters that nothing gets are left out") {
  CHECK(show(rule_file({"<action name='Move'><parameter name='a'>1</parameter></action>"})) ==
        Lines{"rule_file  file 0", " rule_action action calls Move a=1"});
  const DragengineReading reading(rule_file({"<success><parameter name='a'>1</parameter></success>"}));
  CHECK(show(reading.project.trees.at(0)) == Lines{"rule_file  file 0", " rule_result success flags 2"});
}

TEST_CASE("failure asks nothing") {
  const DragengineReading reading(rule_file({"<failure><condition>A</condition></failure>"}));
  CHECK(reading.found() == Lines{"tree.xml:2 condition-never-asked"});
  CHECK(show(reading.project.trees.at(0)) == Lines{"rule_file  file 0", " rule_result failure flags 1"});
}

TEST_CASE("pieces of a text are joined") {
  const DragengineReading reading(
      rule_file({"<action name='a'><condition>a <!-- -->b<b/> <c/>c</condition></action>"}));
  const ir::Tree& tree = reading.project.trees.at(0);
  CHECK(tree.root.children[0].as<ir::Rule>().conditions == Lines{"a b c"});
}

}  // namespace dialects_dragengine_trees
