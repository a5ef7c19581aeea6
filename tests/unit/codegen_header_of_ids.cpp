// The header that a game names behaviours, variables and signals with. tests/assets/asset_test.py compiles one, as C++
// and as C.
#include "codegen/compile.h"
#include "codegen_trees.h"
#include "payloads.h"
#include "runtime/format/opcodes/select.h"
#include "unit.h"

namespace codegen_header_of_ids {

namespace {

using namespace espalier;

// The header of one tree with these names for its variables.
std::string header_of(const std::vector<std::string>& variables, const std::string& tree_name = "Guard",
                      const std::string& name = "ids") {
  test::DraftProject project;
  test::DraftTree& tree = project.trees.emplace_back();
  tree.name = tree_name;
  for (const std::string& variable : variables) tree.variables.push_back({variable, false, {}});
  tree.root = test::node(tree, opcode::select_leaf, "L", "", 0);
  test::Compiled compiled;
  test::compile(project, compiled);
  return codegen::header_of_ids(compiled.words.data(), compiled.size_bytes, name);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("names become identifiers") {
  const struct {
    const char* name;
    const char* identifier;
  } kCases[] = {
      {"Alerted", "Alerted"},    {"Low Ammo", "Low_Ammo"}, {"a--b", "a_b"},         {"_hidden", "hidden"},
      {"2nd", "n2nd"},           {"default", "default_"},  {"Default", "Default"},  {"std", "std_"},
      {"a__b", "a_b"},           {"", "unnamed"},          {"\xC3\xBC", "unnamed"}, {"end_", "end_"},
      {"co_await", "co_await_"}, {"NULL", "NULL_"},        {"a.b", "a_b"},
  };
  for (const auto& row : kCases) {
    INFO(row.name);
    CHECK(has(header_of({row.name}), "constexpr ::std::uint32_t " + std::string(row.identifier) + " = 0;"));
  }
}

TEST_CASE("names that become the same identifier are told apart by a number, in the order of their ids") {
  const std::string header = header_of({"A B", "A-B", "A_B", "A_B_2", "default", "default_"});
  CHECK(has(header, " A_B = 0;  // \"A B\"\n"));
  CHECK(has(header, " A_B_2 = 1;  // \"A-B\"\n"));
  CHECK(has(header, " A_B_3 = 2;  // \"A_B\"\n"));
  CHECK(has(header, " A_B_2_2 = 3;  // \"A_B_2\"\n"));
  CHECK(has(header, " default_ = 4;  // \"default\"\n"));
  CHECK(has(header, " default_2 = 5;  // \"default_\"\n"));
}

TEST_CASE("a tree cannot take the names of the header itself") {
  CHECK(has(header_of({}, "behaviors"), "namespace behaviors_2 {\n"));
  CHECK(has(header_of({}, "kAssetHash"), "namespace kAssetHash_2 {\n"));
}

TEST_CASE("a name cannot break out of its comment") {
  const std::string header = header_of({"a\\\nint x;", "b\\"}, "T\nU");
  CHECK(has(header, "// \"a\\\\\\x0aint x;\"\n"));
  CHECK(has(header, "// \"b\\\\\"\n"));
  CHECK(has(header, "// Tree \"T\\x0aU\"\n"));
}

TEST_CASE("C has the same ids, with the namespaces before them") {
  const std::string header = header_of({"Low Ammo", "Low-Ammo"}, "Guard", "my guards");
  CHECK(has(header, "\nenum { my_guards_Guard_variables_Low_Ammo = 0 };  /* \"Low Ammo\" */\n"));
  CHECK(has(header, "\nenum { my_guards_Guard_variables_Low_Ammo_2 = 1 };  /* \"Low-Ammo\" */\n"));
  CHECK(has(header, "\nstatic inline bool my_guards_matches_asset(const void* bytes) {\n"));
}

TEST_CASE("in C a name cannot break out of its comment either, nor seem to begin one") {
  const std::string header = header_of({"a */ int x; /*"}, "*/");
  CHECK(has(header, "/* \"a * / int x; / *\" */\n"));
  CHECK(has(header, "/* Tree \"* /\" */\n"));
}

TEST_CASE("the namespace is an identifier, whatever the file is called") {
  CHECK(has(header_of({}, "T", "my guards.v2"), "namespace my_guards_v2 {"));
  CHECK(has(header_of({}, "T", "class"), "namespace class_ {"));
}

}  // namespace codegen_header_of_ids
