// The unified format of differences.
#include "rewrite/unified_diff.h"
#include "unit.h"

namespace rewrite_unified_diff {

using espalier::rewrite::unified_diff;

TEST_CASE("texts that are the same have no difference") { CHECK(unified_diff("a", "x\n", "x\n", false).empty()); }

TEST_CASE("a changed line has three lines around it, and changes that are near share them") {
  CHECK(unified_diff("tree.xml", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n", false) ==
        "--- tree.xml\n+++ tree.xml\n@@ -2,8 +2,9 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n+10\n");
}

TEST_CASE("lines that are added to nothing, and removed to nothing") {
  CHECK(unified_diff("a", "", "x\n", false) == "--- a\n+++ a\n@@ -0,0 +1,1 @@\n+x\n");
  CHECK(unified_diff("a", "x\n", "", false) == "--- a\n+++ a\n@@ -1,1 +0,0 @@\n-x\n");
}

TEST_CASE("a missing line ending at the end is a difference") {
  CHECK(unified_diff("a", "x", "x\n", false) ==
        "--- a\n+++ a\n@@ -1,1 +1,1 @@\n-x\n\\ No newline at end of file\n+x\n");
}

TEST_CASE("with colours, what a terminal would execute is made visible") {
  const std::string text = unified_diff("a", "", "\x1b[2J\n", true);
  CHECK(text.find("\x1b[2J") == std::string::npos);
  CHECK(text.find("\x1b[32m+<U+001B>[2J\x1b[0m\n") != std::string::npos);
}

}  // namespace rewrite_unified_diff
