// What is written of made-up answers about all runs: covers, differences of versions, proofs.
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/explored.h"
#include "unit.h"

namespace report_explored {

using namespace espalier;
using explore::Item;
using explore::ItemKind;
using explore::Reached;

explore::Cover made_up_cover() {
  explore::Cover cover;
  cover.traces = {{"Guard-1.trace.jsonl", {"Guard", 1, 1, {R"({"signal": "OnSeen"})", R"({"tick": 0.1})"}}}};
  explore::TreeCover& tree = cover.trees.emplace_back();
  tree.tree = "Guard";
  tree.state_count = 1204;
  const auto item = [&](ItemKind kind, const char* name, std::uint32_t line, Reached reached, std::uint32_t steps) {
    Item& added = tree.items.emplace_back();
    added.kind = kind;
    added.name = name;
    added.place = {"guard.xml", line, kind == ItemKind::leaf ? 5u : 7u};
    if (kind == ItemKind::result) added.path = "Root/Fire";
    added.reached = reached;
    added.steps = steps;
    if (reached == Reached::yes) added.trace = 0;
  };
  item(ItemKind::leaf, "Attack", 3, Reached::yes, 2);
  item(ItemKind::leaf, "Hide", 4, Reached::no, 0);
  item(ItemKind::result, "Fire success", 6, Reached::yes, 5);
  item(ItemKind::result, "Fire failure", 6, Reached::no, 0);
  return cover;
}

std::string written(const explore::Cover& cover, const report::CoverForm& form) {
  std::ostringstream out;
  report::write_cover(cover, form, out);
  return out.str();
}

TEST_CASE("a cover is a table for each tree, and what is not reached with the reason") {
  explore::Cover cover = made_up_cover();
  CHECK(written(cover, {}) ==
        "Guard\n"
        "  leaf               1 of 2   50%\n"
        "  result             1 of 2   50%\n"
        "  all                2 of 4   50%\n"
        "guard.xml:4:5: leaf 'Hide': not reachable: explored all 1,204 states\n"
        "guard.xml:6:7: result 'Fire failure' at Root/Fire: not reachable: explored all 1,204 states\n"
        "\n"
        "2 of 4 items reached, 2 not reachable\n");
  CHECK(report::summarize(cover).percent() == 100);
  cover.trees[0].items[1].reached = Reached::undecided;
  cover.trees[0].is_complete = false;
  const std::string text = written(cover, {});
  CHECK(text.find("leaf 'Hide': undecided: the budget was used up after 1,204 states\n") != std::string::npos);
  CHECK(text.find("2 of 4 items reached, 1 not reachable, 1 undecided\n") != std::string::npos);
  CHECK(decimal(report::summarize(cover).percent()) == "66.666667");
}

TEST_CASE("the cover of given traces says what they could reach") {
  const explore::Cover possible = made_up_cover();
  explore::Cover measured = made_up_cover();
  measured.traces = {{"a.trace.jsonl", {}}};
  measured.trees[0].items[0].reached = Reached::no;
  report::CoverForm form;
  form.possible = &possible;
  form.has_files = true;
  const std::string text = written(measured, form);
  CHECK(text.find("leaf 'Attack': not reached by these traces, but reachable in 2 steps\n") != std::string::npos);
  CHECK(text.find("leaf 'Hide': not reachable: explored all 1,204 states\n") != std::string::npos);
  CHECK(report::summarize(measured, &possible).percent() == 50);
  form.format = report::CoverFormat::json;
  const auto json = nlohmann::json::parse(written(measured, form));
  const auto& items = json.at("trees").at(0).at("items");
  CHECK(items.at(0).at("reached") == false);
  CHECK(items.at(2).at("trace") == "a.trace.jsonl");
  CHECK(items.at(2).at("steps") == nullptr);
  CHECK(json.at("summary").dump() == R"({"items":4,"reached":1,"undecided":0,"unreachable":2})");
}

TEST_CASE("a cover as JSON has every item") {
  explore::Cover cover = made_up_cover();
  cover.trees[0].items[1].reached = Reached::undecided;
  report::CoverForm form{.format = report::CoverFormat::json, .has_files = true};
  CHECK(written(cover, form) ==
        R"({"version":1,"trees":[
{"name":"Guard","items":[
{"kind":"leaf","name":"Attack","file":"guard.xml","line":3,"column":5,"reached":true,"steps":2,"trace":"Guard-1.trace.jsonl"},
{"kind":"leaf","name":"Hide","file":"guard.xml","line":4,"column":5,"reached":null,"steps":null,"trace":null},
{"kind":"result","name":"Fire success","file":"guard.xml","line":6,"column":7,"reached":true,"steps":5,"trace":"Guard-1.trace.jsonl","path":"Root/Fire"},
{"kind":"result","name":"Fire failure","file":"guard.xml","line":6,"column":7,"reached":false,"steps":null,"trace":null,"path":"Root/Fire"}
],"states":1204}
],"summary":{"items":4,"reached":2,"unreachable":1,"undecided":1}}
)");
  form.has_files = false;
  CHECK(written(cover, form).find("Guard-1") == std::string::npos);
}

TEST_CASE("a cover for LCOV has the lines, and results as branches") {
  CHECK(written(made_up_cover(), {.format = report::CoverFormat::lcov}) ==
        "TN:\nSF:guard.xml\nBRDA:6,0,0,1\nBRDA:6,0,1,0\nBRF:2\nBRH:1\nDA:3,1\nDA:4,0\nDA:6,1\nLF:3\nLH:2\n"
        "end_of_record\n");
}

std::vector<explore::TreeDiff> made_up_diff() {
  explore::Difference hides;
  hides.before = "Attack";
  hides.after = "Hide";
  hides.trace = {"Guard", 1, 1, {R"({"signal": "OnSeen"})", R"({"tick": 0.1})", R"({"tick": 0.1})"}};
  hides.when = "EnemyVisible && !LowAmmo";
  hides.place = {"guard.xml", 4, 5};
  explore::Difference stops;
  stops.before = "Patrol_1";
  stops.trace = {
      "Guard", 1, 7, {R"({"set": {"Hurt": true}})", R"({"host": {"Move": ["failure", true]}})", R"({"tick": 2.5})"}};
  stops.place = {"guard.xml", 9, 5};
  stops.is_place_of_old = true;
  return {{"Guard", {}, explore::Compared::different, {hides, stops}, 12, false},
          {"Same", {}, explore::Compared::same, {}, 3},
          {"Dog", {}, explore::Compared::added, {}},
          {"Cat", {}, explore::Compared::undecided, {}, 2000000, false}};
}

std::string written(const std::vector<explore::TreeDiff>& trees, report::DiffFormat format) {
  std::ostringstream out;
  report::write_diff({.trees = trees}, format, false, out);
  return out.str();
}

TEST_CASE("differences are listed for people; equal trees are not") {
  CHECK(written(made_up_diff(), report::DiffFormat::human) ==
        "3 changes of behaviour in 2 of 4 trees; 1 tree undecided\n"
        "Guard: 2 differences; there may be more: 12 states were explored\n"
        "  guard.xml:4:5: was Attack, is now Hide\n"
        "    when EnemyVisible && !LowAmmo\n"
        "    shown by: signal OnSeen, tick (2 times)\n"
        "  guard.xml:9:5 (old): was Patrol_1, is now nothing\n"
        "    shown by: set Hurt true, Move answers failure, true, tick 2.5 s\n"
        "Dog: added\n"
        "Cat: undecided: no difference in the 2,000,000 states that the budget allows\n");
  const std::vector<explore::TreeDiff> same = {{"Same", {}, explore::Compared::same, {}}};
  CHECK(written(same, report::DiffFormat::human).empty());
  CHECK(written(same, report::DiffFormat::markdown) ==
        "### Behaviour changes\n\nNo difference in behaviour: no run tells the two versions apart.\n");
}

TEST_CASE("differences as Markdown are sentences in which names are no markup") {
  CHECK(
      written(made_up_diff(), report::DiffFormat::markdown) ==
      "### Behaviour changes\n"
      "\n"
      "3 changes of behaviour in 2 of 4 trees; 1 tree undecided.\n"
      "\n"
      "- **Guard**: When `EnemyVisible && !LowAmmo`, it was **Attack** and is now **Hide** (`guard.xml:4:5`), shown "
      "by: "
      "signal OnSeen, tick \\(2 times\\).\n"
      "- **Dog**: added\n"
      "- **Cat**: undecided: no difference in the 2,000,000 states that the budget allows\n"
      "\n"
      "<details>\n"
      "<summary>All 2 differences</summary>\n"
      "\n"
      "**Guard** (there may be more: 12 states were explored)\n"
      "\n"
      "- When `EnemyVisible && !LowAmmo`, it was **Attack** and is now **Hide** (`guard.xml:4:5`), shown by: signal "
      "OnSeen, tick \\(2 times\\).\n"
      "- It was **Patrol\\_1** and is now nothing (`guard.xml:9:5` of the old version), shown by: set Hurt true, Move "
      "answers failure, true, tick 2.5 s.\n"
      "\n"
      "</details>\n");
}

TEST_CASE("differences as JSON have their traces") {
  CHECK(written(made_up_diff(), report::DiffFormat::json) ==
        R"({"version":1,"trees":[
{"name":"Guard","result":"different","differences":[
{"old":"Attack","new":"Hide","steps":3,"trace":[{"signal":"OnSeen"},{"tick":0.1},{"tick":0.1}],"when":"EnemyVisible && !LowAmmo","file":"guard.xml","line":4,"column":5},
{"old":"Patrol_1","new":null,"steps":3,"trace":[{"set":{"Hurt":true}},{"host":{"Move":["failure",true]}},{"tick":2.5}],"seed":7,"file":"guard.xml","line":9,"column":5}
],"states":12,"complete":false},
{"name":"Same","result":"same","differences":[],"states":3,"complete":true},
{"name":"Dog","result":"added","differences":[],"states":0,"complete":true},
{"name":"Cat","result":"undecided","differences":[],"states":2000000,"complete":false}
],"summary":{"trees":4,"same":1,"different":1,"added":1,"removed":0,"undecided":1,"differences":2}}
)");
}

std::vector<explore::Proof> made_up_proofs() {
  explore::Proof fails;
  fails.property = "never attacks <blindly>";
  fails.tree = "Guard";
  fails.result = explore::Truth::fails;
  fails.trace = explore::Trace{"Guard", 1, 1, {R"({"signal": "OnSeen"})", R"({"tick": 0.1})"}};
  fails.expectation = R"({"expect": {"not": {"behavior": "Attack"}}})";
  fails.hint = "'Attack' is selected here";
  fails.hint_place = {"guard.xml", 3, 5};
  explore::Proof undecided;
  undecided.property = "can hide";
  undecided.tree = "Dog";
  undecided.state_count = 2000;
  explore::Proof holds;
  holds.property = "always does something";
  holds.tree = "Guard";
  holds.result = explore::Truth::holds;
  holds.state_count = 1;
  return {holds, fails, undecided};
}

std::string written(const std::vector<explore::Proof>& proofs, const report::ProofForm& form) {
  std::ostringstream out;
  report::write_proofs(proofs, form, out);
  return out.str();
}

TEST_CASE("proofs are listed as a test runner does") {
  const std::vector<std::string> files = {"", "out/1.trace.jsonl", ""};
  CHECK(written(made_up_proofs(), {.files = files}) ==
        "ok  Guard: always does something  (1 state)\n"
        "FAILED  Guard: never attacks <blindly>  (after 2 steps)\n"
        "    {\"signal\": \"OnSeen\"}\n"
        "    {\"tick\": 0.1}\n"
        "    {\"expect\": {\"not\": {\"behavior\": \"Attack\"}}}\n"
        "  hint: guard.xml:3:5: 'Attack' is selected here\n"
        "  trace: out/1.trace.jsonl\n"
        "undecided  Dog: can hide  (the budget was used up after 2,000 states)\n");
  CHECK(report::proof_summary(made_up_proofs()) == "1 property holds, 1 fails, 1 is undecided");
  CHECK(report::proof_summary({}) == "no properties");
}

TEST_CASE("proofs as JSON have their traces, which end in the expectation") {
  CHECK(written(made_up_proofs(), {.format = report::ProofFormat::json}) ==
        R"({"version":1,"results":[
{"property":"always does something","tree":"Guard","result":"holds","steps":null,"trace":null,"states":1},
{"property":"never attacks <blindly>","tree":"Guard","result":"fails","steps":2,"trace":[{"signal":"OnSeen"},{"tick":0.1},{"expect":{"not":{"behavior":"Attack"}}}],"states":0,"hint":"'Attack' is selected here","file":"guard.xml","line":3,"column":5},
{"property":"can hide","tree":"Dog","result":"undecided","steps":null,"trace":null,"states":2000}
],"summary":{"properties":3,"holds":1,"fails":1,"undecided":1}}
)");
}

TEST_CASE("proofs as JUnit are a suite for each tree") {
  const std::string failed = written(made_up_proofs(), {.format = report::ProofFormat::junit});
  CHECK(
      failed ==
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"espalier prove\" tests=\"3\" failures=\"2\" errors=\"0\">\n"
      "  <testsuite name=\"Guard\" tests=\"2\" failures=\"1\" errors=\"0\">\n"
      "    <testcase classname=\"Guard\" name=\"always does something\"/>\n"
      "    <testcase classname=\"Guard\" name=\"never attacks &#60;blindly&#62;\">\n"
      "      <failure type=\"fails\" message=\"fails: after 2 steps\">{\"signal\": \"OnSeen\"}\n"
      "{\"tick\": 0.1}\n"
      "{\"expect\": {\"not\": {\"behavior\": \"Attack\"}}}\n"
      "hint: guard.xml:3:5: 'Attack' is selected here\n"
      "</failure>\n"
      "    </testcase>\n"
      "  </testsuite>\n"
      "  <testsuite name=\"Dog\" tests=\"1\" failures=\"1\" errors=\"0\">\n"
      "    <testcase classname=\"Dog\" name=\"can hide\">\n"
      "      <failure type=\"undecided\" message=\"undecided: the budget was used up after 2,000 states\"></failure>\n"
      "    </testcase>\n"
      "  </testsuite>\n"
      "</testsuites>\n");
  const std::string allowed =
      written(made_up_proofs(), {.format = report::ProofFormat::junit, .allows_undecided = true});
  CHECK(allowed.find("<testsuite name=\"Dog\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\">") !=
        std::string::npos);
}

TEST_CASE("steps are told in words") {
  CHECK(report::step_words(R"({"flags": ["Night", "Rain"]})") == "flags Night, Rain");
  CHECK(report::step_words(R"({"flags": []})") == "flags none");
  CHECK(report::step_words(R"({"stimulus": "Noise", "clear": true})") == "clear stimulus Noise");
  CHECK(report::step_words(R"({"jump": null})") == "reset");
  CHECK(report::step_words(R"({"jump": "a.b"})") == "jump to a.b");
  CHECK(report::step_words(R"({"inject": {"slot": "S", "tree": "T"}, "agent": 1})") == "inject T into S (agent 1)");
  CHECK(report::step_words(R"({"inject": {"slot": "S", "tree": null}})") == "empty slot S");
  CHECK(report::step_words("no json") == "no json");
  CHECK(report::grouped(999) == "999");
  CHECK(report::grouped(1234567) == "1,234,567");
}

}  // namespace report_explored
