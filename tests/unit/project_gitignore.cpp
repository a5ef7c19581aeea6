// .gitignore patterns, one line of gitignore(5) after the other.
#include "project/gitignore.h"

#include "unit.h"

namespace project_gitignore {

using namespace espalier::project;

namespace {

struct Case {
  const char* gitignore;
  const char* path;
  bool is_folder;
  bool is_ignored;
};

// Files and folders of a project at /p.
bool ignored(const Case& given) {
  const IgnoreRules rules{"/p", parse_gitignore(given.gitignore), nullptr};
  return is_ignored(&rules, "/p/" + std::string(given.path), given.is_folder);
}

}  // namespace

TEST_CASE("a .gitignore excludes what git would exclude") {
  const Case cases[] = {
      {"tree.xml", "tree.xml", false, true},
      {"tree.xml", "a/b/tree.xml", false, true},
      {"tree.xml", "tree.xml.xml", false, false},
      {"Tree.xml", "tree.xml", false, false},
      {"/tree.xml", "tree.xml", false, true},
      {"/tree.xml", "a/tree.xml", false, false},
      {"a/tree.xml", "a/tree.xml", false, true},
      {"a/tree.xml", "b/a/tree.xml", false, false},
      {"build/", "build", true, true},
      {"build/", "build", false, false},
      {"build/", "a/build", true, true},
      {"/build/", "a/build", true, false},
      {"*.xml", "a/tree.xml", false, true},
      {"*.xml", "a/tree.debt", false, false},
      {"a*b*c.xml", "a-bb-b-c.xml", false, true},
      {"a*b*c.xml", "a-c.xml", false, false},
      {"a/*.xml", "a/tree.xml", false, true},
      {"a/*.xml", "a/b/tree.xml", false, false},
      {"tree?.xml", "tree1.xml", false, true},
      {"tree?.xml", "tree.xml", false, false},
      {"a?b", "a/b", false, false},
      {"tree[0-9].xml", "tree7.xml", false, true},
      {"tree[0-9].xml", "treex.xml", false, false},
      {"tree[!0-9].xml", "treex.xml", false, true},
      {"tree[!0-9].xml", "tree7.xml", false, false},
      {"[]a].xml", "].xml", false, true},
      {"[a-].xml", "-.xml", false, true},
      {"**/tree.xml", "tree.xml", false, true},
      {"**/tree.xml", "a/b/tree.xml", false, true},
      {"**/a/tree.xml", "b/a/tree.xml", false, true},
      {"a/**", "a/b/tree.xml", false, true},
      {"a/**", "a", true, false},
      {"a/**/tree.xml", "a/tree.xml", false, true},
      {"a/**/tree.xml", "a/b/c/tree.xml", false, true},
      {"a/**/tree.xml", "b/a/tree.xml", false, false},
      {"*.xml\n!keep.xml", "keep.xml", false, false},
      {"!keep.xml\n*.xml", "keep.xml", false, true},
      {"*.xml\n!/a/keep.xml", "b/keep.xml", false, true},
      {"# tree.xml", "# tree.xml", false, false},
      {"\\# tree.xml", "# tree.xml", false, true},
      {"\\!tree.xml", "!tree.xml", false, true},
      {"tree.xml   ", "tree.xml", false, true},
      {"tree\\ ", "tree ", false, true},
      {"tree.xml\r\n", "tree.xml", false, true},
      {"\xEF\xBB\xBFtree.xml", "tree.xml", false, true},
      {"\n\n   \n/\n!\n", "tree.xml", false, false},
      {"a\\*b", "a*b", false, true},
      {"a\\*b", "axb", false, false},
  };
  for (const Case& given : cases) {
    CAPTURE(given.gitignore, given.path, given.is_folder);
    CHECK(ignored(given) == given.is_ignored);
  }
}

TEST_CASE("the nearest .gitignore decides, and the farther ones where it says nothing") {
  auto outer = std::make_shared<IgnoreRules>(IgnoreRules{"/p", parse_gitignore("*.xml\n*.debt\n"), nullptr});
  const IgnoreRules inner{"/p/a", parse_gitignore("!*.xml\n"), outer};
  CHECK(is_ignored(outer.get(), "/p/tree.xml", false));
  CHECK_FALSE(is_ignored(&inner, "/p/a/tree.xml", false));
  CHECK(is_ignored(&inner, "/p/a/tree.debt", false));
}

TEST_CASE("a pattern with many stars does not take exponential time") {
  std::string pattern;
  for (int i = 0; i < 500; ++i) pattern += "*a";
  const std::string name(5000, 'a');
  CHECK_FALSE(ignored({(pattern + "b").c_str(), name.c_str(), false, false}));
  std::string path_pattern;
  std::string path = "x";
  for (int i = 0; i < 500; ++i) path_pattern += "**/a/";
  for (int i = 0; i < 2000; ++i) path += "/a";
  CHECK_FALSE(ignored({(path_pattern + "b").c_str(), path.c_str(), false, false}));
}

}  // namespace project_gitignore
