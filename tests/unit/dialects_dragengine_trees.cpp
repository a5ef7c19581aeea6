// What the reader of rules keeps that dump does not print. The rules are shown in tests/golden/dump.
#include "dialects/dragengine/options.h"
#include "dragengine_reading.h"
#include "unit.h"

namespace dialects_dragengine_trees {

using namespace espalier;

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

TEST_CASE("what is configured is kept in the tree") {
  dialects::Options options;
  options.edit<dialects::DragengineOptions>().run_limit = 7;
  CHECK(DragengineReading(rule_file({"<success/>"}), options).project.trees.at(0).as<ir::Ruling>().run_limit == 7);
  CHECK(DragengineReading(rule_file({"<success/>"})).project.trees.at(0).as<ir::Ruling>().run_limit == 100);
}

TEST_CASE("an action can answer what is declared of it, and the engine's own what they can") {
  dialects::Options options;
  auto& actions = options.edit<dialects::DragengineOptions>().actions;
  actions.push_back({});
  actions[0].name = "wander";
  actions[0].results = 1;
  const auto results = [&](const std::string& rule) {
    const DragengineReading reading(rule_file({rule}), options);
    REQUIRE(reading.project.trees.size() == 1);
    const ir::Tree& tree = reading.project.trees[0];
    return unsigned{tree.root().children()[0].as<ir::Rule>().results};
  };
  const std::string flag = "<parameter name='flag'>f</parameter>";
  CHECK(results("<action name='wander'/>") == 1);
  CHECK(results("<action name='timer.wait'/>") == 5);
  CHECK(results("<action name='timer.start'/>") == 4);
  CHECK(results("<action name='flags.check'>" + flag + "</action>") == 6);
  CHECK(results("<action name='flags.check'>" + flag + "<parameter name='wait'/></action>") == 5);
}

}  // namespace dialects_dragengine_trees
