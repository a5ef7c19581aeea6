// The IR of correct trees of deciders.
#include "decider_reading.h"
#include "runtime/format/opcode_words.h"
#include "unit.h"

namespace dialects_decider_trees {

using namespace espalier;

namespace {

const ir::Tree& only_tree(const DeciderReading& reading) {
  CAPTURE(reading.found());
  REQUIRE(reading.found().empty());
  REQUIRE(reading.project.trees.size() == 1);
  return reading.project.trees[0];
}

// A list as it was written: "Dead !Night".
std::string words_of(const ir::WantedList& list, const Lines& names) {
  std::string result;
  for (const ir::Wanted& word : list.words) {
    result += (result.empty() ? "" : " ") + std::string(word.present ? "" : "!") + names.at(word.index);
  }
  return result;
}

// "(prioritized A (random B @S*3))": a node by its opcode, name and, weight if it is not 1; '@' before a reference.
std::string outline(const ir::Node& node) {
  std::string result = (node.opcode == Opcode::decide_share ? "@" : "") + node.name;
  const auto* share = node.as_if<ir::DeciderShare>();
  const std::uint32_t weight = share != nullptr ? share->weight : node.as<ir::PlacedDecider>().weight;
  if (weight != 1) result += '*' + std::to_string(weight);
  if (node.opcode == Opcode::decide_share || node.opcode == Opcode::decide_behavior) return result;
  result.insert(0, std::string(opcode_name(node.opcode)).substr(std::string("decide_").size()) + ' ');
  for (const ir::Node& child : node.children) result += ' ' + outline(child);
  return '(' + result + ')';
}

const Lines kFlagNames = {"Dead", "Night", "Herd"};
const Lines kStimulusNames = {"TookHit", "Smell"};

}  // namespace

TEST_CASE("a tree keeps what it declares in the order of the file, wherever its sections stand") {
  const DeciderReading reading(
      "<DeciderTree name='Guard' maxRedecides='3'>\n"
      "<Group name='Root' policy='scored'><Decider name='A' behavior='b' flagsAll='!F1' stimuliAny='s1 !s0'/></Group>\n"
      "<SignalStimuli><Signal name='Hit' stimulus='s1'/><Signal name='Off' stimulus='s0'/><Signal name='Hit' "
      "stimulus='s0'/></SignalStimuli>\n"
      "<Behaviors><Behavior name='b' memory='65535'/></Behaviors>\n"
      "<Stimuli><Stimulus name='s0' timeout='2.5'/><Stimulus name='s1'/></Stimuli>\n"
      "<DecisionFlags><Flag name='F0'/><Flag name='F1'/></DecisionFlags></DeciderTree>");
  const ir::Tree& tree = only_tree(reading);
  CHECK(tree.name == "Guard");
  CHECK(reading.text_at(tree.span) == "Guard");
  CHECK(tree.as<ir::Deciding>().max_redecides == 3);
  REQUIRE(tree.variables.size() == 2);
  CHECK(tree.variables[1].name == "F1");
  REQUIRE(tree.as<ir::Deciding>().stimuli.size() == 2);
  CHECK(tree.as<ir::Deciding>().stimuli[0].timeout_us == 2'500'000);
  CHECK(tree.as<ir::Deciding>().stimuli[1].timeout_us == 0);
  REQUIRE(tree.as<ir::Deciding>().declared_behaviors.size() == 1);
  CHECK(tree.as<ir::Deciding>().declared_behaviors[0].memory_bytes == 65535);
  REQUIRE(tree.signals.size() == 2);
  CHECK(tree.signals[0].name == "Hit");
  REQUIRE(tree.signals[0].assignments.size() == 2);
  CHECK(tree.signals[0].assignments[0].variable == 1);
  CHECK(tree.signals[0].assignments[1].variable == 0);
  REQUIRE(tree.root.children.size() == 1);
  const ir::Node& node = tree.root.children[0];
  CHECK(reading.text_at(node.span) == "Decider");
  const ir::Decider& decider = ir::decider_of(node);
  CHECK(decider.behavior == "b");
  CHECK(decider.memory_bytes == 65535);
  CHECK(words_of(decider.flags_all, {"F0", "F1"}) == "!F1");
  CHECK(reading.text_at(decider.flags_all.words[0].span) == "!F1");
  CHECK(words_of(decider.stimuli_any, {"s0", "s1"}) == "s1 !s0");
  CHECK(reading.text_at(decider.stimuli_any.span) == "s1 !s0");
  CHECK(decider.stimuli_all.words.empty());
}

TEST_CASE("each policy is a group of its own kind, and every decider has a record") {
  const DeciderReading reading(
      decider_tree({"<Group name='A' policy='sequential'><Decider name='a' behavior='idle'/></Group>",
                    "<Group name='B' policy='random'><Decider name='b' behavior='idle' weight='65535'/></Group>",
                    "<Group name='C' policy='shuffle'><Decider name='c' behavior='idle'/></Group>",
                    "<Group name='D' policy='scored'><Decider name='d' behavior='idle'/></Group>"}));
  const ir::Tree& tree = only_tree(reading);
  CHECK(outline(tree.root) == "(prioritized Root (sequential A a) (random B b*65535) (shuffle C c) (scored D d))");
  CHECK(tree.as<ir::Deciding>().max_redecides == 16);
}

TEST_CASE("what a decider asks for is kept as it is written") {
  const DeciderReading reading(decider_tree(
      {"<Decider name='A' behavior='guard' decide='Sees' block='64' every='0.0000005' flagsAny='Dead !Dead Dead'/>",
       "<Group name='G' policy='random' decide='Near' decideOnRedecide='true' every='0' stimuliAll='!Smell TookHit'>",
       "<Group name='H' policy='scored' behavior='idle' delegate='true'><Decider name='B' behavior='idle'/></Group>",
       "</Group>"}));
  REQUIRE(reading.found() == Lines{"3 repeated-word <- 3"});
  REQUIRE(reading.project.trees.size() == 1);
  const ir::Tree& tree = reading.project.trees[0];
  const ir::Node& group = tree.root.children.at(1);
  const ir::Decider& first = ir::decider_of(tree.root.children[0]);
  CHECK(first.decide == "Sees");
  CHECK(first.block_bytes == 64);
  CHECK(first.every_us == 1);
  CHECK(first.memory_bytes == 8);
  CHECK(words_of(first.flags_any, kFlagNames) == "Dead !Dead Dead");
  const ir::Decider& second = ir::decider_of(group);
  CHECK(second.decides_again);
  CHECK_FALSE(second.delegates);
  CHECK(second.every_us == 0);
  CHECK(words_of(second.stimuli_all, kStimulusNames) == "!Smell TookHit");
  CHECK(second.behavior.empty());
  const ir::Node& inner = group.children.at(0);
  CHECK(ir::decider_of(inner).delegates);
  CHECK(ir::decider_of(inner).behavior == "idle");
}

TEST_CASE("flags of behaviours are bits in the order of their first use in the file") {
  const Lines shared = {"<Deciders><Decider name='S' behavior='idle' behaviorFlags='swim walk'/></Deciders>"};
  const Lines root = {"<Decider name='A' behavior='idle' behaviorFlags='walk run'/>", "<DeciderRef name='S'/>"};
  const DeciderReading reading(decider_tree(root, "random' behavior='idle' behaviorFlags='run", shared));
  const ir::Tree& tree = only_tree(reading);
  CHECK(tree.as<ir::Deciding>().behavior_flags == Lines{"run", "walk", "swim"});
  CHECK(ir::decider_of(tree.root).behavior_flags == 1);
  CHECK(ir::decider_of(tree.root.children[0]).behavior_flags == 3);
  CHECK(ir::decider_of(tree.as<ir::Deciding>().shared.at(0)).behavior_flags == 6);
}

TEST_CASE("shared deciders stand behind those that they refer to, those that nobody uses too") {
  const Lines shared = {
      "<Deciders>", "<Group name='A' policy='random'><DeciderRef name='B' weight='3'/><DeciderRef name='C'/></Group>",
      "<Group name='B' policy='random'><DeciderRef name='C'/></Group>", "<Decider name='C' behavior='idle'/>",
      "<Decider name='Unused' behavior='idle'/></Deciders>"};
  const DeciderReading reading(
      decider_tree({"<DeciderRef name='A'/>", "<DeciderRef name='C'/>"}, "prioritizedList", shared));
  const ir::Tree& tree = only_tree(reading);
  Lines names;
  for (const ir::Node& node : tree.as<ir::Deciding>().shared) names.push_back(outline(node));
  CHECK(names == Lines{"C", "(random B @C)", "(random A @B*3 @C)", "Unused"});
  CHECK(tree.root.children.at(0).as<ir::DeciderShare>().shared == 2);
  CHECK(tree.root.children.at(1).as<ir::DeciderShare>().shared == 0);
  CHECK(tree.as<ir::Deciding>().shared[2].children.at(0).as<ir::DeciderShare>().shared == 1);
  CHECK(tree.as<ir::Deciding>().shared[1].children.at(0).as<ir::DeciderShare>().shared == 0);
}

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
