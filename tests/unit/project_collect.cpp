// The files of a project.
#include "project/collect.h"

#include <algorithm>

#include "temporary_folder.h"
#include "unit.h"

namespace project_collect {

using namespace espalier;
using project::InputFile;

namespace {

namespace fs = std::filesystem;

// The files of `paths` as findings show them, then links that are not followed, then errors.
std::string files(const std::vector<std::string>& paths, const project::CollectOptions& options = {},
                  const std::vector<std::string>& rest = {}) {
  std::vector<std::string> errors;
  std::string result;
  const project::Collection collection = project::collect(paths, rest, options, errors);
  for (const InputFile& file : collection.files) {
    result += file.shown + (file.is_rest ? " (rest)\n" : "\n");
  }
  for (const std::string& file : collection.left_out) result += "- " + file + '\n';
  for (const std::string& link : collection.outside) result += "-> " + link + '\n';
  for (const std::string& error : errors) result += "! " + error + '\n';
  return result;
}

project::Globs globs(const std::vector<const char*>& list) {
  project::Globs result;
  for (const char* each : list) REQUIRE(result.add(each));
  return result;
}

}  // namespace

TEST_CASE("a folder stands for its .xml and .debt files at any depth, sorted by path") {
  const TemporaryFolder folder;
  for (const char* name :
       {"b.xml", "a/z.XML", "a/y/c.Debt", "a.xml", "readme.txt", "a/xml", ".hidden.xml", ".git/x.xml"}) {
    folder.write(name, "");
  }
  CHECK(files({"."}) == "a.xml\na/y/c.Debt\na/z.XML\nb.xml\n");
  CHECK(files({"a"}) == "a/y/c.Debt\na/z.XML\n");
  CHECK(files({"./a//y/.."}) == "a/y/c.Debt\na/z.XML\n");
  CHECK(files({folder.path() / "a"}) == "a/y/c.Debt\na/z.XML\n");
}

TEST_CASE("paths above the current folder are shown with '..'") {
  const TemporaryFolder folder;
  folder.write("a/tree.xml", "");
  folder.write("b/other.xml", "");
  fs::current_path("b");
  CHECK(files({".."}) == "../a/tree.xml\nother.xml\n");
  fs::current_path("..");
}

TEST_CASE("a file that is named is read whatever its suffix, hidden or ignored") {
  const TemporaryFolder folder;
  folder.write("tree.txt", "");
  folder.write(".tree.xml", "");
  folder.write(".gitignore", "*");
  CHECK(files({"tree.txt", ".tree.xml"}) == ".tree.xml\ntree.txt\n");
}

TEST_CASE("a file reached in several ways is one file, and the order of paths does not matter") {
  const TemporaryFolder folder;
  folder.write("a/tree.xml", "");
  folder.write("z.xml", "");
  fs::create_symlink("z.xml", "link.xml");
  fs::create_directory_symlink("a", "b");
  const std::string expected = "a/tree.xml\nz.xml\n";
  std::vector<std::string> paths = {".", "./a/tree.xml", "a", "b/tree.xml", folder.path() / "z.xml", "link.xml"};
  std::sort(paths.begin(), paths.end());
  do {
    REQUIRE(files(paths) == expected);
  } while (std::next_permutation(paths.begin(), paths.end()));
  CHECK(files({"b"}) == "b/tree.xml\n");
}

TEST_CASE("a file is known by its path below the folder that was asked for, the outermost of several") {
  const TemporaryFolder folder;
  folder.write("a/b/tree.xml", "");
  std::vector<std::string> errors;
  auto below = [&](const std::vector<std::string>& paths) {
    return project::collect(paths, {}, {}, errors).files[0].below;
  };
  CHECK(below({"."}) == "a/b/tree.xml");
  CHECK(below({"a"}) == "b/tree.xml");
  CHECK(below({"a/b/tree.xml"}) == "tree.xml");
  CHECK(below({"a/b/tree.xml", "a/b", ".", "a"}) == "a/b/tree.xml");
  CHECK(below({"-"}) == "-");
}

TEST_CASE("links that go round in a circle end") {
  const TemporaryFolder folder;
  folder.write("a/tree.xml", "");
  folder.write("b/tree.xml", "");
  fs::create_directory_symlink("..", "a/up");
  fs::create_directory_symlink(folder.path() / "b", "a/b");
  fs::create_directory_symlink(folder.path() / "a", "b/a");
  fs::create_symlink("self.xml", "self.xml");
  CHECK(files({"."}) == "a/tree.xml\nb/tree.xml\n");
  CHECK(files({"a", "b"}) == "a/tree.xml\nb/tree.xml\n-> a/up\n");
}

TEST_CASE("files that .gitignore excludes are left out unless they are asked for") {
  const TemporaryFolder folder;
  folder.write(".gitignore", "/out/\n*.debt\n");
  folder.write("a/.gitignore", "!keep.debt\n/old.xml\n");
  for (const char* name : {"tree.xml", "out/tree.xml", "a/out/tree.xml", "a/keep.debt", "a/other.debt", "a/old.xml"}) {
    folder.write(name, "");
  }
  CHECK(files({"."}) == "a/keep.debt\na/out/tree.xml\ntree.xml\n");
  CHECK(files({"."}, {.ignore_files = false}) ==
        "a/keep.debt\na/old.xml\na/other.debt\na/out/tree.xml\nout/tree.xml\ntree.xml\n");
}

TEST_CASE("the .gitignore files of a repository hold for the folders below, others above do not") {
  const TemporaryFolder folder;
  folder.write(".gitignore", "tree.xml\n");
  folder.write("repository/.gitignore", "old.xml\n");
  for (const char* name : {"repository/a/tree.xml", "repository/a/old.xml"}) folder.write(name, "");
  CHECK(files({"repository/a"}) == "repository/a/old.xml\nrepository/a/tree.xml\n");
  fs::create_directory("repository/.git");
  CHECK(files({"repository/a"}) == "repository/a/tree.xml\n");
}

TEST_CASE("what cannot be read is told with the system's reason") {
  const TemporaryFolder folder;
  folder.write("empty/readme.txt", "");
  folder.write("ignored/tree.xml", "");
  folder.write("ignored/.gitignore", "*.xml");
  CHECK(files({"nope", "tree.xml/x"}) ==
        "! cannot read 'nope': No such file or directory\n! cannot read 'tree.xml/x': No such file or directory\n");
  CHECK(files({"empty"}) == "! no .xml or .debt files in 'empty'\n");
  CHECK(files({"empty", "."}) == files({".", "empty"}));
  CHECK(files({"ignored"}) ==
        "! no .xml or .debt files in 'ignored' except those that .gitignore excludes (--no-ignore reads them)\n");
}

TEST_CASE("links are followed to what was given and below the folder of espalier.json, and nowhere else") {
  const TemporaryFolder folder;
  folder.write("game/a/tree.xml", "");
  folder.write("game/common/block.xml", "");
  folder.write("other/secret.xml", "");
  fs::create_directory_symlink("../common", "game/a/common");
  fs::create_directory_symlink("../../other", "game/a/other");
  fs::create_symlink("../../other/secret.xml", "game/a/secret.xml");
  CHECK(files({"game/a"}) == "game/a/tree.xml\n-> game/a/common\n-> game/a/other\n-> game/a/secret.xml\n");
  const std::string game = folder.path() / "game";
  CHECK(files({"game/a"}, {.folder = game}) ==
        "game/a/common/block.xml\ngame/a/tree.xml\n-> game/a/other\n-> game/a/secret.xml\n");
  CHECK(files({"game/a", "other"}) == "game/a/tree.xml\nother/secret.xml\n-> game/a/common\n");
  CHECK(files({"game/a", "other/secret.xml"}) ==
        "game/a/tree.xml\nother/secret.xml\n-> game/a/common\n-> game/a/other\n");
  CHECK(files({"game/a/secret.xml"}) == "game/a/secret.xml\n");
}

TEST_CASE("globs choose among the files that are found, and leave out named ones too") {
  const TemporaryFolder folder;
  for (const char* name : {"ai/tree.xml", "ai/old/tree.xml", "ai/old/keep.xml", "data/item.xml", "top.xml"}) {
    folder.write(name, "");
  }
  const project::Globs ai = globs({"ai/"});
  const project::Globs old = globs({"old", "!keep.xml"});
  const project::Globs all = globs({"*"});
  project::CollectOptions options;
  options.folder = folder.path();
  options.include = &ai;
  CHECK(files({"."}, options) == "ai/old/keep.xml\nai/old/tree.xml\nai/tree.xml\n");
  CHECK(files({"top.xml"}, options) == "top.xml\n");
  options.exclude = &old;
  CHECK(files({"."}, options) == "ai/old/keep.xml\nai/tree.xml\n");
  CHECK(files({"ai/old/tree.xml", "ai/old/keep.xml"}, options) == "ai/old/keep.xml\n- ai/old/tree.xml\n");
  options.exclude = &all;
  CHECK(files({"."}, options) == "! no .xml or .debt files in '.' except those that espalier.json excludes\n");
}

TEST_CASE("a glob is a line of .gitignore, and the last one that fits decides") {
  const auto contain = [](const std::vector<const char*>& list, const char* path) {
    return globs(list).contain(path, false);
  };
  CHECK(contain({"*.xml"}, "a/b/c.xml"));
  CHECK(contain({"/a"}, "a/b/c.xml"));
  CHECK(contain({"./a"}, "a/b/c.xml") == contain({"a"}, "a/b/c.xml"));
  CHECK(contain({"a/**/c.xml"}, "a/b/c.xml"));
  CHECK_FALSE(contain({"/b"}, "a/b/c.xml"));
  CHECK_FALSE(contain({"c.xml/"}, "a/b/c.xml"));
  CHECK_FALSE(contain({"a", "!b"}, "a/b/c.xml"));
  CHECK(contain({"a", "!b", "c.xml"}, "a/b/c.xml"));
  CHECK_FALSE(contain({}, "c.xml"));
  for (const char* never : {"", "#c.xml", "../a", "a/../b", "a\nb", "/"}) {
    CAPTURE(never);
    project::Globs list;
    CHECK_FALSE(list.add(never));
  }
}

TEST_CASE("the rest of a project is told from what was given") {
  const TemporaryFolder folder;
  folder.write("a/tree.xml", "");
  folder.write("b/tree.xml", "");
  CHECK(files({"a/tree.xml"}, {}, {"."}) == "a/tree.xml\nb/tree.xml (rest)\n");
  CHECK(files({"a"}, {}, {"a", "b"}) == "a/tree.xml\nb/tree.xml (rest)\n");
}

TEST_CASE("standard input stands for a file in the place of what is on the disk") {
  const TemporaryFolder folder;
  folder.write("a/tree.xml", "");
  folder.write("a/other.xml", "");
  std::vector<std::string> errors;
  project::CollectOptions options;
  options.stdin_filename = "a/tree.xml";
  const auto found = project::collect({"-"}, {"a"}, options, errors).files;
  REQUIRE(found.size() == 2);
  CHECK(found[1].shown == "a/tree.xml");
  CHECK(found[1].open_path == "-");
  CHECK_FALSE(found[1].is_rest);
  CHECK(found[0].is_rest);
  options.stdin_filename = "a/new.xml";
  CHECK(files({"-"}, options, {"a"}) == "a/new.xml\na/other.xml (rest)\na/tree.xml (rest)\n");
}

TEST_CASE("reading stops one byte past the limit") {
  const TemporaryFolder folder;
  folder.write("ten", "0123456789");
  std::string bytes;
  std::string error;
  REQUIRE(project::read_bytes("ten", 10, bytes, error));
  CHECK(bytes == "0123456789");
  REQUIRE(project::read_bytes("ten", 9, bytes, error));
  CHECK(bytes.size() == 10);
  REQUIRE(project::read_bytes("ten", 3, bytes, error));
  CHECK(bytes == "0123");
  CHECK_FALSE(project::read_bytes("nope", 3, bytes, error));
  CHECK(error == "No such file or directory");
  CHECK_FALSE(project::read_bytes(".", 3, bytes, error));
}

}  // namespace project_collect
