// The interface of a dialect: its root elements, and a reader that turns its files into trees and findings.
#pragma once
#include <any>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/configuration.h"
#include "dialects/options.h"
#include "dialects/reading/host.h"
#include "ir/tree.h"
#include "text/finding.h"
#include "text/xml.h"

namespace espalier::dialects {
// A thread reads at least so many files: for fewer, starting it takes longer.
inline constexpr std::size_t kLeastShare = 8;

inline constexpr std::string_view kPackageScheme = "package://";

// What an include of a file leads to.
struct Included {
  std::string path = {};      // of a File; empty: there is no such file
  bool is_left_out = false;   // espalier.json excludes it
  bool is_elsewhere = false;  // the path leads there only where packages are installed
};

// A file of a project.
struct File {
  const text::XmlDocument* document = nullptr;
  std::string name;         // its path below the project's folder, '/' between folders, without ".xml" or ".debt"
  std::string path = {};    // absolute, '/' between folders; empty: nothing refers to it by path
  std::string folder = {};  // the same of the project's folder
  bool is_tree = true;      // false: it is skipped and has no document
  std::vector<Included> includes = {};  // one for each that Dialect::includes() gives
  // What others can see of it, of a type of its dialect, if that is joined and it is known. With this and no document
  // nothing in the file is checked.
  std::any summary = {};
};

// Rewrites files of an older format of a dialect.
struct Migration {
  std::string_view name;  // of the older format: "btcpp3"
  // Adds what a file declares for others to what espalier.json declares, before the first one is rewritten.
  void (*learn)(const text::XmlDocument& document, Options& options);
  // The edits of one file, sorted; none: it is not of that format.
  std::vector<text::Edit> (*edits)(const text::XmlDocument& document, const Options& options);
};

struct Dialect {
  layout::Dialect id;                           // in IR and assets
  std::string_view name;                        // "selection"
  std::string_view prefix;                      // of its rules' codes
  bool (*owns)(std::string_view root_element);  // does a file with this root element belong to it?
  // Is this one of the dialect's own nodes, so that no host may have the name? Null if hosts have no nodes.
  bool (*has_node)(std::string_view element);
  const ElementTable& (*table)();  // its elements
  // Adds what a project's options declare; null: nothing.
  void (*declare)(const Options& options, DeclaredRows& rows);
  // Reads all files of the dialect as one project. Trees with errors are left out, but for those that poll, which the
  // project has as they are written. Files come sorted by path.
  void (*read)(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings);
  DialectConfiguration configuration = {};
  text::ScanOptions scan = {};  // what its engine accepts beyond XML
  // Other formats use its root element too: is a well-formed file with such a root one of the dialect's? Null: always.
  bool (*is_tree)(const text::XmlDocument& document) = nullptr;
  // The paths that a file includes, in the order of its elements; `path` is its own, absolute. They may be relative to
  // the current folder, have links and "..", and need not exist. One in a ROS package that espalier.json does not name
  // begins with kPackageScheme and that name. Empty: the include names none. Null: no file includes
  // another.
  std::vector<std::string> (*includes)(const text::XmlDocument& document, const std::string& path,
                                       const Options& options) = nullptr;
  const Migration* migration = nullptr;  // null: there is no older format
  // Are its files one project, so that each may change the findings in all others? Else what one file says of a name is
  // found by that name.
  bool is_joined = false;
  // May a file with several elements below its root be a part of others? Then what is found in it depends on all files
  // that may use it.
  bool has_parts = false;
  std::string_view extension = {};  // of files that can be no other dialect's: ".debt"
};

#define DIALECT(name) \
  namespace name {    \
  Dialect dialect();  \
  }
#include "runtime/format/dialects.def"

// In the order of their numbers.
std::span<const Dialect> all();
// The dialect that owns this root element; null: none does.
[[nodiscard]] const Dialect* find_owner(std::string_view root_element);
// Its root elements as they are usually written, for hints.
[[nodiscard]] std::vector<std::string_view> roots_of(const Dialect& dialect);

}  // namespace espalier::dialects
