// Findings of the reader of rule trees in one file.
#include "dragengine_reading.h"
#include "unit.h"

namespace dialects_dragengine_findings {

using namespace espalier;

namespace {

struct Case {
  const char* about;
  Lines lines;  // from line 2 on
  Lines found;  // "3 rule <- 2", lines of the one file
};

Lines found_in(const std::string& file, const dialects::Options& options = {}) {
  Lines found = DragengineReading(file, options).found();
  for (std::string& line : found) {
    for (std::size_t at = line.find("tree.xml:"); at != std::string::npos; at = line.find("tree.xml:")) {
      line.erase(at, std::string("tree.xml:").size());
    }
  }
  return found;
}

void check(const std::vector<Case>& cases, const dialects::Options& options = {}) {
  for (const Case& each : cases) {
    CAPTURE(each.about);
    CHECK(found_in(rule_file(each.lines), options) == each.found);
  }
}

dialects::HostDeclaration host(const std::string& name, std::vector<dialects::HostAttribute> parameters) {
  dialects::HostDeclaration declaration;
  declaration.name = name;
  declaration.attributes = std::move(parameters);
  return declaration;
}

dialects::HostAttribute parameter(const std::string& name, ir::ParameterType type = ir::ParameterType::text) {
  dialects::HostAttribute attribute;
  attribute.name = name;
  attribute.type = type;
  return attribute;
}

// An action `wander` and a condition `near`, with parameters of all kinds.
dialects::Options declared() {
  dialects::HostAttribute chance = parameter("chance", ir::ParameterType::number);
  chance.is_required = true;
  chance.minimum = 0;
  dialects::HostAttribute way = parameter("way", ir::ParameterType::choice);
  way.words = {"walk", "run"};
  dialects::HostAttribute old = parameter("old");
  old.deprecated_in = dialects::kAllEngines;
  dialects::HostAttribute at_once = parameter("atOnce");
  at_once.is_presence = true;
  dialects::HostAttribute distance = parameter("distance", ir::ParameterType::whole);
  distance.is_recommended = true;
  dialects::Options options;
  options.rule_actions = {host("stay", {}),
                          host("wander", {chance, way, old, at_once, parameter("loud", ir::ParameterType::boolean)})};
  options.rule_conditions = {host("near", {distance}), host("ready", {})};
  return options;
}

}  // namespace

TEST_CASE("elements that do not belong where they stand are errors, and hide nothing after them") {
  check({
      {"unknown, and what is in it",
       {"<selector id='s'>", "<action id='.a'/></selector>"},
       {"2 unknown-element", "3 missing-attribute"}},
      {"nothing below an unknown one is unknown again", {"<node><other/></node>"}, {"2 unknown-element"}},
      {"a part at the top", {"<condition>A</condition>", "<success/>"}, {"2 unknown-element"}},
      {"a rule in a leaf",
       {"<action name='a'>", "<success loop='1'/>", "<action/></action>"},
       {"3 unknown-element", "3 unknown-attribute", "4 unknown-element", "4 missing-attribute"}},
      {"all of them are told",
       {"<choice><Action name='a'/>", "<condtion>A</condtion>", "<action name='a'>", "<mode/></action></choice>"},
       {"2 unknown-element", "3 unknown-element", "5 unknown-element"}},
  });
}

TEST_CASE("attributes of rules are needed, misspelt or not read") {
  check({
      {"one that is misspelt is one fault", {"<action Name='a'/>"}, {"2 missing-attribute"}},
      {"a parameter needs a name", {"<action name='a'>", "<parameter>1</parameter></action>"}, {"3 missing-attribute"}},
      {"an empty name", {"<action name=''/>"}, {"2 bad-value"}},
      {"an empty id", {"<success id=''/>"}, {"2 bad-value"}},
      {"loop on a leaf", {"<yield loop='true'/>"}, {"2 unknown-attribute"}},
      {"doNotFail on a leaf", {"<failure doNotFail='1'/>"}, {"2 unknown-attribute"}},
      {"on parts too", {"<action name='a'><condition name='c'>C</condition></action>"}, {"2 unknown-attribute"}},
      {"those of schemas are let pass", {"<success xmlns='a' xmlns:b='c' xsi:d='e'/>"}, {}},
      {"booleans are true and false",
       {"<sequence loop='1'>", "<action name='a' doNotFail='True'/>", "<choice loop=' true'><success/></choice>",
        "<choice loop='false' doNotFail='true'><success/></choice></sequence>"},
       {"2 boolean-spelling", "3 boolean-spelling", "4 boolean-spelling"}},
  });
}

TEST_CASE("a boolean is mended to what was meant") {
  const auto fix = [](const std::string& value) {
    const DragengineReading reading(rule_file({"<sequence loop='" + value + "'><success/></sequence>"}));
    REQUIRE(reading.findings.all().size() == 1);
    return reading.findings.all()[0].fixes.at(0).edits.at(0).replacement;
  };
  CHECK(fix("1") == "true");
  CHECK(fix("TRUE") == "true");
  CHECK(fix("yes") == "true");
  CHECK(fix("0") == "false");
  CHECK(fix("") == "false");
}

TEST_CASE("text") {
  check({
      {"stray text, each piece",
       {"a<success>", "b", "</success>", "<!-- no -->c"},
       {"2 stray-text", "3 stray-text", "5 stray-text"}},
      {"the first piece may be blank",
       {"<action name='a'><condition> <!-- -->C</condition></action>"},
       {"2 split-text"}},
      {"the first piece may be all", {"<action name='a'><condition><!-- -->C<!-- --> </condition></action>"}, {}},
      {"a CDATA section splits", {"<action name='a'><condition>a<![CDATA[b]]></condition></action>"}, {"2 split-text"}},
      {"an element splits", {"<action name='a'><parameter name='p'>a<b/>c</parameter></action>"}, {"2 split-text"}},
      {"an empty condition",
       {"<action name='a'>", "<condition/>", "<condition> </condition></action>"},
       {"3 bad-value", "4 bad-value"}},
      {"an earlier mode that is none",
       {"<action name='a'><condition>C</condition><conditionMode>none</conditionMode>",
        "<conditionMode>allTrue</conditionMode></action>"},
       {"2 bad-value", "3 repeated-mode <- 2"}},
      {"a mode that is none, of no condition",
       {"<success><conditionMode>none</conditionMode></success>"},
       {"2 bad-value"}},
      {"an element that splits nothing",
       {"<action name='a'><condition>C<condition>D</condition></condition></action>"},
       {"2 unknown-element"}},
      {"an empty mode", {"<action name='a'><condition>C</condition><conditionMode/></action>"}, {"2 bad-value"}},
  });
}

TEST_CASE("pieces of a text are joined") {
  const DragengineReading reading(
      rule_file({"<action name='a'><condition>a <!-- -->b<b/> <c/>c</condition></action>"}));
  const ir::Tree& tree = reading.project.trees.at(0);
  CHECK(tree.root.children[0].as<ir::Rule>().conditions == Lines{"a b c"});
}

TEST_CASE("conditions and parameters of a rule") {
  const std::string a = "<condition>A</condition>";
  const std::string mode = "<conditionMode>anyTrue</conditionMode>";
  const std::string p = "<parameter name='p'/>";
  check({
      {"failure asks nothing", {"<failure>", a, a + "</failure>"}, {"3 condition-never-asked"}},
      {"a mode of failure",
       {"<failure>" + a, mode + "</failure>"},
       {"2 condition-never-asked", "3 mode-without-conditions"}},
      {"a condition that is wrong is one", {"<success>" + mode + p, "<condition/></success>"}, {"3 bad-value"}},
      {"parameters of nothing", {"<success>", p, "<parameter name='q'/></success>"}, {"3 parameter-never-read"}},
      {"parameters of conditions", {"<success>" + p + a + "</success>"}, {}},
      {"parameters of failure", {"<failure>", p + "</failure>"}, {"3 parameter-never-read"}},
  });
}

TEST_CASE("ids") {
  const std::string long_id(256, 'a');
  check({
      {"the parent's", {"<choice id='a'>", "<success id='a'/></choice>"}, {"3 duplicate-id <- 2"}},
      {"by way of a dot",
       {"<choice id='a'><success id='.b'/>", "<success id='a.b'/></choice>"},
       {"3 duplicate-id <- 2"}},
      {"in a file with other errors",
       {"<choice><Success/><success id='a'/>", "<success id='a'/></choice>"},
       {"2 unknown-element", "3 duplicate-id <- 2"}},
      {"a dot with nothing before it",
       {"<choice><success id='.a'/>", "<choice id='.b'><success id='.c'/></choice>", "</choice>"},
       {"2 relative-id-without-parent", "3 relative-id-without-parent"}},
      {"too long",
       {"<choice><success id='" + long_id.substr(1) + "'/>", "<success id='" + long_id + "'/></choice>"},
       {"3 long-id"}},
  });
}

TEST_CASE("roots") {
  check({
      {"a second root, the third is not told", {"<success/>", "<success/>", "<success/>"}, {"3 second-root <- 2"}},
      {"a misspelt one is there", {"<Success/>"}, {"2 unknown-element"}},
      {"a misspelt one is no second", {"<Success/>", "<success/>"}, {"2 unknown-element"}},
  });
}

TEST_CASE("a subtree holds a path and nothing else") {
  check({
      {"elements",
       {"<subtree>tree<condition>C</condition>", "<success/></subtree>"},
       {"2 subtree-path", "2 element-in-subtree", "3 element-in-subtree"}},
  });
}

TEST_CASE("a subtree in its other spelling is a note with the fix at both ends") {
  const DragengineReading reading(
      {{"a.xml", rule_file({"<success/>"})}, {"tree.xml", rule_file({"<subTree id='s'>a.xml</subTree>"})}});
  CHECK(reading.found() == Lines{"tree.xml:2 subtree-spelling"});
  REQUIRE(reading.findings.all()[0].fixes.size() == 1);
  CHECK(reading.findings.all()[0].fixes[0].edits.size() == 2);
}

TEST_CASE("encodings that the engine does not read") {
  CHECK(found_in("<?xml version='1.0' encoding='ISO-8859-1'?>\n" + rule_file({"<success/>"})).empty());
  CHECK(found_in("\xEF\xBB\xBF" + rule_file({"<success/>"})) == Lines{"1 not-plain-utf8"});
  CHECK(found_in(rule_file({"<action name='\xC3\xBC'/>"})).empty());
  std::string wide = "\xFF\xFE";
  for (const char c : rule_file({"<success/>"})) wide += std::string{c, '\0'};
  CHECK(found_in(wide) == Lines{"1 not-plain-utf8"});
}

TEST_CASE("a DOCTYPE may have no declarations in it") {
  CHECK(found_in("<!DOCTYPE behaviorTree>\n" + rule_file({"<success/>"})).empty());
  CHECK(found_in("<!DOCTYPE behaviorTree [\n]>\n" + rule_file({"<success/>"})) == Lines{"1 internal-subset"});
  CHECK(found_in(rule_file({"<!-- a -- b -->", "<success/>"})) == Lines{"2 malformed <- 2"});
}

TEST_CASE("what is declared of the host") {
  const std::string chance = "<parameter name='chance'>0.5</parameter>";
  check(
      {
          {"the engine's own are known",
           {"<action name='timer.stop'><condition>timer.running</condition></action>"},
           {}},
          {"one that is misspelt is one fault",
           {"<action name='wander'>", "<parameter name='chnace'>1</parameter></action>"},
           {"2 missing-parameter"}},
          {"a parameter of the wrong type",
           {"<action name='wander'>", "<parameter name='chance'>1e3</parameter>",
            "<parameter name='way'>fly</parameter>", "<parameter name='loud'>1</parameter></action>"},
           {"3 bad-value", "4 bad-value", "5 bad-value"}},
          {"right ones",
           {"<action name='wander'>" + chance + "<parameter name='way'>run</parameter>",
            "<parameter name='loud'>true</parameter><parameter name='atOnce'>whatever</parameter></action>"},
           {}},
          {"one that nothing reads",
           {"<action name='wander'>" + chance, "<parameter name='Way'>run</parameter></action>"},
           {"3 parameter-never-read"}},
          {"one that the condition reads",
           {"<action name='stay'><condition>near</condition><parameter name='distance'>1</parameter></action>"},
           {}},
          {"one that an unknown action may read",
           {"<action name='other'><parameter name='a'/></action>"},
           {"2 unknown-action"}},
      },
      declared());
}

TEST_CASE("where nothing is declared, the engine's own are known and nothing else is judged") {
  const std::string lower = "<parameter name='timeout.lower'>1</parameter>";
  check({
      {"others", {"<action name='a'><parameter name='b'/><condition>c</condition></action>"}, {}},
      {"an action and a condition that lack the same",
       {"<action name='flags.check'><condition>flags.state</condition></action>"},
       {"2 missing-parameter"}},
      {"a timeout may be missing", {"<action name='timer.start'/>"}, {}},
      {"one bound is none", {"<action name='timer.start'>" + lower + "</action>"}, {"2 missing-parameter"}},
      {"but beside a timeout",
       {"<action name='timer.start'>" + lower + "<parameter name='timeout'>1</parameter></action>"},
       {}},
      {"one that is not read",
       {"<action name='timer.stop'><parameter name='flag'/></action>"},
       {"2 parameter-never-read"}},
  });
}

TEST_CASE("a misspelt element or attribute gets the nearest name as its hint") {
  const auto hint = [](const std::string& rule) {
    const DragengineReading reading(rule_file({rule}));
    REQUIRE(reading.findings.all().size() == 1);
    return reading.findings.all()[0].hint;
  };
  CHECK(hint("<choice lop='true'><success/></choice>") == "did you mean 'loop'?");
  CHECK(hint("<action nam='a'/>") == "unknown attribute 'nam': did you mean 'name'?");
  CHECK(hint("<success><condition>A</condition><conditionMode>anytrue</conditionMode></success>") ==
        "did you mean 'anyTrue'?");
}

TEST_CASE("files that are large or deep are read in a moment") {
  const auto many = [](std::size_t count, const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i) result += text;
    return result;
  };
  CHECK(found_in(rule_file({many(990, "<choice id='.a'>") + many(990, "</choice>")})) ==
        Lines{"2 relative-id-without-parent", "2 long-id"});
  CHECK(found_in(rule_file({many(990, "<a>") + many(990, "</a>")})) == Lines{"2 unknown-element"});
  CHECK(
      found_in(rule_file({"<choice id='" + many(1'000'000, "a") + "'>", many(1000, "<success id='.b'/>"), "</choice>"}))
          .back() == "3 too-many-rules");
  std::string parameters;
  for (int i = 0; i < 20'000; ++i) parameters += "<parameter name='p" + std::to_string(i) + "'/>";
  CHECK(found_in(rule_file({"<action name='a'>" + parameters + many(20'000, "<condition>C</condition>") + "</action>"}))
            .size() == 19'999);  // the repeated conditions
}

}  // namespace dialects_dragengine_findings
