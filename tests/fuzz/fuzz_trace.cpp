// Any bytes as a trace, of trees of each kind: replayed, or refused with a message.
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "codegen/compile.h"
#include "dialects/dialect.h"
#include "fuzz.h"
#include "ir/poll/expand.h"
#include "report/replays.h"
#include "text/xml.h"

namespace {

using namespace espalier;

constexpr std::string_view kSelecting = R"(<SelectionTree name="Guard" type="BehaviorSelectionTree">
  <Variables><Variable name="Alerted"/><Variable name="Near"/><Variable name="Empty"/></Variables>
  <SignalVariables>
    <Signal name="OnSeen" variable="Alerted" value="true"/><Signal name="OnLost" variable="Alerted" value="Near and !Empty"/>
  </SignalVariables>
  <Priority name="Root">
    <StateMachine name="Combat" condition="Alerted">
      <State name="Approach"><Transition state="Fight" condition="Near"/><Leaf name="Run"/></State>
      <State name="Fight"><Transition state="Approach" condition="Empty"/><Leaf name="Shoot"/></State>
    </StateMachine>
    <Leaf name="Idle" condition="!Near"/>
  </Priority>
</SelectionTree>)";

constexpr std::string_view kTicking = R"(<BehaviorTree>
  <Variables><Variable name="Alerted"/><Variable name="Near"/></Variables>
  <SignalVariables><Signal name="OnSeen" variable="Alerted" value="true"/><Signal name="OnLost" variable="Alerted" value="Near"/></SignalVariables>
  <Timestamps><Timestamp name="Seen" setOnEvent="OnSeen" exclusiveTo="Lost"/><Timestamp name="Lost" setOnEvent="OnLost" exclusiveTo="Seen"/></Timestamps>
  <Root>
    <StateMachine>
      <State name="Idle">
        <Transitions><Transition onEvent="OnSeen" to="Fight"/></Transitions>
        <BehaviorTree>
          <Parallel failureMode="all">
            <WaitForEvent name="OnLost"/>
            <Loop><Sequence><Idle name="Here" _startLog="again"/><Wait duration="1" variation="1"/></Sequence></Loop>
            <Sequence><Signal name="OnLost" filter="Group"/><ExecuteLua code="entity.n = (entity.n or 0) + 1"/><Halt/></Sequence>
          </Parallel>
        </BehaviorTree>
      </State>
      <State name="Fight">
        <Transitions><Transition onEvent="OnLost" to="Idle"/></Transitions>
        <BehaviorTree>
          <Priority>
            <Case condition="Alerted and !Near"><LimitConcurrentUsers max="1"><Guard><Run/></Guard></LimitConcurrentUsers></Case>
            <Case><GroupScope name="Shoot" allowedConcurrentUsers="2"><LuaWrapper onExit="entity.x.y = 1"><Selector><RandomGate opensWithChance="0.5"><Shoot/></RandomGate>
              <IfTime since="Seen" isMoreThan="2"><SendTransitionEvent name="OnLost"/></IfTime></Selector></LuaWrapper></GroupScope></Case>
          </Priority>
        </BehaviorTree>
      </State>
    </StateMachine>
  </Root>
</BehaviorTree>)";

constexpr std::string_view kRules = R"(<behaviorTree>
  <choice id="root">
    <sequence id=".rest">
      <condition>tired</condition>
      <action id=".sit" name="sit"/>
      <yield id=".wait"/>
      <action name="Look"/>
    </sequence>
    <sequence id="spin" loop="true"><condition>Near</condition><action id=".turn" name="turn"/></sequence>
    <action id="walk" name="walk" doNotFail="true"><condition>awake</condition></action>
  </choice>
</behaviorTree>)";

constexpr std::string_view kDeciders = R"(<DeciderTree name="Cat" maxRedecides="4">
  <DecisionFlags><Flag name="Near"/><Flag name="Dead"/></DecisionFlags>
  <Stimuli><Stimulus name="Seen" timeout="2"/><Stimulus name="Smell"/></Stimuli>
  <SignalStimuli><Signal name="OnSeen" stimulus="Seen"/><Signal name="OnSeen" stimulus="Smell"/></SignalStimuli>
  <Behaviors><Behavior name="Run" memory="4"/><Behavior name="Idle"/><Behavior name="Look"/></Behaviors>
  <Deciders><Decider name="rest" behavior="Idle" decide="tired" every="3"/></Deciders>
  <Group name="root" policy="prioritizedList" behavior="Look">
    <Group name="hunt" policy="scored" delegate="true" stimuliAny="Seen Smell" flagsAll="!Dead">
      <Decider name="run" behavior="Run" behaviorFlags="fast" decide="awake" block="8"/>
      <DeciderRef name="rest"/>
    </Group>
    <Group name="mixed" policy="shuffle" decide="d" decideOnRedecide="true">
      <DeciderRef name="rest"/><Decider name="a" behavior="Idle" flagsAny="Near"/><Decider name="b" behavior="Run"/>
    </Group>
    <Group name="any" policy="random"><Decider name="c" behavior="Run" weight="3"/><Decider name="e" behavior="Idle"/></Group>
    <Group name="turns" policy="sequential"><Decider name="f" behavior="Run"/><Decider name="g" behavior="Idle"/></Group>
  </Group>
</DeciderTree>)";

// One file each.
constexpr std::string_view kStoring[] = {R"(<SynchronizedTree name="Squad" maxDepth="3">
  <Selector>
    <Sequence>
      <Monitor><Condition name="HeardNoise"/></Monitor>
      <Repeat count="2" untilFailure="true"><Action name="Run" to="Near"/></Repeat>
    </Sequence>
    <Gate name="Grenade" agents="1"><Cooldown seconds="3" scope="global"><Action name="Throw"/></Cooldown></Gate>
    <Parallel success="any" failure="all"><Invert><Action name="Look"/></Invert><Fail><Cooldown seconds="1"><Action name="Shout"/></Cooldown></Fail></Parallel>
    <Group name="Flank" agents="2" timeout="5" onLeave="reset">
      <Role name="Decoy"><Sequence><Barrier name="ready"/><Action name="Run"/></Sequence></Role>
      <Role><Condition name="HasKnife"/><Sequence><Action name="Sneak"/><Barrier name="ready"/><Succeed><Action name="Strike"/></Succeed></Sequence></Role>
    </Group>
    <ChildTree slot="any" default="Hide"/>
    <ChildTree slot="pocket" budget="64" accepts="Hide Squad"/>
  </Selector>
</SynchronizedTree>)",
                                         R"(<SynchronizedTree name="Hide">
  <Sequence><Group name="Pair" agents="2" onLeave="ignore"><Role><Action name="Duck"/></Role><Role><Barrier name="up"/></Role></Group><ChildTree slot="any"/></Sequence>
</SynchronizedTree>)"};

constexpr std::string_view kPolling = R"(<root BTCPP_format="4" main_tree_to_execute="Patrol">
  <BehaviorTree ID="Patrol">
    <Sequence><Script code="rounds := 0; halts := 0; where := 'Near'"/><Fallback>
      <Sequence _skipIf="rounds &gt; 3" _onHalted="halts += 1">
        <RetryUntilSuccessful num_attempts="2"><Run goal="{where}" speed="2"/></RetryUntilSuccessful>
        <SubTree ID="Turn" target="{where}"/>
        <Timeout msec="800"><Parallel success_count="1"><Look found="{where}"/><Delay delay_msec="300"><AlwaysSuccess/></Delay></Parallel></Timeout>
        <Switch2 variable="{rounds}" case_1="0" case_2="1"><Idle/><AlwaysFailure/><ScriptCondition code="where != 'x'"/></Switch2>
      </Sequence>
      <LoopInt queue="1;2" value="{word}"><Sleep msec="100"/></LoopInt>
    </Fallback></Sequence>
  </BehaviorTree>
  <BehaviorTree ID="Turn"><ReactiveSequence><IsSafe/><Script code="target := target + '!'"/></ReactiveSequence></BehaviorTree>
  <TreeNodesModel>
    <Condition ID="IsSafe"/><Action ID="Idle"/>
    <Action ID="Run"><input_port name="goal" type="std::string"/><input_port name="speed" type="double"/></Action>
    <Action ID="Look"><output_port name="found" type="std::string"/></Action>
  </TreeNodesModel>
</root>)";

struct Compiled {
  std::vector<std::uint64_t> words;
  Asset asset;
};

// Trees of any dialects. Those that are named after their files are "guard", "guard1" and so on.
Compiled compile_trees(std::initializer_list<std::string_view> xmls) {
  text::Sources sources;
  text::Findings findings;
  std::vector<std::unique_ptr<text::XmlDocument>> documents;
  for (const std::string_view xml : xmls) {
    const std::string number = documents.empty() ? "" : std::to_string(documents.size());
    documents.push_back(text::XmlDocument::parse("guard" + number + ".xml", xml, sources, findings));
    fuzz::require(documents.back() != nullptr);
  }
  ir::Project project;
  for (const dialects::Dialect& dialect : dialects::all()) {
    std::vector<dialects::File> files;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (!dialect.owns(documents[i]->root().name())) continue;
      files.push_back({documents[i].get(), i == 0 ? "guard" : "guard" + std::to_string(i)});
    }
    if (!files.empty()) dialect.read(files, {}, project, findings);
  }
  ir::poll::expand(project, [](const ir::poll::WrittenTree&) { return false; });
  Compiled compiled;
  std::size_t asset_bytes = 0;
  compiled.words = codegen::compile(project, sources, {}, findings, &asset_bytes);
  fuzz::require(open(compiled.words.data(), asset_bytes, &compiled.asset) == Status::ok);
  return compiled;
}

// The tree after a change, for traces that reload.
std::string changed(std::string_view xml) {
  std::string text(xml);
  for (const auto& [from, to] : {std::pair{"<Idle ", "<Look/><Idle "},
                                 {"<yield ", "<success/><yield "},
                                 {"<DeciderRef name=\"rest\"/><Dec", "<Dec"},
                                 {"<Action name=\"Strike\"", "<Action name=\"Stab\""},
                                 {"\"any\"", "\"all\""},
                                 {"Near", "Nearby"},
                                 {"<Run/>", "<Flee/>"},
                                 {"case_2=\"1\"", "case_2=\"2\""}}) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + std::strlen(to))) {
      text.replace(at, std::strlen(from), to);
    }
  }
  return text;
}

void replay_trace(const Asset& asset, const Asset& next, const std::string& bytes) {
  std::istringstream trace(bytes);
  std::ostringstream out;
  replay::ReplayOptions options;
  options.load = [&](const std::string& path, auto*) { return path == "back" ? &asset : &next; };
  report::ReplayForm form;
  form.tell = [](const std::string& message) { fuzz::require(!message.empty()); };
  text::Sources sources;
  const auto report = report::replay_trace(asset, trace, "fuzz.trace.jsonl", options, form, sources, out);
  fuzz::require(report.result.holds() != report.result.findings.has_errors());
}

// A trace of agents of all trees of a world: its first line says so.
std::string of_world(const std::string& trace) {
  constexpr std::string_view kFirst =
      R"({"trace": 1, "tree": ["Guard", "guard1", "guard2", "Cat", "Squad", "guard1", "Patrol"], "events": ["enter", "signal", "set"]})";
  const std::size_t end = trace.find('\n');
  return std::string(kFirst) + (end == std::string::npos ? "\n" : trace.substr(end));
}

// Does a trace ask for very many agents or updates? It is skipped then, since that is work and not a fault. Lines add
// up: a hundred lines that ask for a thousand agents each are too many.
bool asks_for_much(std::string_view bytes) {
  constexpr unsigned kMaxSum = 1000;
  unsigned sum = 0;
  unsigned number = 0;
  bool is_number = false;
  for (const char letter : bytes) {
    if (is_number && (letter == 'e' || letter == 'E')) return true;
    is_number = letter >= '0' && letter <= '9';
    if (is_number) {
      number = number * 10 + static_cast<unsigned>(letter - '0');
    } else {
      sum += std::exchange(number, 0);
    }
    if (sum + number > kMaxSum) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  static const Compiled selecting = compile_trees({kSelecting});
  static const Compiled next_selecting = compile_trees({changed(kSelecting)});
  static const Compiled ticking = compile_trees({kTicking});
  static const Compiled next_ticking = compile_trees({changed(kTicking)});
  static const Compiled rules = compile_trees({kRules});
  static const Compiled next_rules = compile_trees({changed(kRules)});
  static const Compiled deciders = compile_trees({kDeciders});
  static const Compiled next_deciders = compile_trees({changed(kDeciders)});
  static const Compiled storing = compile_trees({kStoring[0], kStoring[1]});
  static const Compiled next_storing = compile_trees({changed(kStoring[0]), changed(kStoring[1])});
  static const Compiled polling = compile_trees({kPolling});
  static const Compiled next_polling = compile_trees({changed(kPolling)});
  static const Compiled world =
      compile_trees({kSelecting, kTicking, kRules, kDeciders, kStoring[0], kStoring[1], kPolling});
  static const Compiled next_world =
      compile_trees({changed(kSelecting), changed(kTicking), changed(kRules), changed(kDeciders), changed(kStoring[0]),
                     changed(kStoring[1]), changed(kPolling)});
  const std::string bytes(reinterpret_cast<const char*>(data), size_bytes);
  if (asks_for_much(bytes)) return 0;
  replay_trace(selecting.asset, next_selecting.asset, bytes);
  replay_trace(ticking.asset, next_ticking.asset, bytes);
  replay_trace(rules.asset, next_rules.asset, bytes);
  replay_trace(deciders.asset, next_deciders.asset, bytes);
  replay_trace(storing.asset, next_storing.asset, bytes);
  replay_trace(polling.asset, next_polling.asset, bytes);
  replay_trace(world.asset, next_world.asset, of_world(bytes));
  return 0;
}
