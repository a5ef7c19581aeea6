// Trees of rules at the limits: files that use one another many times and deep.
#include "dragengine_reading.h"
#include "unit.h"

namespace dialects_dragengine_limits {

using namespace espalier;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

Lines found_in(const Files& files) { return DragengineReading(files).found(); }
Lines found_in(const std::string& file) { return found_in(Files{{"tree.xml", file}}); }

std::string use(const std::string& path, const std::string& id = "") {
  return "<subtree" + (id.empty() ? "" : " id='" + id + "'") + ">" + path + "</subtree>";
}

}  // namespace

TEST_CASE("rules are counted before they are put in their places, and told at the smallest file with too many") {
  Files files;
  for (int i = 0; i < 9; ++i) {
    const std::string next = "f" + std::to_string(i + 1) + ".xml";
    std::string uses;
    for (int k = 0; k < 10; ++k) uses += use(next, "s" + std::to_string(k));
    files.push_back({"f" + std::to_string(i) + ".xml", rule_file({"<choice>" + uses + "</choice>"})});
  }
  files.push_back({"f9.xml", rule_file({"<success/>"})});
  const DragengineReading reading(files);
  // f5 has 22221 rules, f4 ten times as many.
  CHECK(reading.found() == Lines{"f4.xml:1 too-many-rules"});
  CHECK(reading.project.trees.size() == 5);
}

TEST_CASE("the bytes of ids are counted before they are put together") {
  Files files;
  for (int i = 0; i < 4; ++i) {
    const std::string next = "f" + std::to_string(i + 1) + ".xml";
    std::string uses;
    for (int k = 0; k < 8; ++k) uses += use(next, std::string(4000, 'a') + std::to_string(k));
    files.push_back({"f" + std::to_string(i) + ".xml", rule_file({"<choice>" + uses + "</choice>"})});
  }
  files.push_back({"f4.xml", rule_file({"<success id='a'/>"})});
  const Lines found = DragengineReading(files).found();
  CHECK(found.front() == "f0.xml:1 too-many-rules");
}

TEST_CASE("subtrees may stand within one another 256 deep") {
  const auto found = [](int depth) {
    Files files;
    for (int i = 0; i < depth; ++i) {
      files.push_back(
          {"f" + std::to_string(1000 + i) + ".xml", rule_file({use("f" + std::to_string(1001 + i) + ".xml")})});
    }
    files.push_back({"f" + std::to_string(1000 + depth) + ".xml", rule_file({"<success/>"})});
    return found_in(files);
  };
  CHECK(found(256).empty());
  CHECK(found(258) == Lines{"f1001.xml:1 too-deep"});
}

TEST_CASE("files that are large or deep are read in a moment") {
  const auto many = [](std::size_t count, const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i) result += text;
    return result;
  };
  CHECK(found_in(rule_file({many(990, "<choice id='.a'>") + many(990, "</choice>")})) ==
        Lines{"tree.xml:2 relative-id-without-parent", "tree.xml:2 long-id"});
  CHECK(found_in(rule_file({many(990, "<a>") + many(990, "</a>")})) == Lines{"tree.xml:2 unknown-element"});
  CHECK(
      found_in(rule_file({"<choice id='" + many(1'000'000, "a") + "'>", many(1000, "<success id='.b'/>"), "</choice>"}))
          .back() == "tree.xml:3 too-many-rules");
  std::string parameters;
  for (int i = 0; i < 20'000; ++i) parameters += "<parameter name='p" + std::to_string(i) + "'/>";
  CHECK(found_in(rule_file({"<action name='a'>" + parameters + many(20'000, "<condition>C</condition>") + "</action>"}))
            .size() == 10'001);  // the repeated conditions
}

}  // namespace dialects_dragengine_limits
