// Files that change are found by their times and sizes.
#include "project/changes.h"

#include <filesystem>
#include <string>
#include <vector>

#include "temporary_folder.h"
#include "unit.h"

namespace espalier::project {
namespace {

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("what changed before somebody waits is told at once") {
  const TemporaryFolder folder;
  folder.write("tree.xml", "<a/>");
  folder.write("other.xml", "<a/>");
  Changes changes({"."});
  folder.write("tree.xml", "<longer/>");
  std::string reason;
  const Paths changed = changes.wait(&reason);
  REQUIRE(changed.size() == 1);
  CHECK(std::filesystem::path(changed[0]).filename() == "tree.xml");
  CHECK(reason.empty());
}

TEST_CASE("files that are new or gone have changed, and only those that may matter by their names") {
  const TemporaryFolder folder;
  folder.write("gone.xml", "<a/>");
  Changes changes({"."});
  std::filesystem::remove("gone.xml");
  folder.write("new.trace.jsonl", "{}");
  folder.write("notes.txt", "no tree");
  std::string reason;
  CHECK(changes.wait(&reason).size() == 2);
}

TEST_CASE("a file that is followed counts whatever its name is") {
  const TemporaryFolder folder;
  folder.write("prelude", "x = 1");
  Changes changes({"."});
  changes.follow({"prelude"});
  folder.write("prelude", "x = 12");
  std::string reason;
  CHECK(changes.wait(&reason) == Paths{"prelude"});
}

}  // namespace espalier::project
