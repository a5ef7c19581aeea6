// The IR of modular trees: each node of the engine, the elements around it, and the operands from its attributes.
#include "modular_reading.h"
#include "runtime/format/opcode_words.h"
#include "unit.h"

namespace dialects_modular_trees {

using namespace espalier;

namespace {

std::string condition_text(const ir::Tree& tree, std::uint32_t index) {
  std::vector<std::string> shapes;
  for (const ir::Term& term : tree.conditions.at(index).terms) {
    switch (term.kind) {
      case ir::TermKind::constant:
        shapes.push_back(term.left != 0 ? "true" : "false");
        break;
      case ir::TermKind::variable:
        shapes.push_back(tree.variables.at(term.left).name);
        break;
      case ir::TermKind::negation:
        shapes.push_back("!" + shapes.at(term.left));
        break;
      default:
        shapes.push_back("(" + shapes.at(term.left) + (term.kind == ir::TermKind::conjunction ? " and " : " ? ") +
                         shapes.at(term.right) + ")");
    }
  }
  return shapes.back();
}

std::string name_of(const ir::Tree& tree, const std::optional<std::uint32_t>& timestamp) {
  return timestamp ? tree.as<ir::Ticking>().timestamps.at(*timestamp).name : "none";
}

// Payloads as text: " count=3", " 'a'".
struct Printer {
  const ir::Tree& tree;
  const ir::Node& node;

  std::string operator()(const std::monostate&) const { return {}; }
  std::string operator()(const ir::Guard& guard) const {
    return guard.condition ? " if " + condition_text(tree, *guard.condition) : "";
  }
  std::string operator()(const ir::Chance& chance) const { return ' ' + std::to_string(chance.number); }
  std::string operator()(const ir::Duration& wait) const {
    return ' ' + whole(wait.time_us) + ' ' + whole(wait.random_us);
  }
  std::string operator()(const ir::TimeTest& test) const {
    return " since " + name_of(tree, test.timestamp) + ' ' + whole(test.threshold_us);
  }
  std::string operator()(const ir::Limit& limit) const {
    const std::string scope = node.opcode == Opcode::tick_scope ? " '" + limit.scope + "'" : "";
    return scope + " count=" + std::to_string(limit.maximum);
  }
  std::string operator()(const ir::Event& event) const { return " on " + tree.signals.at(event.signal).name; }
  std::string operator()(const ir::Texts& texts) const {
    const std::string first = " '" + texts.texts[0] + "'";
    return node.opcode == Opcode::tick_message ? first : first + " '" + texts.texts[1] + "' '" + texts.texts[2] + "'";
  }
  std::string operator()(const ir::Scripts& scripts) const {
    const std::string first = script(scripts.sources[0]);
    return node.opcode == Opcode::tick_script_wrapper ? first + script(scripts.sources[1]) : first;
  }
  std::string operator()(const ir::EventTransitions& state) const {
    std::string result = " '" + node.label + "'";
    for (const ir::EventTransition& transition : state.transitions) {
      result += ' ' + tree.signals.at(transition.signal).name + "->" + std::to_string(transition.target);
    }
    return result;
  }
  std::string operator()(const ir::Behavior& behavior) const {
    CHECK(behavior.name == node.name);
    return {};
  }
  template <typename Other>
  std::string operator()(const Other&) const {
    return " a payload of another engine";
  }

  static std::string whole(std::uint64_t number) { return std::to_string(static_cast<std::int64_t>(number)); }
  static std::string script(const std::string& source) { return source.empty() ? " -" : " `" + source + '`'; }
};

std::string operands(const ir::Tree& tree, const ir::Node& node) {
  const FlagsKind flags = opcode_info(node.opcode).flags;
  const bool has_flags = flags != FlagsKind::none && flags != FlagsKind::number;
  return (has_flags ? ' ' + std::to_string(node.flags) : "") + std::visit(Printer{tree, node}, node.payload);
}

// "sequence Sequence(action Move, result 0 Halt)": opcodes without their engine, names of elements, operands.
std::string shape(const ir::Tree& tree, const ir::Node& node) {
  std::string result = std::string(opcode_name(node.opcode)).substr(std::string("tick_").size());
  result += operands(tree, node);
  if (!node.name.empty()) result += " " + node.name;
  if (node.children.empty()) return result;
  result += "(";
  for (const ir::Node& child : node.children) {
    result += (&child == &node.children.front() ? "" : ", ") + shape(tree, child);
  }
  return result + ")";
}

const Lines kSections = {"<Variables><Variable name='A'/><Variable name='B' default='TRUE'/></Variables>",
                         "<Timestamps><Timestamp name='T' setOnEvent='E'/></Timestamps>"};

std::string shape_of(const std::string& root) {
  const ModularReading reading(modular_tree({root}, kSections));
  CAPTURE(root);
  for (const text::Finding& finding : reading.findings.all()) {
    UNSCOPED_INFO(finding.message);
  }
  REQUIRE(reading.project.trees.size() == 1);
  return shape(reading.project.trees[0], reading.project.trees[0].root);
}

}  // namespace

TEST_CASE("every node of the engine is read") {
  struct {
    const char* root;
    const char* shape;
  } const cases[] = {
      {"<Sequence><Halt/><Fail/></Sequence>", "sequence Sequence(result 0 Halt, result 1 Fail)"},
      {"<Selector><Breakpoint/><Graft/></Selector>", "selector Selector(result 2 Breakpoint, result 0 Graft)"},
      {"<Parallel><Halt/><Fail/></Parallel>", "parallel 0 Parallel(branch(result 0 Halt), branch(result 1 Fail))"},
      {"<Parallel successMode='any'><Halt/><Halt/></Parallel>",
       "parallel 1 Parallel(branch(result 0 Halt), branch(result 0 Halt))"},
      {"<Parallel successMode='all' failureMode='all'><Halt/><Halt/></Parallel>",
       "parallel 2 Parallel(branch(result 0 Halt), branch(result 0 Halt))"},
      {"<Parallel failureMode='any'><Halt/><Halt/></Parallel>",
       "parallel 0 Parallel(branch(result 0 Halt), branch(result 0 Halt))"},
      {"<Priority><Case condition='a and B'><Halt/></Case><Case "
       "condition=''><Halt/></Case><Case><Halt/></Case></Priority>",
       "priority Priority(case if (A and B) Case(result 0 Halt), case Case(result 0 Halt), case Case(result 0 Halt))"},
      {"<Loop><Halt/></Loop>", "loop 0 count=0 Loop(result 0 Halt)"},
      {"<Loop count='255'><Halt/></Loop>", "loop 0 count=255 Loop(result 0 Halt)"},
      {"<LoopUntilSuccess attemptCount='3'><Halt/></LoopUntilSuccess>",
       "loop 1 count=3 LoopUntilSuccess(result 0 Halt)"},
      {"<SuppressFailure><Halt/></SuppressFailure>", "suppress SuppressFailure(result 0 Halt)"},
      {"<IfCondition condition='!A'><Halt/></IfCondition>", "guard if !A IfCondition(result 0 Halt)"},
      {"<IfCondition condition='A' equalTo='1'><Halt/></IfCondition>", "guard if A IfCondition(result 0 Halt)"},
      {"<IfCondition condition='A and B' equalTo='0'><Halt/></IfCondition>",
       "guard if !(A and B) IfCondition(result 0 Halt)"},
      {"<RandomGate opensWithChance='0.5'><Halt/></RandomGate>",
       "chance_guard 4503599627370496 RandomGate(result 0 Halt)"},
      {"<IfTime since='T' isMoreThan='1.5'><Halt/></IfTime>", "time_guard 0 since T 1500000 IfTime(result 0 Halt)"},
      {"<IfTime since='T' isLessThan='-1' orNeverBeenSet='true'><Halt/></IfTime>",
       "time_guard 12 since T -1000000 IfTime(result 0 Halt)"},
      {"<IfTime since='T' isLessThan='1' isMoreThan='2'><Halt/></IfTime>",
       "time_guard 0 since T 2000000 IfTime(result 0 Halt)"},
      {"<LimitConcurrentUsers max='65535'><Halt/></LimitConcurrentUsers>",
       "limit count=65535 LimitConcurrentUsers(result 0 Halt)"},
      {"<GroupScope name='Cover'><Halt/></GroupScope>", "scope 'Cover' count=1 GroupScope(result 0 Halt)"},
      {"<GroupScope name='Cover' allowedConcurrentUsers='2'><Halt/></GroupScope>",
       "scope 'Cover' count=2 GroupScope(result 0 Halt)"},
      {"<LuaGate code='return true'><Halt/></LuaGate>", "script_guard `return true` LuaGate(result 0 Halt)"},
      {"<LuaWrapper onEnter='' onExit='x = 1'><Halt/></LuaWrapper>",
       "script_wrapper - `x = 1` LuaWrapper(result 0 Halt)"},
      {"<Log message='hello'/>", "message 'hello' Log"},
      {"<Log/>", "message '' Log"},
      {"<Wait duration='0.25'/>", "wait 2 250000 0 Wait"},
      {"<Wait duration='1' variation='0.5'/>", "wait 2 1000000 500000 Wait"},
      {"<Wait duration='-1'/>", "result 0 Wait"},
      {"<Wait duration='-0.0000001'/>", "wait 2 0 0 Wait"},
      {"<Timeout duration='3'/>", "wait 1 3000000 0 Timeout"},
      {"<WaitForEvent name='E'/>", "wait_event 2 on E WaitForEvent"},
      {"<WaitForEvent name='E' result='Success'/>", "wait_event 2 on E WaitForEvent"},
      {"<WaitForEvent name='e' result='Failure'/>", "wait_event 1 on e WaitForEvent"},
      {"<AssertCondition condition='A'/>", "condition 1 if A AssertCondition"},
      {"<MonitorCondition condition='A'/>", "condition 0 if A MonitorCondition"},
      {"<AssertTime since='T' isMoreThan='1' orNeverBeenSet='1'/>", "time 9 since T 1000000 AssertTime"},
      {"<AssertTime since='T' isMoreThan='1' orNeverBeenSet='0.0'/>", "time 1 since T 1000000 AssertTime"},
      {"<WaitUntilTime since='T' isLessThan='1'/>", "time 4 since T 1000000 WaitUntilTime"},
      {"<WaitUntilTime since='T' isMoreThan='1' orNeverBeenSet='1'/>", "time 8 since T 1000000 WaitUntilTime"},
      {"<WaitUntilTime since='T' isMoreThan='1' succeedIfNeverBeenSet='2'/>", "time 8 since T 1000000 WaitUntilTime"},
      {"<SendEvent name='E'/>", "send 2 on E SendEvent"},
      {"<SendTransitionEvent name='E'/>", "send 0 on E SendTransitionEvent"},
      {"<Signal name='E'/>", "queue 2 on E Signal"},
      {"<Signal name='E' filter='Sender'/>", "queue 2 on E Signal"},
      {"<Signal name='E' filter='group'/>", "queue 6 on E Signal"},
      {"<SendTransitionSignal name='E' filter='GroupExcludingSender'/>", "queue 8 on E SendTransitionSignal"},
      {"<ExecuteLua code='x = 1'/>", "script 0 `x = 1` ExecuteLua"},
      {"<AssertLua code='return x'/>", "script 1 `return x` AssertLua"},
      {"<Move/>", "action Move"},
      {"<HoldFormation><Halt/></HoldFormation>", "wrapper 0 HoldFormation(result 0 Halt)"},
  };
  for (const auto& [root, expected] : cases) {
    CAPTURE(root);
    CHECK(shape_of(root) == expected);
  }
}

TEST_CASE("states keep their names, and transitions the number of their target") {
  CHECK(shape_of("<StateMachine><State name='Calm'><BehaviorTree><Halt/></BehaviorTree><Transitions>"
                 "<Transition to='ANGRY' onEvent='E'/><Transition onEvent='e' to='Calm'/></Transitions></State>"
                 "<State name='Angry'><BehaviorTree><Fail/></BehaviorTree></State></StateMachine>") ==
        "machine StateMachine(state 'Calm' E->1 e->0 State(result 0 Halt), state 'Angry' State(result 1 Fail))");
}

TEST_CASE("a node that logs stands below one that does it") {
  CHECK(shape_of("<Sequence _startLog='a' _failureLog='c'><Halt _successLog='b'/><Move _startLog=''/></Sequence>") ==
        "log 'a' '' 'c'(sequence Sequence(log '' 'b' ''(result 0 Halt), action Move))");
  CHECK(shape_of("<Parallel><Move _STARTLOG='a'/><Halt/></Parallel>") ==
        "parallel 0 Parallel(branch(log 'a' '' ''(action Move)), branch(result 0 Halt))");
  CHECK(shape_of("<StateMachine _startLog='no'><State name='S' _startLog='no'><BehaviorTree>"
                 "<Log message='m' _startLog='no'/></BehaviorTree></State></StateMachine>") ==
        "machine StateMachine(state 'S' State(message 'm' Log))");
}

TEST_CASE("declarations are read wherever they stand, each name in its own case") {
  const ModularReading reading(
      modular_tree({"<WaitForEvent name='OnQueue'/>"},
                   {"<Timestamps><Timestamp name='T' setOnEvent='OnSeen' exclusiveTo='U'/>",
                    "<Timestamp name='U' setOnEvent='OnLost' exclusiveTo='T'/></Timestamps>",
                    "<SignalVariables><Signal name='OnSeen' variable='a' value='!A'/>",
                    "<Signal name='onseen' variable='A' value='true'/>",
                    "<Signal name='OnSeen' variable='B' value='a and b'/></SignalVariables>",
                    "<Variables><Variable name='A'/><Variable name='B' default='TRUE'/></Variables>"}));
  CHECK(reading.found().empty());
  REQUIRE(reading.project.trees.size() == 1);
  const ir::Tree& tree = reading.project.trees[0];
  CHECK(tree.name == "Guard");
  CHECK(reading.text_at(tree.span) == "BehaviorTree");
  REQUIRE(tree.variables.size() == 2);
  CHECK(tree.variables[1].name == "B");
  CHECK(tree.variables[1].initial);
  REQUIRE(tree.signals.size() == 4);
  CHECK(tree.signals[0].name == "OnSeen");
  REQUIRE(tree.signals[0].assignments.size() == 2);
  CHECK(condition_text(tree, tree.signals[0].assignments[0].condition) == "!A");
  CHECK(tree.signals[0].assignments[1].variable == 1);
  CHECK(tree.signals[1].name == "onseen");
  CHECK(tree.signals[2].name == "OnLost");
  CHECK(tree.signals[2].assignments.empty());
  CHECK(tree.signals[3].name == "OnQueue");
  REQUIRE(tree.as<ir::Ticking>().timestamps.size() == 2);
  CHECK(tree.as<ir::Ticking>().timestamps[0].signal == 0);
  CHECK(tree.as<ir::Ticking>().timestamps[0].exclusive_to == 1);
  CHECK(tree.as<ir::Ticking>().timestamps[1].exclusive_to == 0);
  CHECK_FALSE(tree.as<ir::Ticking>().known_events);
}

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

TEST_CASE("what a node stands for is known by its place") {
  const ModularReading reading(modular_tree({"<Parallel>", "<Move _startLog='x'/>", "<Halt/>", "</Parallel>"}));
  const ir::Node& branch = reading.project.trees.at(0).root.children.at(0);
  CHECK(branch.name.empty());
  CHECK(reading.text_at(branch.span) == "Move");
  CHECK(branch.children.at(0).name.empty());
  CHECK(reading.text_at(branch.children.at(0).span) == "Move");
  CHECK(reading.place(branch.children.at(0).children.at(0).span) == "3");
}

TEST_CASE("whether a tree begins anew when its root has ended is the project's to say") {
  dialects::Options options;
  CHECK_FALSE(ModularReading(modular_tree({"<Halt/>"}), options).project.trees.at(0).as<ir::Ticking>().stays_stopped);
  options.stops_when_root_is_done = true;
  CHECK(ModularReading(modular_tree({"<Halt/>"}), options).project.trees.at(0).as<ir::Ticking>().stays_stopped);
}

TEST_CASE("the trees of a project are sorted by name") {
  const std::string tree = modular_tree({"<Halt/>"});
  const ModularReading reading(std::vector<std::pair<std::string, std::string>>{
      {"b/Guard", tree}, {"a/Guard", tree}, {"Palette", "<Templates><Sequence/><Nonsense a='1'/></Templates>"}});
  CHECK(reading.found() == Lines{"1 palette"});
  REQUIRE(reading.project.trees.size() == 2);
  CHECK(reading.project.trees[0].name == "a/Guard");
}

TEST_CASE("a lowered error leaves a tree, with the meaning that the engine gives it") {
  dialects::Options options;
  options.lowered = {rules::Rule::MBT_unknown_variable,    rules::Rule::MBT_text_after_condition,
                     rules::Rule::MBT_unknown_timestamp,   rules::Rule::MBT_empty_name,
                     rules::Rule::MBT_duplicate_timestamp, rules::Rule::MBT_unknown_value,
                     rules::Rule::MBT_negative_value,      rules::Rule::MBT_ignored_children,
                     rules::Rule::MBT_duplicate_state,     rules::Rule::MBT_lua_dropped};
  CHECK(ModularReading(modular_tree({"<Sequence><AssertCondition condition='A'/>", "<Wait/></Sequence>"}), options)
            .project.trees.empty());
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

TEST_CASE("a script with a lowered error is dropped") {
  dialects::Options options;
  options.check_script = [](std::string_view script) -> std::optional<std::string> {
    if (script.find("= =") == std::string_view::npos) return std::nullopt;
    return "unexpected symbol near '='";
  };
  options.lowered = {rules::Rule::MBT_lua_dropped};
  const ModularReading reading(modular_tree({"<LuaWrapper onEnter='x = = 1' onExit='x = 2'><Halt/></LuaWrapper>"}),
                               options);
  const ir::Tree& tree = reading.project.trees.at(0);
  CHECK(tree.root.as<ir::Scripts>().sources[0].empty());
  CHECK(tree.root.as<ir::Scripts>().sources[1] == "x = 2");
}

TEST_CASE("names of trees are compared without case, over all files") {
  const std::string tree = modular_tree({"<Halt/>"});
  const ModularReading reading(
      std::vector<std::pair<std::string, std::string>>{{"ai/Guard", tree}, {"AI/guard", tree}, {"Guard", tree}});
  CHECK(reading.found() == Lines{"1 duplicate-tree <- 1"});
  CHECK(reading.project.trees.size() == 2);
}

}  // namespace dialects_modular_trees
