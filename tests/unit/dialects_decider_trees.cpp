// A tree of deciders with errors. Sound ones are shown in tests/golden/dump.
#include "decider_reading.h"
#include "unit.h"

namespace dialects_decider_trees {

using namespace espalier;

TEST_CASE("trees come sorted by name; one with errors keeps no other away") {
  const auto tree = [](const char* name) {
    std::string text = decider_tree({"<Decider name='A' behavior='idle'/>"});
    return text.replace(text.find("Guard"), 5, name);
  };
  const DeciderReading reading(Lines{tree("Wolf"), decider_tree({"<Nothing/>"}), tree("Hare")});
  REQUIRE(reading.project.trees.size() == 2);
  CHECK(reading.project.trees[0].name == "Hare");
  CHECK(reading.project.trees[1].name == "Wolf");
}

}  // namespace dialects_decider_trees
