// What the reader of synchronized trees keeps that dump does not print. The nodes are shown in tests/golden/dump.
#include "synchronized_reading.h"
#include "unit.h"

namespace dialects_synchronized_trees {

using namespace espalier;

TEST_CASE("numbers of agents are kept for the linter") {
  const auto tree = [](const std::string& attributes) {
    return "<SynchronizedTree name='T'" + attributes +
           "><Group name='g' agents='2'><Role><Action name='A'/></Role><Role><Action name='B'/></Role></Group>"
           "</SynchronizedTree>";
  };
  const SynchronizedReading limited(tree(" agents='1000000000'"));
  CHECK(limited.found().empty());
  REQUIRE(limited.project.trees.size() == 1);
  CHECK(limited.project.trees[0].as<ir::Storing>().agent_count == 1'000'000'000u);
  CHECK(limited.project.trees[0].root().as<ir::Group>().agents == 2);
  CHECK_FALSE(SynchronizedReading(tree("")).project.trees.at(0).as<ir::Storing>().agent_count);
}

TEST_CASE("a synchronized tree has 65,534 nodes at most") {
  std::string nodes;
  for (int i = 0; i < 65'533; ++i) nodes += "<Action name='A'/>";
  CHECK(SynchronizedReading(synchronized_tree({nodes})).found() == Lines());
  CHECK(SynchronizedReading(synchronized_tree({nodes + "<Action name='A'/>"})).found() == Lines{"1 too-many"});
}

}  // namespace dialects_synchronized_trees
