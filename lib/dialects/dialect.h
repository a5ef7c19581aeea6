// The interface of a dialect: its root elements, and a reader that turns its files into trees and findings.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/btcpp/options.h"
#include "dialects/reading/host.h"
#include "ir/tree.h"
#include "text/finding.h"
#include "text/xml.h"

namespace espalier::dialects {
namespace btcpp {
struct FileSummary;
}

// Something in a script that has another meaning in an engine's Lua; without a message: a comment that only the end of
// the script ends.
struct ScriptNote {
  std::uint32_t begin = 0;  // byte range in the script
  std::uint32_t end = 0;
  std::string message;
  std::string hint;
};

// A file of a project that another dialect reads, or none.
struct OtherFile {
  std::string path;                // as of a File
  std::optional<text::Span> root;  // none: not readable as XML (which has been reported), or skipped
  bool is_tree = true;             // false: it is skipped, since it is something else
  bool has_near_root = false;  // its root element is unknown (which is reported) and similar to one of the dialect's
};

// A dialect's options from espalier.json. Readers see only what they need.
struct Options {
  std::vector<std::string> signal_only;           // variables that only signals set ("Var" or "Tree/Var")
  GameEngine engine = GameEngine::cryengine_5_6;  // "modular": {"engine": ...}: the engine that findings are about
  std::vector<HostDeclaration> hosts;  // of "hosts" and "hostFiles", sorted by name; empty: nothing is declared
  std::vector<std::string> events;     // declared events, sorted
  std::optional<std::vector<std::string>> behaviors;  // of trees that select, sorted; none: nothing is declared
  std::vector<HostDeclaration> own_behaviors;         // of trees that select and of deciders: their names and times
  // The nodes of the engines' own artificial intelligence, sorted by name, and the events that the engine registers. Of
  // nodes that are not among `hosts`, only the name and the possible results are known.
  std::vector<HostDeclaration> engine_hosts;
  std::vector<std::string> engine_events;  // sorted
  std::vector<rules::Rule> lowered;        // rules that are warnings here: the tree is read with the meaning stated
  bool stops_when_root_is_done = false;    // "modular": {"rootDone": "stop"}
  // "dragengine": declared actions and conditions, sorted by name; empty: nothing is declared. Of an attribute (here: a
  // parameter), only name, type, range, words and is_required are used; type `text` with is_presence allows any value.
  std::vector<HostDeclaration> rule_actions;
  std::vector<HostDeclaration> rule_conditions;
  std::uint32_t run_limit = 100;  // "dragengine": {"runAwayLimit": n}
  // "decider": declared Decide functions and behaviour flags, sorted; none: nothing is declared.
  std::optional<std::vector<std::string>> decide_functions;
  std::optional<std::vector<std::string>> behavior_flags;
  // "synchronized": declared actions and conditions, as those of "dragengine".
  std::vector<HostDeclaration> store_actions;
  std::vector<HostDeclaration> store_conditions;
  // The nodes of "btcpp" as rows of elements, sorted by name; in editors also those of the files' models, and the trees
  // that they declare.
  std::vector<HostDeclaration> btcpp_nodes;
  std::vector<HostDeclaration> btcpp_trees;
  BtcppOptions btcpp;                  // "btcpp"
  std::vector<OtherFile> other_files;  // of the project that the dialect does not own
  // The files may be only a part of the project. A reference to something that is not in them is reported as
  // XML_unchecked_reference.
  bool is_partial = false;
  // Can one of them belong to the dialect, apart from a fault that has been reported? Then it may declare a name that
  // is not found.
  [[nodiscard]] bool may_lack_files() const {
    return std::any_of(other_files.begin(), other_files.end(),
                       [](const OtherFile& file) { return (!file.root && file.is_tree) || file.has_near_root; });
  }
  // "modular": {"lua": [...]}: files of Lua that run before the first script of an agent, in order.
  struct Prelude {
    std::string file;  // as configured
    text::FileId id;
    std::string text;
  };
  std::vector<Prelude> preludes;
  std::optional<std::uint32_t> agent_count;  // "modular": {"agents": n}: at most n agents have the same tree
  // The first returns a syntax error of a script, or nothing if there is none. The second returns the notes on it.
  // Empty: scripts are not checked.
  std::function<std::optional<std::string>(std::string_view script)> check_script;
  std::function<std::vector<ScriptNote>(std::string_view script)> note_script;
  std::function<std::string(std::string_view script)>
      hint_script;                 // what to write in place of a syntax error, or empty
  std::uint32_t thread_count = 1;  // for reading files; 0: all processors
  // Only findings are wanted: a dialect whose trees nothing analyses makes no trees.
  bool only_findings = false;
  // Called with the document of a file that its reader is done with: nothing refers to its elements any more. May be
  // empty. Several threads call it, with different documents.
  std::function<void(const text::XmlDocument& document)> release;
};

// A thread reads at least so many files: for fewer, starting it takes longer.
inline constexpr std::size_t kLeastShare = 8;

// What an include of a file leads to.
struct Included {
  std::string path = {};     // of a File; empty: there is no such file
  bool is_left_out = false;  // espalier.json excludes it
};

// A file of a project.
struct File {
  const text::XmlDocument* document = nullptr;
  std::string name;         // its path below the project's folder, '/' between folders, without ".xml" or ".debt"
  std::string path = {};    // absolute, '/' between folders; empty: nothing refers to it by path
  std::string folder = {};  // the same of the project's folder
  bool is_tree = true;      // false: it is skipped and has no document
  std::vector<Included> includes = {};  // one for each that Dialect::includes() gives
  // What others can see of it, if its dialect is joined and that is known. With this and no document nothing in the
  // file is checked.
  std::shared_ptr<const btcpp::FileSummary> summary = {};
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
  // Reads all files of the dialect as one project. Trees with errors are left out. Files come sorted by path.
  void (*read)(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings);
  text::ScanOptions scan = {};  // what its engine accepts beyond XML
  // Other formats use its root element too: is a well-formed file with such a root one of the dialect's? Null: always.
  bool (*is_tree)(const text::XmlDocument& document) = nullptr;
  // The paths that a file includes, in the order of its elements; `path` is its own, absolute. They may be relative to
  // the current folder, have links and "..", and need not exist. Empty: the include names none. Null: no file includes
  // another.
  std::vector<std::string> (*includes)(const text::XmlDocument& document, const std::string& path,
                                       const Options& options) = nullptr;
  const Migration* migration = nullptr;  // null: there is no older format
  // Are its files one project, so that each may change the findings in all others? Else what one file says of a name is
  // found by that name.
  bool is_joined = false;
  std::string_view extension = {};  // of files that can be no other dialect's: ".debt"
};

namespace btcpp {
Dialect dialect();
}
namespace decider {
Dialect dialect();
}
namespace dragengine {
Dialect dialect();
}
namespace modular {
Dialect dialect();
}
namespace selection {
Dialect dialect();
}
namespace synchronized {
Dialect dialect();
}

std::span<const Dialect> all();
// The dialect that owns this root element; null: none does.
[[nodiscard]] const Dialect* find_owner(std::string_view root_element);
// Its root elements as they are usually written, for hints.
[[nodiscard]] std::vector<std::string_view> roots_of(const Dialect& dialect);

}  // namespace espalier::dialects
