// .editorconfig files: which sections match, and what holds for a file.
#include "project/editor_config.h"

#include <filesystem>
#include <fstream>

#include "unit.h"

namespace project_editor_config {

using namespace espalier;

TEST_CASE("sections match as EditorConfig says") {
  struct Case {
    std::string_view glob, path;
    bool matches;
  };
  constexpr Case kCases[] = {
      {"*", "a.xml", true},
      {"*", "trees/a.xml", true},
      {"*.xml", "trees/deep/a.xml", true},
      {"*.xml", "a.debt", false},
      {"*.{xml,debt}", "trees/a.debt", true},
      {"*.{xml,debt}", "a.json", false},
      {"{a,b}.xml", "b.xml", true},
      {"{a,{b,c}d}.xml", "cd.xml", true},
      {"{single}.xml", "{single}.xml", true},
      {"{single}.xml", "single.xml", false},
      {"tree{1..3}.xml", "tree2.xml", true},
      {"tree{1..3}.xml", "tree4.xml", false},
      {"tree{-1..1}.xml", "tree-1.xml", true},
      {"trees/*.xml", "trees/a.xml", true},
      {"trees/*.xml", "trees/deep/a.xml", false},
      {"trees/*.xml", "more/trees/a.xml", false},
      {"/a.xml", "a.xml", true},
      {"/a.xml", "trees/a.xml", false},
      {"trees/**.xml", "trees/deep/er/a.xml", true},
      {"trees/**.xml", "trees/a.xml", true},
      {"trees/**/a.xml", "trees/b/c/a.xml", true},
      {"**.xml", "trees/a.xml", true},
      {"[ab].xml", "b.xml", true},
      {"[!ab].xml", "b.xml", false},
      {"a?.xml", "ab.xml", true},
      {"\\*.xml", "a.xml", false},
      {"{unclosed", "{unclosed", true},
      {"", "a.xml", false},
  };
  for (const Case& each : kCases) {
    CAPTURE(each.glob, each.path);
    CHECK(project::section_matches(each.glob, each.path) == each.matches);
  }
}

TEST_CASE("a section with very many braces takes no more than bounded work") {
  std::string glob;
  for (int i = 0; i < 200; ++i) glob += "{a,b}";
  CHECK_FALSE(project::section_matches(glob, std::string(200, 'a') + "x"));
  CHECK_FALSE(project::section_matches(std::string(1000, '{'), "a"));
}

namespace {

// A folder of this test's own, with files; removed at the end.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "espalier-editor-config-test") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ / "trees");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void write(const char* name, const char* text) const { std::ofstream(path_ / name) << text; }
  project::EditorConfig config(const char* name = "trees/a.xml") const {
    return project::editor_config_of((path_ / name).string(), project::Files());
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("the nearest file wins, up to a root, and what is not allowed is ignored") {
  const Folder folder;
  folder.write(".editorconfig",
               "root = true\n[*]\nindent_style = tab\nmax_line_length = 90\n[*.debt]\nindent_size=3\n");
  CHECK(folder.config().uses_tabs == std::optional(true));
  CHECK(folder.config().line_length == std::optional(90u));
  CHECK_FALSE(folder.config().indent_size);
  CHECK(folder.config("a.debt").indent_size == std::optional(3u));

  folder.write("trees/.editorconfig",
               "; closer\n[a.xml]\nIndent_Style = Space\nindent_size = 4\nmax_line_length = off\n");
  CHECK(folder.config().uses_tabs == std::optional(false));
  CHECK(folder.config().indent_size == std::optional(4u));
  CHECK(folder.config().line_length == std::optional(project::kNoLineLength));
  CHECK(folder.config("trees/b.xml").uses_tabs == std::optional(true));

  folder.write(
      "trees/.editorconfig",
      "root=true\r\n[*]\r\nindent_style=unset\r\nindent_size=-3\r\nmax_line_length=many\r\n[x\r\nnonsense\r\n");
  CHECK_FALSE(folder.config().uses_tabs);
  CHECK_FALSE(folder.config().indent_size);
  CHECK_FALSE(folder.config().line_length);
}

}  // namespace project_editor_config
