// What a project declares of the program that runs its trees, and the traces that show findings.
#include "compiled/declared_answers.h"
#include "compiled/witnesses.h"
#include "replay/answers.h"
#include "rules/rules.h"
#include "temporary_folder.h"
#include "unit.h"

namespace compiled_facts {

using namespace espalier;

namespace {

project::Project loaded() {
  project::Project project;
  project::LoadErrors errors;
  REQUIRE(project::load({{"."}}, project, errors));
  return project;
}

}  // namespace

TEST_CASE("answers that a declaration excludes are not given, in replays and in exploration") {
  const TemporaryFolder folder;
  folder.write("espalier.json", R"({"hosts": {"Aim": {"result": ["running", "success"]}, "Fire": {}}})");
  folder.write("tree.xml", "<BehaviorTree><Root><Sequence>\n<Aim/>\n<Fire/>\n</Sequence></Root></BehaviorTree>");
  const project::Project project = loaded();
  const replay::DeclaredAnswers answers =
      compiled::declared_answers(project.ir, project.snapshot.configuration.dialects);
  REQUIRE(answers.size() == 1);
  CHECK(answers.begin()->first.second == "Aim");
  CHECK_FALSE(replay::allows(answers.begin()->second, replay::Answer::failure));
  const explore::DeclaredResults results = compiled::declared_results(project.ir, project.snapshot.sources);
  REQUIRE(results.size() == 1);
  CHECK(std::get<1>(results.begin()->first) == 2);
}

TEST_CASE("a finding that exploration can show gets a trace") {
  const TemporaryFolder folder;
  folder.write("tree.xml", R"(<SelectionTree name="Guard" type="BehaviorSelectionTree">
<Variables><Variable name="Alerted"/></Variables>
<SignalVariables><Signal name="OnSeen" variable="Alerted" value="true"/></SignalVariables>
<Priority name="Root"><Leaf name="Combat" condition="Alerted"/></Priority>
</SelectionTree>)");
  project::Project project;
  project::LoadErrors errors;
  project::LoadOptions options{{"."}};
  options.shown = lint::Shown::all;
  REQUIRE(project::load(options, project, errors));
  compiled::add_witnesses(project);
  bool has_witness = false;
  for (const text::Finding& finding : project.findings.all()) has_witness |= finding.witness.has_value();
  CHECK(has_witness);
}

}  // namespace compiled_facts
