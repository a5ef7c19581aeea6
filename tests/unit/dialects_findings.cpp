// Findings of selection trees: each fault is reported once, and its consequences are not.
#include "selection_reading.h"
#include "unit.h"

namespace dialects_findings {

using namespace espalier;

namespace {

const std::string kHead = "<SelectionTree name='Guard' type='BehaviorSelectionTree'>\n";

}  // namespace

TEST_CASE("a fault in a block is one finding that names the references") {
  const SelectionReading reading({"<Blocks>\n<Block name='B'>\n<Leaf name='L' condition='Nope'/>\n</Block>\n</Blocks>",
                                  tree_of({"<Priority name='R'>", "<Ref name='B'/>", "<Ref name='B'/>", "</Priority>"}),
                                  "<SelectionTree name='Other' type='BehaviorSelectionTree'>\n<Priority name='R'>\n"
                                  "<Ref name='B'/>\n</Priority>\n</SelectionTree>"});
  CHECK(reading.found() == Lines{"0.xml:3 unknown-variable <- 1.xml:3 <- 1.xml:4 <- 2.xml:3"});
}

TEST_CASE("consequences of a reported fault are not reported") {
  struct {
    const char* why;
    Lines content;
    Lines found;
  } const cases[] = {
      {"a variable with a wrong default is declared",
       {"<Variables><Variable name='A' default='1'/></Variables>",
        "<Priority name='R'><Leaf name='L' condition='A'/></Priority>"},
       {"0.xml:2 invalid-default"}},
      {"so is one whose element is misspelt",
       {"<Variables><Varaible name='A'/></Variables>", "<Priority name='R'><Leaf name='L' condition='A'/></Priority>"},
       {"0.xml:2 unknown-element"}},
      {"a block that is missing may have declared it",
       {"<Variables><Ref name='Gone'/></Variables>", "<Priority name='R'><Leaf name='L' condition='A'/></Priority>"},
       {"0.xml:2 unresolved-reference"}},
      {"but not where variables are not allowed",
       {"<Priority name='R'><Ref name='Gone'/>", "<Leaf name='L' condition='A'/></Priority>"},
       {"0.xml:2 unresolved-reference", "0.xml:3 unknown-variable"}},
      {"and a name that is near to a declared one was meant to be that",
       {"<Variables><Variable name='Alerted'/><Ref name='Gone'/></Variables>",
        "<Priority name='R'><Leaf name='L' condition='Alertd'/></Priority>"},
       {"0.xml:2 unresolved-reference", "0.xml:3 unknown-variable"}},
      {"a map's leaf may be in a block that is missing",
       {"<Priority name='R'><Ref name='Gone'/></Priority>",
        "<LeafTranslations><Map node='L' target='t'/></LeafTranslations>"},
       {"0.xml:2 unresolved-reference"}},
      {"a missing block may have held the root", {"<Ref name='Gone'/>"}, {"0.xml:2 unresolved-reference"}},
      {"or the state", {"<StateMachine name='M'><Ref name='Gone'/></StateMachine>"}, {"0.xml:2 unresolved-reference"}},
      {"or the state's node",
       {"<StateMachine name='M'><State name='S'><Ref name='Gone'/></State></StateMachine>"},
       {"0.xml:2 unresolved-reference"}},
      {"or a transition's target",
       {"<Variables><Variable name='A'/></Variables>",
        "<StateMachine name='M'><State name='S'><Leaf name='L'/><Transition state='T' condition='A'/></State>",
        "<Ref name='Gone'/></StateMachine>"},
       {"0.xml:4 unresolved-reference"}},
      {"a block in the wrong place is known",
       {"<Block name='B'><Leaf name='L'/></Block>", "<Priority name='R'><Ref name='B'/></Priority>"},
       {"0.xml:2 unexpected-element"}},
      {"blocks that a reference brings in are known too",
       {"<Blocks><Block name='B'>", "<Blocks><Block name='C'><Leaf name='L'/></Block></Blocks>", "</Block></Blocks>",
        "<Ref name='B'/>", "<Priority name='R'><Ref name='C'/></Priority>"},
       {"0.xml:3 blocks-through-reference <- 0.xml:5"}},
      {"a misspelt section is read as the one that was meant",
       {"<Variabls><Variable name='A'/></Variabls>", "<Priority name='R'><Leaf name='L' condition='A'/></Priority>"},
       {"0.xml:2 unknown-element"}},
      {"a Sequence's children are read",
       {"<Sequence name='R'>", "<Leaf/>", "</Sequence>"},
       {"0.xml:2 broken-sequence", "0.xml:3 missing-attribute"}},
      {"a second root is read too, but it is not a part of the tree",
       {"<Leaf name='A'/>", "<Priority name='R'>", "<Leaf/>", "</Priority>"},
       {"0.xml:3 second-root <- 0.xml:2", "0.xml:4 missing-attribute"}},
      {"an ignored condition is not checked",
       {"<Leaf name='A' condition='nonsense ((('/>"},
       {"0.xml:2 unread-condition"}},
      {"'not' is not a variable",
       {"<Variables><Variable name='A'/></Variables>",
        "<Priority name='R'><Leaf name='L' condition='not A'/></Priority>"},
       {"0.xml:3 text-after-condition"}},
  };
  for (const auto& [why, content, found] : cases) {
    CAPTURE(why);
    CHECK(SelectionReading(tree_of(content)).found() == found);
  }
}

TEST_CASE("unused blocks are checked as far as that is possible without a tree") {
  struct {
    const char* why;
    std::vector<std::string> files;
    Lines found;
  } const cases[] = {
      {"faults that do not depend on a tree",
       {"<Blocks><Block name='B'>\n<Leaf/>\n<Lef name='L'/>\n<State name='S'/>\n<Leaf name='L' condition='a "
        "and'/></Block></Blocks>"},
       {"0.xml:2 missing-attribute", "0.xml:3 unknown-element", "0.xml:4 state-without-node", "0.xml:5 missing-value"}},
      {"variables and states are not known",
       {"<Blocks><Block name='B'><Leaf name='L' condition='a'/><Transition state='S' condition='b'/></Block></Blocks>"},
       {}},
      {"unknown blocks are reported",
       {"<Blocks><Block name='B'><Ref name='C'/></Block></Blocks>"},
       {"0.xml:1 unresolved-reference"}},
      {"but not if some tree has one of the name",
       {"<Blocks><Block name='B'><Ref name='C'/></Block></Blocks>",
        kHead + "<Blocks><Block name='C'/></Blocks><Leaf name='L'/></SelectionTree>"},
       {}},
      {"cycles are reported",
       {"<Blocks><Block name='B'><Ref name='B'/></Block></Blocks>"},
       {"0.xml:1 reference-cycle"}},
      {"two blocks may declare the same name",
       {"<Blocks><Block name='B'><Variable name='V'/></Block><Block name='C'><Variable name='V'/></Block></Blocks>"},
       {}},
  };
  for (const auto& [why, files, found] : cases) {
    CAPTURE(why);
    CHECK(SelectionReading(files).found() == found);
  }
}

TEST_CASE("a cycle is reported from its first reference, wherever it is entered") {
  const std::string blocks =
      "<Blocks>\n<Block name='A'><Ref name='B'/></Block>\n<Block name='B'><Ref name='C'/></Block>\n"
      "<Block name='C'><Ref name='A'/></Block>\n</Blocks>";
  for (const char* entry : {"A", "B", "C"}) {
    CAPTURE(entry);
    const SelectionReading reading({blocks, tree_of({"<Ref name='" + std::string(entry) + "'/>"})});
    CHECK(reading.found() == Lines{"0.xml:2 reference-cycle <- 0.xml:3 <- 0.xml:4"});
    CHECK(reading.findings.all()[0].message == "reference cycle: A -> B -> C -> A");
  }
}

TEST_CASE("places are exact: the attribute, the word, the character") {
  struct {
    Lines content;
    const char* text;
  } const cases[] = {
      {{"<Leaf name='L' condition='true'/>"}, "condition"},
      {{"<Priority name='R'><Leaf name='L' condition='true and Nope'/></Priority>"}, "Nope"},
      {{"<Priority name='R'><Leaf name='L' condition='true &amp;&amp; false'/></Priority>"}, "&amp;&amp;"},
      {{"<Ref name='Gone'/>"}, "Gone"},
      {{"<Leaf/>"}, "Leaf"},
      {{"<Leaf name='L' Name='M'/>"}, "Name"},
      {{"<Leaf name='L'/>", "<Variables><Variable name='V' default='maybe'/></Variables>"}, "maybe"},
      {{"<Leaf name='L'/>", "<LeafTranslations><Map node='A:B' target='t'/></LeafTranslations>"}, "A:B"},
  };
  for (const auto& [content, text] : cases) {
    const SelectionReading reading(tree_of(content));
    CAPTURE(text);
    REQUIRE(reading.findings.all().size() == 1);
    CHECK(reading.text_at(reading.findings.all()[0].span) == text);
  }
}

TEST_CASE("hints suggest what was meant") {
  struct {
    Lines content;
    const char* hint;
  } const cases[] = {
      {{"<Variables><Variable name='Alerted'/></Variables>",
        "<Priority name='R'><Leaf name='L' condition='alertd'/></Priority>"},
       "did you mean 'Alerted'?"},
      {{"<Priority name='R'><Leaf name='L' condition='yes'/></Priority>"}, "use 'true'"},
      {{"<Blocks><Block name='Fear'/></Blocks>", "<Ref name='fear'/>"}, "did you mean 'Fear'?"},
      {{"<Leaf nmae='L'/>"}, "unknown attribute 'nmae': did you mean 'name'?"},
      {{"<Leaf name='L'/>", "<LeafTranslations><Map node='l' target='t'/></LeafTranslations>"}, "did you mean 'L'?"},
      {{"<Priority name='R'><Leaf name='L'/></Priority>",
        "<LeafTranslations><Map node='r:l' target='t'/></LeafTranslations>"},
       "did you mean 'R:L'?"},
      {{"<Priority name='R'><Lead name='L'/></Priority>"}, "did you mean 'Leaf'?"},
      {{"<Variables><Thing/></Variables>", "<Leaf name='L'/>"}, "expected 'Variable' or 'Ref'"},
  };
  for (const auto& [content, hint] : cases) {
    const SelectionReading reading(tree_of(content));
    CAPTURE(hint);
    REQUIRE(reading.findings.all().size() == 1);
    CHECK(reading.findings.all()[0].hint == hint);
  }
}

}  // namespace dialects_findings
