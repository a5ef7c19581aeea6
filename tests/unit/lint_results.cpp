// The possible results of updates of nodes: of the update that begins them, and of later ones.
#include "dialects/modular/options.h"
#include "lint/tick/outline.h"
#include "lint_reading.h"
#include "unit.h"

namespace lint_results {

using namespace espalier;
using lint::Hosts;

namespace {

// "R>RS": running at first; then running or success. Nothing after '>' if the node cannot run.
std::string shown(const lint::Outcome& outcome) {
  auto letters = [](ir::Results results) {
    std::string text;
    if ((results & lint::kRuns) != 0) text += 'R';
    if ((results & lint::kFails) != 0) text += 'F';
    if ((results & lint::kSucceeds) != 0) text += 'S';
    return text;
  };
  return letters(outcome.first) + '>' + letters(outcome.later);
}

// The possible results of the root of the tree.
std::string outcome_of(const std::string& root, const lint::Facts& facts = {}, Hosts hosts = Hosts::choose) {
  const std::string sections =
      "<Variables><Variable name='A'/><Variable name='B'/></Variables>"
      "<Timestamps><Timestamp name='Seen' setOnEvent='E'/><Timestamp name='Heard' setOnEvent='E' exclusiveTo='Lost'/>"
      "<Timestamp name='Lost' setOnEvent='E'/></Timestamps>";
  dialects::Options options;
  auto declare = [&](const char* name, ir::Results results, dialects::HostChildren children, dialects::HostAs as) {
    dialects::HostDeclaration host;
    host.name = name;
    host.results = results;
    host.children = children;
    host.as = as;
    options.edit<dialects::ModularOptions>().hosts.push_back(std::move(host));
  };
  using dialects::HostAs;
  using dialects::HostChildren;
  declare("AnimationTag", lint::kSucceeds, HostChildren::one, HostAs::pass);
  declare("Formation", ir::kAnyResult, HostChildren::one, HostAs::keep);
  declare("Look", lint::kRuns, HostChildren::none, HostAs::pass);
  declare("Move", ir::kAnyResult, HostChildren::none, HostAs::pass);
  declare("Query", lint::kFails | lint::kSucceeds, HostChildren::none, HostAs::pass);
  declare("Stance", lint::kSucceeds, HostChildren::none, HostAs::pass);
  declare("Tagged", ir::kAnyResult, HostChildren::one, HostAs::pass);
  const LintReading reading({modular_tree(root, sections)}, options);
  INFO(root);
  REQUIRE(reading.project.trees.size() == 1);
  return shown(lint::TickOutline(reading.project.trees[0], facts).outcome(0, hosts));
}

struct Case {
  const char* root;
  const char* outcome;
};

void check(const std::vector<Case>& cases) {
  for (const Case& row : cases) {
    CAPTURE(row.root);
    CHECK(outcome_of(row.root) == row.outcome);
  }
}

const std::string kWait = "<Wait duration='1'/>";

}  // namespace

TEST_CASE("leaves give what they are there for") {
  check({{"<Fail/>", "F>"},
         {"<Halt/>", "R>R"},
         {"<Graft/>", "R>R"},
         {"<Log message='M'/>", "S>"},
         {"<Wait duration='1'/>", "R>RS"},
         {"<Wait duration='0'/>", "S>"},
         {"<Wait duration='0' variation='1'/>", "RS>RS"},
         {"<Wait duration='-1'/>", "R>R"},
         {"<Timeout duration='1'/>", "R>RF"},
         {"<Timeout duration='0'/>", "F>"},
         {"<WaitForEvent name='E'/>", "R>RS"},
         {"<WaitForEvent name='E' result='Failure'/>", "R>RF"},
         {"<AssertCondition condition='A'/>", "FS>"},
         {"<AssertCondition condition='A or !A'/>", "S>"},
         {"<AssertCondition condition='A and !A'/>", "F>"},
         {"<MonitorCondition condition='A'/>", "RS>RS"},
         {"<MonitorCondition condition='false'/>", "R>R"},
         {"<SendEvent name='E'/>", "S>"},
         {"<SendTransitionEvent name='E'/>", "R>R"},
         {"<Signal name='E'/>", "S>"},
         {"<SendTransitionSignal name='E'/>", "R>R"},
         {"<ExecuteLua code='return 0'/>", "S>"},
         {"<AssertLua code='return 0'/>", "FS>"},
         {"<Move/>", "RFS>RFS"},
         {"<Look/>", "R>R"},
         {"<Stance/>", "S>"}});
}

TEST_CASE("a time since an event is 0 or more, and there is none before the event or once it is cleared") {
  check({{"<WaitUntilTime since='Seen' isMoreThan='1'/>", "RS>RS"},
         {"<AssertTime since='Seen' isMoreThan='1'/>", "FS>"},
         {"<AssertTime since='Seen' isLessThan='0'/>", "F>"},
         {"<AssertTime since='Seen' isLessThan='0' orNeverBeenSet='1'/>", "FS>"},
         {"<AssertTime since='Seen' isMoreThan='-1' orNeverBeenSet='1'/>", "S>"},
         {"<AssertTime since='Lost' isMoreThan='-1' orNeverBeenSet='1'/>", "FS>"},
         {"<IfTime since='Seen' isMoreThan='-1'><Halt/></IfTime>", "RF>R"},
         {"<IfTime since='Seen' isLessThan='0'><Halt/></IfTime>", "F>"}});
}

TEST_CASE("a sequence goes on with success, a selector with failure, in the same update") {
  check({{"<Sequence><Log/><Fail/><Halt/></Sequence>", "F>"},
         {"<Sequence><Log/><Wait duration='1'/><Log/></Sequence>", "R>RS"},
         {"<Sequence><Wait duration='1'/><Fail/></Sequence>", "R>RF"},
         {"<Sequence><Wait duration='1'/><Wait duration='1'/></Sequence>", "R>RS"},
         {"<Sequence><AssertLua code='return 1'/><Log/></Sequence>", "FS>"},
         {"<Sequence><Halt/><Fail/></Sequence>", "R>R"},
         {"<Selector><Fail/><Log/><Halt/></Selector>", "S>"},
         {"<Selector><Timeout duration='1'/><Log/></Selector>", "R>RS"},
         {"<Selector><AssertCondition condition='A'/><Halt/></Selector>", "RS>R"},
         {"<Selector><Fail/><Fail/></Selector>", "F>"}});
}

TEST_CASE("a parallel looks at its success first, and its branches keep their results") {
  check({{"<Parallel><Log/><Log/></Parallel>", "S>"},
         {"<Parallel><Log/><Fail/></Parallel>", "F>"},
         {"<Parallel successMode='any'><Log/><Fail/></Parallel>", "S>"},
         {"<Parallel successMode='any'><Halt/><Timeout duration='1'/></Parallel>", "R>RF"},
         {"<Parallel successMode='any' failureMode='all'><Halt/><Timeout duration='1'/></Parallel>", "R>R"},
         {"<Parallel failureMode='all'><Log/><Fail/></Parallel>", "R>R"},
         {"<Parallel><Log/><Wait duration='1'/></Parallel>", "R>RS"},
         {"<Parallel successMode='any'><Wait duration='0' variation='1'/><Halt/></Parallel>", "RS>RS"},
         {"<Parallel><MonitorCondition condition='A'/><Fail/></Parallel>", "F>"},
         {"<Parallel><Halt/><Move/></Parallel>", "RF>RF"}});
}

TEST_CASE("a priority gives what its cases give, and fails where none can hold") {
  check({{"<Priority><Case condition='A'><Halt/></Case><Case><Halt/></Case></Priority>", "R>R"},
         {"<Priority><Case condition='A'><Halt/></Case></Priority>", "RF>RF"},
         {"<Priority><Case condition='A'><Halt/></Case><Case condition='!A'><Halt/></Case></Priority>", "R>R"},
         {"<Priority><Case condition='A'><Log/></Case><Case><Halt/></Case></Priority>", "RS>RS"},
         {"<Priority><Case><Halt/></Case><Case><Fail/></Case></Priority>", "R>R"},
         {"<Priority><Case condition='A and !A'><Fail/></Case><Case><Halt/></Case></Priority>", "R>R"},
         {"<Priority><Case condition='A'><Halt/></Case><Case condition='B'><Halt/></Case>"
          "<Case condition='!(A or B)'><Halt/></Case></Priority>",
          "R>R"}});
}

TEST_CASE("a machine gives what the states give that transitions lead to") {
  auto machine = [](const char* first, const char* transition, const char* second) {
    return "<StateMachine><State name='One'><Transitions>" + std::string(transition) + "</Transitions><BehaviorTree>" +
           first + "</BehaviorTree></State><State name='Two'><BehaviorTree>" + second +
           "</BehaviorTree></State></StateMachine>";
  };
  const char* go = "<Transition to='Two' onEvent='E'/>";
  CHECK(outcome_of(machine("<Halt/>", go, "<Fail/>")) == "R>RF");
  CHECK(outcome_of(machine("<Halt/>", "", "<Fail/>")) == "R>R");
  CHECK(outcome_of(machine("<Log/>", go, "<Fail/>")) == "S>");
  CHECK(outcome_of(machine("<Wait duration='1'/>", go, "<Halt/>")) == "R>RS");
  // To itself: the state restarts.
  CHECK(outcome_of(machine("<MonitorCondition condition='A'/>", "<Transition to='One' onEvent='E'/>", "<Fail/>")) ==
        "RS>RS");
}

TEST_CASE("a loop runs on with success, and a loop until success with failure") {
  check({{"<Loop><Log/></Loop>", "R>R"},
         {"<Loop><Fail/></Loop>", "F>"},
         {"<Loop><Wait duration='1'/></Loop>", "R>R"},
         {"<Loop><Timeout duration='1'/></Loop>", "R>RF"},
         {"<Loop><Sequence><Wait duration='1'/><AssertLua code='return 1'/></Sequence></Loop>", "R>RF"},
         {"<Loop count='1'><Log/></Loop>", "S>"},
         {"<Loop count='2'><Log/></Loop>", "R>RS"},
         {"<Loop count='3'><Wait duration='1'/></Loop>", "R>RS"},
         {"<LoopUntilSuccess><Log/></LoopUntilSuccess>", "S>"},
         {"<LoopUntilSuccess><Fail/></LoopUntilSuccess>", "R>R"},
         {"<LoopUntilSuccess attemptCount='2'><Fail/></LoopUntilSuccess>", "R>RF"},
         {"<LoopUntilSuccess><AssertLua code='return 1'/></LoopUntilSuccess>", "RS>RS"},
         {"<LoopUntilSuccess><Wait duration='1'/></LoopUntilSuccess>", "R>RS"}});
}

TEST_CASE("a gate gives what its child gives, or fails in its first update") {
  check({{"<IfCondition condition='A'><Halt/></IfCondition>", "RF>R"},
         {"<IfCondition condition='true'><Halt/></IfCondition>", "R>R"},
         {"<IfCondition condition='true' equalTo='false'><Halt/></IfCondition>", "F>"},
         {"<RandomGate opensWithChance='0.5'><Log/></RandomGate>", "FS>"},
         {"<RandomGate opensWithChance='1'><Log/></RandomGate>", "S>"},
         {"<RandomGate opensWithChance='0'><Log/></RandomGate>", "F>"},
         {"<LimitConcurrentUsers max='0'><Log/></LimitConcurrentUsers>", "F>"},
         {"<LimitConcurrentUsers max='1'><Halt/></LimitConcurrentUsers>", "RF>R"},
         {"<GroupScope name='N'><Log/></GroupScope>", "FS>"},
         {"<LuaGate code='return 1'><Log/></LuaGate>", "FS>"},
         {"<LuaWrapper onEnter='a = 1'><Log/></LuaWrapper>", "S>"},
         {"<SuppressFailure><Timeout duration='1'/></SuppressFailure>", "R>RS"},
         {"<SuppressFailure><Fail/></SuppressFailure>", "S>"},
         {"<Wait _startLog='L' duration='1'/>", "R>RS"}});
}

TEST_CASE("a host's decorator is closed where it may fail, and one that keeps begins its child anew") {
  check({{"<Tagged><Log/></Tagged>", "FS>"},
         {"<AnimationTag><Log/></AnimationTag>", "S>"},
         {"<Formation><Wait duration='1'/></Formation>", "RF>R"},
         {"<Formation><Timeout duration='1'/></Formation>", "RF>RF"}});
}

TEST_CASE("a limit above the number of agents is always open") {
  lint::Facts facts;
  facts.agent_count = 4;
  CHECK(outcome_of("<LimitConcurrentUsers max='4'><Halt/></LimitConcurrentUsers>", facts) == "R>R");
  CHECK(outcome_of("<LimitConcurrentUsers max='3'><Halt/></LimitConcurrentUsers>", facts) == "RF>R");
}

TEST_CASE("without hosts that end, only what core nodes decide is left") {
  const std::vector<Case> cases = {{"<Sequence><Move/><Fail/></Sequence>", "R>R"},
                                   {"<Sequence><Stance/><Fail/></Sequence>", "F>"},
                                   {"<Parallel><Move/><Timeout duration='1'/></Parallel>", "R>RF"},
                                   {"<Tagged><Halt/></Tagged>", "R>R"},
                                   {"<IfCondition condition='A'><Move/></IfCondition>", "RF>R"}};
  for (const Case& row : cases) {
    CAPTURE(row.root);
    CHECK(outcome_of(row.root, {}, Hosts::run) == row.outcome);
  }
}

}  // namespace lint_results
