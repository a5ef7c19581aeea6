// Paths and files, which every system has by the same names.
#include "system/filesystem.h"

#include <chrono>
#include <cstdint>
#include <fstream>
#include <set>
#include <string>

#include "system/file.h"
#include "temporary_folder.h"
#include "unit.h"

namespace espalier::system {
namespace {

std::string shown(const filesystem::path& path) { return path.generic_string(); }

}  // namespace

TEST_CASE("files, folders and what is not there have their kinds") {
  const TemporaryFolder folder;
  folder.write("a/file", "four");
  std::error_code error;
  CHECK(filesystem::is_regular_file("a/file", error));
  CHECK(filesystem::is_directory("a", error));
  CHECK(filesystem::is_directory("a/", error));
  CHECK_FALSE(filesystem::is_directory("a/file", error));
  CHECK(filesystem::exists("a/file", error));
  CHECK_FALSE(filesystem::exists("a/none", error));
  CHECK_FALSE(error);
  CHECK(filesystem::symlink_status("a/none", error).type() == filesystem::file_type::not_found);
  CHECK(filesystem::file_size("a/file", error) == 4);
  CHECK_FALSE(error);
  CHECK(filesystem::file_size("a/none", error) == static_cast<std::uintmax_t>(-1));
  CHECK(error == std::errc::no_such_file_or_directory);
}

TEST_CASE("a folder is listed, with and without what is below it") {
  const TemporaryFolder folder;
  folder.write("a/b/c/deep", "x");
  folder.write("a/left/out", "x");
  folder.write("a/\xC3\xBC.xml", "x");
  std::error_code error;
  std::set<std::string> names;
  for (filesystem::directory_iterator entry("a", error), end; !error && entry != end; entry.increment(error)) {
    names.insert(shown(entry->path()) + (entry->is_directory(error) ? "/" : ""));
  }
  CHECK(names == std::set<std::string>{"a/b/", "a/left/", "a/\xC3\xBC.xml"});
  names.clear();
  filesystem::recursive_directory_iterator entry("a", error);
  for (; entry != filesystem::recursive_directory_iterator(); entry.increment(error)) {
    REQUIRE_FALSE(error);
    names.insert(shown(entry->path()));
    if (entry->path().filename() == "left") entry.disable_recursion_pending();
  }
  CHECK(names == std::set<std::string>{"a/b", "a/b/c", "a/b/c/deep", "a/left", "a/\xC3\xBC.xml"});
  CHECK(filesystem::directory_iterator("none", error) == filesystem::directory_iterator());
  CHECK(error == std::errc::no_such_file_or_directory);
  CHECK(filesystem::directory_iterator("a/b/c/deep", error) == filesystem::directory_iterator());
  CHECK(error == std::errc::not_a_directory);
}

TEST_CASE("an empty folder has nothing") {
  const TemporaryFolder folder;
  std::error_code error;
  CHECK(filesystem::create_directories("a/b/c", error));
  CHECK_FALSE(filesystem::create_directories("a/b", error));
  CHECK_FALSE(error);
  CHECK(filesystem::directory_iterator("a/b/c", error) == filesystem::directory_iterator());
  CHECK_FALSE(error);
  folder.write("file", "x");
  CHECK_FALSE(filesystem::create_directories("file/a", error));
  CHECK(error);
  CHECK(filesystem::remove_all("a", error) == 3);
  CHECK_FALSE(filesystem::remove("a", error));
  CHECK_FALSE(error);
  CHECK(filesystem::remove("file", error));
}

TEST_CASE("paths are completed by what is there") {
  const TemporaryFolder folder;
  folder.write("a/file", "x");
  std::error_code error;
  const filesystem::path current = filesystem::current_path(error);
  CHECK(current.is_absolute());
  CHECK(shown(filesystem::absolute("a/file", error)) == shown(current / "a/file"));
  CHECK(shown(filesystem::canonical("a/../a/./file", error)) == shown(current / "a/file"));
  CHECK(shown(filesystem::canonical("a/", error)) == shown(current / "a"));
  CHECK(shown(filesystem::weakly_canonical("a/../a/none/../x", error)) == shown(current / "a/x"));
#ifdef _LIBCPP_VERSION  // which completes also what begins with nothing that is there
  CHECK(shown(filesystem::weakly_canonical("none/a/../x", error)) == shown(current / "none/x"));
#else
  CHECK(shown(filesystem::weakly_canonical("none/a/../x", error)) == "none/x");
#endif
  CHECK(shown(filesystem::weakly_canonical(filesystem::absolute("none/x/", error), error)) ==
        shown(current / "none/x/"));
  CHECK_FALSE(error);
  CHECK(shown(filesystem::canonical("a/none", error)).empty());
  CHECK(error == std::errc::no_such_file_or_directory);
  filesystem::current_path("a", error);
  CHECK(shown(filesystem::current_path(error)) == shown(current / "a"));
  filesystem::current_path(current, error);
}

// By tests/package/windows_servers.py, which makes the share.
TEST_CASE("the share of a server can be the current folder", "[.server]") {
  std::error_code error;
  filesystem::current_path("//server/share", error);
  REQUIRE_FALSE(error);
  CHECK(shown(filesystem::current_path(error)) == "//server/share");
  CHECK(shown(filesystem::absolute("common", error)) == "//server/share/common");
  CHECK(shown(filesystem::absolute("/common", error)) == "//server/share/common");
  CHECK(shown(filesystem::canonical("common/../../../common/sub/", error)) == "//server/share/common/sub");
  CHECK(filesystem::is_directory("common", error));
  CHECK(identity_of("common/none") == identity_of("//server/share/common/none"));
}

TEST_CASE("a file keeps the time that it is given") {
  const TemporaryFolder folder;
  folder.write("file", "x");
  std::error_code error;
  const auto now = filesystem::file_time_type::clock::now();
  const auto before = filesystem::last_write_time("file", error);
  CHECK(std::chrono::abs(now - before) < std::chrono::minutes(1));
  filesystem::last_write_time("file", before - std::chrono::hours(48), error);
  CHECK_FALSE(error);
  CHECK(std::chrono::abs(filesystem::last_write_time("file", error) - (before - std::chrono::hours(48))) <
        std::chrono::milliseconds(1));
}

TEST_CASE("streams open paths with letters of any language") {
  const TemporaryFolder folder;
  folder.write("\xE6\xA0\x91/file", "text");
  std::string text;
  CHECK(std::getline(std::ifstream(native(filesystem::path("\xE6\xA0\x91") / "file")), text));
  CHECK(text == "text");
}

}  // namespace espalier::system
