// Snapshots: which files are parsed again, which texts replace those on disk, and that checking is a function of the
// snapshot.
#include <filesystem>
#include <thread>

#include "ir/tree.h"
#include "project/check.h"
#include "project/snapshot.h"
#include "rules/rules.h"
#include "temporary_folder.h"
#include "unit.h"

namespace project_snapshots {

using namespace espalier;
using project::Files;
using project::ParsedFiles;
using project::Snapshot;

namespace {

// A tree with one warning: the condition of its root is never read.
std::string warned(const std::string& name) {
  return "<SelectionTree name=\"" + name +
         "\" type=\"BehaviorSelectionTree\"><Leaf name=\"Idle\" condition=\"true\"/></SelectionTree>";
}

std::string sound(const std::string& name) {
  return "<SelectionTree name=\"" + name + "\" type=\"BehaviorSelectionTree\"><Leaf name=\"Idle\"/></SelectionTree>";
}

Snapshot taken(const Files& files, ParsedFiles& parsed, project::LoadOptions options = {{"."}}) {
  Snapshot snapshot;
  project::LoadErrors errors;
  REQUIRE(project::take_snapshot(options, files, parsed, snapshot, errors));
  REQUIRE(errors.messages.empty());
  return snapshot;
}

// "path:line:column severity rule: message (hint)" of all findings, and the trees with their places.
std::string listed(const Snapshot& snapshot, const project::Checked& checked) {
  std::string result;
  for (const text::Finding& finding : checked.findings.all()) {
    const text::Source& source = snapshot.sources[finding.span.file];
    const text::Position at = source.position(finding.span.begin);
    result += source.path() + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) + ' ' +
              std::string(rules::severity_name(finding.severity)) + ' ' + std::string(rules::info(finding.rule).name) +
              ": " + finding.message + " (" + finding.hint + ")\n";
  }
  for (const ir::Tree& tree : checked.ir.trees) result += tree.name + ' ' + std::to_string(tree.span.file) + '\n';
  return result;
}

std::string listed(const Snapshot& snapshot) { return listed(snapshot, project::check(snapshot)); }

// Only "path rule".
std::string rules_of(const Snapshot& snapshot) {
  std::string result;
  const project::Checked checked = project::check(snapshot);
  for (const text::Finding& finding : checked.findings.all()) {
    result += snapshot.sources[finding.span.file].path() + ' ' + std::string(rules::info(finding.rule).name) + '\n';
  }
  return result;
}

}  // namespace

TEST_CASE(
    "the same files give the same findings, ids and trees, parsed once, however often and in however many threads") {
  const TemporaryFolder folder;
  for (int i = 0; i < 30; ++i) folder.write("trees/" + std::to_string(i) + ".xml", warned("T" + std::to_string(i)));
  folder.write("broken.xml", "<SelectionTree>");
  folder.write("notes.xml", "<Notes/>");
  ParsedFiles parsed;
  const Snapshot first = taken({}, parsed);
  const std::string expected = listed(first);
  CHECK(parsed.parse_count() == 31);  // skipped files are not parsed
  CHECK(expected.find("trees/7.xml:1:") != std::string::npos);
  CHECK(listed(first) == expected);
  const Snapshot again = taken({}, parsed, {{"."}, true, 1});
  CHECK(parsed.parse_count() == 31);
  CHECK(listed(again) == expected);
  for (std::size_t i = 0; i < first.files.size(); ++i) CHECK(first.files[i].parsed == again.files[i].parsed);
  ParsedFiles others;
  project::LoadOptions named = {{"trees", "broken.xml", "notes.xml"}, true, 7};
  named.skip_unknown = true;
  CHECK(listed(taken({}, others, named)) == expected);
}

TEST_CASE("a snapshot that is checked once gives the same, whatever parsed files are still needed") {
  const TemporaryFolder folder;
  folder.write("a.xml", warned("A"));
  folder.write("b.xml", "<!-- espalier:ignore unread-condition the game reads it -->" + warned("B"));
  folder.write("c.xml", "<!DOCTYPE SelectionTree [<!ENTITY e 'x'>]>" + warned("C&e;"));
  folder.write("d.xml", "<!-- espalier:ignore unread-condition no reason to -->" + sound("D"));
  folder.write("unknown.xml", "<SelectionTre><Priority/></SelectionTre>");
  ParsedFiles nothing_kept(0);
  for (const bool is_damaged : {false, true}) {
    if (is_damaged) folder.write("broken.xml", "<SelectionTree>");
    Snapshot snapshot = taken({}, nothing_kept);
    const std::string expected = listed(snapshot);
    const project::Checked checked = project::check_once(snapshot);
    CHECK(listed(snapshot, checked) == expected);
    CHECK(expected.find("b.xml") == std::string::npos);
    CHECK(expected.find("c.xml") != std::string::npos);
    for (const project::SnapshotFile& file : snapshot.files) CHECK(file.parsed == nullptr);
  }
}

TEST_CASE("an unsaved text replaces that of the disk, and only its file is parsed") {
  const TemporaryFolder folder;
  folder.write("a.xml", warned("A"));
  folder.write("b.xml", sound("B"));
  Files files;
  ParsedFiles parsed;
  const Snapshot before = taken(files, parsed);
  CHECK(rules_of(before) == "a.xml unread-condition\n");
  CHECK(parsed.parse_count() == 2);
  files.set_text("b.xml", warned("B"));
  const Snapshot after = taken(files, parsed);
  CHECK(parsed.parse_count() == 3);
  CHECK(rules_of(after) == "a.xml unread-condition\nb.xml unread-condition\n");
  CHECK(after.files[0].parsed == before.files[0].parsed);
  CHECK(rules_of(before) == "a.xml unread-condition\n");  // as it was taken
  files.set_text((folder.path() / "a.xml").string(), sound("A"));
  CHECK(rules_of(taken(files, parsed)) == "b.xml unread-condition\n");
  files.drop_text("a.xml");
  files.drop_text("./b.xml");
  CHECK(listed(taken(files, parsed)) == listed(before));
}

TEST_CASE("an unsaved file need not be on disk: it is found in its folder, or named") {
  const TemporaryFolder folder;
  folder.write("trees/a.xml", sound("A"));
  folder.write("trees/.gitignore", "ignored.xml\n");
  folder.write(".git/HEAD", "");
  Files files;
  for (const char* name : {"trees/new.xml", "trees/ignored.xml", "trees/.hidden.xml", "trees/note.txt"}) {
    files.set_text(name, warned(name));
  }
  ParsedFiles parsed;
  CHECK(rules_of(taken(files, parsed)) == "trees/new.xml unread-condition\n");
  CHECK(rules_of(taken(files, parsed, {{"trees/ignored.xml"}})) == "trees/ignored.xml unread-condition\n");
  files.drop_text("trees/new.xml");
  CHECK(rules_of(taken(files, parsed)).empty());
  Snapshot none;
  project::LoadErrors errors;
  CHECK_FALSE(project::take_snapshot({{"trees/new.xml"}}, files, parsed, none, errors));
  CHECK(errors.messages.size() == 1);
}

TEST_CASE("a file that is removed is not in the next snapshot, and stays in the one before") {
  const TemporaryFolder folder;
  folder.write("a.xml", warned("A"));
  folder.write("b.xml", warned("B"));
  ParsedFiles parsed;
  const Snapshot before = taken({}, parsed);
  std::filesystem::remove(folder.path() / "a.xml");
  CHECK(rules_of(taken({}, parsed)) == "b.xml unread-condition\n");
  CHECK(rules_of(before) == "a.xml unread-condition\nb.xml unread-condition\n");
  CHECK(parsed.parse_count() == 2);
}

TEST_CASE("espalier.json and host files may be unsaved too, on disk or not") {
  const TemporaryFolder folder;
  folder.write("a.xml", warned("A"));
  Files files;
  ParsedFiles parsed;
  files.set_text("espalier.json", R"({"rules": {"unread-condition": "off"}})");
  CHECK(rules_of(taken(files, parsed)).empty());
  folder.write("espalier.json", R"({"rules": {"unread-condition": "off"}})");
  files.set_text("espalier.json", R"({"rulse": {}})");
  CHECK(rules_of(taken(files, parsed)) == "a.xml unread-condition\nespalier.json unknown-key\n");
  files.set_text("espalier.json", R"({"rules": {"unread-condition": "off"}, "hostFiles": ["game.json"]})");
  files.set_text("game.json", R"({"host": []})");
  CHECK(rules_of(taken(files, parsed)) == "game.json unknown-key\n");
  files.set_text("espalier.json", R"({"overrides": [{"paths": ["*.xml"], "rules": {"unread-condition": "off"}}]})");
  CHECK(rules_of(taken(files, parsed)).empty());
  CHECK(parsed.parse_count() == 1);
}

TEST_CASE("two threads check different snapshots that share parsed files, and one checks the same") {
  const TemporaryFolder folder;
  for (int i = 0; i < 40; ++i) folder.write(std::to_string(i) + ".xml", warned("T" + std::to_string(i)));
  Files files;
  ParsedFiles parsed;
  const Snapshot one = taken(files, parsed);
  files.set_text("7.xml", "<SelectionTree");
  const Snapshot other = taken(files, parsed);
  const std::string of_one = listed(one);
  const std::string of_other = listed(other);
  CHECK(of_one != of_other);
  std::string results[3];
  const Snapshot* const snapshots[3] = {&one, &other, &one};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&, i] { results[i] = listed(*snapshots[i]); });
  for (std::thread& thread : threads) thread.join();
  CHECK(results[0] == of_one);
  CHECK(results[1] == of_other);
  CHECK(results[2] == of_one);
}

TEST_CASE("as many parsed files are kept as there is room for, those used last") {
  ParsedFiles parsed(2);
  const auto first = parsed.parse("a", "<a/>");
  CHECK(parsed.parse("a", "<a/>") == first);
  static_cast<void>(parsed.parse("b", "<b/>"));
  CHECK(parsed.parse("a", "<a/>") == first);
  static_cast<void>(parsed.parse("c", "<c/>"));  // in place of "b"
  CHECK(parsed.parse("a", "<a/>") == first);
  CHECK(parsed.parse_count() == 3);
  static_cast<void>(parsed.parse("b", "<b/>"));
  CHECK(parsed.parse_count() == 4);
  CHECK(parsed.parse("a", "<a />") != first);
  CHECK(first->has_document);  // it stays valid for its owner
  ParsedFiles none(0);
  CHECK(none.parse("a", "<a/>") != none.parse("a", "<a/>"));
  CHECK(none.parse_count() == 2);
}

TEST_CASE("a file that is included is read once, and is given when a given one includes it") {
  const TemporaryFolder folder;
  folder.write("trees/espalier.json", R"({"exclude": ["d.xml"], "btcpp": {"packages": {"robot": "../robot"}}})");
  folder.write("trees/a.xml", R"(<root><include path="../other/b.xml"/><include path="./../other/../other/b.xml"/>
    <include path="nowhere.xml"/><include path="d.xml"/><include ros_pkg="robot" path="e.xml"/>
    <include ros_pkg="none" path="e.xml"/><include/></root>)");
  folder.write("trees/c.xml", R"(<root><include path="../other/f.xml"/></root>)");
  folder.write("trees/d.xml", "<root/>");
  folder.write("other/b.xml", R"(<root><include path="b.xml"/><include path="../trees/c.xml"/></root>)");
  folder.write("other/f.xml", R"(<root BTCPP_format="4"/>)");
  folder.write("robot/e.xml", R"(<root BTCPP_format="4"/>)");
  ParsedFiles parsed;
  const auto shown = [&](const std::string& path) {
    const Snapshot snapshot = taken({}, parsed, {{path}});
    std::string result;
    for (const project::SnapshotFile& file : snapshot.files) {
      result += snapshot.sources[file.id].path() + (snapshot.rest.count(file.id) == 0 ? "" : " (rest)") + ':';
      for (const dialects::Included& each : file.place.includes) {
        result += ' ' + (each.is_left_out ? "excluded" : std::filesystem::path(each.path).filename().string());
      }
      result += '\n';
    }
    CHECK(snapshot.read_paths.size() == snapshot.files.size() + 1);
    return result;
  };
  CHECK(shown("trees/a.xml") == R"(other/b.xml: b.xml c.xml
other/f.xml:
robot/e.xml:
trees/a.xml: b.xml b.xml  excluded e.xml  
trees/c.xml: f.xml
)");
  CHECK(parsed.parse_count() == 5);
  CHECK(shown("trees/c.xml") == R"(other/b.xml (rest): b.xml c.xml
other/f.xml:
robot/e.xml (rest):
trees/a.xml (rest): b.xml b.xml  excluded e.xml  
trees/c.xml: f.xml
)");
  CHECK(parsed.parse_count() == 5);
}

}  // namespace project_snapshots
