// Properties that nobody has written: which ones mean something for a tree, what they say of it, and which are
// proposed. What is told of them is shown in tests/golden/prove.
#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "explore/explore.h"
#include "explore/property/proposing.h"
#include "explore/property/ready_made.h"
#include "explore/property/returning.h"
#include "explore/property/together.h"
#include "replay_guard.h"
#include "replay_modular.h"

namespace explore_ready_made {

using namespace espalier;
using explore::Proof;
using explore::Property;
using explore::ReadyMade;
using explore::Truth;

// Walks or runs, both at once if Both is heard, until it falls, and then lies.
const std::string kWalker = modular_tree(R"(
  <StateMachine>
    <State name="Up">
      <Transitions>
        <Transition to="Down" onEvent="OnFall"/>
      </Transitions>
      <BehaviorTree>
        <Loop><Selector><Walk/><Run/></Selector></Loop>
      </BehaviorTree>
    </State>
    <State name="Down">
      <BehaviorTree>
        <Loop><SuppressFailure><Lie/></SuppressFailure></Loop>
      </BehaviorTree>
    </State>
  </StateMachine>)");

std::vector<ReadyMade> ready_made(const Asset& asset, const explore::HostFacts& host = {}) {
  return explore::ready_made_of(tree(asset, 0), host);
}

Lines names_of(const std::vector<ReadyMade>& all) {
  Lines names;
  for (const ReadyMade& each : all) names.push_back(each.name);
  return names;
}

Truth result_of(const std::vector<ReadyMade>& all, std::string_view name, const explore::Options& options = {}) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const ReadyMade& each) { return each.name == name; });
  REQUIRE(found != all.end());
  const Proof proof = found->prove(options);
  CHECK(proof.property == name);
  return proof.result;
}

TEST_CASE("a tree has the ready-made properties that mean something for it") {
  const CompiledTrees guard({kGuard});
  CHECK(names_of(ready_made(guard.asset())) == Lines{"recoveries-can-be-reached", "can-return"});
  const CompiledTrees leaf({tree_of({"<Leaf name='Idle'/>"})});
  CHECK(names_of(ready_made(leaf.asset())) == Lines{"can-return"});
}

TEST_CASE(
    "each pair of actions that use the same thing is a property, and an action with itself if it is there twice") {
  explore::HostFacts host;
  host.uses = {{"legs", {"Run", "Walk"}}, {"hands", {"Wave"}}};
  const ModularTrees once(kWalker);
  CHECK(names_of(ready_made(once.asset(), host)) ==
        Lines{"one-use-at-a-time (legs: Walk and Run)", "recoveries-can-be-reached", "can-return"});
  const ModularTrees twice(modular_tree("<Parallel><Run/><Run/></Parallel>"));
  const std::vector<ReadyMade> all = ready_made(twice.asset(), host);
  CHECK(names_of(all) == Lines{"one-use-at-a-time (legs: two Run)", "can-return"});
  CHECK(result_of(all, "one-use-at-a-time (legs: two Run)") == Truth::fails);
}

TEST_CASE("a ready-made property that could be written says how") {
  explore::HostFacts host;
  host.uses = {{"legs", {"Run", "Walk"}}};
  const ModularTrees walker(kWalker);
  const std::vector<ReadyMade> all = ready_made(walker.asset(), host);
  REQUIRE(all.front().property != nullptr);
  CHECK(explore::expect_line(all.front().property->claim, true, false) ==
        R"({"expect": {"not": {"runs": ["Walk", "Run"]}}})");
  CHECK(explore::is_of_single_updates(*all.front().property));
  CHECK(result_of(all, all.front().name) == Truth::holds);
  CHECK(all.back().property == nullptr);
}

TEST_CASE("what nothing leads back to is where a tree cannot return from") {
  const ModularTrees walker(kWalker);
  const Proof proof = explore::prove_return(tree(walker.asset(), 0), {});
  CHECK(proof.result == Truth::fails);
  REQUIRE(proof.trace);
  REQUIRE_FALSE(proof.trace->steps.empty());
  CHECK(proof.trace->steps.back() == R"({"signal": "OnFall"})");
  CHECK(proof.hint.find("'Walk'") != std::string::npos);
  const CompiledTrees guard({kGuard});
  CHECK(explore::prove_return(tree(guard.asset(), 0), {}).result == Truth::holds);
}

TEST_CASE("whether a tree can return is undecided without a budget for all of its states") {
  const ModularTrees walker(kWalker);
  explore::Options options;
  options.budget.states = 1;
  const Proof proof = explore::prove_return(tree(walker.asset(), 0), options);
  CHECK(proof.result == Truth::undecided);
  CHECK(proof.hint.empty());
  std::atomic<bool> is_interrupted = true;
  explore::Options interrupted;
  interrupted.budget.interruption = &is_interrupted;
  CHECK(explore::prove_return(tree(walker.asset(), 0), interrupted).result == Truth::undecided);
}

TEST_CASE("what is proposed holds, and says something") {
  const CompiledTrees guard({kGuard});
  const std::vector<explore::Proposed> proposed = explore::propose(guard.asset(), {}, {});
  Lines names;
  for (const explore::Proposed& each : proposed) names.push_back(each.name);
  CHECK(names == Lines{"always does something", "Combat only while Alerted", "Idle never while Alerted"});

  text::Sources sources;
  text::Findings findings;
  std::vector<Property> properties;
  explore::read_property_file(sources.add("p", explore::property_file_of(proposed)), sources, findings, properties);
  CHECK_FALSE(findings.has_errors());
  REQUIRE(properties.size() == proposed.size());
  for (const Proof& proof : explore::prove(guard.asset(), properties, {})) CHECK(proof.result == Truth::holds);
}

TEST_CASE("nothing is proposed of other trees than the chosen one, nor without a budget") {
  const CompiledTrees both({kGuard, kSniper});
  for (const explore::Proposed& each : explore::propose(both.asset(), {.name = "Sniper"}, {}))
    CHECK(each.tree == "Sniper");
  explore::Options options;
  options.budget.states = 1;
  const ModularTrees walker(kWalker);
  CHECK(explore::propose(walker.asset(), {}, options).empty());
  CHECK(explore::property_file_of({}) == "{\"properties\": [\n]}\n");
}

TEST_CASE("one exploration tells which of several properties no run shows") {
  const ModularTrees walker(kWalker);
  text::Sources sources;
  text::Findings findings;
  std::vector<Property> properties;
  const std::string file = R"({"properties": [
    {"name": "a", "never": {"runs": ["Walk", "Run"]}},
    {"name": "b", "always": {"running": []}},
    {"name": "c", "reachable": {"runs": ["Lie", "Walk"]}},
    {"name": "d", "never": {"runs": ["Lie"]}},
    {"name": "e", "after": {"signal": "OnFall"}, "never": {"runs": ["Lie"]}},
    {"name": "f", "never": {"event": "enter Lie"}}]})";
  explore::read_property_file(sources.add("p", file), sources, findings, properties);
  REQUIRE(properties.size() == 6);
  std::vector<const Property*> together;
  for (const Property& property : properties) {
    if (explore::is_of_single_updates(property)) together.push_back(&property);
  }
  REQUIRE(together.size() == 4);
  const Tree walking = tree(walker.asset(), 0);
  const explore::Together found = explore::look_together(together, walking, {});
  CHECK(found.are_never_shown == std::vector<bool>{true, false, true, false});
  explore::Options options;
  options.budget.states = 1;
  CHECK(explore::look_together(together, walking, options).are_never_shown == std::vector<bool>(4, false));
}

TEST_CASE("proofs are in the order of the properties, whatever is told first") {
  const ModularTrees walker(kWalker);
  text::Sources sources;
  text::Findings findings;
  std::vector<Property> properties;
  const std::string file = R"({"properties": [
    {"name": "far", "never": {"event": "enter Walk"}, "moreThan": 900},
    {"name": "near", "reachable": {"runs": ["Lie"]}}]})";
  explore::read_property_file(sources.add("p", file), sources, findings, properties);
  explore::Options options;
  options.budget.states = 1000;
  Lines told;
  std::vector<std::size_t> numbers;
  const std::vector<Proof> proofs =
      explore::prove(walker.asset(), properties, options, [&](const Proof& proof, const explore::ProofPlace& place) {
        told.push_back(proof.property);
        numbers.push_back(place.number);
        CHECK(place.count == 2);
      });
  CHECK(told == Lines{"near", "far"});
  CHECK(numbers == std::vector<std::size_t>{1, 0});
  REQUIRE(proofs.size() == 2);
  CHECK(proofs[0].property == "far");
  CHECK(proofs[0].result == Truth::undecided);
}

}  // namespace explore_ready_made
