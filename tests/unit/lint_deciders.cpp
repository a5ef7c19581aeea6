// What analyses report in trees of deciders, and what they do not, sentence by sentence. lint_deciders_random.cpp tests
// that they are right for all states of flags and stimuli.
#include <random>

#include "decider_reading.h"
#include "lint/lint.h"
#include "unit.h"

namespace lint_deciders {

using namespace espalier;
using rules::Rule;

namespace {

text::Findings analysed(const DeciderReading& reading) {
  REQUIRE_FALSE(reading.findings.has_errors());
  text::Findings findings;
  lint::analyse(reading.project, {}, findings);
  findings.sort(reading.sources);
  return findings;
}

// The findings of one rule: "4 <- 3".
Lines found(Rule rule, const std::string& tree) {
  const DeciderReading reading(tree);
  Lines result;
  const std::string name = ' ' + std::string(rules::info(rule).name);
  for (std::string line : findings_of(analysed(reading), reading.sources, false)) {
    const std::size_t at = line.find(name);
    if (at == std::string::npos || (at + name.size() != line.size() && line[at + name.size()] != ' ')) continue;
    result.push_back(line.erase(at, name.size()));
  }
  return result;
}

// The first message of one rule, and its hint; empty if there is none.
std::string message(Rule rule, const std::string& tree, bool has_hint = false) {
  const DeciderReading reading(tree);
  const text::Findings findings = analysed(reading);
  for (const text::Finding& finding : findings.all()) {
    if (finding.rule == rule) return has_hint ? finding.hint : finding.message;
  }
  return {};
}

const std::string kFlee = "<Decider name='Flee' behavior='flee' decide='ShouldFlee'/>";
const std::string kIdle = "<Decider name='Idle' behavior='idle'/>";

std::string decider(const std::string& name, const std::string& attributes = {}) {
  return "<Decider name='" + name + "' behavior='guard' " + attributes + "/>";
}

std::string group(const std::string& attributes, const Lines& children, const std::string& policy = "prioritizedList") {
  std::string result = "<Group name='G' policy='" + policy + "' " + attributes + ">\n";
  for (const std::string& child : children) result += child + '\n';
  return result + "</Group>";
}

Lines reach(const Lines& children, const std::string& policy = "prioritizedList", const Lines& behind = {}) {
  return found(Rule::DEC_never_reached, decider_tree(children, policy, behind));
}

// A group with these children, from line 4 on, in the root.
std::string in_group(const std::string& attributes, const Lines& children) {
  return decider_tree({group(attributes, children), kIdle});
}
Lines breach(const std::string& attributes, const Lines& children) {
  return found(Rule::DEC_subset_rule, in_group(attributes, children));
}
std::string breach_message(const std::string& attributes, const Lines& children) {
  const std::string text = message(Rule::DEC_subset_rule, in_group(attributes, children));
  const std::size_t at = text.find(": ");
  return at == std::string::npos ? text : text.substr(at + 2);
}

}  // namespace

// ---- Reach --------------------------------------------------------------------------------------

TEST_CASE("a decider below one that always accepts is never reached, and reported once") {
  CHECK(reach({decider("A"), decider("B"), decider("C")}) == Lines{"4 <- 3"});
  CHECK(reach({kFlee, decider("B")}).empty());
  CHECK(reach({kFlee, decider("B"), kIdle}) == Lines{"5 <- 4"});
}

TEST_CASE("what asks for anything does not always accept") {
  for (const char* attributes : {"decide='D'", "every='2'", "flagsAll='Dead'", "flagsAny='Dead !Dead'",
                                 "stimuliAll='!Smell'", "stimuliAny='Smell'"}) {
    CAPTURE(attributes);
    CHECK(reach({decider("A", attributes), kIdle}).empty());
  }
}

TEST_CASE("other policies come to every child") {
  for (const char* policy : {"sequential", "random", "shuffle", "scored"}) {
    CAPTURE(policy);
    CHECK(reach({decider("A"), kIdle}, policy).empty());
  }
}

TEST_CASE("a group that asks nothing always accepts, whatever its children ask for") {
  CHECK(reach({group("", {decider("A", "flagsAll='Dead'")}), kIdle}) == Lines{"6 <- 3"});
}

TEST_CASE("a group that asks its children always accepts when a child of it does") {
  for (const char* policy : {"prioritizedList", "sequential", "random", "shuffle", "scored"}) {
    CAPTURE(policy);
    CHECK(reach({group("delegate='true'", {kFlee, decider("A")}, policy), kIdle}) == Lines{"7 <- 3 <- 5"});
    CHECK(reach({group("delegate='true'", {kFlee, decider("A", "every='1'")}, policy), kIdle}).empty());
    CHECK(reach({group("delegate='true' flagsAny='Dead'", {kFlee, decider("A")}, policy), kIdle}).empty());
  }
  const std::string inner = "<Group name='H' policy='random' delegate='true'>\n" + decider("A") + "\n</Group>";
  CHECK(reach({group("delegate='true'", {inner}), kIdle}) == Lines{"8 <- 3 <- 4 <- 5"});
}

TEST_CASE("a reference always accepts where the decider that it names does") {
  const Lines shared = {"<Deciders>", decider("A"), decider("B", "decide='D'"), "</Deciders>"};
  CHECK(reach({"<DeciderRef name='A'/>", "<DeciderRef name='B'/>"}, "prioritizedList", shared) == Lines{"4 <- 3"});
  CHECK(reach({"<DeciderRef name='B'/>", "<DeciderRef name='A'/>"}, "prioritizedList", shared).empty());
  CHECK(reach({group("delegate='true'", {"<DeciderRef name='A'/>"}), "<DeciderRef name='B'/>"}, "prioritizedList",
              shared) == Lines{"6 <- 3 <- 4"});
}

TEST_CASE("a decider whose preconditions leave no state to it is noted, with those that take them") {
  const auto noted = [](const Lines& children) {
    return found(Rule::DEC_reached_after_failures, decider_tree(children));
  };
  CHECK(noted({decider("A", "flagsAll='Night'"), decider("B", "decide='D' flagsAll='Night !Dead'")}) ==
        Lines{"4 <- 3"});
  CHECK(noted({decider("A", "flagsAll='Night'"), decider("B", "flagsAll='!Night' stimuliAny='Smell'"),
               decider("C", "decide='D' stimuliAll='Smell'")}) == Lines{"5 <- 3 <- 4"});
  CHECK(noted({decider("A", "flagsAll='Night'"), decider("B", "flagsAny='Night Dead'")}).empty());
  CHECK(noted({decider("A", "flagsAll='Night' decide='D'"), decider("B", "flagsAll='Night'")}).empty());
  CHECK(noted({decider("A", "flagsAll='Night' every='1'"), decider("B", "flagsAll='Night'")}).empty());
  CHECK(noted({group("delegate='true' flagsAll='Night'", {kFlee}), decider("B", "flagsAll='Night'")}).empty());
  // A decider without preconditions may be intended for failures, and those after it have already been reported.
  CHECK(noted({decider("A", "flagsAll='Night'"), decider("B", "flagsAll='!Night'"), kIdle}).empty());
  CHECK(noted({decider("A"), decider("B", "flagsAll='Night'"), decider("C", "flagsAll='Night'")}).empty());
}

// ---- The Subset Rule ----------------------------------------------------------------------------

TEST_CASE("a group whose preconditions can hold while those of all its children fail is a breach, with the state") {
  const Lines children = {decider("A", "flagsAll='Dead'"), decider("C", "flagsAll='Night !Dead' stimuliAny='TookHit'")};
  CHECK(breach("flagsAny='Dead Night'", children) == Lines{"3 <- 4 <- 5"});
  CHECK(message(Rule::DEC_subset_rule, in_group("flagsAny='Dead Night'", children)) ==
        "'G' may accept while no child of it can: only 'Night', without 'Dead' and 'TookHit'");
  CHECK(breach_message("flagsAll='Night Herd'", children) == "only 'Night' and 'Herd', without 'Dead' and 'TookHit'");
  CHECK(breach_message("", children) == "without 'Dead' and 'Night'");
  CHECK(breach_message("", {decider("A", "flagsAll='!Dead'")}) == "only 'Dead'");
  CHECK(breach_message("flagsAll='!Night'", {decider("A", "flagsAny='!Dead Herd'")}) ==
        "only 'Dead', without 'Night' and 'Herd'");
}

TEST_CASE("children that take every state between them are no breach") {
  CHECK(breach("flagsAll='Night'", {decider("A", "flagsAll='Night'")}).empty());
  CHECK(breach("", {decider("A", "flagsAll='Dead'"), decider("B", "flagsAll='!Dead'")}).empty());
  CHECK(breach("flagsAll='Night'", {decider("A", "flagsAll='Dead'"), decider("B", "stimuliAll='Smell'"),
                                    decider("C", "flagsAny='!Dead' stimuliAny='!Smell'")})
            .empty());
  CHECK(breach("stimuliAny='Smell TookHit'",
               {decider("A", "stimuliAll='Smell'"), decider("B", "stimuliAll='TookHit !Smell'")})
            .empty());
}

TEST_CASE("Decide functions and timers of children are taken to hold, and those of the group too") {
  CHECK(breach("", {decider("A", "decide='D' every='5'")}).empty());
  CHECK(breach("decide='D' every='5'", {decider("A", "flagsAll='Dead'")}) == Lines{"3 <- 4"});
}

TEST_CASE("groups that delegate and the root are exempt") {
  CHECK(breach("delegate='true'", {decider("A", "flagsAll='Dead'")}).empty());
  CHECK(found(Rule::DEC_subset_rule, decider_tree({decider("A", "flagsAll='Dead'")})).empty());
}

TEST_CASE("a child that delegates counts by its own preconditions") {
  const auto delegating = [](const std::string& attributes) {
    return "<Group name='H' policy='random' delegate='true' " + attributes + ">\n" + decider("A", "flagsAll='Dead'") +
           "\n</Group>";
  };
  CHECK(breach("", {delegating("")}).empty());
  CHECK(breach("", {delegating("flagsAll='Night'")}) == Lines{"3 <- 4"});
}

TEST_CASE("what a reference names counts in its place, and a shared group is told where it stands") {
  const Lines shared = {"<Deciders>",
                        decider("A", "flagsAll='Dead'"),
                        "<Group name='S' policy='random' flagsAll='Night'>",
                        "<DeciderRef name='A'/>",
                        "</Group>",
                        "</Deciders>"};
  const Lines twice = {group("flagsAll='Dead'", {"<DeciderRef name='A'/>"}), "<DeciderRef name='S'/>",
                       "<DeciderRef name='S'/>"};
  CHECK(found(Rule::DEC_subset_rule, decider_tree(twice, "sequential", shared)) == Lines{"11 <- 10"});
}

TEST_CASE("a breach is mended by its children's asking, in place of a Decide function") {
  const Lines child = {decider("A", "flagsAll='Dead'")};
  CHECK(message(Rule::DEC_subset_rule, in_group("", child), true) ==
        "let a child accept in this case, add preconditions to 'G', or give it delegate=\"true\"");
  CHECK(message(Rule::DEC_subset_rule, in_group("decide='D'", child), true) ==
        "let a child accept in this case, add preconditions to 'G', or give it delegate=\"true\" in place of 'decide'");
}

namespace {

std::string word(std::uint32_t number) { return (number < 64 ? "f" : "s") + std::to_string(number % 64); }

// 64 flags and 64 stimuli, and a group with these preconditions and children.
std::string large_tree(const std::string& attributes, const Lines& children) {
  std::string flags;
  std::string stimuli;
  for (std::uint32_t i = 0; i < 64; ++i) {
    flags += "<Flag name='" + word(i) + "'/>";
    stimuli += "<Stimulus name='" + word(64 + i) + "'/>";
  }
  std::string result = "<DeciderTree name='Guard'><DecisionFlags>" + flags + "</DecisionFlags><Stimuli>" + stimuli +
                       "</Stimuli><Behaviors><Behavior name='guard'/></Behaviors>\n";
  result += "<Group name='Root' policy='random'>\n" + group(attributes, children) + "\n</Group></DeciderTree>";
  return result;
}

// Each child requires some words of any kind; one in `one_in` of them is required to be absent.
std::string drawn_tree(std::uint32_t child_count, std::uint32_t list_length, std::uint32_t one_in) {
  std::mt19937 random(child_count);
  Lines children;
  for (std::uint32_t i = 0; i < child_count; ++i) {
    std::string lists[2];
    std::uint64_t used[2] = {};
    for (std::uint32_t length = 0; length < list_length;) {
      const auto drawn = static_cast<std::uint32_t>(random() % 128);
      if ((used[drawn / 64] >> drawn % 64 & 1) != 0) continue;
      used[drawn / 64] |= std::uint64_t{1} << drawn % 64;
      lists[drawn / 64] += (random() % one_in == 0 ? " !" : " ") + word(drawn);
      ++length;
    }
    std::string attributes;
    if (!lists[0].empty()) attributes += " flagsAll='" + lists[0] + "'";
    if (!lists[1].empty()) attributes += " stimuliAll='" + lists[1] + "'";
    children.push_back(decider("A" + std::to_string(i), attributes));
  }
  return large_tree("", children);
}

}  // namespace

TEST_CASE("lists of all flags and stimuli, and hundreds of children, are decided") {
  std::string all[2];
  for (std::uint32_t i = 0; i < 128; ++i) all[i / 64] += ' ' + word(i);
  const std::string attributes = "flagsAll='" + all[0] + "' stimuliAny='" + all[1] + "'";
  CHECK(found(Rule::DEC_subset_rule, large_tree(attributes, {decider("A", attributes)})).empty());
  // Each child requires one flag and one stimulus, which are far apart in the order.
  Lines pairs;
  Lines without;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::string flag = "flagsAll='" + word(i) + "'";
    pairs.push_back(decider("A" + std::to_string(i), flag + " stimuliAll='" + word(127 - i) + "'"));
    without.push_back(decider("B" + std::to_string(i), flag + " stimuliAll='!" + word(127 - i) + "'"));
  }
  pairs.insert(pairs.end(), without.begin(), without.end());
  CHECK(message(Rule::DEC_subset_rule, large_tree("flagsAny='" + all[0] + "'", pairs)).empty());
  CHECK(message(Rule::DEC_subset_rule_undecided, large_tree("flagsAny='" + all[0] + "'", pairs)).empty());
  pairs.erase(pairs.begin() + 20);
  CHECK(message(Rule::DEC_subset_rule, large_tree("flagsAny='" + all[0] + "'", pairs)).find("only 'f20' and 's43', ") !=
        std::string::npos);
  for (const std::uint32_t length : {2, 8, 64}) {
    CAPTURE(length);
    const std::string tree = drawn_tree(64, length, 4);
    CHECK(found(Rule::DEC_subset_rule_undecided, tree).empty());
    CHECK(found(Rule::DEC_subset_rule, tree).size() == 1);
  }
}

TEST_CASE("a group that is too much to decide is said to be") {
  const std::string tree = drawn_tree(300, 4, 2);
  CHECK(found(Rule::DEC_subset_rule_undecided, tree) == Lines{"3"});
  CHECK(found(Rule::DEC_subset_rule, tree).empty());
}

// ---- Lists --------------------------------------------------------------------------------------

TEST_CASE("a list of which one word is enough always holds when it has a word and its opposite") {
  const auto lists = [](const std::string& attributes) {
    return found(Rule::DEC_always_holds, decider_tree({decider("A", attributes), kIdle}));
  };
  CHECK(lists("flagsAny='Dead !Dead'") == Lines{"3"});
  CHECK(lists("stimuliAny='!Smell TookHit Smell'") == Lines{"3"});
  CHECK(lists("flagsAny='Dead !Night'").empty());
  CHECK(lists("flagsAny='Dead' stimuliAny='!Smell'").empty());
  CHECK(lists("flagsAll='Dead' flagsAny='!Night Dead'").empty());
}

TEST_CASE("a list that holds wherever another does is noted") {
  const auto noted = [](const std::string& attributes) {
    return found(Rule::DEC_any_without_effect, decider_tree({decider("A", attributes), kIdle}));
  };
  CHECK(noted("flagsAll='Dead' flagsAny='!Night Dead'") == Lines{"3 <- 3"});
  CHECK(noted("stimuliAll='!Smell' stimuliAny='!Smell'") == Lines{"3 <- 3"});
  CHECK(noted("flagsAll='Dead' flagsAny='!Dead Night'").empty());
  CHECK(noted("flagsAny='Dead !Dead' flagsAll='Dead'").empty());
}

// ---- What is not used ---------------------------------------------------------------------------

TEST_CASE("flags and stimuli that no precondition checks, and behaviours that nobody uses") {
  const std::string tree =
      "<DeciderTree name='T'>\n<DecisionFlags>\n<Flag name='a'/>\n<Flag name='b'/>\n<Flag "
      "name='c'/>\n</DecisionFlags>\n"
      "<Stimuli>\n<Stimulus name='a'/>\n<Stimulus name='b'/>\n</Stimuli>\n<SignalStimuli>\n"
      "<Signal name='s' stimulus='a'/>\n</SignalStimuli>\n<Behaviors>\n<Behavior name='a'/>\n<Behavior name='b'/>\n"
      "<Behavior name='c'/>\n</Behaviors>\n<Group name='R' policy='scored' behavior='b'>\n"
      "<Decider name='A' behavior='a' flagsAny='!b b' flagsAll='a' stimuliAny='b'/>\n</Group>\n</DeciderTree>";
  CHECK(found(Rule::DEC_flag_never_checked, tree) == Lines{"5"});
  CHECK(found(Rule::DEC_stimulus_never_checked, tree) == Lines{"8"});
  CHECK(found(Rule::DEC_behavior_never_used, tree) == Lines{"17"});
}

TEST_CASE("a shared decider that nobody references is told, and what only it uses is not") {
  const std::string tree =
      decider_tree({decider("A", "decide='D'"), "<DeciderRef name='S'/>"}, "prioritizedList",
                   {"<Deciders>", "<Group name='S' policy='random' flagsAll='Dead'>",
                    "<Decider name='T' behavior='flee' flagsAll='Dead'/>", "</Group>",
                    "<Group name='U' policy='random' flagsAll='Night'>", "<DeciderRef name='V'/>", "</Group>",
                    "<Decider name='V' behavior='idle' stimuliAll='Smell TookHit'/>", "</Deciders>"});
  CHECK(found(Rule::DEC_shared_never_referenced, tree) == Lines{"10"});
  CHECK(found(Rule::DEC_flag_never_checked, tree) == Lines{"1"});  // Herd
  CHECK(found(Rule::DEC_stimulus_never_checked, tree).empty());
  CHECK(found(Rule::DEC_behavior_never_used, tree).empty());
}

}  // namespace lint_deciders
