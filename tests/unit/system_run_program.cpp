// Running other programs. Reading revisions with git is shown in tests/golden/diff.
#include "system/run_program.h"
#include "temporary_folder.h"
#include "unit.h"

namespace system_run_program {

using namespace espalier;

TEST_CASE("a program gets its words, variables and input, and its outputs and status come back", "[posix]") {
  const TemporaryFolder folder;
  std::string reason;
  const auto result = system::run_program({"sh", "-c", "cat; echo \"$GREETING $0\" >&2; exit 3", "you"},
                                          {"GREETING=hello"}, "a line\n", folder.path().string(), &reason);
  REQUIRE(result);
  CHECK(result->status == 3);
  CHECK(result->output == "a line\n");
  CHECK(result->errors == "hello you\n");
}

TEST_CASE("a program that is not there has no reason") {
  const TemporaryFolder folder;
  std::string reason;
  CHECK_FALSE(system::run_program({"no-such-program-anywhere"}, {}, "", folder.path().string(), &reason));
  CHECK(reason.empty());
}

TEST_CASE("a program that its system cannot find after all has no reason", "[posix]") {
  const TemporaryFolder folder;
  std::string reason;
  CHECK_FALSE(system::run_program({"sh", "-c", "exit 127"}, {}, "", folder.path().string(), &reason));
  CHECK(reason.empty());
}

TEST_CASE("a program that a signal ends has no status", "[posix]") {
  const TemporaryFolder folder;
  std::string reason;
  const auto result = system::run_program({"sh", "-c", "kill -9 $$"}, {}, "", folder.path().string(), &reason);
  REQUIRE(result);
  CHECK(result->status == -1);
}

}  // namespace system_run_program
