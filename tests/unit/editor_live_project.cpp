// A project that is edited: what is found after each change is what a check of everything finds, and only what depends
// on the change is checked.
#include <random>

#include "editor/live_project.h"
#include "project/project.h"
#include "project/roots.h"
#include "random_edits.h"
#include "rules/decider.h"
#include "rules/dragengine.h"
#include "rules/modular.h"
#include "rules/rules.h"
#include "rules/selection.h"
#include "rules/synchronized.h"
#include "rules/xml.h"
#include "source_folder.h"
#include "temporary_folder.h"
#include "text/root_name.h"
#include "unit.h"

namespace editor_live_project {

using namespace espalier;
using editor::LiveProject;

namespace {

std::string shown(const text::Sources& sources, const text::Finding& finding) {
  const text::Source& source = sources[finding.span.file];
  std::string result = source.path() + ':' + std::to_string(finding.span.begin) + '-' +
                       std::to_string(finding.span.end) + ' ' + std::string(rules::info(finding.rule).code) + ' ' +
                       std::string(rules::severity_name(finding.severity)) + ": " + finding.message + " (" +
                       finding.hint + ')';
  for (const text::Related& each : finding.related) {
    result += " {" + sources[each.span.file].path() + ':' + std::to_string(each.span.begin) + ' ' + each.message + '}';
  }
  for (const text::Fix& fix : finding.fixes) result += " [" + fix.title + ']';
  return result;
}

std::vector<std::string> live_findings(const LiveProject& project) {
  std::vector<std::string> result;
  const text::Sources& sources = project.snapshot().sources;
  for (text::FileId file = 0; file < sources.size(); ++file) {
    for (const text::Finding& finding : project.findings_of(file)) result.push_back(shown(sources, finding));
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> all_findings(const std::map<std::string, std::string>& texts) {
  project::Files files;
  for (const auto& [path, text] : texts) files.set_text(path, text);
  project::ParsedFiles parsed;
  project::Snapshot snapshot;
  project::LoadErrors errors;
  REQUIRE(project::take_snapshot({{"."}}, files, parsed, snapshot, errors));
  snapshot.keeps_findings_in_file = true;  // as in an editor
  std::vector<std::string> result;
  const project::Checked checked = project::check(snapshot);
  for (const text::Finding& finding : checked.findings.all()) result.push_back(shown(snapshot.sources, finding));
  std::sort(result.begin(), result.end());
  return result;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Trees of a folder of the sources, with their names below it.
std::map<std::string, std::string> trees_of(const std::string& folder) {
  std::map<std::string, std::string> texts;
  const std::filesystem::path root = source_folder() / folder;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string suffix = entry.path().extension().string();
    if (suffix != ".xml" && suffix != ".debt" && entry.path().filename() != "espalier.json") continue;
    texts[std::filesystem::relative(entry.path(), root).generic_string()] = read(entry.path());
  }
  return texts;
}

bool is_tree(const std::string& text) {
  const std::optional<std::string> root = text::root_name(text);
  if (!root || project::kind_of_root(*root) != project::Root::tree) return false;
  const std::shared_ptr<const text::ParsedXml> parsed = project::ParsedFiles(0).parse("a.xml", text);
  if (!parsed->has_document) return true;
  const text::XmlDocument document(parsed, 0);
  const dialects::Dialect* const dialect = dialects::find_owner(document.root_name());
  return dialect == nullptr || dialect->is_tree == nullptr || dialect->is_tree(document);
}

std::vector<std::string> without(const std::vector<std::string>& all, const std::vector<std::string>& others) {
  std::vector<std::string> result;
  std::set_difference(all.begin(), all.end(), others.begin(), others.end(), std::back_inserter(result));
  return result;
}

void compare(std::map<std::string, std::string> texts, unsigned seed, int count) {
  const TemporaryFolder folder;
  for (const auto& [name, text] : texts) folder.write(name, text);
  const std::map<std::string, std::string> before = texts;
  std::vector<std::string> names;
  std::vector<std::string> contents;
  for (const auto& [name, text] : texts) {
    if (name.ends_with(".json")) continue;
    names.push_back(name);
    contents.push_back(text);
  }
  texts.clear();
  std::mt19937 random(seed);
  LiveProject project({{"."}});
  project.update();
  for (int i = 0; i < count; ++i) {
    const std::string& name = names[random() % names.size()];
    const auto open = texts.find(name);
    std::string text = open == texts.end() ? before.at(name) : open->second;
    // Most edits are undone soon, so that files are sound again.
    text = random() % 3 == 0 ? before.at(name) : edited(text, contents, random);
    texts[name] = text;
    project.set_text((folder.path() / name).string(), text);
    project.update();
    // A tree that is being edited stays one, whatever it begins with; on disk such a file would be passed over.
    if (std::any_of(texts.begin(), texts.end(), [](const auto& each) { return !is_tree(each.second); })) continue;
    INFO("edit " << i << " of " << name << ", seed " << seed << ":\n" << text);
    const std::vector<std::string> live = live_findings(project);
    const std::vector<std::string> all = all_findings(texts);
    REQUIRE(without(all, live) == std::vector<std::string>());
    REQUIRE(without(live, all) == std::vector<std::string>());
  }
}

}  // namespace

TEST_CASE("findings after edits are those of a whole check") {
  const std::string folder = GENERATE(as<std::string>(), "samples/squad", "samples/modular", "samples/dragengine",
                                      "samples/deciders", "samples/synchronized", "samples/btcpp", "samples/broken");
  compare(trees_of(folder), 1, 60);
}

TEST_CASE("what a file of BehaviorTree.CPP's trees says changes the findings in all others") {
  std::map<std::string, std::string> texts;
  texts["main.xml"] =
      "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\"><include path=\"models.xml\"/><BehaviorTree ID=\"Main\">"
      "<Sequence name=\"s\"><SubTree ID=\"Go\" name=\"a\" to=\"{goal}\"/><MoveBase name=\"m\" "
      "goal=\"{goal}\"/></Sequence>"
      "</BehaviorTree></root>";
  texts["go.xml"] =
      "<root BTCPP_format=\"4\"><include path=\"main.xml\"/><BehaviorTree ID=\"Go\"><MoveBase name=\"g\" "
      "goal=\"{to}\"/>"
      "</BehaviorTree></root>";
  texts["models.xml"] =
      "<root BTCPP_format=\"4\"><TreeNodesModel><Action ID=\"MoveBase\"><input_port name=\"goal\"/></Action>"
      "<SubTree ID=\"Go\"><input_port name=\"to\"/></SubTree></TreeNodesModel></root>";
  compare(texts, GENERATE(1u, 2u, 3u), 60);
}

// What one file can change in another that it does not use, or not any more.
TEST_CASE("after an edit no other file of BehaviorTree.CPP's trees keeps findings that are not true any more") {
  struct Case {
    const char* what;
    std::map<std::string, std::string> texts;
    std::string edited, from, to;
  };
  const auto file = [](const std::string& tree, const std::string& node, const std::string& root = {}) {
    return "<root BTCPP_format=\"4\"" + root + "><BehaviorTree ID=\"" + tree + "\">" + node + "</BehaviorTree></root>";
  };
  const std::string done = "<AlwaysSuccess/>";
  const std::string unread = "<Script code=\"y := 2\"/>";
  const std::string sequence = "<Sequence>" + done;
  const std::string model =
      "<?xml version=\"1.0\"?><!DOCTYPE root [<!ENTITY p \"<input_port name='goal'/>\">]><root BTCPP_format=\"4\">"
      "<TreeNodesModel><Action ID=\"Move\">&p;</Action></TreeNodesModel></root>";
  const std::vector<Case> cases = {
      {"a node is a SubTree now",
       {{"a.xml", file("A", "<Omega x=\"{y}\"/>")}, {"b.xml", file("Omega", unread)}},
       "a.xml",
       "<Omega ",
       "<SubTree ID=\"Omega\" "},
      {"no program loads all files of the package any more",
       {{"f.xml", file("T", done)},
        {"g.xml", file("T", done)},
        {"h.xml", file("Main", "<SubTree ID=\"U\"/>", " main_tree_to_execute=\"Main\"")},
        {"i.xml", file("U", done)}},
       "h.xml",
       "<SubTree ID=\"U\"/>",
       done},
      {"a name that may mean a tree is gone",
       {{"w.xml", file("Kappa", unread)},
        {"x.xml", file("X", sequence + "<SubTree ID=\"Alphx\"/></Sequence>")},
        {"z.xml", file("Alpha", "<SubTree ID=\"Kappa\"/>")}},
       "x.xml",
       "<SubTree ID=\"Alphx\"/>",
       ""},
      {"the first use of a tree that is elsewhere is gone",
       {{"espalier.json", R"({"btcpp": {"trees": ["Aaaa", "Bbbb"]}})"},
        {"x.xml", file("X", sequence + "<SubTree ID=\"Aaaa\"/></Sequence>")},
        {"y.xml", file("Y", "<SubTree ID=\"Bbbb\"/>")}},
       "x.xml",
       "<SubTree ID=\"Aaaa\"/>",
       ""},
      {"an entity of models is another one",
       {{"m.xml", model}, {"u.xml", file("U", "<Move goal=\"1\"/>")}},
       "m.xml",
       "name='goal'",
       "name='aim'"},
      {"a file is of another dialect",
       {{"a.xml", file("A", done)},
        {"r.debt", "<behaviorTree><action name='a'/></behaviorTree>"},
        {"w.debt", "<behaviorTree><subtree>r.debt</subtree></behaviorTree>"}},
       "r.debt",
       "<behaviorTree><action name='a'/></behaviorTree>",
       file("R", done)},
      {"an included file is none of trees",
       {{"a.xml",
         "<root BTCPP_format=\"4\"><include path=\"r.debt\"/><BehaviorTree "
         "ID=\"A\"><AlwaysSuccess/></BehaviorTree></root>"},
        {"r.debt", "<behaviorTree><action name='a'/></behaviorTree>"}},
       "a.xml",
       "AlwaysSuccess",
       "AlwaysFailure"},
  };
  for (Case each : cases) {
    INFO(each.what);
    const TemporaryFolder folder;
    for (const auto& [name, text] : each.texts) folder.write(name, text);
    LiveProject project({{"."}});
    project.update();
    std::string& text = each.texts[each.edited];
    const std::string before = text;
    for (const std::string& after :
         {std::string(text).replace(text.find(each.from), each.from.size(), each.to), before}) {
      text = after;
      project.set_text((folder.path() / each.edited).string(), text);
      project.update();
      CHECK(without(all_findings(each.texts), live_findings(project)) == std::vector<std::string>());
      CHECK(without(live_findings(project), all_findings(each.texts)) == std::vector<std::string>());
    }
  }
}

// Several programs with trees that use one another: an edit can connect files, and separate them.
TEST_CASE("findings after edits of connected trees of BehaviorTree.CPP are those of a whole check") {
  std::map<std::string, std::string> texts;
  texts["espalier.json"] = R"({"btcpp": {"trees": ["Core"], "entries": ["goal"]}})";
  texts["models.xml"] =
      "<root BTCPP_format=\"4\"><TreeNodesModel><Action ID=\"Move\"><input_port name=\"goal\" type=\"int\"/>"
      "<output_port name=\"result\" type=\"int\"/></Action><SubTree ID=\"Tree2\"><input_port name=\"to\"/></SubTree>"
      "</TreeNodesModel></root>";
  const int shared = GENERATE(11, 6);  // then two files have the tree
  for (int i = 0; i < 12; ++i) {
    const std::string number = std::to_string(i);
    const std::string main = i % 4 == 0 ? " main_tree_to_execute=\"MainTree\"" : "";
    const std::string name = i % 4 == 0 ? "MainTree" : "Tree" + std::to_string(i == 11 ? shared : i);
    std::string nodes = "<Move name=\"goal\" goal=\"{to}\" result=\"{r" + number + "}\"/>";
    if (i % 4 == 0) nodes += "<Script name=\"s\" code=\"to := " + number + "\"/>";
    if (i % 4 != 3) {
      nodes += "<SubTree name=\"a\" ID=\"Tree" + std::to_string(i + 1) + "\" to=\"{to}\" r" + std::to_string(i + 1) +
               "=\"{r}\"/><Move goal=\"{r}\"/>";
    }
    if (i == 7) nodes += "<SubTree name=\"core\" ID=\"Core\"/><SubTree name=\"b\" ID=\"Tree11\" _autoremap=\"true\"/>";
    if (i == 9) nodes += "<Tree5 name=\"Tree5\"/>";
    texts["tree" + number + ".xml"] = "<root BTCPP_format=\"4\"" + main + "><BehaviorTree ID=\"" + name +
                                      "\"><Sequence name=\"q\">" + nodes + "</Sequence></BehaviorTree></root>";
  }
  const std::string include =
      GENERATE("", "<include path=\"tree0.xml\"/>", "<include ros_pkg=\"robot\" path=\"a.xml\"/>");
  texts["tree10.xml"].insert(texts["tree10.xml"].find("<BehaviorTree"), include);
  compare(texts, GENERATE(1u, 2u), 60);
}

// Trees, packages, models of editors, C++, the configuration and host files, which other programs write; some are open.
TEST_CASE("after changes on disk findings are those of a whole check") {
  const auto tree = [](const std::string& name, const std::string& node, const std::string& root = {}) {
    return "<root" + root + "><BehaviorTree ID=\"" + name + "\">" + node + "</BehaviorTree></root>";
  };
  const std::string format = " BTCPP_format=\"4\"";
  const std::string absent;
  // What each file can be.
  const std::map<std::string, std::vector<std::string>> files = {
      {"robot/a.xml",
       {tree("A", "<Go to=\"{x}\"/>"), tree("A", "<Go too=\"1\"/>", format), tree("A", "<SubTree ID=\"B\"/>", format)}},
      {"robot/b.xml", {tree("B", "<Went to=\"1\"/>", format), tree("B", "<Sequence/>"), "<launch/>", absent}},
      {"robot/sub/c.xml",
       {tree("B", "<Inverter/>", format), "<root" + format + "><include path=\"../part.tree\"/></root>", absent}},
      {"robot/part.tree", {tree("P", "<Go/>", format), absent}},
      {"robot/sub/package.xml", {"<package/>", absent}},
      {"robot/package.xml",
       {"<package><depend>behaviortree_cpp_v3</depend></package>", "<package>behaviortree_cpp</package>", "<package/>",
        absent}},
      {"robot/CMakeLists.txt", {"find_package(behaviortree_cpp_v3)", "project(robot)", absent}},
      {"robot/src/a.cpp",
       {"#include <behaviortree_cpp/bt_factory.h>", "#include <behaviortree_cpp_v3/bt_factory.h>", absent}},
      {"robot/robot.btproj",
       {"<root><TreeNodesModel><Action ID=\"Go\"><input_port name=\"to\"/></Action></TreeNodesModel></root>",
        "<root><TreeNodesModel><Action ID=\"Went\"/></TreeNodesModel></root>", absent}},
      {"nodes.json",
       {R"({"btcpp": {"nodes": {"Go": {"ports": {"to": {"direction": "input", "type": "int"}}}}}})",
        R"({"btcpp": {"nodes": {"Went": {"kind": "Control"}}}})", "{"}},
      {"espalier.json",
       {R"({"hostFiles": ["nodes.json"]})", R"({"btcpp": {"version": "3.8"}})", R"({"exclude": ["robot/b.xml"]})",
        absent}},
      {"robot/.gitignore", {"b.xml", absent}},
  };
  std::vector<std::string> names;
  for (const auto& [name, texts] : files) names.push_back(name);
  const unsigned seed = GENERATE(1u, 2u, 3u, 22u);
  std::mt19937 random(seed);
  const TemporaryFolder folder;
  folder.write("robot/sub/src/empty", "");
  folder.write("main.xml", tree("Main", "<Go to=\"1\"/>", format));
  const auto write = [&](const std::string& name) {
    const std::vector<std::string>& texts = files.at(name);
    const std::string& text = texts[random() % texts.size()];
    if (!text.empty()) folder.write(name, text);
    if (text.empty()) std::filesystem::remove(folder.path() / name);
  };
  for (const std::string& name : names) write(name);
  LiveProject project({{"."}});
  project.update();
  std::map<std::string, std::string> open;
  std::string done;
  for (int i = 0; i < 150; ++i) {
    for (auto count = 1 + random() % 3; count > 0; --count) {
      const std::string& name = names[random() % names.size()];
      const std::string path = (folder.path() / name).string();
      const auto what = static_cast<unsigned>(random() % 6);
      done += "\n" + name + (what == 0 ? " is edited" : what == 1 ? " is closed" : " is written");
      const std::string& text = files.at(name)[random() % 2];
      if (what == 0 && !text.empty() && name != "robot/.gitignore") {
        open[name] = text;
        project.set_text(path, open[name]);
      } else if (what == 1) {
        if (open.erase(name) != 0) project.set_text(path, std::nullopt);
      } else {
        write(name);
        project.touch(path);
      }
    }
    project.update();
    INFO("seed " << seed << ", step " << i << done);
    const std::vector<std::string> live = live_findings(project);
    const std::vector<std::string> all = all_findings(open);
    REQUIRE(without(all, live) == std::vector<std::string>());
    REQUIRE(without(live, all) == std::vector<std::string>());
  }
}

TEST_CASE("files that no finding depends on are not read again, and few changes of trees check few files") {
  const TemporaryFolder folder;
  folder.write("package.xml", "<package><depend>behaviortree_cpp</depend></package>");
  folder.write("src/a.cpp", "#include <behaviortree_cpp/bt_factory.h>");
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    folder.write("t" + number + ".xml",
                 "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T" + number + "\"><Inverter/></BehaviorTree></root>");
  }
  LiveProject project({{"."}});
  project.update();
  const auto touched = [&](const std::string& name, const std::string& text) {
    folder.write(name, text);
    project.touch((folder.path() / name).string());
    return project.update().size();
  };
  CHECK(touched("src/a.cpp", "#include <behaviortree_cpp_v3/bt_factory.h>") == 0);  // package.xml says it
  CHECK(touched("package.xml", "<package><name>x</name><depend>behaviortree_cpp</depend></package>") == 0);
  CHECK(touched("launch/robot.xml", "<launch/>") == 0);
  CHECK(touched("config.json", "{}") == 0);
  CHECK(project.load_count() == 1);
  const std::uint64_t before = project.checked_count();
  CHECK(touched("t7.xml", "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T7\"><AlwaysSuccess/></BehaviorTree></root>") ==
        1);
  CHECK(project.load_count() == 1);
  CHECK(project.checked_count() - before <= 2);
  CHECK(touched("package.xml", "<package><depend>behaviortree_cpp_v3</depend></package>") >= 40);
  CHECK(project.load_count() == 2);
  std::filesystem::remove(folder.path() / "t8.xml");
  project.touch((folder.path() / "t8.xml").string());
  project.update();
  CHECK(project.take_gone() == std::vector<std::string>{editor::canonical_path("t8.xml")});
}

// Trees of each dialect, and how many files are checked after an edit of one: those that depend on it, however many
// there are.
TEST_CASE("an edit has few files of many checked") {
  constexpr int kCount = 300;
  const TemporaryFolder folder;
  const auto number = [](int i) { return std::to_string(i); };
  for (int i = 0; i < kCount; ++i) {
    folder.write("selecting" + number(i) + ".xml",
                 "<SelectionTree name=\"T" + number(i) +
                     "\"><Variables><Variable name=\"A\"/></Variables><Priority name=\"R\">"
                     "<Leaf name=\"L\" condition=\"A\"/><Leaf name=\"M\"/></Priority></SelectionTree>");
    folder.write("ticking" + number(i) + ".xml",
                 "<BehaviorTree><Root><Loop><Sequence><Wait duration=\"1\"/></Sequence></Loop></Root></BehaviorTree>");
    folder.write("rules" + number(i) + ".xml", "<behaviorTree><action name='a' id='a'/></behaviorTree>");
    folder.write(
        "deciding" + number(i) + ".xml",
        "<DeciderTree name=\"D" + number(i) +
            "\"><Behaviors><Behavior name=\"B\"/></Behaviors><Decider name=\"N\" behavior=\"B\"/></DeciderTree>");
    folder.write("storing" + number(i) + ".xml",
                 "<SynchronizedTree name=\"S" + number(i) + "\"><Action name=\"A\"/></SynchronizedTree>");
    folder.write("polling" + number(i) + ".xml", "<root BTCPP_format=\"4\"><BehaviorTree ID=\"P" + number(i) +
                                                     "\"><AlwaysSuccess name=\"a\"/></BehaviorTree></root>");
  }
  LiveProject project({{"."}});
  project.update();
  REQUIRE(project.load_count() == 1);
  for (const std::string name :
       {"selecting7.xml", "ticking7.xml", "rules7.xml", "deciding7.xml", "storing7.xml", "polling7.xml"}) {
    const std::string path = (folder.path() / name).string();
    const std::string text = read(path);
    for (const std::string& edit :
         {text + "<!-- typed -->", text.substr(0, text.size() / 2) + "<" + text.substr(text.size() / 2), text}) {
      const std::uint64_t before = project.checked_count();
      project.set_text(path, edit);
      const std::vector<text::FileId> changed = project.update();
      INFO(name << ":\n" << edit);
      CHECK(changed.size() == 1);
      CHECK(project.checked_count() - before <= 2);  // a tree with a fault is checked twice: others may notice that
      CHECK_FALSE(project.has_rest());
    }
  }
  CHECK(project.load_count() == 1);
}

// A block that many trees use: the edited file comes first, then the others; in the end the findings are those of a
// whole check.
TEST_CASE("of very many files that depend on one the edited one is checked first") {
  constexpr int kCount = 300;
  std::map<std::string, std::string> texts;
  const std::string block = "<Blocks><Block name=\"Common\"><Leaf name=\"Shared\" condition=\"A\"/></Block></Blocks>";
  texts["common.xml"] = "<SelectionTree name=\"Common\"><Variables><Variable name=\"A\"/></Variables>" + block +
                        "<Leaf name=\"Own\"/></SelectionTree>";
  for (int i = 0; i < kCount; ++i) {
    texts["tree" + std::to_string(i) + ".xml"] = "<SelectionTree name=\"T" + std::to_string(i) +
                                                 "\"><Variables><Variable name=\"A\"/></Variables><Priority name=\"R\">"
                                                 "<Ref name=\"Common\"/><Leaf name=\"M\"/></Priority></SelectionTree>";
  }
  const TemporaryFolder folder;
  for (const auto& [name, text] : texts) folder.write(name, text);
  LiveProject project({{"."}});
  project.update();
  std::string& text = texts["common.xml"];
  text.replace(text.find("condition=\"A\""), 13, "condition=\"Z\"");
  const std::uint64_t before = project.checked_count();
  project.set_text((folder.path() / "common.xml").string(), text);
  CHECK(project.update().size() == 1);
  CHECK(project.checked_count() - before < 100);
  CHECK(project.has_rest());
  CHECK(project.findings_of(*project.file_at((folder.path() / "common.xml").string())).size() > 0);
  std::size_t checked = 0;
  while (project.has_rest()) checked += project.check_rest().size();
  CHECK(checked == kCount + 1);
  CHECK(live_findings(project) == all_findings(texts));
}

// A tree that many use: what is above it is checked later; a user of it has only itself and the tree checked.
TEST_CASE("of BehaviorTree.CPP's trees only those that are connected with the edited one are checked") {
  constexpr int kCount = 300;
  std::map<std::string, std::string> texts;
  const auto file = [](const std::string& tree, const std::string& node) {
    return "<root BTCPP_format=\"4\"><BehaviorTree ID=\"" + tree + "\">" + node + "</BehaviorTree></root>";
  };
  texts["common.xml"] = file("Common", "<Script code=\"y := x\"/>");
  for (int i = 0; i < kCount; ++i) {
    const std::string number = std::to_string(i);
    texts["user" + number + ".xml"] = file("User" + number, "<SubTree name=\"c\" ID=\"Common\" x=\"{a}\" y=\"{b}\"/>");
    texts["alone" + number + ".xml"] = file("Alone" + number, "<Script code=\"a := 1\"/>");
  }
  const TemporaryFolder folder;
  for (const auto& [name, text] : texts) folder.write(name, text);
  LiveProject project({{"."}});
  project.update();
  const auto edit = [&](const std::string& name, const std::string& from, const std::string& to) {
    std::string& text = texts[name];
    text.replace(text.find(from), from.size(), to);
    const std::uint64_t before = project.checked_count();
    project.set_text((folder.path() / name).string(), text);
    project.update();
    return project.checked_count() - before;
  };
  CHECK(edit("alone5.xml", "a := 1", "a := 2") == 1);
  CHECK(edit("user5.xml", "<SubTree", "<SubTree _skipIf=\"a == 1\"") == 2);
  CHECK_FALSE(project.has_rest());
  CHECK(live_findings(project) == all_findings(texts));
  CHECK(edit("common.xml", "y := x", "z := x") < 100);
  CHECK(project.has_rest());
  while (project.has_rest()) project.check_rest();
  CHECK(live_findings(project) == all_findings(texts));
  CHECK(live_findings(project).size() >= kCount);
  // A tree that nothing used is connected now.
  CHECK(edit("alone5.xml", "<Script code=\"a := 2\"/>", "<SubTree name=\"c\" ID=\"Alone6\" a=\"{b}\"/>") <= 4);
  CHECK(live_findings(project) == all_findings(texts));
}

TEST_CASE("malformed text keeps the other findings of its file and of others") {
  const TemporaryFolder folder;
  const std::string selecting =
      "<SelectionTree name=\"T\" type=\"BehaviorSelectionTree\"><Variables><Variable name=\"A\"/></Variables>"
      "<Priority name=\"R\"><Leaf name=\"L\" condition=\"Unknown1\"/><Leaf name=\"M\" condition=\"A\"/></Priority>"
      "</SelectionTree>";
  const std::string ticking =
      "<BehaviorTree><Variables><Variable name=\"A\"/></Variables><Root><Priority><Case condition=\"Unknown1\"><Wait "
      "duration=\"1\"/></Case><Case><Wait duration=\"2\"/></Case></Priority></Root></BehaviorTree>";
  const std::string rules =
      "<behaviorTree><sequence><action name='a' idd='b'/><action name='a' id='M'/></sequence></behaviorTree>";
  const std::string deciding =
      "<DeciderTree name=\"D\"><Behaviors><Behavior name=\"B\"/></Behaviors><Group name=\"G\" "
      "policy=\"prioritizedList\"><Decider name=\"N\" behavior=\"Unknown1\"/><Decider name=\"M\" "
      "behavior=\"B\"/></Group>"
      "</DeciderTree>";
  const std::string storing =
      "<SynchronizedTree name=\"S\"><Sequence><ChildTree slot=\"s\" default=\"Unknown1\"/><Action "
      "name=\"M\"/></Sequence>"
      "</SynchronizedTree>";
  struct Case {
    rules::Rule rule;
    std::string text;
    std::string before;  // what is typed without a meaning
  };
  const Case cases[] = {{rules::SEL_unknown_variable, selecting, "name=\"M\""},
                        {rules::MBT_unknown_variable, ticking, "<Wait"},
                        {rules::DRA_unknown_attribute, rules, "id='M'"},
                        {rules::DEC_unknown_behavior, deciding, "name=\"M\""},
                        {rules::SYN_unknown_tree, storing, "name=\"M\""}};
  int number = 0;
  for (const Case& each : cases) folder.write("tree" + std::to_string(number++) + ".xml", each.text);
  LiveProject project({{"."}});
  project.update();
  const auto has = [&](int file, rules::Rule rule) {
    const auto id = project.file_at((folder.path() / ("tree" + std::to_string(file) + ".xml")).string());
    const std::vector<text::Finding>& findings = project.findings_of(id.value());
    return std::any_of(findings.begin(), findings.end(), [&](const text::Finding& each) { return each.rule == rule; });
  };
  const auto all_are_found = [&] {
    for (int file = 0; file < number; ++file) {
      INFO("file " << file);
      CHECK(has(file, cases[file].rule));
    }
  };
  all_are_found();
  for (int file = 0; file < number; ++file) {
    const std::string path = (folder.path() / ("tree" + std::to_string(file) + ".xml")).string();
    const auto& [rule, text, before] = cases[file];
    std::string broken = text;
    broken.insert(text.rfind(before) + before.size(), " typed");
    INFO(broken);
    project.set_text(path, broken);
    project.update();
    CHECK(has(file, rules::XML_malformed));
    all_are_found();
    project.set_text(path, text);
    project.update();
    all_are_found();
  }
}

TEST_CASE("texts that are not of the project have nothing read again") {
  const TemporaryFolder folder;
  folder.write("tree.xml", "<BehaviorTree><Root><Wait duration=\"1\"/></Root></BehaviorTree>");
  folder.write("page.xml", "<html/>");
  folder.write("package.json", "{}");
  LiveProject project({{"."}});
  project.update();
  project.set_text((folder.path() / "page.xml").string(), "<html><body/></html>");
  project.set_text((folder.path() / "package.json").string(), "{\"a\": 1}");
  project.set_text((folder.path() / "tree.xml").string(), "<!-- <BehaviorTree><Root/></BehaviorTree>");
  project.update();
  CHECK(project.load_count() == 1);
  project.set_text((folder.path() / "page.xml").string(), "<BehaviorTree><Root/></BehaviorTree>");
  project.update();
  CHECK(project.load_count() == 2);
}

}  // namespace editor_live_project
