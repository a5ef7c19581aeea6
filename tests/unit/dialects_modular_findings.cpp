// Findings of modular trees: combinations, consequences and limits. Single rules are shown in lib/rules/MBT* and
// tests/golden/lint.
#include "modular_reading.h"
#include "unit.h"

namespace dialects_modular_findings {

using namespace espalier;
using rules::Rule;

namespace {

struct Case {
  const char* why;
  Lines root;
  Lines found;
  Lines sections = {};
};

void check(const std::vector<Case>& cases, const dialects::Options& options = {}) {
  for (const auto& [why, root, found, sections] : cases) {
    CAPTURE(why);
    const ModularReading reading(modular_tree(root, sections), options);
    CHECK(reading.found() == found);
    bool has_errors = false;
    for (const text::Finding& finding : reading.findings.all()) {
      const bool is_lowered =
          std::find(options.lowered.begin(), options.lowered.end(), finding.rule) != options.lowered.end();
      has_errors = has_errors || (finding.severity == rules::Severity::error && !is_lowered);
    }
    CHECK(reading.project.trees.empty() == has_errors);
  }
}

// Of a tree with one finding.
std::string hint_of(const std::string& tree, const dialects::Options& options = {}) {
  const ModularReading reading(tree, options);
  CAPTURE(tree, reading.found());
  REQUIRE(reading.findings.all().size() == 1);
  return reading.findings.all()[0].hint;
}

std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("sections are read once, and what no section is, never") {
  check({
      {"a second section", {"<Halt/>"}, {"5 unread-element <- 4"}, {"<Variables/>", "<VARIABLES/>"}},
      {"a misspelt one", {"<Halt/>"}, {"4 unread-element"}, {"<Varables/>"}},
      {"MetaExtensions may hold anything", {"<Halt/>"}, {}, {"<MetaExtensions x='1'><Y/></MetaExtensions>"}},
      {"a second Root", {"<Halt/>"}, {"4 unread-element <- 1"}, {"<root><Nonsense/></root>"}},
      {"attributes mean nothing there", {"<Halt/>"}, {"4 unknown-attribute"}, {"<Timestamps name='T'/>"}},
      {"no node", {}, {"1 invalid-root"}},
  });
  CHECK(ModularReading("<BehaviorTree/>").found() == Lines{"1 invalid-root"});
  CHECK(ModularReading("<BehaviorTree>\n<Sequence/></BehaviorTree>").found() ==
        Lines{"1 invalid-root", "2 child-count"});
  CHECK(ModularReading("<BehaviorTree>\n<Rooot>\n<Wait/></Rooot></BehaviorTree>").found() ==
        Lines{"1 invalid-root", "3 missing-attribute"});
  CHECK(hint_of("<BehaviorTree><Halt/></BehaviorTree>") == "put 'Halt' in 'Root'");
  CHECK(hint_of("<BehaviorTree><Rooot><Halt/></Rooot></BehaviorTree>") ==
        "unknown element 'Rooot': did you mean 'Root'?");
  CHECK(ModularReading("<behaviortree><Root><Halt/></Root></behaviortree>").found() == Lines{"1 element-case"});
}

TEST_CASE("variables and signals hold nothing else, and what is declared with a fault is declared") {
  const std::string uses_a = "<AssertCondition condition='A'/>";
  check({
      {"a default", {uses_a}, {"4 bad-value"}, {"<Variables><Variable name='A' default='1'/></Variables>"}},
      {"a misspelt element is read",
       {uses_a},
       {"4 unexpected-element"},
       {"<Variables><Varible name='A'/></Variables>"}},
      {"what another declares is not known",
       {uses_a},
       {"4 unexpected-element"},
       {"<Variables><Flag name='A'/></Variables>"}},
      {"nor what is called nothing", {uses_a}, {"4 missing-attribute"}, {"<Variables><Variable/></Variables>"}},
      {"but a near name is one fault more",
       {"<AssertCondition condition='Alertd'/>"},
       {"2 unknown-variable", "4 missing-attribute"},
       {"<Variables><Variable/><Variable name='Alerted'/></Variables>"}},
      {"elements in them",
       {uses_a},
       {"4 unread-element"},
       {"<Variables><Variable name='A'><B/></Variable></Variables>"}},
      {"signals need all", {"<Halt/>"}, {"4 missing-attribute"}, {"<SignalVariables><Signal/></SignalVariables>"}},
      {"conditions of signals",
       {"<Halt/>"},
       {"4 bad-condition"},
       {"<SignalVariables><Signal name='S' variable='A' value='true or'/></SignalVariables><Variables><Variable "
        "name='A'/></Variables>"}},
      {"other elements", {"<Halt/>"}, {"4 unexpected-element"}, {"<SignalVariables><Halt/></SignalVariables>"}},
  });
}

TEST_CASE("timestamps and events") {
  const std::string uses_t = "<AssertTime since='T' isMoreThan='1'/>";
  check({
      {"names are exact",
       {uses_t},
       {"2 unknown-timestamp"},
       {"<Timestamps><Timestamp name='t' setOnEvent='E'/></Timestamps>"}},
      {"exclusive to none",
       {uses_t},
       {"4 unknown-timestamp"},
       {"<Timestamps><Timestamp name='T' setOnEvent='E' exclusiveTo='U'/></Timestamps>"}},
      {"without a name", {uses_t}, {"4 empty-name"}, {"<Timestamps><Timestamp setOnEvent='E'/></Timestamps>"}},
      {"without an event",
       {uses_t},
       {"4 empty-name"},
       {"<Timestamps><Timestamp name='T' setOnEvent=''/></Timestamps>"}},
      {"an event that Events leave out",
       {"<Sequence><SendEvent name='E'/>", "<SendEvent name='F'/>", "<SendEvent name='F'/></Sequence>"},
       {"3 event-unknown"},
       {"<Events><Event name='E'/></Events>"}},
  });
}

TEST_CASE("nodes have the children that they can have") {
  check({
      {"none",
       {"<Sequence>", "<Selector/>", "<Parallel/>", "<Priority/>", "<StateMachine/>", "<Loop/>", "</Sequence>"},
       {"3 child-count", "4 child-count", "5 child-count", "6 child-count", "7 child-count"}},
      {"too many", {"<Loop>", "<Halt/>", "<Halt/>", "</Loop>"}, {"2 child-count <- 4"}},
      {"of a leaf, with a fault of its own",
       {"<Wait duration='1'>", "<Wait/>", "</Wait>"},
       {"2 child-count <- 3", "3 missing-attribute"}},
      {"ignored ones are not looked at", {"<Log message='m'>", "<Wait/>", "</Log>"}, {"2 ignored-children <- 3"}},
      {"a case without a node", {"<Priority><Case/>", "<Case><Halt/></Case></Priority>"}, {"2 child-count"}},
      {"a case with two",
       {"<Priority><Case><Halt/>", "<Wait/></Case><Case><Halt/></Case></Priority>"},
       {"3 unread-element <- 2"}},
      {"no case",
       {"<Priority>", "<Case condition='true'><Halt/></Case>", "<Sequence><Halt/><Wait/></Sequence>", "</Priority>"},
       {"4 unexpected-element", "4 missing-attribute"}},
      {"a slip of one",
       {"<Priority>", "<Case><Halt/></Case>", "<Cse condition='and'><Halt/></Cse>", "</Priority>"},
       {"4 unexpected-element", "4 bad-condition"}},
      {"no state",
       {"<StateMachine>", "<State name='A'><BehaviorTree><Halt/></BehaviorTree></State>", "<Halt/>", "</StateMachine>"},
       {"4 unexpected-element"}},
      {"what stands elsewhere", {"<Sequence><Halt/>", "<Case><Wait/></Case>", "</Sequence>"}, {"3 unexpected-element"}},
      {"one that logs", {"<Selector _startLog='a'><Halt/></Selector>"}, {}},
      {"one case", {"<Priority><Case><Halt/></Case></Priority>"}, {"2 superfluous-composite"}},
      {"one case that is left", {"<Priority><Case condition='true'><Halt/></Case></Priority>"}, {}},
      {"one state",
       {"<StateMachine><State name='A'><BehaviorTree><Halt/></BehaviorTree></State></StateMachine>"},
       {"2 superfluous-composite"}},
      {"one state that begins anew",
       {"<StateMachine><State name='A'><Transitions><Transition to='A' onEvent='E'/></Transitions>",
        "<BehaviorTree><Halt/></BehaviorTree></State></StateMachine>"},
       {}},
  });
}

TEST_CASE("limits on children are the engine's") {
  const auto of = [](const std::string& name, const std::string& child, std::size_t count) {
    return ModularReading(modular_tree({"<" + name + ">" + repeat(child, count) + "</" + name + ">"})).found();
  };
  const std::string a_case = "<Case><Halt/></Case>";
  const Lines too_many = {"2 too-many-children"};
  CHECK(of("Sequence", "<Halt/>", 255).empty());
  CHECK(of("Sequence", "<Halt/>", 256) == too_many);
  CHECK(of("Selector", "<Halt/>", 255).empty());
  CHECK(of("Selector", "<Halt/>", 256) == too_many);
  CHECK(of("Parallel", "<Halt/>", 32).empty());
  CHECK(of("Parallel", "<Halt/>", 33) == too_many);
  CHECK(of("Priority", a_case, 254).empty());
  CHECK(of("Priority", a_case, 255) == too_many);
  std::string states;
  for (int i = 0; i < 254; ++i) {
    states += "<State name='" + std::to_string(i) + "'><BehaviorTree><Halt/></BehaviorTree></State>";
  }
  CHECK(of("StateMachine", states, 1).empty());
  CHECK(of("StateMachine", states + "<State name='x'><BehaviorTree><Halt/></BehaviorTree></State>", 1) == too_many);
}

TEST_CASE("states") {
  const std::string tree = "<BehaviorTree><Halt/></BehaviorTree>";
  check({
      {"no name",
       {"<StateMachine><State name='A'>" + tree + "</State>", "<State name=''>" + tree + "</State></StateMachine>"},
       {"3 missing-attribute"}},
      {"no name: what is not found may be it",
       {"<StateMachine><State>" + tree,
        "<Transitions><Transition to='Gone' onEvent='E'/></Transitions></State></StateMachine>"},
       {"2 missing-attribute"}},
      {"no tree",
       {"<StateMachine><State name='A'>" + tree + "</State>", "<State name='B'/></StateMachine>"},
       {"3 child-count"}},
      {"a node in its place, with a fault of its own",
       {"<StateMachine><State name='A'>" + tree + "</State>", "<State name='B'>", "<Wait/></State></StateMachine>"},
       {"3 child-count", "4 missing-attribute"}},
      {"an empty tree",
       {"<StateMachine><State name='A'>" + tree + "</State>", "<State name='B'><BehaviorTree/></State></StateMachine>"},
       {"3 child-count"}},
      {"what is not read",
       {"<StateMachine><State name='A'>" + tree + "</State><State name='B'>" + tree,
        "<BehaviorTree><Wait/></BehaviorTree>", "<Transitions/>", "<Transitions><X/></Transitions>",
        "<Junk/></State></StateMachine>"},
       {"3 unread-element <- 2", "5 unread-element <- 4", "6 unread-element"}},
      {"unusual transitions, in case too",
       {"<StateMachine><State name='A'>" + tree + "<Transitions>", "<Jump to='B' onEvent='E'/>",
        "<transition to='B' onEvent='F'/></Transitions></State>",
        "<State name='B'>" + tree + "</State></StateMachine>"},
       {"3 unusual-element", "4 unusual-element"}},
      {"case",
       {"<StateMachine><state NAME='A'>", "<behaviortree><Halt/></behaviortree><transitions/></state>",
        "<STATE name='B'>" + tree + "</STATE></StateMachine>"},
       {"2 element-case", "2 attribute-case", "3 element-case", "3 element-case", "4 element-case"}},
  });
}

TEST_CASE("attributes") {
  check({
      {"logs twice", {"<Halt _startLog='a' _startlog='b'/>"}, {"2 repeated-attribute <- 2"}},
      {"logs that are not read",
       {"<AssertTime since='T' isMoreThan='1' _startLog='a'/>"},
       {"2 log-ignored"},
       {"<Timestamps><Timestamp name='T' setOnEvent='E'/></Timestamps>"}},
      {"logs of no node",
       {"<Halt/>"},
       {"4 unknown-attribute"},
       {"<Timestamps><Timestamp name='T' setOnEvent='E' _startLog='a'/></Timestamps>"}},
      {"hosts may have any, but once", {"<Move to='x' speed='1' TO='y'/>"}, {"2 repeated-attribute <- 2"}},
  });
}

TEST_CASE("values") {
  const Lines kT = {"<Timestamps><Timestamp name='T' setOnEvent='E'/></Timestamps>"};
  check({
      {"numbers",
       {"<Sequence>", "<Wait duration='2s'/>", "<Wait duration='1' variation=''/>",
        "<RandomGate opensWithChance='often'><Halt/></RandomGate>", "<Timeout duration='1e'/>", "</Sequence>"},
       {"3 bad-value", "4 bad-value", "5 bad-value", "6 bad-value"}},
      {"counts",
       {"<Sequence>", "<Loop count='256'><Halt/></Loop>", "<Loop count='-1'><Halt/></Loop>",
        "<Loop count='2.0'><Halt/></Loop>", "<LoopUntilSuccess attemptCount='two'><Halt/></LoopUntilSuccess>",
        "<LimitConcurrentUsers max='65536'><Halt/></LimitConcurrentUsers>", "</Sequence>"},
       {"3 bad-value", "4 bad-value", "5 bad-value", "6 bad-value", "7 bad-value"}},
      {"numbers as atof reads them",
       {"<Sequence>", "<Wait duration='1e-05' variation=' 5'/>", "<Wait duration='1e9'/>", "<Wait duration='1.1e9'/>",
        "<Timeout duration='1e400'/>", "<Wait duration='nan'/>", "<Loop count=' 3 '><Halt/></Loop>", "</Sequence>"},
       {"5 doubtful-value", "6 doubtful-value", "7 doubtful-value"}},
      {"a boolean that is no whole number",
       {"<AssertTime since='T' isMoreThan='1' orNeverBeenSet='0.5'/>"},
       {"2 boolean-spelling"},
       kT},
      {"booleans", {"<AssertTime since='T' isMoreThan='1' orNeverBeenSet='yes'/>"}, {"2 bad-value"}, kT},
      {"words of CRYENGINE's booleans",
       {"<AssertTime since='T' isMoreThan='1' orNeverBeenSet='False'/>"},
       {"2 boolean-spelling"},
       kT},
      {"no comparison", {"<AssertTime since='T'/>"}, {"2 missing-attribute"}, kT},
      {"two, and the ignored one is none",
       {"<AssertTime since='T' isMoreThan='1' isLessThan='x'/>"},
       {"2 ignored-comparison <- 2", "2 bad-value"},
       kT},
      {"since whom",
       {"<Sequence><AssertTime isMoreThan='1'/>", "<WaitUntilTime isMoreThan='1'/></Sequence>"},
       {"2 missing-attribute", "3 empty-name"},
       kT},
      {"below zero",
       {"<Sequence><Timeout duration='-1'/>", "<Wait duration='1' variation='-1'/>",
        "<Wait duration='-1'/></Sequence>"},
       {"2 negative-value", "3 negative-value", "4 wait-forever"}},
      {"modes count case",
       {"<Parallel successMode='Any' failureMode='none'><Halt/><Halt/></Parallel>"},
       {"2 unknown-value", "2 unknown-value"}},
      {"receivers", {"<Signal name='E' filter='All'/>"}, {"2 unknown-value"}},
      {"results", {"<WaitForEvent name='E' result='success'/>"}, {"2 bad-value"}},
  });
}

TEST_CASE("events are declared by the tree, by the project, by hosts and by the engine") {
  dialects::Options options;
  options.engine_events = {"OnEnemySeen"};
  options.events = {"OnOrder"};
  const Lines kEvents = {"<Events><GameEvents>", "<Event name='E'/></GameEvents></Events>"};
  const auto waits = [](const char* event) { return Lines{"<WaitForEvent name='" + std::string(event) + "'/>"}; };
  check(
      {
          {"the tree's", waits("E"), {}, kEvents},
          {"the project's", waits("OnOrder"), {}, kEvents},
          {"the engine's", waits("OnEnemySeen"), {}, kEvents},
          {"none of them", waits("OnEnemyseen"), {"2 event-unknown"}, kEvents},
          {"none, and no section", waits("F"), {}},
      },
      options);
}

TEST_CASE("text is read nowhere but where the game's own elements stand") {
  check({{"beside nodes", {"<Sequence>a<Halt/>", "b<Halt/></Sequence>"}, {"2 unread-text"}},
         {"in a leaf", {"<Halt>", " text ", "</Halt>"}, {"3 unread-text"}},
         {"blanks and comments", {"<Sequence> <!-- a --> <Halt/><Halt/>", "</Sequence>"}, {}},
         {"of the editor", {"<Halt/>"}, {}, {"<MetaExtensions>text</MetaExtensions>"}}});
}

TEST_CASE("an element that is the game's own is known by nobody, or by the engine") {
  dialects::Options options;
  for (const char* name : {"Animate", "GoalPipe", "Move"}) options.engine_hosts.emplace_back().name = name;
  options.engine_hosts[1].children = dialects::HostChildren::raw;
  check({{"the engine's", {"<Move/>"}, {}},
         {"the game's", {"<Sequence><Walk/>", "<Juggle/><Walk/></Sequence>"}, {"2 undeclared-nodes"}},
         {"nearly the engine's", {"<Animte/>"}, {"2 nearly-known-node"}},
         {"nearly a core node", {"<WaitForEvnt name='E'/>"}, {"2 nearly-known-node"}},
         {"short names are near by one letter only",
          {"<Sequence><MoveTo/>", "<Mvoe/></Sequence>"},
          {"2 undeclared-nodes", "3 nearly-known-node"}},
         {"each name once", {"<Sequence><Animte/>", "<Animte/></Sequence>"}, {"2 nearly-known-node"}},
         {"what stands in it is the game's", {"<GoalPipe><A/>text<B/></GoalPipe>"}, {}}},
        options);
}

TEST_CASE("conditions") {
  check({
      {"empty where one is needed", {"<AssertCondition condition=''/>"}, {"2 missing-attribute"}},
      {"each unknown variable",
       {"<AssertCondition condition='A or B'/>"},
       {"2 unknown-variable", "2 unknown-variable"}},
  });
}

TEST_CASE("a lowered error leaves a tree, with the meaning that the engine gives it") {
  dialects::Options options;
  options.lowered = {Rule::MBT_unknown_variable, Rule::MBT_text_after_condition, Rule::MBT_unknown_timestamp,
                     Rule::MBT_empty_name,       Rule::MBT_duplicate_timestamp,  Rule::MBT_unknown_value,
                     Rule::MBT_negative_value,   Rule::MBT_ignored_children,     Rule::MBT_duplicate_state,
                     Rule::MBT_lua_dropped};
  check({{"not one alone",
          {"<Sequence><AssertCondition condition='A'/>", "<Wait/></Sequence>"},
          {"2 unknown-variable", "3 missing-attribute"}}},
        options);
  const auto read = [&](const Lines& root, const Lines& sections = {}) {
    const ModularReading reading(modular_tree(root, sections), options);
    CAPTURE(root);
    REQUIRE(reading.project.trees.size() == 1);
    CHECK_FALSE(reading.found().empty());
    return reading.project.trees[0];
  };
  const Lines kTimes = {
      "<Timestamps><Timestamp name='T' setOnEvent='E' exclusiveTo='U'/>",
      "<Timestamp name='T' setOnEvent='F'/><Timestamp setOnEvent='G'/><Timestamp name='V'/></Timestamps>"};

  const ir::Tree unknown = read({"<AssertCondition condition='!A true'/>"});
  REQUIRE(unknown.conditions.at(0).terms.size() == 2);
  CHECK(unknown.conditions[0].terms[0].kind == ir::TermKind::constant);
  CHECK(unknown.conditions[0].terms[0].left == 0);
  CHECK(unknown.conditions[0].terms[1].kind == ir::TermKind::negation);

  const ir::Tree times = read({"<IfTime isMoreThan='1'><AssertTime since='T' isMoreThan='1'/></IfTime>"}, kTimes);
  REQUIRE(times.as<ir::Ticking>().timestamps.size() == 4);
  CHECK_FALSE(times.as<ir::Ticking>().timestamps[0].exclusive_to);
  CHECK(times.signals.at(times.as<ir::Ticking>().timestamps[1].signal).name == "F");
  CHECK(times.as<ir::Ticking>().timestamps[2].name.empty());
  CHECK(times.signals.at(times.as<ir::Ticking>().timestamps[3].signal).name.empty());
  CHECK_FALSE(times.root.as<ir::TimeTest>().timestamp);
  CHECK(times.root.children.at(0).as<ir::TimeTest>().timestamp == 0);

  const ir::Tree parallel = read({"<Parallel successMode='one' failureMode='All'><Timeout duration='-1'/>",
                                  "<Wait duration='3' variation='-1'/><Wait duration='1' variation='-2'/></Parallel>"});
  CHECK(parallel.root.flags == 0);
  const auto wait = [&](std::size_t i) { return parallel.root.children.at(i).children.at(0).as<ir::Duration>(); };
  CHECK(wait(0).time_us == 0);
  CHECK(wait(1).time_us == 2'000'000);
  CHECK(wait(1).random_us == 1'000'000);
  CHECK(wait(2).time_us == 0);
  CHECK(wait(2).random_us == 1'000'000);

  CHECK(read({"<Log message='m'><Halt/></Log>"}).root.children.empty());
  const ir::Tree queue = read({"<Signal name='E' filter='Everybody'/>"});
  CHECK(queue.root.flags == static_cast<unsigned>(Result::success));

  const std::string tree = "<BehaviorTree><Halt/></BehaviorTree>";
  const ir::Tree machine = read(
      {"<StateMachine><State name='A'>" + tree + "<Transitions><Transition to='b' onEvent='E'/></Transitions></State>",
       "<State name='B'>" + tree + "</State><State name='b'>" + tree + "</State></StateMachine>"});
  REQUIRE(machine.root.children.size() == 3);
  CHECK(machine.root.children[0].as<ir::EventTransitions>().transitions.at(0).target == 1);
}

TEST_CASE("scripts are checked by what the project gives, and one that is dropped may be so here") {
  dialects::Options options;
  options.check_script = [](std::string_view script) -> std::optional<std::string> {
    if (script.find("= =") == std::string_view::npos) return std::nullopt;
    return "unexpected symbol near '='";
  };
  check({{"of a gate", {"<LuaGate code='x = = 1'><Halt/></LuaGate>"}, {"2 lua-syntax"}},
         {"of a wrapper",
          {"<LuaWrapper onEnter='x = = 1'", "onExit='x = = 2'><Halt/></LuaWrapper>"},
          {"2 lua-dropped", "3 lua-dropped"}},
         {"without fault", {"<ExecuteLua code='x = 1'/>"}, {}}},
        options);
  options.lowered = {Rule::MBT_lua_dropped};
  const ModularReading reading(modular_tree({"<LuaWrapper onEnter='x = = 1' onExit='x = 2'><Halt/></LuaWrapper>"}),
                               options);
  const ir::Tree& tree = reading.project.trees.at(0);
  CHECK(tree.root.as<ir::Scripts>().sources[0].empty());
  CHECK(tree.root.as<ir::Scripts>().sources[1] == "x = 2");
}

TEST_CASE("fixes are what would be written") {
  const ModularReading reading(
      modular_tree({"<Sequence><WaitUntilTime since='T' isMoreThan='1' orNeverBeenSet='1'/><Wait DURATION='1'/>",
                    "<AssertTime since='T' isMoreThan='1' orNeverBeenSet='TRUE'/></Sequence>"},
                   {"<timestamps><Timestamp name='T' setOnEvent='E'/></timestamps >"}));
  Lines fixes;
  for (const text::Finding& finding : reading.findings.all()) {
    for (const text::Fix& fix : finding.fixes) {
      for (const text::Edit& edit : fix.edits) {
        fixes.push_back(reading.text_at(edit.span) + " -> " + edit.replacement + ", " +
                        std::string(rules::fix_grade_name(fix.grade)));
      }
    }
  }
  CHECK(fixes == Lines{" ->  succeedIfNeverBeenSet=\"1\", unsafe", "DURATION -> duration, safe", "TRUE -> 1, unsafe",
                       "timestamps -> Timestamps, safe", "timestamps -> Timestamps, safe"});
}

TEST_CASE("names of trees are compared without case, over all files") {
  const std::string tree = modular_tree({"<Halt/>"});
  const ModularReading reading(
      std::vector<std::pair<std::string, std::string>>{{"ai/Guard", tree}, {"AI/guard", tree}, {"Guard", tree}});
  CHECK(reading.found() == Lines{"1 duplicate-tree <- 1"});
  CHECK(reading.project.trees.size() == 2);
}

}  // namespace dialects_modular_findings
