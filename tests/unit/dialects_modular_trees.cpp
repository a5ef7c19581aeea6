// What the reader of modular trees keeps that dump does not print. The nodes are shown in tests/golden/dump.
#include "modular_reading.h"
#include "unit.h"

namespace dialects_modular_trees {

using namespace espalier;

TEST_CASE("a tree keeps the events that it declares, but not those of the project") {
  dialects::Options options;
  options.events = {"OnOrder"};
  const std::string plain = modular_tree({"<Halt/>"});
  CHECK_FALSE(ModularReading(plain, options).project.trees.at(0).as<ir::Ticking>().known_events);
  const ModularReading both(modular_tree({"<Halt/>"}, {"<Events><Event name='OnSeen'/></Events>"}), options);
  CHECK(both.project.trees.at(0).as<ir::Ticking>().known_events == Lines{"OnSeen"});
  REQUIRE(both.project.trees.at(0).signals.size() == 1);
  CHECK(both.project.trees.at(0).signals[0].name == "OnSeen");
}

TEST_CASE("names of trees are compared without case, over all files") {
  const std::string tree = modular_tree({"<Halt/>"});
  const ModularReading reading(
      std::vector<std::pair<std::string, std::string>>{{"ai/Guard", tree}, {"AI/guard", tree}, {"Guard", tree}});
  CHECK(reading.found() == Lines{"1 duplicate-tree <- 1"});
  CHECK(reading.project.trees.size() == 2);
}

}  // namespace dialects_modular_trees
