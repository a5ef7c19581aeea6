// Further promises of trees of deciders: the host is not asked more than the rules need, and random choices are fair.
#include <algorithm>
#include <cmath>
#include <map>

#include "runtime_deciders_agent.h"
#include "unit.h"

namespace runtime_deciders_promises {

namespace {

using namespace espalier;
using test::DeciderAgent;
using test::DeciderPair;
using test::ModelDecider;
using test::Random;

// ---- Counting calls

int decide_count(const std::string& events) {
  int count = 0;
  for (std::size_t at = events.find("decide "); at != std::string::npos; at = events.find("decide ", at + 1)) ++count;
  return count;
}

// The calls that a decider may get in one tick, and the time of its last call.
class CallGuard {
 public:
  explicit CallGuard(DeciderPair& pair) : pair_(pair) {
    pair.on_decide([this](const std::string& decider) { check(decider); });
  }
  void begin_tick() { active_ = '/' + pair_.path() + '/'; }
  int calls() const { return calls_; }

 private:
  // The model has made its tick already; flags and stimuli are those of the runtime's.
  void check(const std::string& name) {
    ++calls_;
    const auto is_it = [&](const ModelDecider& other) { return other.name == name; };
    const std::vector<ModelDecider>& all = pair_.tree().deciders;
    const ModelDecider& called = *std::find_if(all.begin(), all.end(), is_it);
    const std::uint64_t now_us = pair_.model().now_us;
    const auto last = last_us_.find(name);
    const bool is_time = last == last_us_.end() || now_us - last->second >= called.every_us.value_or(0);
    last_us_[name] = now_us;
    // A group's Decide is called without preconditions before it decides again, and that of an active child.
    if (called.decides_on_redecide || active_.find('/' + name + '/') != std::string::npos) return;
    const auto& state = pair_.model().state;
    const auto flag = [&](const test::ModelWord& word) { return state.flags[word.index] == word.is_wanted; };
    const auto stimulus = [&](const test::ModelWord& word) {
      return (state.stimuli.count(word.index) != 0) == word.is_wanted;
    };
    const bool holds =
        is_time && std::all_of(called.flags_all.begin(), called.flags_all.end(), flag) &&
        std::all_of(called.stimuli_all.begin(), called.stimuli_all.end(), stimulus) &&
        (called.flags_any.empty() || std::any_of(called.flags_any.begin(), called.flags_any.end(), flag)) &&
        (called.stimuli_any.empty() || std::any_of(called.stimuli_any.begin(), called.stimuli_any.end(), stimulus));
    if (!holds) FAIL("Decide of " << name << " was called, whose preconditions do not hold\n" << text_of(pair_.tree()));
  }

  DeciderPair& pair_;
  std::string active_;
  std::map<std::string, std::uint64_t> last_us_;
  int calls_ = 0;
};

// ---- Fairness

// The chi-square of a fair draw is below this in 9,999 of 10,000 cases (Wilson and Hilferty's approximation).
double chi_square_bound(std::size_t kinds) {
  const double freedom = static_cast<double>(kinds) - 1;
  const double spread = 2 / (9 * freedom);
  return freedom * std::pow(1 - spread + 3.719 * std::sqrt(spread), 3);
}

// Does each occur as often as its share requires?
void check_fair(const std::map<std::string, int>& counts, const std::map<std::string, double>& shares) {
  double all = 0;
  double all_shares = 0;
  for (const auto& [what, share] : shares) all_shares += share;
  for (const auto& [what, count] : counts) {
    CAPTURE(what);
    REQUIRE(shares.count(what) == 1);
    all += count;
  }
  double chi_square = 0;
  for (const auto& [what, share] : shares) {
    const double expected = all * share / all_shares;
    const auto found = counts.find(what);
    const double difference = (found == counts.end() ? 0 : found->second) - expected;
    chi_square += difference * difference / expected;
  }
  CHECK(chi_square < chi_square_bound(shares.size()));
  CHECK(chi_square > 0);  // a perfectly even result would not be random
}

// Agents that choose, are stopped, and choose again.
class Chooser {
 public:
  Chooser(const std::string& root, std::uint64_t seed)
      : tree_(test::deciders_of("<DeciderTree name='T'>" + root + "</DeciderTree>")), agent_(tree_, seed) {}
  DeciderAgent& agent() { return agent_; }
  std::string choose() {
    agent_.clock_us += 1;
    agent_.tick(DeciderAgent::How::alone);
    const std::vector<std::string> path = agent_.path();
    agent_.stop();
    agent_.host.events.clear();
    return path.empty() ? "" : path.back();
  }

 private:
  test::ModelDeciderTree tree_;
  DeciderAgent agent_;
};

std::string group_of(const std::string& policy, const std::vector<std::pair<std::string, int>>& children) {
  std::string text = "<Group name='Root' policy='" + policy + "'>";
  for (const auto& [name, weight] : children) {
    text += "<Decider name='" + name + "' behavior='b' decide='" + name + "' weight='" + std::to_string(weight) + "'/>";
  }
  return text + "</Group>";
}

void all_orders(std::string letters, std::map<std::string, double>& orders) {
  do orders[letters] = 1;
  while (std::next_permutation(letters.begin(), letters.end()));
}

}  // namespace

TEST_CASE("a Decide is called as often as the rules need and not once more") {
  const struct {
    const char* why;
    const char* root;
    std::vector<int> calls;  // in each tick, a second apart
  } cases[] = {
      {"a list stops at the first that accepts",
       "<Group name='R' policy='prioritizedList'><Decider name='A' behavior='a' decide='no'/>"
       "<Decider name='B' behavior='b' decide='yes'/><Decider name='C' behavior='c' decide='yes'/></Group>",
       {2, 1, 1}},
      {"preconditions come first",
       "<Group name='R' policy='scored'><Decider name='A' behavior='a' decide='yes' flagsAll='P'/>"
       "<Decider name='B' behavior='b' decide='yes' flagsAny='P' stimuliAll='S'/>"
       "<Decider name='C' behavior='c' decide='yes' stimuliAny='S'/><Decider name='D' behavior='d'/></Group>",
       {0, 0}},
      {"an active child under these policies is left alone",
       "<Group name='R' policy='sequential'><Decider name='A' behavior='a' decide='yes'/>"
       "<Decider name='B' behavior='b' decide='yes'/></Group>",
       {1, 0, 0}},
      {"random asks all of them, once a choice",
       "<Group name='R' policy='random'><Decider name='A' behavior='a' decide='yes'/>"
       "<Decider name='B' behavior='a' decide='no'/><Decider name='C' behavior='a' decide='yes'/></Group>",
       {3, 0, 0}},
      {"scored asks all of them at every tick, the active one too",
       "<Group name='R' policy='scored'><Decider name='A' behavior='a' decide='yes'/>"
       "<Decider name='B' behavior='a' decide='no'/><Decider name='C' behavior='a' decide='yes'/></Group>",
       {3, 3, 3}},
      {"a decider that was called lately is not called",
       "<Group name='R' policy='prioritizedList'><Decider name='A' behavior='a' decide='no' every='3'/>"
       "<Decider name='B' behavior='b'/></Group>",
       {1, 0, 0, 1, 0, 0, 1}},
      {"a group's Decide stands for its children, until it is entered",
       "<Group name='R' policy='prioritizedList'><Group name='G' policy='scored' decide='no'>"
       "<Decider name='A' behavior='a' decide='yes'/><Decider name='B' behavior='b' decide='yes'/></Group>"
       "<Decider name='C' behavior='c'/></Group>",
       {1, 1}},
      {"groups that delegate ask each child once, however deep",
       "<Group name='R' policy='prioritizedList'><Group name='G' policy='scored' delegate='true'>"
       "<Group name='H' policy='random' delegate='true'><Group name='I' policy='shuffle' delegate='true'>"
       "<Decider name='A' behavior='a' decide='yes'/></Group><Decider name='B' behavior='b' decide='yes'/></Group>"
       "<Decider name='C' behavior='c' decide='no'/></Group></Group>",
       {3}},
      {"who failed is not asked again, the others are",
       "<Group name='R' policy='scored'><Decider name='A' behavior='fails' decide='yes'/>"
       "<Decider name='B' behavior='fails' decide='yes'/><Decider name='C' behavior='c' decide='yes'/></Group>",
       {3 + 2 + 1, 3}},
  };
  for (const auto& [why, root, calls] : cases) {
    CAPTURE(why);
    DeciderPair pair(
        test::deciders_of("<DeciderTree name='T'><DecisionFlags><Flag name='P'/></DecisionFlags>"
                          "<Stimuli><Stimulus name='S'/></Stimuli>" +
                          std::string(root) + "</DeciderTree>"));
    pair.answer("no", {0.0});
    pair.answer("fails", {std::string("failure")});
    std::vector<int> counted;
    for (std::size_t i = 0; i < calls.size(); ++i) counted.push_back(decide_count(pair.tick(1)));
    CHECK(counted == calls);
  }
}

TEST_CASE("no Decide is called before preconditions hold, and none that the model does not call") {
  int calls = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    Random random{seed ^ 0xC0FFEE};
    DeciderPair pair(test::random_deciders(random), seed);
    CallGuard guard(pair);
    int expected = 0;
    for (int i = 0; i < 25; ++i) {
      pair.answer("d" + std::to_string(random.below(5)), {static_cast<double>(random.below(3))});
      pair.answer("b" + std::to_string(random.below(7)), {std::string(random.chance(70) ? "running" : "failure")});
      if (!pair.tree().flags.empty() && random.chance(50)) {
        pair.set_flags({pair.tree().flags[random.below(static_cast<std::uint32_t>(pair.tree().flags.size()))]});
      }
      pair.signal("On" + std::to_string(random.below(6)));
      guard.begin_tick();
      expected += decide_count(pair.tick(random.below(12) / 10.0));
    }
    CHECK(guard.calls() == expected);
    calls += expected;
  }
  CHECK(calls > 5000);
}

TEST_CASE("random children are drawn evenly, or by the weights of those that accept") {
  const struct {
    const char* why;
    std::vector<std::pair<std::string, int>> children;
    std::string refusing;
    std::map<std::string, double> shares;
  } cases[] = {
      {"two", {{"A", 1}, {"B", 1}}, "", {{"A", 1}, {"B", 1}}},
      {"seven",
       {{"A", 1}, {"B", 1}, {"C", 1}, {"D", 1}, {"E", 1}, {"F", 1}, {"G", 1}},
       "",
       {{"A", 1}, {"B", 1}, {"C", 1}, {"D", 1}, {"E", 1}, {"F", 1}, {"G", 1}}},
      {"weights", {{"A", 1}, {"B", 9}, {"C", 5}, {"D", 2}}, "", {{"A", 1}, {"B", 9}, {"C", 5}, {"D", 2}}},
      {"large weights", {{"A", 65535}, {"B", 30000}, {"C", 65535}}, "", {{"A", 65535}, {"B", 30000}, {"C", 65535}}},
      {"one refuses", {{"A", 3}, {"B", 50}, {"C", 1}, {"D", 4}}, "B", {{"A", 3}, {"C", 1}, {"D", 4}}},
  };
  for (const auto& [why, children, refusing, shares] : cases) {
    CAPTURE(why);
    Chooser chooser(group_of("random", children), 12345);
    chooser.agent().host.answers[refusing] = {0.0};
    std::map<std::string, int> counts;
    for (int i = 0; i < 20000; ++i) ++counts[chooser.choose()];
    check_fair(counts, shares);
  }
}

TEST_CASE("each order of shuffled children comes equally often, and every child once in it") {
  for (const std::string letters : {"ABC", "ABCD"}) {
    CAPTURE(letters);
    std::vector<std::pair<std::string, int>> children;
    for (const char letter : letters) children.emplace_back(std::string(1, letter), 1);
    Chooser chooser(group_of("shuffle", children), 99);
    std::map<std::string, double> orders;
    all_orders(letters, orders);
    std::map<std::string, int> counts;
    std::map<std::string, int> changes;  // from the last of one order to the first of the next
    std::string before;
    for (int round = 0; round < 6000; ++round) {
      std::string order;
      for (std::size_t i = 0; i < letters.size(); ++i) order += chooser.choose();
      ++counts[order];
      if (!before.empty()) ++changes[before.substr(before.size() - 1) + order[0]];
      before = order;
    }
    check_fair(counts, orders);  // an order that contains a child twice has no share
    std::map<std::string, double> pairs;
    for (const char last : letters) {
      for (const char first : letters) pairs[std::string(1, last) + first] = 1;
    }
    check_fair(changes, pairs);
  }
}

TEST_CASE("agents with other seeds draw apart from one another") {
  std::map<std::string, int> counts;
  for (std::uint64_t index = 0; index < 3000; ++index) {
    // As a trace numbers its agents.
    Chooser chooser(group_of("shuffle", {{"A", 1}, {"B", 1}, {"C", 1}}), 1 + (index << 32));
    std::string order;
    for (int i = 0; i < 3; ++i) order += chooser.choose();
    ++counts[order];
  }
  std::map<std::string, double> orders;
  all_orders("ABC", orders);
  check_fair(counts, orders);
}

}  // namespace runtime_deciders_promises
