// What a dialect is to the rest: root elements, and a reader that turns its files into trees and findings.
#pragma once
#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/reading/host_rows.h"
#include "ir/tree.h"
#include "text/xml.h"

namespace espalier::dialects {

// What a script uses that means something else in an engine's Lua.
struct ScriptNote {
  std::uint32_t begin = 0;  // byte range in the script
  std::uint32_t end = 0;
  std::string message;
  std::string hint;
};

// A file of a project that another dialect reads, or none.
struct OtherFile {
  std::string path;                // as of a File
  std::optional<text::Span> root;  // none: it cannot be read as XML, which has been told, or is passed over
  bool is_tree = true;             // false: it is passed over, since it is something else
  bool has_near_root = false;      // its root element is unknown, which is told, and nearly one of the dialect's
};

// A dialect's options out of espalier.json. Readers see only what they need.
struct Options {
  std::vector<std::string> signal_only;   // variables that only signals set ("Var" or "Tree/Var")
  Engine engine = Engine::cryengine_5_6;  // "modular": {"engine": ...}: which findings speak of
  std::vector<HostDeclaration> hosts;     // of "hosts" and "hostFiles", sorted by name; empty: nothing is declared
  std::vector<std::string> events;        // declared events, sorted
  // The nodes of the engines' own artificial intelligence, sorted by name, and the events that the engine registers.
  // Nodes that are not among `hosts` are only known by name and by what they can answer.
  std::vector<HostDeclaration> engine_hosts;
  std::vector<std::string> engine_events;  // sorted
  std::vector<rules::Rule> lowered;        // rules that are warnings here: the tree is read with the meaning stated
  bool stops_when_root_is_done = false;    // "modular": {"rootDone": "stop"}
  // "dragengine": declared actions and conditions, sorted by name; empty: nothing is declared. Of an attribute (here: a
  // parameter) name, type, range, words and is_required count; type `text` with is_presence: any value.
  std::vector<HostDeclaration> rule_actions;
  std::vector<HostDeclaration> rule_conditions;
  std::uint32_t run_limit = 100;  // "dragengine": {"runAwayLimit": n}
  // "decider": declared Decide functions and behaviour flags, sorted; none: nothing is declared.
  std::optional<std::vector<std::string>> decide_functions;
  std::optional<std::vector<std::string>> behavior_flags;
  // "synchronized": declared actions and conditions, as those of "dragengine".
  std::vector<HostDeclaration> store_actions;
  std::vector<HostDeclaration> store_conditions;
  std::vector<OtherFile> other_files;  // of the project, beside those that the dialect owns
  // The files are perhaps only a part of the project: what is not in them may be in others. A reference to such a thing
  // is XML_unchecked_reference.
  bool is_partial = false;
  // May one of them be the dialect's, but for a fault that is told? Then a name that is not found may stand there.
  [[nodiscard]] bool may_lack_files() const {
    return std::any_of(other_files.begin(), other_files.end(),
                       [](const OtherFile& file) { return (!file.root && file.is_tree) || file.has_near_root; });
  }
  std::optional<std::uint32_t> agent_count;  // "modular": {"agents": n}: at most so many have one tree, for analyses
  // What is wrong with the syntax of a script; nothing: it is right. Then what is to be noted of it. Empty:
  // scripts are not looked into.
  std::function<std::optional<std::string>(std::string_view script)> check_script;
  std::function<std::vector<ScriptNote>(std::string_view script)> note_script;
};

// A file of a project.
struct File {
  const text::XmlDocument* document = nullptr;
  std::string name;         // its path below the project's folder, '/' between folders, without ".xml" or ".debt"
  std::string path = {};    // absolute, '/' between folders; empty: nothing names it by its path
  std::string folder = {};  // the same of the project's folder
  bool is_tree = true;      // false: it is passed over, and has no document
};

struct Dialect {
  layout::Dialect id;                           // in IR and assets
  std::string_view name;                        // "selection"
  std::string_view prefix;                      // of its rules' codes
  bool (*owns)(std::string_view root_element);  // does a file with this root element belong to it?
  // Is this a node of its own, so that no host may be called so? Null where hosts have no nodes.
  bool (*has_node)(std::string_view element);
  const ElementTable& (*table)();  // its elements
  // What a project's options declare of them; null: nothing.
  void (*declare)(const Options& options, DeclaredRows& rows);
  // Reads all files of the dialect as one project. Trees with errors are left out. Files come sorted by path.
  void (*read)(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings);
};

std::span<const Dialect> all();
// Its root elements as they are usually written, for hints.
[[nodiscard]] std::vector<std::string_view> roots_of(const Dialect& dialect);

}  // namespace espalier::dialects
