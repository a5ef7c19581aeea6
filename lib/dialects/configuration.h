// What a dialect reads of espalier.json and of host files: keys, and the functions for their values.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/reading/host.h"
#include "text/json_reader.h"
#include "text/source.h"

namespace espalier::dialects {

struct Options;

// A file that a configuration names.
struct NamedFile {
  text::FileId id = 0;
  std::string text;
};

// What surrounds a configuration. Paths are relative to the current folder.
struct Surroundings {
  std::string folder;  // of espalier.json
  std::function<bool(const std::string& path)> exists;
  // Is the path of an entry inside the project, or named on the command line? Otherwise there is a finding.
  std::function<bool(const text::JsonValue& entry)> expect_inside;
  // Reads the file of an entry; nothing: it cannot be read, and there is a finding. `hint`: of one that there is none.
  std::function<std::optional<NamedFile>(const text::JsonValue& entry, std::size_t limit_bytes, std::string hint)> read;
  // The first syntax error of a script; nothing: there is none. Empty: scripts are not checked.
  std::function<std::optional<std::string>(std::string_view script)> check_script;
};

// The file that is read: espalier.json or a host file.
struct ConfigurationFile {
  text::JsonReader& json;
  std::string_view text;
  bool is_built_in = false;  // it is a part of the program
  const Surroundings& around;
};

// A key at the top of such a file. Faults in its value are reported; the rest of it counts nevertheless.
struct ConfiguredKey {
  std::string_view name;
  void (*read)(const text::JsonValue& value, const ConfigurationFile& file, Options& options);
};

// Names of one kind that a project declares for the trees of a dialect.
struct DeclaredNames {
  std::string_view kind;                        // in words: "action"
  NameKind naming = NameKind::none;             // what they are in trees; none: they are not offered
  std::span<const HostDeclaration> hosts = {};  // sorted by name
  std::span<const std::string> names = {};      // of which nothing else is declared
  // They are the engine's, not declared by the project: the same names in the first list of the dialect hide them.
  bool is_known = false;
};

// A dialect's part in the configuration of a project.
struct DialectConfiguration {
  std::span<const ConfiguredKey> keys = {};       // of espalier.json
  std::span<const ConfiguredKey> host_keys = {};  // of host files
  // Called when all files are read; null: nothing is left to do.
  void (*complete)(text::JsonReader& json, Options& options) = nullptr;
  // What the options declare; null: nothing.
  std::vector<DeclaredNames> (*declared)(const Options& options) = nullptr;
  std::string_view first = {};  // the value of its key in a first espalier.json; empty: it has none
  // Declares what an XML file has, which is named as a host file. False: it is none. Null: such files declare nothing.
  bool (*read_xml)(const text::XmlDocument& document, Options& options) = nullptr;
};

// ---- What keys of several dialects have ---------------------------------------------------------

// A list of events, which is combined with those that were there. Sorted.
void read_events(const text::JsonValue& list, std::string_view what, const ConfigurationFile& file,
                 std::vector<std::string>& events);
// "signalOnly".
void read_signal_only(const text::JsonValue& list, const ConfigurationFile& file, Options& options);
// "behaviors" as an object with what is declared of each. Returns their names, sorted.
std::vector<std::string> read_behaviors(const text::JsonValue& object, const ConfigurationFile& file, Options& options);
// A list that may be empty: then nothing is declared by it. Sorted.
void read_declared(const text::JsonValue& list, std::string_view what, const ConfigurationFile& file,
                   std::optional<std::vector<std::string>>& names);

}  // namespace espalier::dialects
