// Sentences of the rules of decider trees, each with the smallest tree that shows it. Every step is also compared with
// the model, see runtime_deciders_agent.h.
#include <limits>
#include <set>

#include "runtime_deciders_agent.h"
#include "unit.h"

namespace runtime_deciders_sentences {

namespace {

using namespace espalier;
using test::DeciderPair;
using test::ModelStatus;
using test::tree_of;

const std::string kFailure = "failure";
const std::string kRefuse = "refuse";
const std::string kRunning = "running";

}  // namespace

// ---- Preconditions and query

TEST_CASE("the active child is neither asked nor are its preconditions checked, whatever the policy") {
  for (const char* policy : {"prioritizedList", "sequential", "random", "shuffle"}) {
    CAPTURE(policy);
    DeciderPair pair(tree_of("<Group name='Root' policy='" + std::string(policy) +
                             "'><Decider name='A' behavior='a' decide='a?' flagsAll='P' every='9'/></Group>"));
    pair.set_flags({"P"});
    CHECK(pair.tick(1) == "decide A 1; enter a; tick a running");
    pair.set_flags({});
    pair.answer("a?", {0.0});
    CHECK(pair.tick(1) == "tick a running");
  }
}

TEST_CASE("a decider with every is asked again when exactly that time has passed since its Decide was called") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'>"
              "<Decider name='A' behavior='a' decide='a?' every='0.000003'/><Decider name='B' behavior='b'/></Group>"));
  pair.answer("a?", {0.0});
  CHECK(pair.tick(0) == "decide A 0; enter b; tick b running");
  CHECK(pair.tick(0.000002) == "tick b running");
  CHECK(pair.tick(0.000001) == "decide A 0; tick b running");
}

TEST_CASE("an every timer runs from the call, not from the deactivation") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'>"
              "<Decider name='A' behavior='a' every='3'/><Decider name='B' behavior='b'/></Group>"));
  CHECK(pair.tick(1) == "enter a; tick a running");
  pair.answer("a", {kFailure, kRunning});
  CHECK(pair.tick(2) == "tick a failure; leave a; enter b; tick b running");
  CHECK(pair.tick(1) == "leave b; enter a; tick a running");
}

TEST_CASE("a decider without Decide is called when it is asked and its preconditions hold") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='scored'><Decider name='A' behavior='a' decide='a?'/>"
              "<Decider name='B' behavior='b' every='2' flagsAll='P'/></Group>"));
  pair.answer("a?", {2.0, 2.0, 2.0, 0.0, 0.0});
  CHECK(pair.tick(1) == "decide A 2; enter a; tick a running");
  pair.set_flags({"P"});
  CHECK(pair.tick(1) == "decide A 2; tick a running");  // B is asked now, though it is not chosen
  CHECK(pair.tick(1) == "decide A 2; tick a running");
  CHECK(pair.tick(1) == "decide A 0; leave a; enter b; tick b running");
}

TEST_CASE("the active child of a scored group is called at every tick, so its timer restarts") {
  for (const char* child :
       {"<Decider name='B' behavior='b' every='2' decide='b?'/>", "<Decider name='B' behavior='b' every='2'/>",
        "<Group name='B' policy='random' delegate='true' every='2'><Decider name='C' "
        "behavior='b' decide='b?'/></Group>"}) {
    CAPTURE(child);
    DeciderPair pair(tree_of("<Group name='Root' policy='scored'><Decider name='A' behavior='a' decide='a?'/>" +
                             std::string(child) + "</Group>"));
    pair.answer("a?", {0.0, 0.0, 9.0, 0.0});
    pair.tick(1);
    CHECK(pair.path().starts_with("Root/B"));
    pair.tick(2);
    CHECK(pair.path().starts_with("Root/B"));
    pair.tick(1);  // B is called once more, and A takes over
    CHECK(pair.path() == "Root/A");
    pair.answer("a", {kFailure});
    pair.tick(1);
    CHECK(pair.status == ModelStatus::failure);  // B was called a second ago: no child is left
  }
}

TEST_CASE("a group's Decide that is called for a redecide restarts its timer") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'>"
              "<Group name='G' policy='prioritizedList' decide='g?' decideOnRedecide='true' every='2'>"
              "<Decider name='A' behavior='a'/></Group>"
              "<Decider name='B' behavior='b'/></Group>"));
  pair.answer("a", {kRunning, kFailure, kRunning});
  CHECK(pair.tick(1) == "decide G 1; enter a; tick a running");
  CHECK(pair.tick(5) == "tick a failure; decide G 1; leave a; enter b; tick b running");
  CHECK(pair.tick(1) == "tick b running");
  CHECK(pair.tick(1) == "decide G 1; leave b; enter a; tick a running");
}

TEST_CASE("a delegating group is called when its children are asked, also when they all refuse") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'>"
              "<Group name='G' policy='prioritizedList' delegate='true' every='2'>"
              "<Decider name='A' behavior='a' decide='a?'/></Group>"
              "<Decider name='B' behavior='b'/></Group>"));
  pair.answer("a?", {0.0});
  CHECK(pair.tick(1) == "decide A 0; enter b; tick b running");
  CHECK(pair.tick(1) == "tick b running");
  CHECK(pair.tick(1) == "decide A 0; tick b running");
}

TEST_CASE("zero, less and not a number refuse") {
  for (const double value :
       {0.0, -0.0, -1.0, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    CAPTURE(value);
    for (const char* policy : {"prioritizedList", "sequential", "random", "shuffle", "scored"}) {
      DeciderPair pair(tree_of("<Group name='Root' policy='" + std::string(policy) +
                               "'><Decider name='A' behavior='a' decide='a?'/></Group>"));
      pair.answer("a?", {value, std::numeric_limits<double>::denorm_min()});
      pair.tick(1);
      CHECK(pair.status == ModelStatus::failure);
      pair.tick(1);
      CHECK(pair.path() == "Root/A");
    }
  }
}

// ---- Stimuli

TEST_CASE("a stimulus is there until the tick whose clock is its time plus its timeout") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'>"
              "<Decider name='A' behavior='a' stimuliAll='!Hit'/><Decider name='B' behavior='b'/></Group>"));
  pair.tick(1);
  pair.set_stimulus("Hit");
  pair.tick(0);
  CHECK(pair.path() == "Root/A");
  pair.answer("a", {kFailure, kRunning});
  pair.tick(1.999999);
  CHECK(pair.path() == "Root/B");
  pair.tick(0.000001);
  CHECK(pair.path() == "Root/A");
}

TEST_CASE("a stimulus that lasts no longer than the tick is never seen") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'>"
              "<Decider name='A' behavior='a' stimuliAny='Hit'/><Decider name='B' behavior='b'/></Group>"));
  for (int i = 0; i < 3; ++i) {
    pair.set_stimulus("Hit");
    pair.tick(2);
    CHECK(pair.path() == "Root/B");
  }
}

TEST_CASE("a stimulus that is set again lasts anew and has the new data, or none") {
  DeciderPair pair(tree_of("<Group name='Root' policy='random'><Decider name='A' behavior='a'/></Group>"));
  const auto data = [&] { return pair.model().state.stimuli.at(test::stimulus_of(pair.tree(), "Hit")).data; };
  pair.set_stimulus("Hit", "sixteen bytes...");
  pair.tick(1);
  CHECK(data() == "sixteen bytes...");
  pair.signal("OnHit", "bear");
  pair.tick(1);
  CHECK(data() == "bear");
  pair.signal("OnHit");
  pair.tick(1.5);
  CHECK(data().empty());
  pair.tick(0.5);
  CHECK(pair.model().state.stimuli.size() == 1);  // Calm, which stays
  pair.signal("NoSuch", "x");
  pair.tick(0);
  CHECK(pair.model().state.stimuli.size() == 1);
}

// ---- Policies

TEST_CASE("in a scored group only a value strictly above the active one's takes over") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='scored'><Decider name='A' behavior='a' decide='a?'/>"
              "<Decider name='B' behavior='b' decide='b?'/><Decider name='C' behavior='c' "
              "decide='c?'/></Group>"));
  pair.answer("a?", {1.0, 2.0, 3.0, 0.0});
  pair.answer("b?", {2.0, 2.0, 2.0, 0.0});
  pair.answer("c?", {2.0, 1.0, 3.0, 3.0});
  pair.tick(1);
  CHECK(pair.path() == "Root/B");  // the earlier one wins a tie
  CHECK(pair.tick(1) == "decide A 2; decide B 2; decide C 1; tick b running");
  pair.tick(1);
  CHECK(pair.path() == "Root/A");
  pair.tick(1);
  CHECK(pair.path() == "Root/C");
}

TEST_CASE("an active scored child that refuses goes on when no other accepts") {
  for (const double value : {0.0, -5.0, std::numeric_limits<double>::quiet_NaN()}) {
    CAPTURE(value);
    DeciderPair pair(
        tree_of("<Group name='Root' policy='scored'><Decider name='A' behavior='a' decide='a?'/>"
                "<Decider name='B' behavior='b' decide='b?'/></Group>"));
    pair.answer("a?", {1.0, value});
    pair.answer("b?", {0.0, 0.0, -1.0, 1e-9});
    pair.tick(1);
    pair.tick(1);
    pair.tick(1);
    CHECK(pair.path() == "Root/A");
    pair.tick(1);
    CHECK(pair.path() == "Root/B");
  }
}

TEST_CASE("a sequential group wraps round once and asks the one that ran last at the end") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='sequential'><Decider name='A' behavior='a' decide='a?'/>"
              "<Decider name='B' behavior='b' decide='b?'/><Decider name='C' behavior='c' "
              "decide='c?'/></Group>"));
  pair.answer("a?", {0.0});
  CHECK(pair.tick(1) == "decide A 0; decide B 1; enter b; tick b running");
  pair.stop();
  pair.answer("c?", {0.0});
  CHECK(pair.tick(1) == "decide C 0; decide A 0; decide B 1; enter b; tick b running");
}

TEST_CASE("random draws nothing where none accepts, and once where one does") {
  DeciderPair pair(tree_of("<Group name='Root' policy='random'><Decider name='A' behavior='a' decide='a?'/></Group>"),
                   7);
  pair.answer("a?", {0.0, 1.0});
  pair.tick(1);
  CHECK(pair.model().state.generator == 7);
  pair.tick(1);
  CHECK(pair.model().state.generator == 7 + 0x9E3779B97F4A7C15U);
}

TEST_CASE("a shuffled child that refuses loses its turn; a new order is drawn once in a choice") {
  DeciderPair pair(tree_of("<Group name='Root' policy='shuffle'><Decider name='A' behavior='a' decide='a?'/>"
                           "<Decider name='B' behavior='b' decide='b?'/><Decider name='C' behavior='c' "
                           "decide='c?'/></Group>"),
                   5);  // A C B
  std::uint64_t seen = 5;
  const auto drawn = [&] {
    int count = 0;
    for (; seen != pair.model().state.generator; seen += 0x9E3779B97F4A7C15U) ++count;
    return count;
  };
  pair.answer("a?", {0.0});
  CHECK(pair.tick(1) == "decide A 0; decide C 1; enter c; tick c running");
  CHECK(drawn() == 2);
  pair.stop();
  pair.answer("b?", {0.0});
  pair.answer("c?", {0.0});
  CHECK(pair.tick(1).starts_with("decide B 0; decide "));  // the rest of the order, then a new one
  CHECK(pair.status == ModelStatus::failure);
  CHECK(drawn() == 2);
  pair.tick(1);  // asked from the start of that one, and those who have refused keep their answer in the next
  CHECK(drawn() == 2);
}

TEST_CASE("a shuffle group of 64 children runs each of them once in a round") {
  std::string children;
  for (int i = 0; i < 64; ++i) {
    children += "<Decider name='D" + std::to_string(i) + "' behavior='b" + std::to_string(i) + "'/>";
  }
  DeciderPair pair(tree_of("<Group name='Root' policy='shuffle'>" + children + "</Group>"), 3);
  for (int round = 0; round < 3; ++round) {
    std::set<std::string> seen;
    for (int i = 0; i < 64; ++i) {
      pair.tick(1);
      seen.insert(pair.path());
      pair.stop();
    }
    CHECK(seen.size() == 64);
  }
}

// ---- Failure

TEST_CASE("redecides are bounded in one tick, and the next tick has all of them again") {
  const auto root = [](int children) {
    std::string text = "<Group name='Root' policy='sequential' behavior='r'>";
    for (int i = 0; i < children; ++i) text += "<Decider name='D" + std::to_string(i) + "' behavior='a'/>";
    return text + "</Group>";
  };
  for (const int bound : {1, 2, 7, 255}) {
    CAPTURE(bound);
    DeciderPair enough(tree_of(root(bound), "", bound));
    enough.answer("a", {kFailure});
    for (int i = 0; i < 3; ++i) {
      enough.tick(1);
      CHECK(enough.status == ModelStatus::failure);  // the last one found no child left, and counted too
    }
    DeciderPair too_few(tree_of(root(bound + 1), "", bound));
    too_few.answer("a", {kFailure});
    for (int i = 0; i < 3; ++i) {
      const std::string events = too_few.tick(1);
      CHECK(too_few.status == ModelStatus::error);
      CHECK(too_few.path().empty());
      CHECK(events.ends_with("tick a failure; error redecides; leave a; leave r"));
    }
  }
}

TEST_CASE("a redecide past the bound does not call the group's Decide") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'>"
              "<Group name='G' policy='prioritizedList' decide='g?' decideOnRedecide='true'>"
              "<Decider name='A' behavior='a'/><Decider name='B' behavior='b'/></Group></Group>",
              "", 1));
  pair.answer("a", {kFailure});
  pair.answer("b", {kFailure});
  CHECK(pair.tick(1) ==
        "decide G 1; enter a; tick a failure; decide G 1; leave a; enter b; tick b failure; error redecides; leave b");
}

TEST_CASE("a redecide whose own Decide refuses counts") {
  const auto run = [](int bound) {
    DeciderPair pair(
        tree_of("<Group name='Root' policy='prioritizedList'>"
                "<Group name='G' policy='prioritizedList' decide='g?' decideOnRedecide='true'>"
                "<Decider name='A' behavior='a'/></Group><Decider name='B' behavior='b'/></Group>",
                "", bound));
    pair.answer("g?", {1.0, 0.0});
    pair.answer("a", {kFailure});
    pair.tick(1);
    return pair.status;
  };
  CHECK(run(1) == ModelStatus::error);
  CHECK(run(2) == ModelStatus::running);
}

TEST_CASE("a group's Decide is called for a redecide without its preconditions") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'>"
              "<Group name='G' policy='prioritizedList' decide='g?' decideOnRedecide='true' flagsAll='P' "
              "every='100'><Decider name='A' behavior='a'/><Decider name='B' behavior='b'/></Group>"
              "</Group>"));
  pair.set_flags({"P"});
  pair.tick(1);
  pair.set_flags({});
  pair.answer("a", {kFailure});
  CHECK(pair.tick(1) == "tick a failure; decide G 1; leave a; enter b; tick b running");
}

TEST_CASE("a decider with two places in a group is masked in one of them") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'><DeciderRef name='A'/><DeciderRef name='A'/>"
              "</Group>",
              "<Decider name='A' behavior='a' decide='a?'/>"));
  pair.answer("a", {kFailure, kRunning});
  CHECK(pair.tick(1) == "decide A 1; enter a; tick a failure; decide A 1; leave a; enter a; tick a running");
  CHECK(pair.path() == "Root/A");
  // The first place is before the active second one.
  CHECK(pair.tick(1) == "decide A 1; leave a; enter a; tick a running");
}

TEST_CASE("masks of a shared group hold in all its places, also when it is asked because it delegates") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'>"
              "<Group name='G' policy='prioritizedList'><DeciderRef name='S'/></Group>"
              "<DeciderRef name='S'/><Decider name='Z' behavior='z'/></Group>",
              "<Group name='S' policy='prioritizedList' delegate='true'>"
              "<Decider name='A' behavior='a' decide='a?'/></Group>"));
  pair.answer("a", {kFailure});
  CHECK(pair.tick(1) == "decide A 1; enter a; tick a failure; leave a; enter z; tick z running");
}

TEST_CASE("what failed stays active until a switch at its group or above") {
  // S's Deactivate is seen after all Decides of the groups above it.
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'>"
              "<Group name='G' policy='prioritizedList' behavior='g'>"
              "<Decider name='A' behavior='a'/><Decider name='B' behavior='b' decide='b?'/></Group>"
              "<Decider name='C' behavior='c' decide='c?'/></Group>"));
  pair.answer("a", {kRunning, kFailure});
  pair.answer("b?", {0.0});
  pair.tick(1);
  CHECK(pair.tick(1) ==
        "tick g running; tick a failure; decide B 0; decide C 1; leave a; leave g; enter c; tick c running");
}

TEST_CASE("a failing group behaviour leaves its children unvisited, and an active child is not failed by it") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'>"
              "<Group name='G' policy='prioritizedList' behavior='g'><Decider name='X' behavior='x' "
              "decide='x?'/><Decider name='A' behavior='a'/></Group></Group>"));
  pair.answer("x?", {0.0});
  pair.answer("g", {kRunning, kFailure, kRunning});
  pair.tick(1);
  CHECK(pair.tick(1) == "tick g failure; leave a; leave g");
  CHECK(pair.status == ModelStatus::failure);
  CHECK(pair.tick(1) == "enter g; tick g running; decide X 0; enter a; tick a running");
}

TEST_CASE("a root whose behaviour refuses fails the tree, and nothing was active") {
  DeciderPair pair(tree_of("<Group name='Root' policy='random' behavior='r'><Decider name='A' behavior='a'/></Group>"));
  pair.answer("r", {kRefuse, kRunning});
  CHECK(pair.tick(1) == "refuse r");
  CHECK(pair.status == ModelStatus::failure);
  CHECK(pair.tick(1) == "enter r; tick r running; enter a; tick a running");
}

// ---- Delegating groups

TEST_CASE("the choice that answered for a delegating group is used, whatever its children would say by then") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList'>"
              "<Group name='G' policy='prioritizedList' delegate='true' behavior='g'>"
              "<Group name='H' policy='random' delegate='true' behavior='h'>"
              "<Decider name='A' behavior='a' decide='a?'/></Group>"
              "<Decider name='B' behavior='b'/></Group></Group>"));
  pair.answer("a?", {1.0, 0.0});
  CHECK(pair.tick(1) == "decide A 1; enter g; tick g running; enter h; tick h running; enter a; tick a running");
  pair.answer("a", {kFailure});
  CHECK(pair.tick(1) == "tick g running; tick h running; tick a failure; leave a; leave h; enter b; tick b running");
}

TEST_CASE("a choice that is not used is forgotten") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='scored'><Decider name='X' behavior='x' decide='x?'/>"
              "<Group name='G' policy='sequential' delegate='true'><Decider name='A' behavior='a'/>"
              "<Decider name='B' behavior='b'/></Group></Group>"));
  pair.answer("x?", {2.0, 0.0});
  pair.tick(1);
  CHECK(pair.path() == "Root/X");
  pair.tick(1);
  CHECK(pair.path() == "Root/G/A");  // had A's turn been taken before, it would be B's
}

TEST_CASE("an order that was drawn for a choice that is not used stays drawn, and begins at its start") {
  const std::string group =
      "<Group name='G' policy='shuffle' delegate='true'><Decider name='A' behavior='a'/><Decider name='B' "
      "behavior='b'/><Decider name='C' behavior='c'/></Group>";
  DeciderPair pair(
      tree_of("<Group name='Root' policy='scored'><Decider name='X' behavior='x' decide='x?'/>" + group + "</Group>"),
      5);  // A C B
  pair.answer("x?", {2.0, 2.0, 0.0});
  pair.tick(1);
  const std::uint64_t generator = pair.model().state.generator;
  pair.tick(1);
  CHECK(pair.path() == "Root/X");
  pair.tick(1);
  CHECK(pair.path() == "Root/G/A");
  CHECK(pair.model().state.generator == generator);
}

TEST_CASE("an active delegating group is worth its active child, through those that delegate below it") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='scored'><Decider name='X' behavior='x' decide='x?'/>"
              "<Group name='G' policy='scored' delegate='true' flagsAll='P'>"
              "<Group name='H' policy='prioritizedList' delegate='true'>"
              "<Decider name='A' behavior='a' decide='a?' flagsAll='P'/></Group></Group></Group>"));
  pair.set_flags({"P"});
  pair.answer("x?", {1.0, 1.0, 1.0, 2.0});
  pair.answer("a?", {2.0, 2.0, 1.0, 1.0});
  pair.tick(1);
  CHECK(pair.path() == "Root/G/H/A");
  pair.set_flags({});
  // Root asks for A's value through G and H; then G does the same for H, its only child.
  CHECK(pair.tick(1) == "decide X 1; decide A 2; decide A 1; tick a running");
  CHECK(pair.tick(1) == "decide X 1; decide A 1; decide A 1; tick a running");
  CHECK(pair.tick(1) == "decide X 2; decide A 1; leave a; enter x; tick x running");
}

}  // namespace runtime_deciders_sentences
