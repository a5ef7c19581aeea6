// Selection trees with errors. Sound ones are shown in tests/golden/dump.
#include "selection_reading.h"
#include "unit.h"

namespace dialects_trees {

using namespace espalier;

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
