// What an editor is told of entries of blackboards: '|' is the cursor.
#include "editor/answers.h"
#include "editor/completion.h"
#include "temporary_folder.h"
#include "unit.h"

namespace editor_entries {

using namespace espalier;
using editor::LiveProject;

namespace {

// A project of a text with the cursor, as the file "tree.xml".
struct Edited {
  explicit Edited(std::string marked) : text(std::move(marked)), offset(static_cast<std::uint32_t>(text.find('|'))) {
    text.erase(offset, 1);
    folder.write("tree.xml", text);
    project.update();
    file = *project.file_at((folder.path() / "tree.xml").string());
  }
  const TemporaryFolder folder;
  std::string text;
  std::uint32_t offset;
  LiveProject project{{{"."}}};
  editor::FileId file = 0;
};

std::string hovered(const std::string& text) {
  const Edited edited(text);
  const auto found = editor::hover(edited.project, edited.file, edited.offset);
  return found ? found->markdown.substr(0, found->markdown.find("\n\n---")) : "nothing";
}

// The text with the name at the cursor renamed to "New", or why it cannot be.
std::string renamed(const std::string& text) {
  const Edited edited(text);
  const auto found = editor::renaming(edited.project, edited.file, edited.offset);
  if (!found) return "no name";
  if (!found->fault.empty()) return found->fault;
  const std::string why = editor::why_no_name(edited.project, edited.file, edited.offset, "New");
  if (!why.empty()) return why;
  std::string result = edited.text;
  for (auto place = found->places.rbegin(); place != found->places.rend(); ++place) {
    result.replace(place->range.begin, place->range.end - place->range.begin, "New");
  }
  return result;
}

// What is referred to, each in brackets.
std::string referred(const std::string& text) {
  const Edited edited(text);
  std::string result = edited.text;
  const auto places = editor::references(edited.project, edited.file, edited.offset, true);
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    result.insert(place->range.end, "]");
    result.insert(place->range.begin, "[");
  }
  return result;
}

std::string completed(const std::string& text) {
  const Edited edited(text);
  std::string labels;
  const std::string path = (edited.folder.path() / "tree.xml").string();
  for (const editor::Completion& each : editor::complete(edited.project, path, edited.text, edited.offset)) {
    if (each.detail == "entry") labels += (labels.empty() ? "" : " ") + each.label;
  }
  return labels;
}

// A trace or properties beside a tree, in which the name at the tree's cursor is renamed to "New".
std::string renamed_beside(const std::string& tree, const std::string& path, std::string text,
                           editor::Wanted wanted = editor::Wanted::renamed) {
  const Edited edited(tree);
  const auto places = editor::places_beside(edited.project, edited.file, edited.offset, {{path, text}}, wanted);
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    text.replace(place->range.begin, place->range.end - place->range.begin, "New");
  }
  return text;
}

const std::string kHead = "<root BTCPP_format='4' main_tree_to_execute='Main'>";
const std::string kModels =
    "<TreeNodesModel><Action ID='Look'><output_port name='found' type='Pose'/></Action>"
    "<Action ID='Drive'><input_port name='goal' type='Pose'/><input_port name='speed' default='{pace}'/></Action>"
    "</TreeNodesModel></root>";
std::string main_tree(const std::string& nodes) {
  return "<BehaviorTree ID='Main'><Sequence>" + nodes + "</Sequence></BehaviorTree>";
}
std::string go_tree(const std::string& nodes) {
  return "<BehaviorTree ID='Go'><Sequence>" + nodes + "</Sequence></BehaviorTree>";
}

}  // namespace

TEST_CASE("an entry has its type, and who writes and reads it, through subtrees") {
  const std::string go = go_tree("<Drive goal='{target}' speed='1'/>");
  CHECK(hovered(kHead + main_tree("<Look found='{pl|ace}'/><SubTree ID='Go' target='{place}'/>") + go + kModels) ==
        "**entry** `place` of the tree 'Main'\n\ntype: `Pose`, of the port 'found' of 'Look'\n\n"
        "other names: `target` in 'Go'\n\nwritten by: `tree.xml:1` (the port 'found' of 'Look')\n\n"
        "read by: `tree.xml:1` (the port 'goal' of 'Drive')");
  CHECK(hovered(kHead + main_tree("<Script code='n|ear := 1'/><AlwaysSuccess _skipIf='near == 2'/>") + kModels) ==
        "**entry** `near` of the tree 'Main'\n\nwritten by: `tree.xml:1` (a script)\n\n"
        "read by: `tree.xml:1` (a script)");
  CHECK(hovered(kHead + main_tree("<SetBlackboard value='1' output_key='lev|el'/>") + kModels) ==
        "**entry** `level` of the tree 'Main'\n\nwritten by: `tree.xml:1` (the port 'output_key' of 'SetBlackboard')");
}

TEST_CASE("an entry is renamed where it has the same name of necessity") {
  // The names inside and outside of a subtree stay apart.
  const std::string apart = main_tree("<Look found='{place}'/><SubTree ID='Go' target='{pl|ace}'/>") +
                            go_tree("<Drive goal='{target}' speed='1'/><Look found='{place}'/>");
  CHECK(renamed(kHead + apart + kModels) ==
        kHead + main_tree("<Look found='{New}'/><SubTree ID='Go' target='{New}'/>") +
            go_tree("<Drive goal='{target}' speed='1'/><Look found='{place}'/>") + kModels);
  CHECK(renamed(kHead + main_tree("<SubTree ID='Go' target='{place}'/>") +
                go_tree("<Drive goal='{tar|get}' speed='1'/>") + kModels) ==
        kHead + main_tree("<SubTree ID='Go' New='{place}'/>") + go_tree("<Drive goal='{New}' speed='1'/>") + kModels);
  // "{=}" and autoremap give the same name to both.
  CHECK(renamed(kHead + main_tree("<Look found='{target}'/><SubTree ID='Go' target='{=}'/>") +
                go_tree("<Drive goal='{tar|get}' speed='1'/>") + kModels) ==
        kHead + main_tree("<Look found='{New}'/><SubTree ID='Go' New='{=}'/>") +
            go_tree("<Drive goal='{New}' speed='1'/>") + kModels);
  CHECK(renamed(kHead + main_tree("<Look found='{target}'/><SubTree ID='Go' _autoremap='true'/>") +
                go_tree("<Drive goal='{tar|get}' speed='1' _skipIf='target == 1 || targets'/>") + kModels) ==
        kHead + main_tree("<Look found='{New}'/><SubTree ID='Go' _autoremap='true'/>") +
            go_tree("<Drive goal='{New}' speed='1' _skipIf='New == 1 || targets'/>") + kModels);
  // What begins with '_' is not connected by autoremap, and what is connected by itself is not either.
  CHECK(renamed(kHead + main_tree("<Look found='{_p}'/><SubTree ID='Go' _autoremap='true' q='{x}'/>") +
                go_tree("<Drive goal='{_|p}' speed='1'/>") + kModels) ==
        kHead + main_tree("<Look found='{_p}'/><SubTree ID='Go' _autoremap='true' q='{x}'/>") +
            go_tree("<Drive goal='{New}' speed='1'/>") + kModels);
  // The main tree's blackboard, and the port's own name.
  CHECK(renamed(kHead + main_tree("<Look found='{go|al}'/><SubTree ID='Go'/>") +
                go_tree("<Drive goal='{@goal}' speed='1'/>") + kModels) ==
        kHead + main_tree("<Look found='{New}'/><SubTree ID='Go'/>") + go_tree("<Drive goal='{@New}' speed='1'/>") +
            kModels);
  CHECK(renamed(kHead + main_tree("<Look found='{go|al}'/><Drive goal='{=}' speed='1'/>") + kModels) ==
        kHead + main_tree("<Look found='{New}'/><Drive goal='{New}' speed='1'/>") + kModels);
  CHECK(renamed(kHead + main_tree("<Script code='pa|ce := 1'/><Drive goal='{x}'/>") + kModels) ==
        "the port 'speed' of 'Drive' has this name without writing it, at `tree.xml:1` (the port 'speed' of 'Drive')");
  CHECK(renamed(kHead + main_tree("<Look found='{New}'/><Drive goal='{pl|ace}' speed='1'/>") + kModels) ==
        "the tree 'Main' has an entry 'New' already, at `tree.xml:1` (the port 'found' of 'Look')");
  CHECK(renamed(kHead + main_tree("<Look fo|und='{New}'/>") + kModels) == "no name");
}

TEST_CASE("references to an entry are found under all its names, and no other entry's") {
  CHECK(referred(kHead + main_tree("<Look found='{a|}'/><SubTree ID='Go' to='{a}'/><SubTree ID='Go' to='{b}'/>") +
                 go_tree("<Drive goal='{to}' speed='1'/>") + kModels) ==
        kHead + main_tree("<Look found='{[a]}'/><SubTree ID='Go' [to]='{[a]}'/><SubTree ID='Go' [to]='{b}'/>") +
            go_tree("<Drive goal='{[to]}' speed='1'/>") + kModels);
  CHECK(referred(kHead + main_tree("<Look found='{a}'/>") + go_tree("<Drive goal='{a|}' speed='1'/>") + kModels) ==
        kHead + main_tree("<Look found='{a}'/>") + go_tree("<Drive goal='{[a]}' speed='1'/>") + kModels);
}

TEST_CASE("entries of the tree complete ports and scripts") {
  const std::string look = "<Look found='{place}'/><Script code='near := 1'/>";
  const std::string go = go_tree("<Drive goal='{target}' speed='1'/>");
  CHECK(completed(kHead + main_tree(look + "<Drive goal='|' speed='1'/>") + go + kModels) == "{near} {place}");
  CHECK(completed(kHead + main_tree(look + "<Drive goal='{p|' speed='1'/>") + go + kModels) == "near place");
  CHECK(completed(kHead + main_tree(look + "<AlwaysSuccess _skipIf='near == |'/>") + go + kModels) == "near place");
}

TEST_CASE("an entry is renamed in traces and properties, where they name the same one") {
  const std::string connected = kHead +
                                main_tree(
                                    "<Look found='{pl|ace}'/><SubTree ID='Go' name='go' target='{place}'/>"
                                    "<SubTree ID='Go' target='{other}'/>") +
                                go_tree("<Drive goal='{target}' speed='1'/>") + kModels;
  CHECK(renamed_beside(connected, "a.trace.jsonl",
                       R"({"trace": 1}
{"set": {"place": 1, "places": 1}}
{"expect": {"variables": {"place": 1, "go/target": 1, "go/place": 1}}})") ==
        R"({"trace": 1}
{"set": {"New": 1, "places": 1}}
{"expect": {"variables": {"New": 1, "go/target": 1, "go/place": 1}}})");
  // References are shown under all names.
  CHECK(renamed_beside(connected, "a.trace.jsonl", R"({"expect": {"variables": {"place": 1, "go/target": 1}}})",
                       editor::Wanted::all) == R"({"expect": {"variables": {"New": 1, "go/New": 1}}})");
  const std::string inner = kHead + main_tree("<SubTree ID='Go' name='go' target='{place}'/><SubTree ID='Go'/>") +
                            go_tree("<Drive goal='{tar|get}' speed='1'/>") + kModels;
  CHECK(renamed_beside(
            inner, "a.trace.jsonl",
            R"({"expect": {"variables": {"target": 1, "go/target": 1, "Go::4/target": 1, "no/target": 1}}})") ==
        R"({"expect": {"variables": {"target": 1, "go/New": 1, "Go::4/New": 1, "no/target": 1}}})");
  CHECK(renamed_beside(inner, "a.trace.jsonl",
                       R"({"trace": 1, "tree": "Go"}
{"expect": {"variables": {"target": 1, "go/target": 1}}})") ==
        R"({"trace": 1, "tree": "Go"}
{"expect": {"variables": {"New": 1, "go/target": 1}}})");
  CHECK(renamed_beside(inner, "a.properties.json",
                       R"({"properties": [{"tree": "Go", "never": {"variables": {"target": 1}}},
 {"tree": "Main", "never": {"variables": {"go/target": 1, "target": 1}}}, {"never": {"variables": {"target": 2}}}]})") ==
        R"({"properties": [{"tree": "Go", "never": {"variables": {"New": 1}}},
 {"tree": "Main", "never": {"variables": {"go/New": 1, "target": 1}}}, {"never": {"variables": {"New": 2}}}]})");
}

}  // namespace editor_entries
