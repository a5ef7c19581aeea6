// The Subset Rule in groups of very many preconditions and children. What else is reported in trees of deciders is
// shown in tests/golden/lint/decider, and lint_deciders_random.cpp tests it for all states of flags and stimuli.
#include <random>

#include "decider_reading.h"
#include "lint/lint.h"
#include "rules/decider.h"
#include "unit.h"

namespace lint_deciders {

using namespace espalier;
using rules::Rule;

namespace {

// The messages of the Subset Rule: of breaches, or of groups that are too much to decide.
Lines messages(Rule rule, const std::string& tree) {
  const DeciderReading reading(tree);
  REQUIRE_FALSE(reading.findings.has_errors());
  text::Findings findings;
  lint::analyse(reading.project, {}, findings);
  Lines result;
  for (const text::Finding& finding : findings.all()) {
    if (finding.rule == rule) result.push_back(finding.message);
  }
  return result;
}
Lines breaches(const std::string& tree) { return messages(rules::DEC_subset_rule, tree); }
Lines undecided(const std::string& tree) { return messages(rules::DEC_subset_rule_undecided, tree); }

std::string decider(const std::string& name, const std::string& attributes) {
  return "<Decider name='" + name + "' behavior='guard' " + attributes + "/>";
}

std::string group(const std::string& attributes, const Lines& children) {
  std::string result = "<Group name='G' policy='prioritizedList' " + attributes + ">\n";
  for (const std::string& child : children) result += child + '\n';
  return result + "</Group>";
}

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
  CHECK(breaches(large_tree(attributes, {decider("A", attributes)})).empty());
  // Each child requires one flag and one stimulus, which are far apart in the order.
  Lines pairs;
  Lines without;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::string flag = "flagsAll='" + word(i) + "'";
    pairs.push_back(decider("A" + std::to_string(i), flag + " stimuliAll='" + word(127 - i) + "'"));
    without.push_back(decider("B" + std::to_string(i), flag + " stimuliAll='!" + word(127 - i) + "'"));
  }
  pairs.insert(pairs.end(), without.begin(), without.end());
  CHECK(breaches(large_tree("flagsAny='" + all[0] + "'", pairs)).empty());
  CHECK(undecided(large_tree("flagsAny='" + all[0] + "'", pairs)).empty());
  pairs.erase(pairs.begin() + 20);
  CHECK(breaches(large_tree("flagsAny='" + all[0] + "'", pairs)).at(0).find("only 'f20' and 's43', ") !=
        std::string::npos);
  for (const std::uint32_t length : {2, 8, 64}) {
    CAPTURE(length);
    const std::string tree = drawn_tree(64, length, 4);
    CHECK(undecided(tree).empty());
    CHECK(breaches(tree).size() == 1);
  }
}

TEST_CASE("a group that is too much to decide is said to be") {
  const std::string tree = drawn_tree(300, 4, 2);
  CHECK(undecided(tree).size() == 1);
  CHECK(breaches(tree).empty());
}

}  // namespace lint_deciders
