// The IR of selection trees: nodes, conditions, signals and behaviours, with references resolved.
#include "selection_reading.h"
#include "unit.h"

namespace dialects_trees {

using namespace espalier;

namespace {

std::string condition_text(const SelectionReading& reading, const ir::Tree& tree, const ir::Node& node) {
  const ir::Condition* const condition = condition_of(tree, node);
  return condition != nullptr ? "[" + reading.text_at(condition->span) + "]" : "";
}

// "Root(Flee[Hurt] Idle)"; a leaf's behaviour after '=' if it differs from its name.
std::string shape(const SelectionReading& reading, const ir::Tree& tree, const ir::Node& node) {
  std::string result = node.name + condition_text(reading, tree, node);
  if (const auto* leaf = node.as_if<ir::Leaf>()) {
    return leaf->behavior == node.name ? result : result + "=" + leaf->behavior;
  }
  const auto* state = node.as_if<ir::Transitions>();
  for (const ir::Transition& transition : state == nullptr ? std::vector<ir::Transition>() : state->transitions) {
    result += "->" + std::to_string(transition.target) + "[" +
              reading.text_at(tree.conditions.at(transition.condition).span) + "]";
  }
  result += "(";
  for (const ir::Node& child : node.children) {
    if (&child != &node.children.front()) result += " ";
    result += shape(reading, tree, child);
  }
  return result + ")";
}

std::string root_of(const SelectionReading& reading, std::size_t tree = 0) {
  REQUIRE(reading.project.trees.size() > tree);
  return shape(reading, reading.project.trees[tree], reading.project.trees[tree].root);
}

}  // namespace

TEST_CASE("a tree is read with names in any case, and sections in any order") {
  const SelectionReading reading(
      "<SELECTIONTREE Name='Guard' TYPE='BehaviorSelectionTree'>"
      "<priority NAME='Root'><leaf name='Flee' Condition='HURT'/><LEAF Name='Idle'/></priority>"
      "<signalvariables><signal name='Hit' variable='hurt' value='!Calm'/></signalvariables>"
      "<variables><variable name='Hurt'/><variable name='Calm' default='TRUE'/></variables>"
      "</SELECTIONTREE>");
  CHECK(reading.found().empty());
  CHECK(root_of(reading) == "Root(Flee[HURT] Idle)");
  const ir::Tree& tree = reading.project.trees[0];
  REQUIRE(tree.variables.size() == 2);
  CHECK_FALSE(tree.variables[0].initial);
  CHECK(tree.variables[1].initial);
  REQUIRE(tree.signals.size() == 1);
  CHECK(tree.signals[0].assignments[0].variable == 0);
  const ir::Condition& value = tree.conditions[tree.signals[0].assignments[0].condition];
  REQUIRE(value.terms.size() == 2);
  CHECK(value.terms[0].left == 1);
}

TEST_CASE("entries of one signal are kept together, in file order") {
  const SelectionReading reading(
      tree_of({"<Variables><Variable name='A'/><Variable name='B'/></Variables>",
               "<SignalVariables><Signal name='Y' variable='A' value='true'/>",
               "<Signal name='X' variable='A' value='B'/></SignalVariables>",
               "<SignalVariables><Signal name='Y' variable='B' value='A'/>",
               "<Signal name='y' variable='B' value='A'/></SignalVariables>", "<Leaf name='L'/>"}));
  const std::vector<ir::Signal>& signals = reading.project.trees.at(0).signals;
  REQUIRE(signals.size() == 3);
  CHECK(signals[0].name == "Y");
  REQUIRE(signals[0].assignments.size() == 2);
  CHECK(signals[0].assignments[0].variable == 0);
  CHECK(signals[0].assignments[1].variable == 1);
  CHECK(signals[1].name == "X");
  CHECK(signals[2].name == "y");
}

TEST_CASE("targets of transitions are numbers of states, and ignored conditions are left out") {
  const SelectionReading reading(tree_of(
      {"<Variables><Variable name='A'/></Variables>", "<StateMachine name='M' condition='A'>",
       "<State name='S' condition='A'><Transition state='t' condition='A'/><Leaf name='L' condition='A'/></State>",
       "<State name='T'><Priority name='P'/><Transition state='S' condition='!A'/></State>", "</StateMachine>"}));
  CHECK(reading.found() == Lines{"0.xml:3 unread-condition", "0.xml:4 unread-condition", "0.xml:4 unread-condition",
                                 "0.xml:5 empty-priority"});
  CHECK(root_of(reading) == "M(S->1[A](L) T->0[!A](P()))");
}

TEST_CASE("references are replaced in place, and a tree's own block shadows the global one everywhere") {
  const SelectionReading reading(
      {"<Blocks><Block name='Combat'><Priority name='Fight'><Ref name='Weapon'/></Priority></Block>"
       "<Block name='Weapon'><Leaf name='Gun'/></Block></Blocks>",
       "<SelectionTrees>"
       "<SelectionTree name='b' type='BehaviorSelectionTree'><Priority name='R'><Leaf name='X'/><Ref name='Combat'/>"
       "<Leaf name='Y'/><Ref name='Combat'/></Priority></SelectionTree>"
       "<SelectionTree name='a' type='BehaviorSelectionTree'><Ref name='Combat'/><Blocks><Block name='Weapon'>"
       "<Leaf name='Spear'/><Leaf name='Knife'/></Block></Blocks></SelectionTree></SelectionTrees>"});
  CHECK(reading.found().empty());
  CHECK(root_of(reading, 0) == "Fight(Spear Knife)");
  CHECK(root_of(reading, 1) == "R(X Fight(Gun) Y Fight(Gun))");
  CHECK(reading.project.trees[1].root.children[1].span.file == 0);
}

TEST_CASE("an unused block with a reference does not hide its tree") {
  const SelectionReading reading(
      tree_of({"<Blocks><Block name='A'><Variables><Ref name='B'/></Variables><Priority name='P'><Ref name='B'/>"
               "</Priority></Block><Block name='B'/></Blocks>",
               "<Leaf name='L'/>"}));
  CHECK(reading.found().empty());
  CHECK(root_of(reading) == "L");
}

TEST_CASE("leaves get their behaviours from maps") {
  const std::string root =
      "<Priority name='R'><Priority name='A'><Leaf name='X'/><Priority name='B'><Leaf name='X'/></Priority>"
      "</Priority><Leaf name='X'/><Leaf name='Y'/></Priority>";
  struct {
    const char* maps;
    const char* shape;
  } const cases[] = {
      {"<Map node='X' target='t'/>", "R(A(X=t B(X=t)) X=t Y)"},
      {"<Map node='A:X' target='t'/>", "R(A(X=t B(X)) X Y)"},
      {"<Map node='A:B:X' target='t'/>", "R(A(X B(X=t)) X Y)"},
      {"<Map node=':A::B:X:' target='t'/>", "R(A(X B(X=t)) X Y)"},
      {"<Map node='R:X' target='t'/>", "R(A(X B(X)) X=t Y)"},
      {"<Map node=':X' target='t'/><Map node='A:X' target='u'/>", "R(A(X=t B(X=t)) X=t Y)"},
      {"<Map node='A:X' target='u'/><Map node=':X' target='t'/>", "R(A(X=u B(X=t)) X=t Y)"},
      {"<Map node='A:X' target='u'/><Map node='X' target='t'/>", "R(A(X=t B(X=t)) X=t Y)"},
      {"<Map node='A:X' target='u'/></LeafTranslations><LeafTranslations><Map node='X' target='t'/>",
       "R(A(X=u B(X=t)) X=t Y)"},
      {"<Map node='X' target='Y'/><Map node='Y' target='X'/>", "R(A(X=Y B(X=Y)) X=Y Y=X)"},
  };
  for (const auto& [maps, expected] : cases) {
    CAPTURE(maps);
    const SelectionReading reading(tree_of({root, "<LeafTranslations>" + std::string(maps) + "</LeafTranslations>"}));
    CHECK(root_of(reading) == expected);
  }
}

TEST_CASE("only trees with errors are left out, and trees are sorted by name") {
  const SelectionReading reading(
      "<SelectionTrees>\n"
      "<SelectionTree name='c' type='BehaviorSelectionTree'><Leaf name='L'/></SelectionTree>\n"
      "<SelectionTree name='b' type='BehaviorSelectionTree'/>\n"
      "<SelectionTree name='a' type='BehaviorSelectionTree'><Leaf name='L'/></SelectionTree>\n"
      "</SelectionTrees>");
  CHECK(reading.found() == Lines{"0.xml:3 no-root"});
  REQUIRE(reading.project.trees.size() == 2);
  CHECK(reading.project.trees[0].name == "a");
  CHECK(reading.project.trees[1].name == "c");
}

}  // namespace dialects_trees
