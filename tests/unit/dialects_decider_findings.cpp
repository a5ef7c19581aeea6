// Findings of trees of deciders: combinations, consequences and limits. Single rules are shown in lib/rules/DEC* and
// tests/golden/lint/decider.
#include "decider_reading.h"
#include "unit.h"

namespace dialects_decider_findings {

using namespace espalier;

namespace {

struct Case {
  const char* why;
  Lines children;
  Lines found;
  Lines behind = {};
  const char* policy = "prioritizedList";
};

void check(const std::vector<Case>& cases) {
  for (const auto& [why, children, found, behind, policy] : cases) {
    CAPTURE(why);
    const DeciderReading reading(decider_tree(children, policy, behind));
    CHECK(reading.found() == found);
    CHECK(reading.project.trees.empty() == reading.findings.has_errors());
  }
}

// Of a tree with one finding.
std::string hint_of(const std::string& tree) {
  const DeciderReading reading(tree);
  CAPTURE(tree, reading.found());
  REQUIRE(reading.findings.all().size() == 1);
  return reading.findings.all()[0].hint;
}

// What the one finding of a tree marks.
std::string marked_in(const std::string& tree) {
  const DeciderReading reading(tree);
  CAPTURE(tree, reading.found());
  REQUIRE(reading.findings.all().size() == 1);
  return reading.text_at(reading.findings.all()[0].span);
}

constexpr const char* kIdle = "<Decider name='Idle' behavior='idle'/>";

}  // namespace

TEST_CASE("a tree is a name, sections and one root group, and nothing else") {
  const std::pair<const char*, Lines> cases[] = {
      {"<DeciderTree><Group name='R' policy='random'>\n<DeciderRef/></Group></DeciderTree>",
       {"1 missing-attribute", "2 missing-attribute"}},
      {"<DeciderTree name=''\n>\n<Behaviors/></DeciderTree>", {"1 no-root", "1 missing-attribute"}},
      {"<DeciderTree name='T' version='1'\n maxRedecides='256'/>", {"1 no-root", "1 unknown-attribute", "2 bad-value"}},
      {"<DeciderTree name='T'>\n<Gruop name='R' policy='random'>\n<DeciderRef name='S'/></Gruop></DeciderTree>",
       {"2 unknown-element", "3 unknown-decider"}},
      {"<DeciderTree name='T'>\n<Selector name='R'>\n<Decider name='D'/></Selector></DeciderTree>",
       {"2 unknown-element", "3 missing-attribute"}},
      {"<DeciderTree name='T'>\n<Decider name='D' behavior='b'/></DeciderTree>",
       {"2 unknown-element", "2 unknown-behavior"}},
      {"<DeciderTree name='T'>\n<Flag name='F'/></DeciderTree>", {"1 no-root", "2 unknown-element"}},
  };
  for (const auto& [tree, found] : cases) {
    CAPTURE(tree);
    CHECK(DeciderReading(tree).found() == found);
  }
  check({
      {"attributes of sections", {kIdle}, {"5 unknown-attribute"}, {"<Deciders name='S'/>"}},
      {"what a schema needs",
       {kIdle},
       {},
       {"<Deciders xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:nil='0'/>"}},
  });
}

TEST_CASE("a misplaced or misspelt element is one finding, without consequences") {
  check({
      {"a misspelt section counts",
       {kIdle, "<DeciderRef name='S'/>"},
       {"6 unknown-element"},
       {"<decideres><Decider name='S' behavior='flee'/></decideres>"}},
      {"a section is known by what it holds",
       {"<Decider name='A' behavior='idle' flagsAll='New'/>"},
       {"5 unknown-element"},
       {"<Flags><Flag name='New'/></Flags>"}},
      {"an entry elsewhere",
       {"<Decider name='A' behavior='idle' flagsAll='New'/>"},
       {"5 unknown-element"},
       {"<SignalStimuli><Flag name='New'/></SignalStimuli>"}},
      {"an entry that is called otherwise",
       {"<Decider name='A' behavior='idle' stimuliAll='New'/>"},
       {"5 unknown-element"},
       {"<SignalStimuli><Other name='New'/></SignalStimuli>"}},
      {"an entry holds nothing",
       {kIdle},
       {"6 unknown-element"},
       {"<SignalStimuli><Signal name='OnHit' stimulus='Smell'>", "<Stimulus name='x'/></Signal></SignalStimuli>"}},
      {"a decider holds nothing",
       {"<Decider name='A' behavior='idle'>", "<Decider name='B' behavior='flee'/>",
        "<Decider name='C' behavior='nope'/></Decider>"},
       {"4 unknown-element", "5 unknown-element", "5 unknown-behavior"}},
      {"a reference holds nothing",
       {"<DeciderRef name='S'>", "<Flag/></DeciderRef>"},
       {"4 unknown-element"},
       {"<Deciders><Decider name='S' behavior='flee'/></Deciders>"}},
      {"a reference among shared ones",
       {kIdle},
       {"5 unknown-element"},
       {"<Deciders><DeciderRef name='S'/><Decider name='S' behavior='flee'/></Deciders>"}},
      {"a node of other trees",
       {"<Sequence name='Q'>", "<Decider name='A' behavior='nope'/></Sequence>", kIdle},
       {"3 unknown-element", "4 unknown-behavior"}},
      {"a misspelt decider is one",
       {"<decider name='Idle' behavior='idle'/>", kIdle},
       {"3 unknown-element", "4 duplicate-name <- 3"}},
      {"a misplaced decider may have been a shared one",
       {"<DeciderRef name='S'/>", kIdle},
       {"6 unknown-element"},
       {"<Decider name='S' behavior='flee'/>"}},
  });
}

TEST_CASE("hints translate what other behaviour trees have") {
  const auto hint = [](const std::string& element) { return hint_of(decider_tree({element, kIdle})); };
  CHECK(hint("<Sequence/>").find("policy=\"sequential\"") != std::string::npos);
  CHECK(hint("<Behavior name='idle'/>") == "use <Decider name=\"...\" behavior=\"...\"/>");
  CHECK(hint("<Reference name='Idle'/>") == "use 'DeciderRef'");
  CHECK(hint("<Flag name='Dead'/>") == "put it in 'DecisionFlags'");
  CHECK(hint("<Deciders/>") == "put it directly in 'DeciderTree'");
  const auto policy = [](const std::string& name) { return hint_of(decider_tree({kIdle}, name)); };
  CHECK(policy("prioritised") == "did you mean 'prioritizedList'?");
  CHECK(policy("Random") == "did you mean 'random'?");
  CHECK(policy("utility") == "did you mean 'scored'?");
  CHECK(policy("parallel") == "expected one of 'prioritizedList', 'sequential', 'random', 'shuffle' or 'scored'");
}

TEST_CASE("attributes are those that the page lists") {
  const auto hint = [](const std::string& decider) { return hint_of(decider_tree({decider})); };
  CHECK(hint("<Decider name='A' behavior='idle' FlagsAll='Dead'/>") == "did you mean 'flagsAll'?");
  CHECK(hint("<Decider name='A' behavior='idle' policy='random'/>") == "'Group' has it");
  CHECK(hint("<Decider name='A' behaviour='idle'/>") == "unknown attribute 'behaviour': did you mean 'behavior'?");
  check({
      {"what is missing is reported once", {"<Decider/>"}, {"3 missing-attribute"}},
      {"an empty one is missing", {"<Decider name='' behavior=''/>"}, {"3 missing-attribute", "3 missing-attribute"}},
      {"a group has a policy", {"<Group name='G'>", kIdle, "</Group>"}, {"3 missing-attribute"}},
      {"a reference has no more",
       {"<DeciderRef name='S' decide='x'/>"},
       {"3 unknown-attribute"},
       {"<Deciders><Decider name='S' behavior='flee'/></Deciders>"}},
      {"what a misspelt one lacks is no fault",
       {"<Group name='G' policy='random' deside='x' decideOnRedecide='true' block='8' behaviour='idle' "
        "behaviorFlags='x'>",
        kIdle, "</Group>"},
       {"3 unknown-attribute", "3 unknown-attribute"}},
  });
}

TEST_CASE("names are unique within their kind, and exact") {
  check({
      {"deciders, wherever they are defined",
       {kIdle, "<Group name='G' policy='random'>", kIdle, "</Group>"},
       {"5 duplicate-name <- 3", "8 duplicate-name <- 3"},
       {"<Deciders><Decider name='Idle' behavior='idle'/></Deciders>"}},
      {"the root is a decider too", {"<Decider name='Root' behavior='idle'/>"}, {"3 duplicate-name <- 2"}},
      {"case counts", {kIdle, "<Decider name='idle' behavior='idle'/>"}, {}},
      {"kinds are apart",
       {"<Decider name='Dead' behavior='idle'/>"},
       {},
       {"<SignalStimuli><Signal name='Dead' stimulus='Smell'/></SignalStimuli>"}},
      {"unknown ones",
       {"<Decider name='A' behavior='Idle' flagsAll='dead' stimuliAny='Dead'/>"},
       {"3 unknown-behavior", "3 unknown-flag", "3 unknown-stimulus", "5 unknown-stimulus"},
       {"<SignalStimuli><Signal name='OnHit' stimulus='smell'/></SignalStimuli>"}},
  });
  for (const char* section : {"<DecisionFlags><Flag name='A'/>\n<Flag name='A'/></DecisionFlags>",
                              "<Stimuli><Stimulus name='A'/>\n<Stimulus name='A'/></Stimuli>",
                              "<Behaviors><Behavior name='A'/>\n<Behavior name='A'/></Behaviors>"}) {
    CAPTURE(section);
    const std::string tree = std::string("<DeciderTree name='T'>\n") + section +
                             "<Deciders><Decider name='D'\n behavior='A'/></Deciders><Group name='R' policy='random'>"
                             "<DeciderRef name='D'/></Group></DeciderTree>";
    Lines found = {"3 duplicate-name <- 2"};
    if (std::string_view(section).find("Behavior") == std::string_view::npos) found.push_back("4 unknown-behavior");
    CHECK(DeciderReading(tree).found() == found);
  }
  CHECK(hint_of(decider_tree({"<Decider name='A' behavior='idle' flagsAll='TookHit'/>"})) == "'TookHit' is a stimulus");
  CHECK(hint_of(decider_tree({"<Decider name='A' behavior='idle' stimuliAny='Dead'/>"})) == "'Dead' is a flag");
}

TEST_CASE("what a nameless one may have declared is not missed") {
  const std::string tree =
      "<DeciderTree name='T'>\n<DecisionFlags>\n<Flag nmae='Near'/>\n</DecisionFlags><Behaviors><Behavior "
      "name='b'/></Behaviors>"
      "<Deciders>\n<Decider nmae='Rest' behavior='b'/></Deciders>\n<Group name='R' policy='random'>"
      "<Decider name='D' behavior='b' flagsAll='Near'/><DeciderRef name='Rest'/></Group></DeciderTree>";
  CHECK(DeciderReading(tree).found() == Lines{"3 missing-attribute", "5 missing-attribute"});
}

TEST_CASE("trees are unique without case, whatever their faults") {
  const std::string tree = decider_tree({kIdle});
  std::string other = tree;
  other.replace(other.find("Guard"), 5, "gUARD");
  const DeciderReading reading(Lines{decider_tree({"<Decider/>"}), other, tree});
  CHECK(reading.found() == Lines{"3 missing-attribute", "1 duplicate-tree <- 1", "1 duplicate-tree <- 1"});
  CHECK(reading.project.trees.empty());
  CHECK(DeciderReading(Lines{tree, "<DeciderTree/>", other}).project.trees.size() == 1);
}

TEST_CASE("values are within their limits, and written in one way") {
  const auto decider = [](const std::string& attribute) {
    return decider_tree({"<Decider name='A' behavior='idle' decide='x' " + attribute + "/>"}, "prioritizedList");
  };
  for (const char* good :
       {"every='0'", "every='1000000'", "every='0.0000005'", "every='.5'", "block='0'", "block='64'"}) {
    CAPTURE(good);
    CHECK(DeciderReading(decider(good)).found().empty());
  }
  for (const char* bad : {"every='-1'", "every='1000001'", "every='1000000.000001'", "every=''", "every='1e3'",
                          "every=' 1'", "every='inf'", "every='99999999999999999999'", "block='65'", "block='-1'",
                          "block='8.0'", "block=''", "weight='0'", "weight='65536'", "weight='x'"}) {
    CAPTURE(bad);
    CHECK(DeciderReading(decider(bad)).found() == Lines{"3 bad-value"});
  }
  const auto group = [](const std::string& attributes) {
    return decider_tree({"<Group name='G' policy='random' " + attributes + ">", kIdle, "</Group>"});
  };
  CHECK(DeciderReading(group("delegate='true' decideOnRedecide='false'")).found().empty());
  for (const char* bad : {"delegate='True'", "delegate='1'", "delegate=''", "decideOnRedecide='yes'", "decide=''",
                          "behavior=''", "behavior='idle' behaviorFlags=' '"}) {
    CAPTURE(bad);
    CHECK(DeciderReading(group(bad)).found() == Lines{"3 bad-value"});
  }
  CHECK(hint_of(decider("every='0,5'")) == "write '0.5'");
  CHECK(hint_of(group("delegate='yes'")) == "write 'true'");
  check({
      {"memory",
       {kIdle},
       {"5 repeated-section <- 1", "5 bad-value"},
       {"<Behaviors><Behavior name='b' memory='65536'/></Behaviors>"}},
      {"timeout",
       {kIdle},
       {"5 repeated-section <- 1", "5 bad-value"},
       {"<Stimuli><Stimulus name='s' timeout='-0.1'/></Stimuli>"}},
      {"names that no list can hold",
       {kIdle},
       {"5 repeated-section <- 1", "6 bad-value", "6 bad-value"},
       {"<DecisionFlags>", "<Flag name='Is Dead'/><Flag name='!Dead'/></DecisionFlags>"}},
  });
}

TEST_CASE("the root is not asked") {
  for (const char* attribute :
       {"decide='x'", "delegate='true'", "delegate='false'", "decideOnRedecide='true'", "weight='2'", "weight='x'",
        "every='x'", "flagsAll='nope'", "flagsAny=''", "stimuliAll='Smell'", "stimuliAny='Smell'"}) {
    CAPTURE(attribute);
    const std::string tree = decider_tree({kIdle}, std::string("random' ") + attribute + " behavior='idle");
    CHECK(DeciderReading(tree).found() == Lines{"2 root-attribute"});
  }
  CHECK(DeciderReading(decider_tree({kIdle}, "random' behavior='idle' behaviorFlags='x")).found().empty());
  CHECK(DeciderReading(decider_tree({kIdle}, "random' block='4")).found() == Lines{"2 block-without-decide"});
  CHECK(DeciderReading(decider_tree({kIdle}, "random' decide='x' block='4")).found() == Lines{"2 root-attribute"});
}

TEST_CASE("attributes that exclude or need one another") {
  const auto group = [](const std::string& attributes) {
    return DeciderReading(decider_tree({"<Group name='G' policy='random'", attributes + ">", kIdle, "</Group>"}))
        .found();
  };
  CHECK(group("delegate='false' decide='x'").empty());
  CHECK(group("behaviorFlags='x' behavior='nope'") == Lines{"4 unknown-behavior"});
  CHECK(group("decideOnRedecide='true' decide='x'").empty());
  check({{"something that is not known", {"<Group name='G' policy='random'><X/></Group>"}, {"3 unknown-element"}}});
}

TEST_CASE("a list holds names, with '!' right before those that are to be absent") {
  const auto found = [](const std::string& attributes) {
    return DeciderReading(decider_tree({"<Decider name='A' behavior='idle' " + attributes + "/>"})).found();
  };
  CHECK(found("flagsAll='Dead\t!Night &#10; Herd' flagsAny='Dead' stimuliAny='!Smell'").empty());
  const auto list = [](const std::string& words) {
    return decider_tree({"<Decider name='A' behavior='idle' flagsAll='" + words + "'/>"});
  };
  CHECK(found("flagsAll=''") == Lines{"3 bad-value"});
  CHECK(found("stimuliAny='  '") == Lines{"3 bad-value"});
  const struct {
    const char* words;
    const char* marked;
    const char* hint;
  } cases[] = {
      {"Dead, Night, !Herd", ",", ""},
      {"Dead|Night", "|", ""},
      {"Night !!Dead", "!!Dead", "use '!Dead'"},
      {"Night !", "!", ""},
      {"Night OR Dead", "OR", "'flagsAny' requires one of its names"},
      {"Dead !Nigth", "Nigth", "did you mean 'Night'?"},
  };
  for (const auto& [words, marked, hint] : cases) {
    CAPTURE(words);
    CHECK(marked_in(list(words)) == marked);
    CHECK(hint_of(list(words)) == hint);
  }
  CHECK(found("flagsAll='Daed,Night,Herdd'") == Lines{"3 unknown-flag", "3 list-syntax", "3 unknown-flag"});
}

TEST_CASE("preconditions that can never hold are errors, and words that stand there twice superfluous") {
  const auto found = [](const std::string& attributes) {
    return DeciderReading(decider_tree({"<Decider name='A' behavior='idle'", attributes + "/>"})).found();
  };
  const Lines never = {"4 contradiction <- 4"};
  CHECK(found("stimuliAll='!Smell Smell'") == never);
  CHECK(found("flagsAll='!Dead !Night' flagsAny='Dead Night'") == never);
  CHECK(found("flagsAll='Dead !Dead' flagsAny='!Dead'") == never);
  CHECK(found("flagsAll='Dead Dead !Dead !Dead Dead'") == Lines{"4 repeated-word <- 4", "4 contradiction <- 4"});
  CHECK(found("flagsAll='!Dead' flagsAny='Dead Night'").empty());
  CHECK(found("flagsAll='!Dead' flagsAny='Dead !Dead'").empty());
  CHECK(found("flagsAll='!Dead' flagsAny='Dead Nihgt'") == Lines{"4 unknown-flag"});
  CHECK(found("flagsAll='!Dead' stimuliAny='Smell'").empty());
  CHECK(found("flagsAll='Dead Night Dead Dead'") == Lines{"4 repeated-word <- 4"});
  CHECK(found("behaviorFlags='walk run walk walk'") == Lines{"4 repeated-word"});
}

TEST_CASE("weights are for children of a random group") {
  const std::string weighed = "<Decider name='A' behavior='idle' weight='2'/>";
  for (const char* policy : {"prioritizedList", "sequential", "shuffle", "scored"}) {
    check({{policy,
            {weighed, "<DeciderRef name='S' weight='1'/>"},
            {"3 weight-not-read", "4 weight-not-read"},
            {"<Deciders><Decider name='S' behavior='idle'/></Deciders>"},
            policy}});
  }
  check({
      {"random",
       {weighed, "<DeciderRef name='S' weight='2'/>"},
       {},
       {"<Deciders><Decider name='S' behavior='idle'/></Deciders>"},
       "random"},
      {"a shared decider",
       {"<DeciderRef name='S'/>"},
       {"5 weight-not-read"},
       {"<Deciders><Decider name='S' behavior='idle' weight='2'/></Deciders>"},
       "random"},
      {"below a shared decider",
       {"<DeciderRef name='S'/>"},
       {},
       {"<Deciders><Group name='S' policy='random'>" + weighed + "</Group></Deciders>"}},
      {"of a policy that is not known", {weighed}, {"2 unknown-policy"}, {}, "weighed"},
  });
}

TEST_CASE("'every' on a child that is asked without being chosen is told where it stands") {
  const std::string often = "<Decider name='A' behavior='idle' every='2'/>";
  for (const char* policy : {"random", "shuffle", "scored"})
    check({{policy, {often}, {"3 every-without-choice"}, {}, policy}});
  for (const char* policy : {"prioritizedList", "sequential"}) check({{policy, {often}, {}, {}, policy}});
  const Lines shared = {"<Deciders><Decider name='S' behavior='idle' every='2'/>",
                        "<Group name='G' policy='scored'><DeciderRef name='S'/></Group></Deciders>"};
  check({
      {"through references",
       {"<DeciderRef name='S'/>", "<DeciderRef name='G'/>"},
       {"6 every-without-choice <- 3 <- 7"},
       shared,
       "shuffle"},
      {"in one place alone",
       {"<DeciderRef name='S'/>", "<DeciderRef name='G'/>"},
       {"6 every-without-choice <- 7"},
       shared},
  });
}

TEST_CASE("a reference leads to a shared decider") {
  const Lines shared = {"<Deciders>", "<Group name='Rest' policy='random'>",
                        "<Decider name='Nap' behavior='idle'/></Group></Deciders>"};
  check({
      {"to one that stands elsewhere", {"<DeciderRef name='Idle'/>", kIdle}, {"3 unknown-decider <- 4"}},
      {"within a shared one", {"<DeciderRef name='Nap'/>"}, {"3 unknown-decider <- 7"}, shared},
      {"to the root", {"<DeciderRef name='Root'/>"}, {"3 unknown-decider <- 2"}},
      {"to none", {"<DeciderRef name='Nope'/>"}, {"3 unknown-decider"}},
  });
  CHECK(hint_of(decider_tree({"<DeciderRef name='Rset'/>"}, "random", shared)) == "did you mean 'Rest'?");
}

TEST_CASE("a cycle is told once, where its first decider leads on") {
  const auto group = [](const std::string& name, const std::string& references) {
    std::string result = "<Group name='" + name + "' policy='random'>";
    for (const char reference : references) result += std::string("\n<DeciderRef name='") + reference + "'/>";
    return result + "</Group>";
  };
  const Lines shared = {"<Deciders>",     group("A", "T"),  group("S", "T"),
                        group("T", "US"), group("U", "UU"), "</Deciders>"};
  const DeciderReading reading(decider_tree({"<DeciderRef name='A'/>"}, "random", shared));
  CHECK(reading.found() == Lines{"9 reference-cycle <- 12", "14 reference-cycle"});
  CHECK(reading.findings.all()[0].message == "reference cycle: S -> T -> S");
  CHECK(reading.findings.all()[1].message == "reference cycle: U -> U");
}

TEST_CASE("a signal that sets a stimulus twice is noted") {
  check({{"the same twice",
          {kIdle},
          {"6 repeated-signal <- 5"},
          {"<SignalStimuli><Signal name='OnHit' stimulus='Smell'/>", "<Signal name='OnHit' stimulus='Smell'/>",
           "<Signal name='OnHit' stimulus='TookHit'/></SignalStimuli>"}}});
}

TEST_CASE("each fault in a tree is reported") {
  check({{"six",
          {"<Decider name='A' behavior='nope'/>", "<Decider behavior='idle'/>", "<Group name='G' policy='best'>",
           "<Decider name='B' behavior='idle' flagsAll='Deda'/>", "</Group>", "<DeciderRef name='A'/>", "<Wait/>"},
          {"3 unknown-behavior", "4 missing-attribute", "5 unknown-policy", "6 unknown-flag", "8 unknown-decider <- 3",
           "9 unknown-element"}}});
}

}  // namespace dialects_decider_findings
