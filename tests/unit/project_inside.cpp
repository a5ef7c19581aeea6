// The contents of a folder.
#include "project/inside.h"

#include "temporary_folder.h"
#include "unit.h"

namespace project_inside {

using namespace espalier;
using project::is_below;
using project::is_inside;

TEST_CASE("a path is inside of a folder when it leads there with all links resolved") {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  folder.write("game/ai/tree.xml", "");
  folder.write("game-old/tree.xml", "");
  folder.write("shared/tree.xml", "");
  fs::create_directory_symlink("../shared", "game/shared");
  fs::create_directory_symlink("ai", "game/alias");
  fs::create_directory_symlink("game", "link");
  struct Case {
    const char* path;
    const char* folder;
    bool is_inside;
  };
  const Case cases[] = {
      {"game", "game", true},
      {"game/ai/tree.xml", "game", true},
      {"game/ai/../ai", "game/", true},
      {"game/alias/tree.xml", "game/ai", true},
      {"link/ai", "game", true},
      {"game/ai", "link", true},
      {"game/new.xml", "game", true},
      {"game/none/new.xml", "game", true},
      {"game/shared/tree.xml", "game", false},
      {"game/shared/none.xml", "game", false},
      {"game-old/tree.xml", "game", false},
      {"game/../shared", "game", false},
      {"game/none/../../shared", "game", false},
      {"/etc/passwd", "game", false},
      {"/etc/passwd", "/", true},
      {"game", "none", false},
  };
  for (const Case& given : cases) {
    CAPTURE(given.path, given.folder);
    CHECK(is_inside(given.path, given.folder) == given.is_inside);
    CHECK(is_inside((folder.path() / given.path).string(), given.folder) == given.is_inside);
  }
  CHECK(is_below("/a/b", "/a"));
  CHECK(is_below("/a/b", "/a/"));
  CHECK_FALSE(is_below("/ab", "/a"));
}

}  // namespace project_inside
