// Which files a project is made of.
#include "project/collect.h"

#include <algorithm>

#include "temporary_folder.h"
#include "unit.h"

using namespace espalier;
using project::InputFile;

namespace {

namespace fs = std::filesystem;

// The files of `paths` as findings show them, then what went wrong.
std::string files(const std::vector<std::string>& paths, bool ignore_files = true) {
  std::vector<std::string> errors;
  std::string result;
  for (const InputFile& file : project::collect(paths, ignore_files, errors)) result += file.shown + '\n';
  for (const std::string& error : errors) result += "! " + error + '\n';
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
  auto below = [&](const std::vector<std::string>& paths) { return project::collect(paths, true, errors)[0].below; };
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
  CHECK(files({"a"}) == "a/b/tree.xml\na/tree.xml\na/up/self.xml\n");
  CHECK(files({"a", "b"}) == "a/tree.xml\na/up/self.xml\nb/tree.xml\n");
}

TEST_CASE("files that .gitignore excludes are left out unless they are asked for") {
  const TemporaryFolder folder;
  folder.write(".gitignore", "/out/\n*.debt\n");
  folder.write("a/.gitignore", "!keep.debt\n/old.xml\n");
  for (const char* name : {"tree.xml", "out/tree.xml", "a/out/tree.xml", "a/keep.debt", "a/other.debt", "a/old.xml"}) {
    folder.write(name, "");
  }
  CHECK(files({"."}) == "a/keep.debt\na/out/tree.xml\ntree.xml\n");
  CHECK(files({"."}, false) == "a/keep.debt\na/old.xml\na/other.debt\na/out/tree.xml\nout/tree.xml\ntree.xml\n");
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
  CHECK(files({"empty"}) == "! there are no .xml or .debt files in 'empty'\n");
  CHECK(files({"empty", "."}) == files({".", "empty"}));
  CHECK(
      files({"ignored"}) ==
      "! there are no .xml or .debt files in 'ignored' but those that .gitignore excludes (--no-ignore reads them)\n");
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
