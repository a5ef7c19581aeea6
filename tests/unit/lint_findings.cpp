// What analyses report in trees, and what they do not. The rule table shows one example of each rule; the other forms
// are here, with code that looks like a fault but is correct.
#include "lint_reading.h"
#include "unit.h"

namespace lint_findings {

using namespace espalier;
using rules::Rule;

using Lines = std::vector<std::string>;

namespace {

// A root node and the places of one rule's findings in it. The root is in line 2.
struct Case {
  const char* root;
  Lines found;
};

void check(Rule rule, const std::vector<Case>& cases, const char* sections = "") {
  for (const Case& row : cases) {
    CAPTURE(row.root);
    const LintReading reading({modular_tree(row.root, sections)});
    REQUIRE(reading.project.trees.size() == 1);
    CHECK(reading.found(rule) == row.found);
  }
}

const text::Finding* find(const LintReading& reading, Rule rule) {
  for (const text::Finding& finding : reading.findings.all()) {
    if (finding.rule == rule) return &finding;
  }
  return nullptr;
}

}  // namespace

// ---- Roots --------------------------------------------------------------------------------------

TEST_CASE("a root that can end is told with the way to what decides") {
  check(Rule::MBT_root_can_complete,
        {{"<Halt/>", {}},
         {"<Loop>\n<Sequence>\n<Wait duration='1'/>\n<AssertLua code='return 1'/>\n</Sequence>\n</Loop>",
          {"2 <- 3 <- 5"}},
         {"<Selector>\n<AssertLua code='return 1'/>\n<Halt/>\n</Selector>", {"2 <- 3"}},
         {"<Priority>\n<Case condition='A'>\n<Halt/>\n</Case>\n</Priority>", {"2"}},
         {"<Parallel successMode='any'>\n<Move/>\n<Wait duration='9'/>\n</Parallel>", {"2 <- 4"}},
         {"<Loop>\n<SuppressFailure>\n<Sequence>\n<Move/>\n<Fail/>\n</Sequence>\n</SuppressFailure>\n</Loop>", {}}},
        "<Variables><Variable name='A'/></Variables>");
}

TEST_CASE("a root that only an answer of the host ends is a note") {
  const LintReading by_host({modular_tree("<Sequence><Move/><Halt/></Sequence>")});
  const text::Finding* finding = find(by_host, Rule::MBT_root_can_complete);
  REQUIRE(finding != nullptr);
  CHECK(finding->severity == rules::Severity::note);
  const LintReading by_itself({modular_tree("<Sequence><AssertLua code='return 1'/><Move/></Sequence>")});
  finding = find(by_itself, Rule::MBT_root_can_complete);
  REQUIRE(finding != nullptr);
  CHECK(finding->severity == rules::Severity::warning);
}

TEST_CASE("what becomes of a tree whose root ends is said as the project has it") {
  dialects::Options options;
  const std::string tree = modular_tree("<Log message='M'/>");
  const LintReading reboots({tree}, options);
  REQUIRE(find(reboots, Rule::MBT_root_completes) != nullptr);
  CHECK(find(reboots, Rule::MBT_root_completes)->message.find("espalier restarts it") != std::string::npos);
  options.stops_when_root_is_done = true;
  const LintReading stops({tree}, options);
  REQUIRE(find(stops, Rule::MBT_root_completes) != nullptr);
  CHECK(find(stops, Rule::MBT_root_completes)->message.find("so does espalier") != std::string::npos);
}

TEST_CASE("a root that can run does not end in its first update") {
  check(Rule::MBT_root_completes, {{"<Log/>", {"2"}},
                                   {"<Sequence><AssertLua code='return 1'/><Log/></Sequence>", {"2"}},
                                   {"<Log _startLog='L'/>", {"2"}},
                                   {"<Move/>", {}},
                                   {"<Selector><Log/><Halt/></Selector>", {"2"}},
                                   {"<Selector><Fail/><Halt/></Selector>", {}}});
}

// ---- Never ticked -------------------------------------------------------------------------------

TEST_CASE("nodes are never ticked behind one that cannot let them") {
  check(Rule::MBT_never_ticked,
        {{"<Sequence>\n<Halt/>\n<Log/>\n<Log/>\n</Sequence>", {"4 <- 3"}},
         {"<Sequence>\n<Loop>\n<Move/>\n</Loop>\n<Log/>\n</Sequence>", {"6 <- 3"}},
         {"<Selector>\n<Wait duration='1'/>\n<Halt/>\n</Selector>", {"4 <- 3"}},
         {"<Selector>\n<Move/>\n<Halt/>\n</Selector>", {}},
         {"<Sequence>\n<Timeout _startLog='L' duration='1'/>\n<Move/>\n</Sequence>", {}},
         {"<Priority>\n<Case>\n<Halt/>\n</Case>\n<Case>\n<Move/>\n</Case>\n</Priority>", {"6 <- 3"}},
         {"<Priority>\n<Case condition='true'>\n<Halt/>\n</Case>\n<Case>\n<Move/>\n</Case>\n</Priority>", {"6 <- 3"}},
         {"<RandomGate opensWithChance='0'>\n<Sequence>\n<Halt/>\n<Log/>\n</Sequence>\n</RandomGate>", {"3 <- 2"}}});
}

TEST_CASE("what follows from a fault is not reported beside it") {
  const LintReading limit(
      {modular_tree("<Loop><SuppressFailure>\n<Sequence>\n<LimitConcurrentUsers max='0'>\n<Move/>\n"
                    "</LimitConcurrentUsers>\n<Move/>\n</Sequence>\n</SuppressFailure></Loop>")});
  CHECK(limit.found() == Lines{"4 limit-zero"});
  const LintReading timeout(
      {modular_tree("<Loop><SuppressFailure>\n<Sequence>\n<Timeout duration='1'/>\n<Move/>\n"
                    "</Sequence>\n</SuppressFailure></Loop>")});
  CHECK(timeout.found() == Lines{"4 timeout-no-effect"});
  const LintReading below(
      {modular_tree("<Sequence>\n<Halt/>\n<Sequence>\n<Fail/>\n<Move/>\n</Sequence>\n</Sequence>")});
  CHECK(below.found() == Lines{"4 never-ticked <- 3"});
}

// ---- Loops, parallels, timeouts -----------------------------------------------------------------

TEST_CASE("a timeout has an effect where its failure ends a parallel or chooses what comes next") {
  check(Rule::MBT_timeout_no_effect,
        {{"<Parallel>\n<Move/>\n<Timeout duration='1'/>\n</Parallel>", {}},
         {"<Parallel failureMode='all'>\n<Move/>\n<Timeout duration='1'/>\n</Parallel>", {"4 <- 2"}},
         {"<Parallel successMode='any'>\n<Move/>\n<SuppressFailure>\n<Timeout duration='1'/>\n</SuppressFailure>\n"
          "</Parallel>",
          {}},
         {"<Parallel>\n<Move/>\n<Sequence>\n<Timeout duration='1'/>\n<Log/>\n</Sequence>\n</Parallel>", {}},
         {"<Selector>\n<Timeout duration='1'/>\n<Move/>\n</Selector>", {}},
         {"<Selector>\n<Move/>\n<Timeout duration='1'/>\n</Selector>", {"4"}},
         {"<LoopUntilSuccess>\n<Selector>\n<Move/>\n<Timeout duration='1'/>\n</Selector>\n</LoopUntilSuccess>", {}},
         {"<Loop>\n<Timeout duration='1'/>\n</Loop>", {"3"}},
         {"<Parallel>\n<Move/>\n<Loop>\n<SuppressFailure>\n<Timeout duration='1'/>\n</SuppressFailure>\n</Loop>\n"
          "</Parallel>",
          {"6 <- 2"}}});
}

TEST_CASE("a parallel hangs when its children differ and both modes want all") {
  check(Rule::MBT_parallel_can_hang,
        {{"<Parallel failureMode='all'>\n<Move/>\n<Move/>\n</Parallel>", {"2"}},
         {"<Parallel>\n<Move/>\n<Move/>\n</Parallel>", {}},
         {"<Parallel successMode='any' failureMode='all'>\n<Move/>\n<Move/>\n</Parallel>", {}},
         {"<Parallel failureMode='all'>\n<Wait duration='1'/>\n<Log/>\n</Parallel>", {}},
         {"<Parallel failureMode='all'>\n<Move/>\n<Halt/>\n</Parallel>", {}},
         {"<Parallel failureMode='all'>\n<Log/>\n<Fail/>\n</Parallel>", {"2"}}});
}

TEST_CASE("a loop over a child that ends at once makes one round an update") {
  check(Rule::MBT_instant_loop, {{"<Loop><AssertLua code='return 1'/></Loop>", {"2"}},
                                 {"<Loop count='1'><Log/></Loop>", {}},
                                 {"<Loop><Fail/></Loop>", {}},
                                 {"<Loop><Move/></Loop>", {}},
                                 {"<LoopUntilSuccess><AssertLua code='return 1'/></LoopUntilSuccess>", {}}});
}

TEST_CASE("a loop until success needs a child that can succeed, or a count") {
  check(Rule::MBT_loop_can_hang,
        {{"<LoopUntilSuccess>\n<Timeout duration='1'/>\n</LoopUntilSuccess>", {"2 <- 3"}},
         {"<LoopUntilSuccess attemptCount='3'>\n<Timeout duration='1'/>\n</LoopUntilSuccess>", {}},
         {"<LoopUntilSuccess>\n<Move/>\n</LoopUntilSuccess>", {}}});
}

TEST_CASE("a failure is suppressed in vain where there is none") {
  check(Rule::MBT_suppress_no_effect,
        {{"<SuppressFailure><Halt/></SuppressFailure>", {"2"}},
         {"<SuppressFailure><Move/></SuppressFailure>", {}},
         {"<SuppressFailure><SuppressFailure><Move/></SuppressFailure></SuppressFailure>", {"2"}},
         {"<SuppressFailure><RandomGate opensWithChance='0.5'><Halt/></RandomGate></SuppressFailure>", {}}});
}

// ---- Machines -----------------------------------------------------------------------------------

namespace {

// A machine of two states, One and Two, one line each from line 2 on.
std::string machine(const char* first_transitions, const char* first, const char* second_transitions = "",
                    const char* second = "<Halt/>") {
  return std::string("<StateMachine><State name='One'><Transitions>") + first_transitions +
         "</Transitions><BehaviorTree>" + first + "</BehaviorTree></State>\n<State name='Two'><Transitions>" +
         second_transitions + "</Transitions><BehaviorTree>" + second + "</BehaviorTree></State></StateMachine>";
}

const char* const kGo = "<Transition to='Two' onEvent='Go'/>";

Lines found_in(Rule rule, const std::string& root) { return LintReading({modular_tree(root)}).found(rule); }

}  // namespace

TEST_CASE("a state is reached by transitions from the first") {
  CHECK(found_in(Rule::MBT_state_unreachable, machine("", "<Halt/>")) == Lines{"3 <- 2"});
  CHECK(found_in(Rule::MBT_state_unreachable, machine(kGo, "<Halt/>")).empty());
  CHECK(found_in(Rule::MBT_state_unreachable,
                 machine("", "<Halt/>", "<Transition to='Two' onEvent='Go'/><Transition to='One' onEvent='Go'/>")) ==
        Lines{"3 <- 2"});
}

TEST_CASE("nothing is reported in a state that is never reached") {
  CHECK(LintReading({modular_tree(machine("", "<Halt/>",
                                          "<Transition to='One' onEvent='A'/>"
                                          "<Transition to='Two' onEvent='A'/>",
                                          "<Sequence><Halt/><SendTransitionEvent name='B'/></Sequence>"))})
            .found() == Lines{"3 state-unreachable <- 2"});
}

TEST_CASE("a transition is lost when its machine ends in the update that asks for it") {
  const Rule rule = Rule::MBT_transition_lost;
  CHECK(found_in(rule, machine(kGo, "<SendEvent name='Go'/>")) == Lines{"2 <- 2"});
  CHECK(found_in(rule, machine(kGo, "<Sequence><SendEvent name='Go'/><Halt/></Sequence>")).empty());
  CHECK(found_in(rule, machine(kGo, "<Sequence><SendEvent name='Go'/><Move/></Sequence>")).empty());
  CHECK(found_in(rule, machine(kGo, "<Loop><SendEvent name='Go'/></Loop>")).empty());
  CHECK(found_in(rule, machine(kGo, "<Parallel><Halt/><SendEvent name='Go'/></Parallel>")).empty());
  CHECK(found_in(rule, machine(kGo, "<Parallel successMode='any'><Halt/><SendEvent name='Go'/></Parallel>")).size() ==
        1);
  CHECK(found_in(rule, machine(kGo, "<Sequence><SendEvent name='Other'/></Sequence>")).empty());
  CHECK(found_in(rule, machine("", "<SendEvent name='Go'/>")).empty());
  CHECK(found_in(rule, machine(kGo, "<SendTransitionEvent name='Go'/>")).empty());
  // The machine that contains the one that ends has the transition.
  const std::string inner = machine("", "<SendEvent name='Go'/>");
  CHECK(found_in(rule, machine(kGo, inner.c_str())).size() == 1);
}

TEST_CASE("a node that waits for a transition has one in a state around it") {
  const Rule rule = Rule::MBT_transition_node_misplaced;
  CHECK(found_in(rule, "<SendTransitionEvent name='Go'/>") == Lines{"2"});
  CHECK(found_in(rule, "<SendTransitionSignal name='Go'/>") == Lines{"2"});
  CHECK(found_in(rule, machine(kGo, "<SendTransitionEvent name='Go'/>")).empty());
  CHECK(found_in(rule, machine(kGo, "<SendTransitionEvent name='go'/>")) == Lines{"2 <- 2"});
  CHECK(found_in(rule, machine(kGo, "<Halt/>", "", "<SendTransitionEvent name='Go'/>")) == Lines{"3 <- 3"});
  const std::string inner = machine("", "<SendTransitionEvent name='Go'/>");
  CHECK(found_in(rule, machine(kGo, inner.c_str())).empty());
}

TEST_CASE("a node that waits for a transition may as well wait for its event to end a parallel around it") {
  const Rule rule = Rule::MBT_transition_node_misplaced;
  CHECK(
      found_in(rule, "<Parallel successMode='any'><WaitForEvent name='Go'/><SendTransitionEvent name='Go'/></Parallel>")
          .empty());
  CHECK(found_in(rule, "<Parallel successMode='any'><Move/>\n" +
                           machine(kGo, "<Halt/>", "", "<SendTransitionEvent name='Go'/>") + "</Parallel>") ==
        Lines{"4 <- 4"});
}

TEST_CASE("an event that is no transition is most likely a slip") {
  const LintReading reading({modular_tree(machine(kGo, "<SendTransitionEvent name='GO'/>"))});
  const text::Finding* finding = find(reading, Rule::MBT_transition_node_misplaced);
  REQUIRE(finding != nullptr);
  CHECK(finding->hint == "did you mean 'Go'?");
}

// ---- Events -------------------------------------------------------------------------------------

TEST_CASE("an event is lost when nothing that waits for it can be active when it is sent") {
  check(Rule::MBT_event_lost,
        {{"<Parallel>\n<SendEvent name='E'/>\n<WaitForEvent name='E'/>\n</Parallel>", {"3 <- 4"}},
         {"<Parallel>\n<WaitForEvent name='E'/>\n<SendEvent name='E'/>\n</Parallel>", {}},
         {"<Sequence>\n<SendEvent name='E'/>\n<WaitForEvent name='E'/>\n</Sequence>", {"3 <- 4"}},
         {"<Loop>\n<Sequence>\n<WaitForEvent name='E'/>\n<SendEvent name='E'/>\n</Sequence>\n</Loop>", {"5 <- 4"}},
         // Later than in the first update the second branch is active.
         {"<Parallel>\n<Sequence><Move/>\n<SendEvent name='E'/></Sequence>\n<WaitForEvent name='E'/>\n</Parallel>", {}},
         {"<Parallel>\n<Loop><SendEvent name='E'/></Loop>\n<WaitForEvent name='E'/>\n</Parallel>", {}},
         // One of two is received.
         {"<Parallel>\n<SendEvent name='E'/>\n<WaitForEvent name='E'/>\n<SendEvent name='E'/></Parallel>", {}},
         // Nothing in the tree waits for it: it is meant for the host.
         {"<SendEvent name='E'/>", {}},
         // It also comes in another way.
         {"<Sequence>\n<SendEvent name='E'/>\n<WaitForEvent name='E'/><Signal name='E'/>\n</Sequence>", {}}});
}

TEST_CASE("a transition hears an event that is sent in its state, or in one that leads there") {
  const Rule rule = Rule::MBT_event_lost;
  CHECK(found_in(rule, machine(kGo, "<Sequence><SendEvent name='Go'/><Halt/></Sequence>")).empty());
  CHECK(
      found_in(rule, machine("<Transition to='Two' onEvent='Other'/>", "<Halt/>", "<Transition to='One' onEvent='Go'/>",
                             "<Sequence><SendEvent name='Other'/><Halt/></Sequence>"))
          .empty());
  CHECK(found_in(rule, machine(kGo, "<Halt/>", "", "<Sequence><SendEvent name='Go'/><Halt/></Sequence>")) ==
        Lines{"3 <- 2"});
  CHECK(found_in(rule, "<Sequence><SendEvent name='Go'/>\n" + machine(kGo, "<Halt/>") + "</Sequence>") ==
        Lines{"2 <- 3"});
}

TEST_CASE("an event is known when it is declared, or some tree sends it") {
  dialects::Options options;
  options.events = {"OnEnemySeen"};
  const std::string waits = modular_tree("<WaitForEvent name='OnEnemyScene'/>");
  const std::string sends = modular_tree("<Sequence><Signal name='OnEnemyScene'/><Halt/></Sequence>");
  CHECK(LintReading({waits}, options).found(Rule::MBT_event_unknown) == Lines{"2"});
  CHECK(LintReading({waits, sends}, options).found(Rule::MBT_event_unknown).empty());
  CHECK(LintReading({waits}).found(Rule::MBT_event_unknown).empty());
}

// ---- Names --------------------------------------------------------------------------------------

TEST_CASE("a variable is read by conditions and by signals' values") {
  check(Rule::MBT_variable_never_read, {{"<Halt/>", {"4"}}}, "\n<Variables><Variable name='A'/></Variables>");
  check(Rule::MBT_variable_never_read, {{"<MonitorCondition condition='a'/>", {}}},
        "\n<Variables><Variable name='A'/></Variables>");
  check(Rule::MBT_variable_never_read, {{"<MonitorCondition condition='A'/>", {}}},
        "\n<Variables><Variable name='A'/><Variable name='B'/></Variables>"
        "<SignalVariables><Signal name='S' variable='A' value='B'/></SignalVariables>");
}

TEST_CASE("a variable that only signals set needs a signal that does") {
  const std::string tree =
      modular_tree("<MonitorCondition condition='A'/>", "<Variables><Variable name='A'/></Variables>");
  const Rule rule = Rule::MBT_variable_never_set;
  CHECK(LintReading({tree}, {}, {{"a"}, {}}).found(rule).size() == 1);
  CHECK(LintReading({tree}, {}, {{"Tree0/A"}, {}}).found(rule).size() == 1);
  CHECK(LintReading({tree}, {}, {{"Other/A"}, {}}).found(rule).empty());
  CHECK(LintReading({tree}).found(rule).empty());
  const std::string set =
      modular_tree("<MonitorCondition condition='A'/>",
                   "<Variables><Variable name='A'/></Variables>"
                   "<SignalVariables><Signal name='S' variable='A' value='true'/></SignalVariables>");
  CHECK(LintReading({set}, {}, {{"A"}, {}}).found(rule).empty());
}

TEST_CASE("a signal's entry has an effect when it can change something that something can see") {
  const char* root = "<MonitorCondition condition='A or B'/>";
  auto entries = [](const char* signals) {
    return std::string("<Variables><Variable name='A'/><Variable name='B'/></Variables><SignalVariables>\n") + signals +
           "</SignalVariables>";
  };
  auto entry = [](const char* signal, const char* variable, const char* value) {
    return "<Signal name='" + std::string(signal) + "' variable='" + variable + "' value='" + value + "'/>\n";
  };
  struct Signals {
    std::string entries;
    Lines found;
  };
  const std::vector<Signals> cases = {
      {entry("S", "A", "true"), {}},
      {entry("S", "A", "A"), {"4"}},
      {entry("S", "A", "A and (B or !B)"), {"4"}},
      {entry("S", "A", "!A"), {}},
      {entry("S", "A", "B") + entry("S", "B", "A"), {"5"}},
      {entry("S", "A", "true") + entry("S", "A", "false"), {"4 <- 5"}},
      {entry("S", "A", "true") + entry("S", "B", "A") + entry("S", "A", "false"), {}},
      {entry("S", "A", "true") + entry("T", "A", "false"), {}},
      {entry("S", "A", "true") + entry("S", "A", "true"), {"4 <- 5", "5"}},
  };
  for (const Signals& row : cases) {
    CAPTURE(row.entries);
    const LintReading reading({modular_tree(root, entries(row.entries.c_str()))});
    REQUIRE(reading.project.trees.size() == 1);
    CHECK(reading.found(Rule::MBT_signal_no_effect) == row.found);
  }
}

TEST_CASE("a timestamp has a use when a node reads it, or when it clears one that is read") {
  const char* root = "<WaitUntilTime since='Lost' isMoreThan='5'/>";
  check(Rule::MBT_timestamp_never_read, {{root, {}}, {"<Halt/>", {"4", "5"}}},
        "<Timestamps>\n<Timestamp name='Seen' setOnEvent='A' exclusiveTo='Lost'/>\n<Timestamp name='Lost' "
        "setOnEvent='B'/>"
        "</Timestamps>");
}

TEST_CASE("timestamps that clear each other both say so") {
  const char* both =
      "<Sequence><AssertTime since='Lost' isMoreThan='5'/><AssertTime since='Seen' isMoreThan='5'/></Sequence>";
  const char* one = "<AssertTime since='Lost' isMoreThan='5'/>";
  check(Rule::MBT_exclusive_one_way, {{both, {"4 <- 5"}}, {one, {}}},
        "<Timestamps>\n<Timestamp name='Seen' setOnEvent='A' exclusiveTo='Lost'/>\n<Timestamp name='Lost' "
        "setOnEvent='B'/>"
        "</Timestamps>");
  check(Rule::MBT_exclusive_one_way, {{both, {}}},
        "<Timestamps>\n<Timestamp name='Seen' setOnEvent='A' exclusiveTo='Lost'/>\n"
        "<Timestamp name='Lost' setOnEvent='B' exclusiveTo='Seen'/></Timestamps>");
}

// ---- Values -------------------------------------------------------------------------------------

TEST_CASE("a comparison is fixed where no time, or every time, is on its side") {
  check(Rule::MBT_constant_comparison,
        {{"<WaitUntilTime since='Seen' isLessThan='0'/>", {"2"}},
         {"<AssertTime since='Seen' isLessThan='-1'/>", {"2"}},
         {"<IfTime since='Seen' isMoreThan='-0.5'>\n<Halt/></IfTime>", {"2"}},
         {"<IfTime since='Seen' isMoreThan='0'>\n<Halt/></IfTime>", {}},
         {"<WaitUntilTime since='Seen' isLessThan='0.1'/>", {}}},
        "<Timestamps><Timestamp name='Seen' setOnEvent='A'/></Timestamps>");
}

TEST_CASE("a limit is for more than none and less than all") {
  const std::string tree = modular_tree("<LimitConcurrentUsers max='8'><Move/></LimitConcurrentUsers>");
  const Rule rule = Rule::MBT_limit_no_effect;
  CHECK(LintReading({tree}, {}, {{}, 7}).found(rule) == Lines{"2"});
  CHECK(LintReading({tree}, {}, {{}, 8}).found(rule).empty());
  CHECK(LintReading({tree}).found(rule).empty());
  check(Rule::MBT_limit_zero, {{"<GroupScope name='N' allowedConcurrentUsers='0'><Move/></GroupScope>", {"2"}},
                               {"<LimitConcurrentUsers max='1'><Move/></LimitConcurrentUsers>", {}}});
}

TEST_CASE("names of scopes are compared without case") {
  check(Rule::MBT_nested_scope,
        {{"<GroupScope name='N'>\n<Sequence>\n<GroupScope name='n'>\n<Move/></GroupScope></Sequence></GroupScope>",
          {"4 <- 2"}},
         {"<GroupScope name='N'>\n<GroupScope name='M'>\n<GroupScope "
          "name='N'>\n<Move/></GroupScope></GroupScope></GroupScope>",
          {"4 <- 2"}},
         {"<Sequence><GroupScope name='N'><Move/></GroupScope><GroupScope name='N'><Move/></GroupScope></Sequence>",
          {}}});
}

}  // namespace lint_findings
