// Paths of Windows, on every system.
#include "system/windows/path.h"

#include <filesystem>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "unit.h"

namespace espalier::system::windows {
namespace {

using Standard = std::filesystem::path;

std::string joined(const path& whole) {
  std::string result;
  for (const path& name : whole) result += '[' + name.generic_string() + ']';
  return result;
}

// Names, separators and dots, as they come.
std::string random_text(std::mt19937& random) {
  constexpr const char* kPieces[] = {"a", "b.xml", "..", ".", "/", "/", ".git", "c.d.e", "//", "x."};
  std::string result;
  for (auto count = random() % 8; count > 0; --count) result += kPieces[random() % std::size(kPieces)];
  const std::size_t first = result.find_first_not_of('/');  // two at the begin are a server's
  return first == std::string::npos ? result.substr(0, 1) : first < 2 ? result : result.substr(first - 1);
}

// Standard libraries leave some separators out of what they take apart.
std::string text_of(const std::string& root, std::string text) {
  for (std::size_t at = 0; (at = text.find("//", at)) != std::string::npos;) text.erase(at, 1);
  return root + text;
}
std::string text_of(const std::string& root, const path& path) {
  const std::string text = path.generic_string();
  return text.starts_with(root) ? text_of(root, text.substr(root.size())) : text;
}

void compare(const std::string& root, const std::string& text, const std::string& other) {
  const path here = root + text;
  const Standard there = text;
  INFO("'" << root << "' '" << text << "' '" << other << "'");
  CHECK(text_of(root, here.lexically_normal()) == text_of(root, there.lexically_normal().generic_string()));
  CHECK(here.filename().generic_string() == there.filename().generic_string());
  CHECK(here.stem().generic_string() == there.stem().generic_string());
  CHECK(here.extension().generic_string() == there.extension().generic_string());
  CHECK(text_of(root, here.parent_path()) == text_of(root, there.parent_path().generic_string()));
  CHECK(text_of("", here.relative_path()) == text_of("", there.relative_path().generic_string()));
  CHECK(here.has_relative_path() == there.has_relative_path());
  CHECK(here.has_root_directory() == there.has_root_directory());
  CHECK(text_of(root, here / other) == text_of(root, (there / other).generic_string()));
  CHECK(text_of("", here.lexically_relative(root + other)) ==
        text_of("", there.lexically_relative(other).generic_string()));
  const std::size_t of_root = root.empty() ? 0 : 1;
  CHECK(std::distance(here.begin(), here.end()) ==
        std::distance(there.begin(), there.end()) + static_cast<std::ptrdiff_t>(of_root));
  CHECK((here < path(root + other)) == (there < Standard(other)));
  CHECK((here == path(root + other)) == (there == Standard(other)));
}

}  // namespace

TEST_CASE("paths of Windows are taken apart as those of POSIX are, but for their roots", "[posix]") {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random_text(random);
    const std::string other = random_text(random);
    compare("", text, other);
    if (!text.starts_with('/') || !other.starts_with('/')) continue;
    compare("C:", text, other);
    compare("//server/share", text, other);
  }
}

TEST_CASE("the share of a server is the root of its paths") {
  const path file = R"(\\server\share\trees\guard.xml)";
  CHECK(file.generic_string() == "//server/share/trees/guard.xml");
  CHECK(path(R"(\\?\UNC\server\share\trees\guard.xml)").generic_string() == file.generic_string());
  CHECK(file.root_name() == "//server/share");
  CHECK(file.root_path() == "//server/share/");
  CHECK(file.is_absolute());
  CHECK(joined(file) == "[//server/share][/][trees][guard.xml]");
  CHECK(file.parent_path().parent_path() == "//server/share/");
  CHECK(file.parent_path().parent_path().parent_path() == "//server/share/");
  CHECK((file / "../../../../x").lexically_normal() == "//server/share/x");
  CHECK((file / "//other/share/x").generic_string() == "//other/share/x");
  CHECK((file / "/x").generic_string() == "//server/share/x");
  CHECK((file / "D:/x").generic_string() == "D:/x");
  CHECK(file.lexically_relative("//server/share/nets") == "../trees/guard.xml");
  CHECK(file.lexically_relative("//server/other") == "");
  CHECK(file.lexically_relative("C:/trees") == "");
}

TEST_CASE("a share is a folder without a separator at its end, too") {
  const path share = "//server/share";
  CHECK(share.is_absolute());
  CHECK_FALSE(share.has_relative_path());
  CHECK(share.filename() == "");
  CHECK(share.parent_path().generic_string() == "//server/share");
  CHECK(share.lexically_normal().generic_string() == "//server/share/");
  CHECK((share / "guard.xml").generic_string() == "//server/share/guard.xml");
  CHECK(share == "//server/share/");
  CHECK(path("//server").lexically_normal().generic_string() == "//server/");
  CHECK((path("//server") / "share").generic_string() == "//server/share");
  CHECK(path("//server//share").root_name() == "//server");
}

TEST_CASE("a drive is a root with a directory and without") {
  CHECK(path(R"(\\?\C:\x)").generic_string() == "C:/x");
  CHECK(path("C:x").is_relative());
  CHECK(path("C:\\x").is_absolute());
  CHECK(path("/x").is_relative());
  CHECK((path("C:/a") / "/x").generic_string() == "C:/x");
  CHECK((path("C:/a") / "C:x").generic_string() == "C:/a/x");
  CHECK((path("C:") / "x").generic_string() == "C:x");
  CHECK(path("C:/a").lexically_relative("D:/a") == "");
  CHECK(path("ab:c").root_name() == "");
  CHECK(path("übung/木.xml").stem() == "木");
}

}  // namespace espalier::system::windows
