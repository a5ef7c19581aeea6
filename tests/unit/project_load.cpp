// Whole projects: findings, suppressions, baselines and configuration.
#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>

#include "project/baseline.h"
#include "project/project.h"
#include "temporary_folder.h"
#include "unit.h"

namespace project_load {

using namespace espalier;

namespace {

// A tree with one warning, in line 3: the condition of its root is never read.
constexpr std::string_view kOneWarning =
    "<SelectionTree name=\"Guard\" type=\"BehaviorSelectionTree\">\n"
    "  <!-- here -->\n"
    "  <Leaf name=\"Idle\" condition=\"true\"/>\n"
    "</SelectionTree>\n";

// A modular tree without findings.
constexpr std::string_view kHalt = "<BehaviorTree><Root><Halt/></Root></BehaviorTree>";

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string result(text);
  result.replace(result.find(what), what.size(), with);
  return result;
}

// "file:line code severity", one per line.
std::string listed(const project::Project& project) {
  std::ostringstream result;
  for (const text::Finding& finding : project.findings.all()) {
    const text::Source& source = project.snapshot.sources[finding.span.file];
    result << source.path() << ':' << source.position(finding.span.begin).line << ' ' << rules::info(finding.rule).name
           << ' ' << rules::severity_name(finding.severity) << '\n';
  }
  return result.str();
}

std::string findings_of(const project::LoadOptions& options = {{"."}}) {
  project::Project project;
  project::LoadErrors errors;
  if (!project::load(options, project, errors)) {
    std::string result;
    for (const std::string& message : errors.messages) result += "! " + message + '\n';
    return result;
  }
  return listed(project);
}

// The names of the trees that are read without errors.
std::string names_of(project::LoadOptions options) {
  project::Project project;
  project::LoadErrors errors;
  options.for_compiling = true;  // the trees of the given paths
  REQUIRE(project::load(options, project, errors));
  std::vector<std::string> names;
  for (const ir::Tree& tree : project.ir.trees) names.push_back(tree.name);
  std::sort(names.begin(), names.end());
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : " ") + name;
  return result;
}

}  // namespace

TEST_CASE("a suppression holds for the element behind it") {
  struct Case {
    const char* comment;
    const char* findings;
  };
  const Case cases[] = {
      {"<!-- here -->", "tree.xml:3 unread-condition warning\n"},
      {"<!-- espalier:ignore unread-condition read by a tool -->", ""},
      {"<!-- espalier:ignore SEL018 read by a tool -->", ""},
      {"<!--espalier:ignore sel018: read by a tool-->", ""},
      {"<!-- espalier:ignore\n SEL018 ,\n unusual-type\n read by a tool -->",
       "tree.xml:4 unused-suppression warning\n"},
      {"<!-- espalier:ignore SEL018 read by a tool -->  <!-- more --> <?pi?>", ""},
      {"<!-- espalier:ignore SEL018 read by a tool --> text",
       "tree.xml:2 unused-suppression warning\ntree.xml:2 stray-text warning\ntree.xml:3 unread-condition warning\n"},
      {"<!-- see espalier:ignore SEL018 -->", "tree.xml:3 unread-condition warning\n"},
      {"<!-- espalier:ignore SEL018 -->", "tree.xml:2 suppression-without-reason warning\n"},
      {"<!-- espalier:ignore SEL018 - -->", "tree.xml:2 suppression-without-reason warning\n"},
      {"<!-- espalier:ignore -->", "tree.xml:2 unknown-suppressed-rule warning\ntree.xml:3 unread-condition warning\n"},
      {"<!-- espalier:ignore SEL18 read -->",
       "tree.xml:2 unknown-suppressed-rule warning\ntree.xml:3 unread-condition warning\n"},
      {"<!-- espalier:ignore SEL018 outer --><!-- espalier:ignore SEL018 inner -->",
       "tree.xml:2 unused-suppression warning\n"},
      {"<Variables/><!-- espalier:ignore SEL018 why --><Variables/>",
       "tree.xml:2 unused-suppression warning\ntree.xml:3 unread-condition warning\n"},
      {"<Leaf><!-- espalier:ignore SEL018 why --></Leaf>",
       "tree.xml:2 missing-attribute error\ntree.xml:3 second-root error\n"},
  };
  for (const Case& given : cases) {
    CAPTURE(given.comment);
    const TemporaryFolder folder;
    folder.write("tree.xml", replaced(kOneWarning, "<!-- here -->", given.comment));
    CHECK(findings_of() == given.findings);
  }
}

TEST_CASE("a suppression before the root element holds for the whole file") {
  const TemporaryFolder folder;
  const std::string suppression = "<!-- espalier:ignore unread-condition read by a tool -->\n";
  folder.write("tree.xml", suppression + std::string(kOneWarning));
  folder.write("other.xml", replaced(kOneWarning, "Guard", "Other"));
  CHECK(findings_of() == "other.xml:3 unread-condition warning\n");
  folder.write("other.xml", replaced(kOneWarning, "Guard", "Other") + suppression);
  CHECK(findings_of() == "other.xml:3 unread-condition warning\nother.xml:5 unused-suppression warning\n");
}

TEST_CASE("beside errors a suppression is not called unused, as what it is for may not have been looked at") {
  const TemporaryFolder folder;
  folder.write("tree.xml", "<!-- espalier:ignore unread-condition why -->\n<SelectionTree/>");
  CHECK(findings_of().find("unused") == std::string::npos);
  CHECK(findings_of().find("error") != std::string::npos);
}

TEST_CASE("many suppressions and findings in one file do not take quadratic time") {
  const TemporaryFolder folder;
  std::string text = "<SelectionTree name=\"Guard\" type=\"BehaviorSelectionTree\"><Priority name=\"Root\">\n";
  for (int i = 0; i < 20000; ++i) {
    text += "<!-- espalier:ignore unknown-attribute why --><Leaf name=\"L\" extra=\"\"/>\n";
  }
  folder.write("tree.xml", text + "</Priority></SelectionTree>");
  CHECK(findings_of() == "tree.xml:1 unportable-size warning\n");
}

TEST_CASE("configured severities count, and a rule that is off gives nothing") {
  const TemporaryFolder folder;
  folder.write("tree.xml", kOneWarning);
  for (const char* severity : {"error", "warning", "note"}) {
    folder.write("espalier.json", "{\"rules\": {\"unread-condition\": \"" + std::string(severity) + "\"}}");
    CHECK(findings_of() == "tree.xml:3 unread-condition " + std::string(severity) + '\n');
  }
  folder.write("espalier.json", "{\"rules\": {\"SEL018\": \"off\"}}");
  CHECK(findings_of() == "");
  folder.write("other.json", "{}");
  CHECK(findings_of({{"."}, true, 0, "other.json"}) == "tree.xml:3 unread-condition warning\n");
}

TEST_CASE("without paths the configuration says what is read") {
  const TemporaryFolder folder;
  folder.write("a/tree.xml", kOneWarning);
  folder.write("b/tree.xml", kOneWarning);
  folder.write("espalier.json", "{\"paths\": [\"a\"]}");
  std::filesystem::current_path("b");
  CHECK(findings_of({}) == "../a/tree.xml:3 unread-condition warning\n");
  CHECK(findings_of({{"."}}) == "tree.xml:3 unread-condition warning\n");
  std::filesystem::current_path("..");
  std::filesystem::remove("espalier.json");
  std::filesystem::remove_all("a");
  CHECK(findings_of({}) == "b/tree.xml:3 unread-condition warning\n");
}

TEST_CASE("a tree says which dialect it is written in, and which engine evaluates it") {
  const TemporaryFolder folder;
  folder.write("guard.xml", kOneWarning);
  folder.write("halt.xml", kHalt);
  project::Project project;
  project::LoadErrors errors;
  REQUIRE(project::load({{"."}}, project, errors));
  REQUIRE(project.ir.trees.size() == 2);
  CHECK(project.ir.trees[0].dialect == layout::Dialect::selection);
  CHECK(project.ir.trees[0].engine() == EngineId::select);
  CHECK(project.ir.trees[1].dialect == layout::Dialect::modular);
  CHECK(project.ir.trees[1].engine() == EngineId::tick);
}

TEST_CASE("a root element that no dialect knows is a finding, and the other files are read all the same") {
  const TemporaryFolder folder;
  folder.write("tree.xml", kOneWarning);
  folder.write("other.xml", "<SelectionTre/>");
  project::Project project;
  project::LoadErrors errors;
  REQUIRE(project::load({{"."}}, project, errors));
  CHECK(listed(project) == "other.xml:1 unknown-root-element error\ntree.xml:3 unread-condition warning\n");
  CHECK(project.findings.all()[0].hint == "did you mean 'SelectionTree'?");
  CHECK(project.snapshot.skipped.empty());
  CHECK(project.ir.trees.size() == 1);
  CHECK(project.snapshot.file_count == 2);
  CHECK(project.snapshot.read_paths == std::vector<std::string>{"other.xml", "tree.xml"});
}

TEST_CASE("a tree of a file is called by its path below the project's folder") {
  const TemporaryFolder folder;
  folder.write("game/trees/Guard.XML", kHalt);
  folder.write("game/trees/deep/Guard.debt", kHalt);
  folder.write("game/top.xml.xml", kHalt);
  CHECK(names_of({{"."}}) == "game/top.xml game/trees/Guard game/trees/deep/Guard");
  CHECK(names_of({{"game/trees"}}) == "Guard deep/Guard");
  CHECK(names_of({{"game/trees/Guard.XML", "game/top.xml.xml"}}) == "Guard top.xml");
  CHECK(names_of({{"game/trees", "game"}}) == "top.xml trees/Guard trees/deep/Guard");

  folder.write("game/espalier.json", "{}");
  CHECK(names_of({{"game/trees/deep"}}) == "trees/deep/Guard");
  CHECK(names_of({{"game/trees/Guard.XML"}}) == "trees/Guard");
  // A file that is not below the folder of the configuration has a name too.
  folder.write("other/Sniper.xml", kHalt);
  CHECK(names_of({{"game", "other"}}) == "Sniper top.xml trees/Guard trees/deep/Guard");
  std::filesystem::current_path("game/trees");
  CHECK(names_of({}) == "top.xml trees/Guard trees/deep/Guard");
  std::filesystem::current_path(folder.path());
}

TEST_CASE("a folder may mix dialects: each file goes to the one that its root element tells") {
  const TemporaryFolder folder;
  folder.write("guard.xml", kOneWarning);
  folder.write("halt.xml", kHalt);
  folder.write("broken.xml", "<BehaviorTree/>");
  project::Project project;
  project::LoadErrors errors;
  REQUIRE(project::load({{"."}}, project, errors));
  CHECK(listed(project) == "broken.xml:1 invalid-root error\nguard.xml:3 unread-condition warning\n");
  CHECK(project.ir.trees.size() == 2);
  CHECK(names_of({{"."}}) == "Guard halt");
}

TEST_CASE("an error that a project lowers is a warning, which a comment can suppress, and the tree is there") {
  const TemporaryFolder folder;
  const std::string tree =
      "<BehaviorTree><Root>\n"
      "<!-- here -->\n"
      "<IfCondition condition=\"Nobody\"><Halt/></IfCondition>\n"
      "</Root></BehaviorTree>\n";
  folder.write("tree.xml", tree);
  CHECK(findings_of() == "tree.xml:3 unknown-variable error\n");
  CHECK(names_of({{"."}}) == "");
  folder.write("tree.xml", replaced(tree, "here", "espalier:ignore unknown-variable why"));
  CHECK(findings_of() == "tree.xml:2 unused-suppression warning\ntree.xml:3 unknown-variable error\n");
  // The rule of that name is an error in selection trees, and stays one: it is lowered where it can be, and where the
  // project has such trees that is said.
  folder.write("espalier.json", "{\"rules\": {\"unknown-variable\": \"warning\"}}");
  CHECK(findings_of().find("partly-fixed-severity") == std::string::npos);
  CHECK(findings_of().find("unused-suppression") == std::string::npos);
  CHECK(findings_of().find("unknown-variable") == std::string::npos);
  CHECK(names_of({{"."}}) == "tree");
  folder.write("tree.xml", tree);
  CHECK(findings_of().find("tree.xml:3 unknown-variable warning\n") != std::string::npos);
  folder.write("guard.xml",
               "<SelectionTree name=\"Guard\" type=\"BehaviorSelectionTree\"><Priority name=\"Root\">\n"
               "<Leaf name=\"Idle\" condition=\"Nobody\"/></Priority></SelectionTree>");
  CHECK(findings_of().find("guard.xml:2 unknown-variable error\n") != std::string::npos);
  CHECK(findings_of().find("espalier.json:1 partly-fixed-severity note\n") != std::string::npos);
}

TEST_CASE("a suppression by a name that several dialects share is used where one of them is") {
  const TemporaryFolder folder;
  folder.write("tree.xml",
               "<BehaviorTree><Root>\n<!-- espalier:ignore unknown-attribute why -->\n<Halt extra=\"\"/>\n"
               "</Root></BehaviorTree>");
  CHECK(findings_of() == "");
}

TEST_CASE("host files are among the files read") {
  const TemporaryFolder folder;
  folder.write("tree.xml", kOneWarning);
  folder.write("engine/hosts.json", "{\"hosts\": {\"Move\": {}}}");
  folder.write("espalier.json", "{\"hostFiles\": [\"engine/hosts.json\"]}");
  project::Project project;
  project::LoadErrors errors;
  REQUIRE(project::load({{"tree.xml"}}, project, errors));
  CHECK(project.snapshot.read_paths == std::vector<std::string>{"espalier.json", "engine/hosts.json", "tree.xml"});
  CHECK(project.snapshot.configuration.dialects.hosts.size() == 1);
}

TEST_CASE("a misspelt node or attribute of the engine is found by the declarations of the program") {
  const TemporaryFolder folder;
  folder.write("espalier.json", "{\"hostFiles\": [\"espalier:cryengine\"]}");
  folder.write("tree.xml",
               "<BehaviorTree><Root><Loop><Sequence>\n"
               "<Mvoe to=\"Target\" speed=\"Run\"/>\n"
               "<Move to=\"Target\" spede=\"Run\" speed=\"Run\"/>\n"
               "<Move to=\"Traget\" speed=\"Run\"/>\n"
               "<Shoot duration=\"2\" at=\"Target\" fireMode=\"Burst\"/>\n"
               "<SetAlertness value=\"3\"/>\n"
               "<Move to=\"Cover\"/>\n"
               "<AdjustCoverStance duration=\"continuous\"/>\n"
               "<AdjustCoverStance duration=\"continous\"/>\n"
               "</Sequence></Loop></Root></BehaviorTree>\n");
  project::Project project;
  project::LoadErrors errors;
  REQUIRE(project::load({{"."}}, project, errors));
  std::string result;
  for (const text::Finding& finding : project.findings.all()) {
    result += std::to_string(project.snapshot.sources[finding.span.file].position(finding.span.begin).line) + ' ' +
              std::string(rules::info(finding.rule).name) + (finding.hint.empty() ? "" : ": " + finding.hint) + '\n';
  }
  CHECK(result ==
        "2 unknown-node: did you mean 'Move'?\n"
        "3 unknown-attribute\n"
        "4 bad-value: did you mean 'Target'?\n"
        "5 missing-attribute\n"
        "6 bad-value: expected a whole number from 0 to 2\n"
        "7 recommended-attribute\n"
        "9 bad-value: did you mean 'continuous'?\n");
}

TEST_CASE("what cannot be read at all is an error, not a finding") {
  const TemporaryFolder folder;
  CHECK(findings_of({{"nope.xml"}}) == "! cannot read 'nope.xml': No such file or directory\n");
  folder.write("tree.xml", kOneWarning);
  CHECK(findings_of({{"."}, true, 0, "nope.json"}) == "! cannot read 'nope.json': No such file or directory\n");
  std::filesystem::create_symlink("nowhere", "link.xml");
  CHECK(findings_of() == "! cannot read 'link.xml': No such file or directory\n");
}

TEST_CASE("the result does not depend on the number of threads or the order of paths") {
  const TemporaryFolder folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 40; ++i) {
    paths.push_back("tree" + std::to_string(i) + ".xml");
    folder.write(paths.back(),
                 i % 7 == 0 ? "<SelectionTree>" : replaced(kOneWarning, "Guard", "G" + std::to_string(i % 5)));
  }
  const std::string expected = findings_of({paths, true, 1});
  CHECK(expected.size() > 1000);
  for (const std::uint32_t thread_count : {2u, 8u, 1000u}) {
    std::reverse(paths.begin(), paths.end());
    CHECK(findings_of({paths, true, thread_count}) == expected);
    project::Project project;
    project::LoadErrors errors;
    REQUIRE(project::load({paths, true, thread_count}, project, errors));
    for (text::FileId file = 1; file < project.snapshot.sources.size(); ++file) {
      CHECK(project.snapshot.sources[file - 1].path() < project.snapshot.sources[file].path());
    }
  }
}

TEST_CASE("a baseline accepts the findings it lists, wherever in the file they are") {
  const TemporaryFolder folder;
  folder.write("a/tree.xml", kOneWarning);
  project::Project project;
  project::LoadErrors errors;
  REQUIRE(project::load({{"a"}}, project, errors));
  const std::string baseline = project::write_baseline(project.findings, project.snapshot.sources, "a/accepted.json");
  CHECK(baseline ==
        "{\"version\":2,\"findings\":[\n"
        "{\"file\":\"tree.xml\",\"rule\":\"SEL018\",\"text\":\"<Leaf name=\\\"Idle\\\" condition=\\\"true\\\"/>\","
        "\"count\":1}\n]}\n");
  folder.write("a/tree.xml", "\n\n" + std::string(kOneWarning));
  project::Project later;
  std::string error;
  std::filesystem::current_path("a");
  REQUIRE(project::load({{"."}}, later, errors));
  REQUIRE(later.findings.all().size() == 1);
  later.findings.all()[0].message = "worded in another way";
  const auto apply = [&](const std::set<text::FileId>& rest) {
    project::BaselineResult result;
    REQUIRE(project::apply_baseline(baseline, "accepted.json", later.snapshot.sources, rest, later.findings, result,
                                    error));
    return result;
  };
  CHECK(apply({}).accepted == 1);
  CHECK(later.findings.all().empty());
  CHECK(apply({}).stale == 1);
  CHECK(apply({later.snapshot.files[0].id}).stale == 0);
}

TEST_CASE("a baseline accepts as many equal findings as it counts") {
  const TemporaryFolder folder;
  text::Sources sources;
  // In a long line only the nearby text counts.
  const text::FileId file = sources.add("tree.xml", "abcdef");
  for (const std::uint32_t count : {1u, 2u, 3u}) {
    text::Findings findings;
    for (std::uint32_t i = 0; i < count; ++i) findings.add(rules::Rule::XML_malformed, {file, i, i + 1}, "same");
    const std::string baseline = project::write_baseline(findings, sources, "accepted.json");
    findings.add(rules::Rule::XML_malformed, {file, 5, 6}, "same");
    project::BaselineResult result;
    std::string error;
    REQUIRE(project::apply_baseline(baseline, "accepted.json", sources, {}, findings, result, error));
    CHECK(result.accepted == count);
    REQUIRE(findings.all().size() == 1);
    CHECK(findings.all()[0].span.begin == 5);
  }
}

TEST_CASE("a file that is no baseline is refused with its place") {
  struct Case {
    const char* text;
    const char* error;
  };
  const Case cases[] = {
      {"{", "b.json:1:2: the file is not JSON: unexpected end of input; expected string literal"},
      {"[]", "b.json: not a baseline: a baseline has \"version\": 2 and a list \"findings\""},
      {"{\"version\": 1, \"findings\": []}",
       "b.json: written by an older version of espalier: write it again with 'espalier lint --write-baseline "
       "b.json'"},
      {"{\"version\": 3, \"findings\": []}",
       "b.json: written by another version of espalier: write it again with 'espalier lint --write-baseline "
       "b.json'"},
      {"{\"version\": 2, \"findings\": [\n{\"file\": \"a\", \"rule\": \"XML999\", \"text\": \"m\"}]}",
       "b.json:2:1: a finding of a baseline has a \"file\", a known \"rule\", a \"text\" and a \"count\""},
  };
  for (const Case& given : cases) {
    CAPTURE(given.text);
    text::Sources sources;
    text::Findings findings;
    project::BaselineResult result;
    std::string error;
    CHECK_FALSE(project::apply_baseline(given.text, "b.json", sources, {}, findings, result, error));
    CHECK(error == given.error);
  }
}

// ---- Folders that hold more than trees, and parts of projects

TEST_CASE("other XML in a folder is passed over and counted, and what was meant as a tree is not") {
  const TemporaryFolder folder;
  folder.write("tree.xml", kOneWarning);
  folder.write("item.xml", "<item name=\"Pistol\"/>");
  folder.write("notes.xml", "not XML & no tree");
  folder.write("empty.xml", "");
  folder.write("doctype.xml",
               "<!DOCTYPE Mode [<!ENTITY a '<BehaviorTree>'> <!-- <SelectionTree> -->]><Mode>&a;</Mode>");
  folder.write("commented.xml", "<!-- <SelectionTree/> --><Mode></Mode>");
  folder.write("wide.xml", std::string_view("\xFF\xFE<\0M\0o\0d\0e\0/\0>\0", 16));
  folder.write("broken-item.xml", "<item");
  folder.write("huge.xml", "<items>" + std::string(200'000, ' ') + "&</item>");
  project::Project project;
  project::LoadErrors errors;
  REQUIRE(project::load({{"."}}, project, errors));
  CHECK(listed(project) == "tree.xml:3 unread-condition warning\n");
  CHECK(project.snapshot.file_count == 1);
  CHECK(project.snapshot.skipped.size() == 8);
  CHECK(project.snapshot.read_paths == std::vector<std::string>{"tree.xml"});

  const char* const meant[] = {
      "<selectiontree/>",     "<BehaviourTree/>",     "<bt:BehaviorTree xmlns:bt='x'/>", "<Deciderstree/>",
      "<BehaviorTree><Root>", "text <BehaviorTree/>", "<<<<<<< HEAD\n<SelectionTree>"};
  for (const char* text : meant) {
    CAPTURE(text);
    folder.write("item.xml", text);
    CHECK(findings_of().find("item.xml:") == 0);
  }
  folder.write("item.xml", "<!--" + std::string(100'000, ' ') + "--><BehaviorTree/>");
  CHECK(findings_of().find("item.xml:1 invalid-root error\n") == 0);
}

TEST_CASE("a file that is named must be a tree, unless it is excluded or unknown ones are skipped") {
  const TemporaryFolder folder;
  folder.write("item.xml", "<item/>");
  CHECK(findings_of({{"item.xml"}}) == "item.xml:1 unknown-root-element error\n");
  project::LoadOptions options{{"item.xml"}};
  options.skip_unknown = true;
  CHECK(findings_of(options) == "");
  folder.write("espalier.json", "{\"exclude\": [\"item.xml\"]}");
  CHECK(findings_of({{"item.xml"}}) == "");
}

TEST_CASE("a folder in which there is no tree at all is an error") {
  const TemporaryFolder folder;
  folder.write("a/item.xml", "<item/>");
  folder.write("b/tree.xml", kOneWarning);
  CHECK(findings_of({{"a"}}).find("! no trees in 'a': no file has one of the root elements 'SelectionTree', ") == 0);
  CHECK(findings_of({{"b", "a"}}).find("! no trees in 'a'") == 0);
  CHECK(findings_of() == "b/tree.xml:3 unread-condition warning\n");
}

TEST_CASE("severities of some files are configured by globs, the last of which counts") {
  const TemporaryFolder folder;
  folder.write("a/tree.xml", kOneWarning);
  folder.write("a/old/tree.xml", replaced(kOneWarning, "Guard", "Old"));
  folder.write("espalier.json", R"({"rules": {"SEL018": "note"}, "overrides": [
    {"paths": ["a/"], "rules": {"unread-condition": "error"}}, {"paths": ["old"], "rules": {"SEL018": "off"}}]})");
  CHECK(findings_of() == "a/tree.xml:3 unread-condition error\n");
  folder.write("b/tree.xml", replaced(kOneWarning, "Guard", "B"));
  CHECK(findings_of() == "a/tree.xml:3 unread-condition error\nb/tree.xml:3 unread-condition note\n");
  std::filesystem::current_path("a/old");
  CHECK(findings_of({{"."}}) == "");
  std::filesystem::current_path(folder.path());
}

constexpr std::string_view kReference =
    "<SelectionTree name=\"Guard\" type=\"BehaviorSelectionTree\">\n<Ref name=\"Senses\"/>\n</SelectionTree>\n";
constexpr std::string_view kBlock =
    "<Blocks>\n<Block name=\"Senses\"><Leaf name=\"Idle\" condition=\"true\"/></Block>\n</Blocks>\n";

TEST_CASE("a named file is checked as a part of its project, and findings are its own") {
  const TemporaryFolder folder;
  folder.write("ai/tree.xml", kReference);
  folder.write("ai/broken.xml", "<BehaviorTree/>");
  folder.write("common/blocks.xml", kBlock);
  const std::string not_given = "ai/tree.xml:2 unchecked-reference note\n";
  CHECK(findings_of({{"ai/tree.xml"}}) == not_given);
  folder.write("espalier.json", "{}");
  CHECK(findings_of({{"ai/tree.xml"}}) == "");
  CHECK(findings_of({{"ai/broken.xml"}}) == "ai/broken.xml:1 invalid-root error\n");
  project::LoadOptions options{{"ai/tree.xml"}};
  options.is_isolated = true;
  CHECK(findings_of(options) == not_given);
  // One of the other files that cannot be read may contain what is missing.
  folder.write("common/blocks.xml", "<Blocks><Block name=\"Senses\">");
  CHECK(findings_of({{"ai/tree.xml"}}) == "");
  std::filesystem::remove("common/blocks.xml");
  CHECK(findings_of({{"ai/tree.xml"}}) == "ai/tree.xml:2 unresolved-reference error\n");
  std::filesystem::create_symlink("nowhere.xml", "common/link.xml");
  CHECK(findings_of({{"ai/tree.xml"}}) == "");
  std::filesystem::remove("common/link.xml");
  std::filesystem::create_symlink("/etc/passwd", "common/outside.xml");
  CHECK(findings_of({{"ai/tree.xml"}}) == "ai/tree.xml:2 unresolved-reference error\n");
  std::filesystem::remove("common/outside.xml");
  folder.write("common/blocks.xml", kBlock);
  // Files of two projects are not a project.
  folder.write("other/espalier.json", "{}");
  folder.write("other/tree.xml", replaced(kReference, "Guard", "Other"));
  CHECK(findings_of({{"ai/tree.xml", "other/tree.xml"}}) == not_given + "other/tree.xml:2 unchecked-reference note\n");
  // A folder is treated as the complete project.
  CHECK(findings_of({{"ai"}}) == "ai/broken.xml:1 invalid-root error\nai/tree.xml:2 unresolved-reference error\n");
  CHECK(findings_of({{"ai", "common/blocks.xml"}}).find("tree.xml") == std::string::npos);
}

TEST_CASE("to a compiler a named file's references are there or missing, and only its own trees are made") {
  const TemporaryFolder folder;
  folder.write("tree.xml", kReference);
  folder.write("other.xml", kHalt);
  folder.write("blocks.xml", kBlock);
  project::LoadOptions options{{"tree.xml"}};
  options.for_compiling = true;
  CHECK(findings_of(options) == "tree.xml:2 unresolved-reference error\n");
  folder.write("espalier.json", "{}");
  CHECK(names_of(options) == "Guard");
}

TEST_CASE("a name for standard input is refused where that is not read") {
  const TemporaryFolder folder;
  folder.write("tree.xml", kOneWarning);
  project::LoadOptions options{{"."}};
  options.stdin_filename = "tree.xml";
  CHECK(findings_of(options) == "! --stdin-filename needs '-' among the paths\n");
}

TEST_CASE("what standard input holds stands for a file of a project") {
  const TemporaryFolder folder;
  folder.write("espalier.json", "{}");
  folder.write("blocks.xml", kBlock);
  folder.write("tree.xml", "<not read/>");
  folder.write("stdin", kReference);
  project::LoadOptions options{{"-"}};
  options.stdin_filename = "tree.xml";
  REQUIRE(std::freopen("stdin", "r", stdin) != nullptr);
  CHECK(names_of(options) == "Guard");
  REQUIRE(std::freopen("stdin", "r", stdin) != nullptr);
  CHECK(findings_of(options) == "");
}

TEST_CASE("of the dragengine's and synchronized trees, too, nothing is claimed of files that are not given") {
  const TemporaryFolder folder;
  folder.write("rules.xml",
               "<behaviorTree><sequence id='r'><subtree id='a'>part.debt</subtree></sequence></behaviorTree>");
  CHECK(findings_of({{"rules.xml"}}) == "rules.xml:1 unchecked-reference note\n");
  folder.write("stored.xml",
               "<SynchronizedTree name=\"Guard\"><ChildTree slot=\"s\" default=\"Other\"/></SynchronizedTree>");
  CHECK(findings_of({{"stored.xml"}}).find("unchecked-reference note") != std::string::npos);
  CHECK(findings_of({{"stored.xml"}}).find("unknown-tree") == std::string::npos);
}

TEST_CASE("a link that leads out of the folder is a finding, and is not followed") {
  const TemporaryFolder folder;
  folder.write("game/tree.xml", kOneWarning);
  folder.write("secret.xml", "root:x:0:0\n");
  std::filesystem::create_symlink("../secret.xml", "game/link.xml");
  CHECK(findings_of({{"game"}}) == "game/link.xml:1 link-outside error\ngame/tree.xml:3 unread-condition warning\n");
}

TEST_CASE("a comment that was meant as a suppression is a finding") {
  const char* const meant[] = {"espalier-ignore SEL018 why",
                               "espalier: ignore SEL018 why",
                               "espalier ignore SEL018 why",
                               "Espalier:Ignore SEL018 why",
                               "espaler:ignore SEL018",
                               "espalier:ignroe SEL018 why",
                               "espalier_ignore",
                               "ESPALIER IGNORE"};
  for (const char* text : meant) {
    CAPTURE(text);
    const TemporaryFolder folder;
    folder.write("tree.xml", replaced(kOneWarning, "here", text));
    CHECK(findings_of() == "tree.xml:2 misspelt-suppression warning\ntree.xml:3 unread-condition warning\n");
  }
  const char* const others[] = {
      "espalier ignores this", "espalier", "an espalier: ignore it", "ignore", "espalier: see below",
      "espalier reads this",   ""};
  for (const char* text : others) {
    CAPTURE(text);
    const TemporaryFolder folder;
    folder.write("tree.xml", replaced(kOneWarning, "here", text));
    CHECK(findings_of() == "tree.xml:3 unread-condition warning\n");
  }
}

TEST_CASE("many comments before one element, and findings after it, do not take quadratic time") {
  const TemporaryFolder folder;
  std::string text = "<SelectionTree name=\"Guard\" type=\"BehaviorSelectionTree\"><Priority name=\"Root\">\n";
  for (int i = 0; i < 20'000; ++i) text += "<!-- espalier:ignore unknown-attribute why --><!-- x -->\n";
  text += "<Leaf name=\"L\" extra=\"\"/>\n";
  for (int i = 0; i < 5'000; ++i) text += "<Leaf name=\"L\" extra=\"\"/>\n";
  folder.write("tree.xml", text + "</Priority></SelectionTree>");
  CHECK(findings_of().find("unused-suppression") != std::string::npos);
}

// ---- Trees of rules

constexpr std::string_view kRules =
    "<behaviorTree><choice id='r' doNotFail='true'><action id='m' name='M'/></choice></behaviorTree>";

TEST_CASE("a tree of rules is named without .xml or .debt") {
  const TemporaryFolder folder;
  folder.write("a/guard.debt", kRules);
  folder.write("b.DEBT", kRules);
  folder.write("c.xml", kRules);
  folder.write("d.debt.xml", kRules);
  CHECK(names_of({{"."}}) == "a/guard b c d.debt");
}

TEST_CASE("paths of subtrees count from the folder of their file, or of the project, wherever the program is run") {
  const std::string uses =
      "<behaviorTree><sequence id='r'><subtree id='a'>b/part.debt</subtree>"
      "<subtree id='b'>/all/part.xml</subtree></sequence></behaviorTree>";
  const TemporaryFolder folder;
  folder.write("all/tree.xml", uses);
  folder.write("all/b/part.debt", kRules);
  folder.write("all/part.xml", kRules);
  CHECK(findings_of({{"."}}).empty());
  CHECK(findings_of({{"all"}}) == "all/tree.xml:1 subtree-path error\n");  // which is the project then
  CHECK(findings_of({{"all/tree.xml", "."}}).empty());
  folder.write("espalier.json", "{}");
  CHECK(findings_of({{"all"}}).empty());
  CHECK(findings_of({{"all/tree.xml", "all/b/part.debt", "all/part.xml"}}).empty());
  std::filesystem::current_path(folder.path() / "all/b");
  CHECK(findings_of({{".."}}).empty());
}

TEST_CASE("a file that a subtree names and that is none of rules is told at the subtree alone") {
  const TemporaryFolder folder;
  folder.write("tree.xml", "<behaviorTree><subtree id='s' doNotFail='true'>part.xml</subtree></behaviorTree>");
  folder.write("part.xml", "<sequence/>");
  CHECK(findings_of() == "tree.xml:1 subtree-path error\n");
  folder.write("part.xml", "<behaviorTree>");
  CHECK(findings_of() == "part.xml:1 unclosed-element error\n");
  folder.write("part.xml", kHalt);
  CHECK(findings_of() == "tree.xml:1 subtree-path error\n");
}

}  // namespace project_load
