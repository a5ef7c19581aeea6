// Whole files, which file a path names, and what a process leaves behind.
#include "system/file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "system/environment.h"
#include "system/marked_folder.h"
#include "system/reason.h"
#include "temporary_folder.h"
#include "unit.h"

namespace espalier::system {
namespace {

namespace fs = std::filesystem;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr Mark kMark = {"mark", "of this test\n"};

}  // namespace

TEST_CASE("a file is replaced whole, and nothing else stays") {
  const TemporaryFolder folder;
  folder.write("kept", "before");
  CHECK_FALSE(replace_whole("kept", "after\n", "unfinished-"));
  CHECK(content_of("kept") == "after\n");
  CHECK(std::distance(fs::directory_iterator("."), fs::directory_iterator()) == 1);
  CHECK(replace_whole("none/kept", "x", "unfinished-") == std::errc::no_such_file_or_directory);
  CHECK(std::distance(fs::directory_iterator("."), fs::directory_iterator()) == 1);
}

TEST_CASE("a new file is not written over another one") {
  const TemporaryFolder folder;
  CHECK_FALSE(write_new("new", "text", Access::usual));
  const std::error_code error = write_new("new", "other", Access::own);
  CHECK(error == std::errc::file_exists);
  CHECK(reason_of(error) == "File exists");
  CHECK(content_of("new") == "text");
}

// Wine cannot do it.
TEST_CASE("a file that somebody reads can be replaced", "[posix]") {
  const TemporaryFolder folder;
  folder.write("read", "before");
  folder.write("new", "after");
  std::string error;
  std::FILE* const open = open_file("read", Readable::regular_file, error);
  REQUIRE(open != nullptr);
  CHECK_FALSE(rename_over("new", "read"));
  CHECK(std::fgetc(open) == 'b');
  std::fclose(open);
  CHECK(content_of("read") == "after");
}

TEST_CASE("one file has one identity, whatever its path is") {
  const TemporaryFolder folder;
  folder.write("a/file", "x");
  folder.write("b", "x");
  CHECK(identity_of("a/file") == identity_of("a/../a/file"));
  CHECK(identity_of("a/file") != identity_of("b"));
  CHECK(identity_of("a/none") == identity_of("a/../a/none"));
  CHECK_FALSE(identity_of("a/none").empty());
}

TEST_CASE("a folder cannot be read as a file") {
  const TemporaryFolder folder;
  std::string error;
  CHECK(open_file(".", Readable::regular_file, error) == nullptr);
  CHECK(error == "Is a directory");
  CHECK_FALSE(is_readable(".", error));
  CHECK(open_file("none", Readable::regular_file, error) == nullptr);
  CHECK(error == "No such file or directory");
  CHECK(is_readable("none", error));
}

TEST_CASE("a file has another stamp after a change") {
  const TemporaryFolder folder;
  folder.write("file", "x");
  const std::optional<FileStamp> before = file_stamp("file");
  REQUIRE(before);
  CHECK(before->size_bytes == 1);
  CHECK(file_stamp("file") == before);
  folder.write("file", "longer");
  CHECK(file_stamp("file") != before);
  CHECK_FALSE(file_stamp("none"));
  CHECK_FALSE(file_stamp("."));
}

TEST_CASE("a folder that a process holds is not taken, and one that is left behind is") {
  const TemporaryFolder folder;
  fs::create_directory("held");
  {
    MarkedFolder held;
    REQUIRE_FALSE(held.hold("held", kMark));
    MarkedFolder other;
    CHECK_FALSE(other.take_left_behind("held", kMark));
  }
  MarkedFolder left;
  REQUIRE(left.take_left_behind("held", kMark));
  left.remove();
  CHECK_FALSE(fs::exists("held"));
  fs::create_directory("of somebody");
  CHECK_FALSE(left.take_left_behind("of somebody", kMark));
  CHECK(fs::exists("of somebody"));
}

TEST_CASE("names of files may have letters of any language") {
  const TemporaryFolder folder;
  const std::string name = "b\xC3\xA4ume \xE6\xA0\x91";
  CHECK_FALSE(write_new(name, "x", Access::usual));
  std::string error;
  std::FILE* const open = open_file(name, Readable::regular_file, error);
  REQUIRE(open != nullptr);
  std::fclose(open);
  CHECK(fs::directory_iterator(".")->path().filename().u8string() == fs::path(name).u8string());
}

TEST_CASE("a variable that is not set is not one that is empty") {
  CHECK_FALSE(variable("ESPALIER_NO_SUCH_VARIABLE"));
  CHECK_FALSE(variable("PATH").value_or("").empty());
}

}  // namespace espalier::system
