// Refusals, waits and ends in the story of synchronized trees, in addition to the golden cases.
#include "replay_synchronized.h"

namespace replay_synchronized_story {

using namespace espalier;

namespace {

struct Telling {
  const char* rule;
  std::string tree;
  std::uint32_t agent_count;
  std::string lines;
  std::vector<std::string> told;
  std::vector<std::string> not_told;
};

std::string tree_of_nodes(const std::string& nodes) {
  return "<SynchronizedTree name='T' maxDepth='2'>\n" + nodes + "\n</SynchronizedTree>\n";
}

std::string host(const std::string& answers) { return "{\"host\": {" + answers + "}, \"agent\": \"all\"}\n"; }

const std::string kTick = "{\"tick\": 1}\n";

const std::vector<Telling>& tellings() {
  static const std::vector<Telling> rows = {
      {"who is in a full gate is named, up to four of them",
       tree_of_nodes("<Gate name='G' agents='5'><Action name='A'/></Gate>"),
       6,
       host(R"("A": "running")") + kTick,
       {"Gate G is full: agent 0, agent 1, agent 2, agent 3 and 1 more"},
       {}},
      {"in a crowd they are counted",
       tree_of_nodes("<Gate name='G' agents='2'><Action name='A'/></Gate>"),
       65,
       host(R"("A": "running")") + kTick,
       {"Gate G is full: 2 agents"},
       {"full: agent"}},
      {"an agent's own cooldown, to the microsecond",
       tree_of_nodes("<Cooldown seconds='1.5'><Action name='A'/></Cooldown>"),
       1,
       host(R"("A": "success")") + kTick + "{\"tick\": 0.000001}\n",
       {"Cooldown (0.xml:2) has 1.499999 s to go"},
       {}},
      {"of one that is in two places the time is not told",
       tree_of_nodes("<Parallel><ChildTree slot='s' default='U'/><ChildTree slot='s' default='U'/>"
                     "<Action name='B'/></Parallel>"),
       1,
       host(R"("A": "failure", "B": "running")") + kTick + kTick,
       {"Cooldown (1.xml:1) has 4 s to go\n", "Cooldown (1.xml:1) is not over\n"},
       {}},
      {"an agent that has the group in another place",
       tree_of_nodes("<Parallel failure='all'><ChildTree slot='s' default='V'/><Selector><ChildTree slot='s' "
                     "default='V'/><Action name='C'/></Selector></Parallel>"),
       1,
       host(R"("C": "running")") + kTick,
       {"waits in Group (2.xml:1)", "Group (2.xml:1) has it already, in another place"},
       {"role left"}},
      {"a slot without a tree",
       tree_of_nodes("<Selector><ChildTree slot='s'/><Action name='A'/></Selector>"),
       1,
       host(R"("A": "running")") + kTick,
       {"slot s is empty"},
       {}},
      {"a monitor that is asked again and stays quiet says nothing",
       tree_of_nodes("<Selector><Monitor><Condition name='C'/></Monitor><Sequence><Action name='A'/><Action name='B'/>"
                     "</Sequence></Selector>"),
       1,
       host(R"("C": false, "A": ["running", "success"], "B": "running")") + kTick + kTick,
       {"enters A                            C is false", "enters B\n"},
       {"enters B   "}},
      {"what is reset together stands on one line",
       tree_of_nodes("<Sequence><Action name='A'/><Action name='B'/><Parallel><Action name='C'/><Action name='D'/>"
                     "</Parallel></Sequence>"),
       1,
       host(R"("A": "success", "B": "success", "C": "running", "D": "running")") + kTick + "{\"destroy\": 0}\n",
       {"interrupts D, C, resets B, A"},
       {}},
      {"what a parallel that is done interrupts is told with the parallel",
       tree_of_nodes("<Sequence><Parallel success='any'><Action name='A'/><Action name='B'/></Parallel><Parallel>"
                     "<Condition name='C'/></Parallel><Action name='D'/></Sequence>"),
       1,
       host(R"("A": "running", "B": "success", "C": true, "D": "running")") + kTick,
       {"interrupts A                        Parallel (0.xml:2) succeeds\n",
        "enters D                            C is "
        "true\n"},
       {}},
      {"other nodes run, and nothing else has happened",
       tree_of_nodes("<Group agents='2'><Role name='R'><Sequence><Barrier name='b'/><Parallel><Barrier name='c'/>"
                     "</Parallel></Sequence></Role><Role name='S'><Sequence><Action name='A'/><Barrier name='b'/>"
                     "<Action name='B'/><Barrier name='c'/></Sequence></Role></Group>"),
       2,
       host(R"("A": ["running", "success"], "B": "running")") + kTick + kTick + kTick + host(R"("B": "success")") +
           kTick,
       {"agent 0   waits at Barrier b                  for S\n",
        "agent 0   waits at Barrier c                  for S\n", "Barrier b opens\n"},
       {}},
      {"a repeated barrier has nothing to follow it",
       tree_of_nodes("<Group agents='2'><Role name='R'><Repeat><Barrier name='b'/></Repeat></Role><Role name='S'>"
                     "<Sequence><Action name='A'/><Barrier name='b'/></Sequence></Role></Group>"),
       2,
       host(R"("A": ["running", "success"])") + kTick + kTick + kTick,
       {"agent 0   goes on                             Barrier b opens\n"},
       {}},
      {"a group whose only role is done ends at once",
       tree_of_nodes("<Group name='G' agents='1'><Role name='R'><Action name='A'/></Role></Group>"),
       1,
       host(R"("A": ["running", "failure"])") + kTick + kTick,
       {"is R of Group G", "Group G fails: one of its roles has failed"},
       {"is done as R"}},
      {"a tree that only fails is told of once",
       tree_of_nodes("<Condition name='C'/>"),
       1,
       host(R"("C": false)") + kTick + kTick + kTick,
       {"1.000  the tree fails                      C is false"},
       {"2.000", "3.000"}},
      {"many answers are told on lines of their own, up to eight",
       tree_of_nodes([] {
         std::string nodes = "<Selector>";
         for (int i = 10; i < 60; ++i) nodes += "<Condition name='Condition" + std::to_string(i) + "'/>";
         return nodes + "<Action name='A'/></Selector>";
       }()),
       1,
       [] {
         std::string answers = R"("A": "running")";
         for (int i = 10; i < 60; ++i) answers += ", \"Condition" + std::to_string(i) + "\": false";
         return host(answers);
       }() +
           kTick,
       {"enters A                            Condition10 is false, Condition11 is false\n", "Condition25 is false\n",
        " ...\n"},
       {"Condition26"}},
  };
  return rows;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("stories of synchronized trees") {
  const std::string cooldown =
      "<SynchronizedTree name='U'><Selector><Cooldown seconds='5'><Action name='A'/></Cooldown>"
      "</Selector></SynchronizedTree>";
  const std::string group =
      "<SynchronizedTree name='V'><Group agents='2'><Role><Action name='A'/></Role><Role>"
      "<Action name='B'/></Role></Group></SynchronizedTree>";
  for (const Telling& row : tellings()) {
    INFO(row.rule);
    const SynchronizedTrees trees({row.tree, cooldown, group});
    const std::string header = "{\"trace\": 1, \"tree\": \"T\", \"agents\": " + std::to_string(row.agent_count) + "}\n";
    const Replayed replayed = run_trace(trees.asset(), header + row.lines, {});
    INFO(replayed.messages());
    CHECK_FALSE(replayed.result.is_broken);
    CAPTURE(replayed.output);
    for (const std::string& part : row.told) {
      CAPTURE(part);
      CHECK(contains(replayed.output, part));
    }
    for (const std::string& part : row.not_told) {
      CAPTURE(part);
      CHECK_FALSE(contains(replayed.output, part));
    }
  }
}

}  // namespace replay_synchronized_story
