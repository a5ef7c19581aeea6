// Outputs are written all or not at all, and never over what was read.
#include "system/output_files.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "temporary_folder.h"
#include "unit.h"

namespace espalier::system {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t count_entries() {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator("."), fs::directory_iterator()));
}

// Why nothing is written; empty: it is.
std::string refusal(const Outputs& outputs) {
  OutputFault fault;
  return write_files(outputs, &fault) ? "" : fault.message;
}

}  // namespace

TEST_CASE("all outputs are written, and nothing else stays in their folder") {
  const TemporaryFolder folder;
  folder.write("old", "before");
  CHECK(refusal({{{"old", "after"}, {"new", "text"}}}).empty());
  CHECK(text_of("old") == "after");
  CHECK(text_of("new") == "text");
  CHECK(count_entries() == 2);
}

TEST_CASE("if one output is refused, none is written") {
  const TemporaryFolder folder;
  folder.write("old", "before");
  CHECK(refusal({{{"old", "after"}, {"missing/new", "text"}}}) ==
        "cannot write 'missing/new': the folder 'missing' does not exist");
  CHECK(text_of("old") == "before");
  CHECK(count_entries() == 1);
}

TEST_CASE("an input is not overwritten, also through a link", "[posix]") {
  const TemporaryFolder folder;
  folder.write("input", "read");
  fs::create_symlink("input", "link");
  CHECK(refusal({{{"input", "x"}}, {"input"}}) == "cannot write 'input': it was read");
  CHECK(refusal({{{"link", "x"}}, {"input"}}) == "cannot write 'link': it is 'input', which was read");
  CHECK(text_of("input") == "read");
}

TEST_CASE("two outputs are not one file") {
  const TemporaryFolder folder;
  CHECK(refusal({{{"a", "1"}, {"./a", "2"}}}) == "two outputs would be written to one file: 'a' and './a'");
  CHECK(count_entries() == 0);
}

TEST_CASE("a link stays, and what it points to is replaced", "[posix]") {
  const TemporaryFolder folder;
  folder.write("target", "before");
  fs::create_symlink("target", "link");
  CHECK(refusal({{{"link", "after"}}}).empty());
  CHECK(fs::is_symlink("link"));
  CHECK(text_of("target") == "after");
}

TEST_CASE("a file that another run replaces meanwhile is replaced too, and never written into", "[posix]") {
  const TemporaryFolder folder;
  folder.write("output", "first");
  fs::create_directory("theirs");
  std::atomic<bool> is_over = false;
  int count = 0;
  std::thread other([&] {
    for (; !is_over; ++count) {
      const std::string theirs = "theirs/" + std::to_string(count);
      std::ofstream(theirs) << "theirs";
      fs::create_hard_link(theirs, "next");
      fs::rename("next", "output");
    }
  });
  for (int i = 0; i < 500; ++i) CHECK(refusal({{{"output", "ours"}}}).empty());
  is_over = true;
  other.join();
  for (int i = 0; i < count; ++i) CHECK(text_of("theirs/" + std::to_string(i)) == "theirs");
}

TEST_CASE("a file that was saved since it was read is left, and the others are written") {
  const TemporaryFolder folder;
  folder.write("a", "saved by an editor");
  folder.write("b", "as it was");
  OutputFault fault;
  CHECK_FALSE(write_files({{{"a", "new a", "as it was"}, {"b", "new b", "as it was"}}}, &fault));
  CHECK(fault.message == "'a' changed meanwhile: it is left as it is");
  CHECK(text_of("a") == "saved by an editor");
  CHECK(text_of("b") == "new b");
}

TEST_CASE("folders are made only if they are named") {
  const TemporaryFolder folder;
  CHECK(refusal({{{"made/deep/file", "x"}}, {}, {"made/deep"}}).empty());
  CHECK(text_of("made/deep/file") == "x");
}

TEST_CASE("the permissions of a file that is replaced stay", "[posix]") {
  const TemporaryFolder folder;
  folder.write("script", "before");
  fs::permissions("script", fs::perms::owner_all);
  CHECK(refusal({{{"script", "after"}}}).empty());
  CHECK(fs::status("script").permissions() == fs::perms::owner_all);
}

}  // namespace espalier::system
