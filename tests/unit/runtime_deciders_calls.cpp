// What the host of a tree of deciders sees: the order of calls, memory and blocks of behaviours, agents that are
// stopped, restored and moved; and trees that are large. As runtime_deciders_sentences.cpp.
#include "runtime_deciders_agent.h"
#include "unit.h"

namespace runtime_deciders_calls {

namespace {

using namespace espalier;
using test::DeciderPair;
using test::ModelStatus;
using test::tree_of;

const std::string kFailure = "failure";
const std::string kRunning = "running";

}  // namespace

// ---- The order of calls, memory and blocks

TEST_CASE("all Decides of a group come before any Deactivate, and that before Activate") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='scored'><Decider name='A' behavior='a' decide='a?'/>"
              "<Group name='G' policy='prioritizedList' behavior='g' decide='g?'>"
              "<Decider name='B' behavior='b' decide='b?'/></Group></Group>"));
  pair.answer("a?", {1.0, 1.0, 3.0});
  pair.answer("g?", {0.0, 2.0});
  CHECK(pair.tick(1) == "decide A 1; decide G 0; enter a; tick a running");
  CHECK(pair.tick(1) ==
        "decide A 1; decide G 2; leave a; enter g; tick g running; decide B 1; enter b; tick b running");
  CHECK(pair.tick(1) == "decide A 3; decide G 2; leave b; leave g; enter a; tick a running");
}

TEST_CASE("a behaviour that is active in two levels has memory of its own in each, zeroed at Activate") {
  DeciderPair pair(tree_of("<Group name='Root' policy='prioritizedList' behavior='a'>"
                           "<Decider name='A' behavior='a' behaviorFlags='x'/></Group>"),
                   1, true);
  const std::string first = pair.tick(1);
  CHECK(first ==
        "activates flags 0 memory 0.0.0. block none; enter a; ticks flags 0 memory 1.2.3. block none; tick a running; "
        "activates flags 1 memory 0.0.0. block none; enter a; ticks flags 1 memory 3.4.5. block none; tick a running");
  CHECK(pair.tick(1) ==
        "ticks flags 0 memory 2.3.4. block none; tick a running; ticks flags 1 memory 4.5.6. block none; tick a "
        "running");
}

TEST_CASE("a behaviour reads the block of the Decide that it was activated by until its Deactivate") {
  DeciderPair pair(tree_of("<Group name='Root' policy='scored'>"
                           "<Decider name='A' behavior='b' decide='a?' block='2'/>"
                           "<Decider name='B' behavior='b' decide='b?' block='2'/></Group>"),
                   1, true);
  pair.answer("a?", {2.0, 2.0, 1.0, 1.0});
  pair.answer("b?", {1.0, 1.0, 2.0, 2.0});
  const auto told = [&](const char* what) { return pair.tick(1).find(what) != std::string::npos; };
  CHECK(told("activates flags 0 memory none block 1.2."));  // A was asked first
  // Both are asked again, with blocks of zeros; that of the active one is discarded.
  CHECK(pair.tick(1) ==
        "decides flags 0 memory none block 0.0.; decide A 2; decides flags 0 memory none block 0.0.; decide B 1; "
        "ticks flags 0 memory none block 1.2.; tick b running");
  CHECK(
      told("deactivates flags 0 memory none block 1.2.; leave b; activates flags 0 memory none block 9.10.; enter b"));
  CHECK(told("ticks flags 0 memory none block 9.10."));
}

TEST_CASE("the block of a group's Decide that is called for a redecide is thrown away") {
  DeciderPair pair(tree_of("<Group name='Root' policy='random'>"
                           "<Group name='G' policy='prioritizedList' behavior='g' decide='g?' block='1' "
                           "decideOnRedecide='true'><Decider name='A' behavior='a'/>"
                           "<Decider name='B' behavior='b'/></Group></Group>"),
                   1, true);
  pair.answer("a", {kFailure});
  CHECK(pair.tick(1).find("decides flags 0 memory none block 0.; decide G 1; deactivates") != std::string::npos);
  CHECK(pair.tick(1).starts_with("ticks flags 0 memory none block 1.; tick g running"));
}

TEST_CASE("the blocks of a delegate's whole choice are read by those that it activates") {
  DeciderPair pair(tree_of("<Group name='Root' policy='random'>"
                           "<Group name='G' policy='random' delegate='true'>"
                           "<Group name='H' policy='scored' delegate='true'>"
                           "<Decider name='A' behavior='b' decide='a?' block='1'/>"
                           "<Decider name='B' behavior='c' decide='b?' block='3'/></Group></Group></Group>"),
                   1, true);
  pair.answer("b?", {2.0});
  CHECK(pair.tick(1).find("activates flags 0 memory none block 2.3.4.; enter c") != std::string::npos);
}

TEST_CASE("an agent that is stopped leaves its path, deepest first, and begins afresh with its timers kept") {
  DeciderPair pair(
      tree_of("<Group name='Root' policy='prioritizedList' behavior='r'>"
              "<Group name='G' policy='prioritizedList' behavior='g' every='5'>"
              "<Decider name='A' behavior='a'/></Group><Decider name='B' behavior='b'/></Group>"));
  pair.tick(1);
  CHECK(pair.stop() == "leave a; leave g; leave r");
  CHECK(pair.stop().empty());
  CHECK(pair.tick(1) == "enter r; tick r running; enter b; tick b running");
}

TEST_CASE("an agent that is restored goes on as it was, and no behaviour is called") {
  DeciderPair pair(tree_of("<Group name='Root' policy='prioritizedList'>"
                           "<Decider name='X' behavior='x' stimuliAll='Hit'/>"
                           "<Group name='S' policy='shuffle'><Decider name='A' behavior='a'/>"
                           "<Decider name='B' behavior='b'/><Decider name='C' behavior='c'/></Group></Group>"),
                   9, true);
  pair.tick(1);
  const DeciderPair::Saved saved = pair.save();
  const auto next_three = [&] {
    std::string paths;
    for (int i = 0; i < 3; ++i) {
      pair.stop();
      pair.tick(1);
      paths += pair.path() + ' ';
    }
    return paths;
  };
  const std::string first = next_three();
  pair.signal("OnHit");
  pair.tick(1);
  CHECK(pair.path() == "Root/X");
  pair.restore(saved);
  CHECK(pair.path().starts_with("Root/S"));
  CHECK(next_three() == first);
}

TEST_CASE("an agent that moves to the same tree goes on as if nothing had happened") {
  DeciderPair pair(tree_of("<Group name='Root' policy='sequential' behavior='a'><DeciderRef name='S'/>"
                           "<DeciderRef name='S'/></Group>",
                           "<Group name='S' policy='shuffle' every='1'><Decider name='A' behavior='a'/>"
                           "<Decider name='B' behavior='b'/></Group>"),
                   9, true);
  for (int i = 0; i < 20; ++i) {
    pair.answer("b", {i % 3 == 0 ? kFailure : kRunning});
    pair.tick(0.5);
    pair.move();
  }
}

// ---- Large trees

TEST_CASE("a thousand groups that delegate to one another are asked and entered") {
  std::string root;
  for (int i = 0; i < 1000; ++i) {
    root += "<Group name='G" + std::to_string(i) + "' policy='" + (i % 2 == 0 ? "scored" : "random") + "'" +
            (i == 0 ? ">" : " delegate='true'>");
  }
  root += "<Decider name='A' behavior='a' decide='a?' block='64'/>";
  for (int i = 0; i < 1000; ++i) root += "</Group>";
  DeciderPair pair(test::deciders_of("<DeciderTree name='T'>" + root + "</DeciderTree>"));
  CHECK(pair.tick(1) == "decide A 1; enter a; tick a running");
  CHECK(pair.model().path().size() == 1001);
  pair.answer("a", {kFailure});
  pair.tick(1);
  CHECK(pair.status == ModelStatus::error);  // 16 redecides, and no child is left in any of them
}

TEST_CASE("an update without the scratch memory that it needs does nothing") {
  std::string root = "<Group name='Root' policy='random'>";
  for (int i = 0; i < 40; ++i) {
    root += "<Decider name='D" + std::to_string(i) + "' behavior='a' decide='a?' block='64'/>";
  }
  test::Compiled compiled;
  test::compile(test::ir_of(test::deciders_of("<DeciderTree name='T'>" + root + "</Group></DeciderTree>")), compiled);
  const Tree tree = espalier::tree(compiled.asset, 0);
  std::vector<std::uint64_t> scratch(scratch_bytes(tree) / 8);
  REQUIRE_FALSE(scratch.empty());
  std::vector<std::uint64_t> block(agent_bytes(tree) / 8);
  start(tree, block.data());
  const std::vector<std::uint64_t> started = block;
  Behavior decide;
  decide.decide = [](const Call*) { return 1.0; };
  Host host;
  host.conditions = &decide;
  CHECK(update(tree, block.data(), host) == Result::error);
  CHECK(block == started);
  host.scratch = scratch.data();
  CHECK(update(tree, block.data(), host) == Result::running);
}

TEST_CASE("behaviours without functions go on, and Decide functions that are not bound refuse") {
  test::Compiled compiled;
  test::compile(test::ir_of(tree_of("<Group name='Root' policy='prioritizedList' behavior='r'>"
                                    "<Decider name='A' behavior='a' decide='a?'/><Decider name='B' behavior='b'/>"
                                    "</Group>")),
                compiled);
  const Tree tree = espalier::tree(compiled.asset, 0);
  std::vector<std::uint64_t> block(agent_bytes(tree) / 8);
  start(tree, block.data());
  const std::vector<Behavior> none(behavior_count(compiled.asset));
  const Behavior unbound;
  for (const Behavior* behaviors : {none.data(), static_cast<const Behavior*>(nullptr)}) {
    for (const Behavior* conditions : {&unbound, static_cast<const Behavior*>(nullptr)}) {
      Host host;
      host.behaviors = behaviors;
      host.conditions = conditions;
      for (int i = 0; i < 3; ++i) CHECK(update(tree, block.data(), host) == Result::running);
      CHECK(decider_name(tree, active_decider(tree, block.data(), 1).node_word) == "B");
      stop(tree, block.data(), host);
      CHECK(active_count(tree, block.data()) == 0);
    }
  }
}

}  // namespace runtime_deciders_calls
