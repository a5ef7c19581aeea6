// What "espalier init" writes: a first espalier.json, what it lacks, and a host file of C++ sources.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace espalier::project {

inline constexpr const char* kSourcesHostFile = "btcpp-nodes.json";  // beside espalier.json

struct InitialFile {
  std::string path;
  std::optional<std::string> before;  // none: it is new
  std::string text;
  std::vector<std::string> found = {};  // what it has for the first time, for people: "3 modular trees"

  [[nodiscard]] bool is_changed() const { return before != text; }
};

struct InitialFiles {
  std::vector<InitialFile> all;          // those that init is about, espalier.json last
  std::vector<std::string> unread = {};  // of sources: what could not be read; a line each, with its place
  bool has_trees = false;                // in the folder
};

// `from`: files of models that the library wrote, whose nodes come into espalier.json, and C++ files or folders of
// them, whose nodes come into a host file. What files have already is kept as it is written, and host files that were
// made from sources are made again. Nothing: it cannot be done, and `errors` says why. Files that cannot be read are
// lines there too.
[[nodiscard]] std::optional<InitialFiles> initialize(const std::string& folder, const std::vector<std::string>& from,
                                                     std::vector<std::string>& errors);

// How the host files of a folder that were made from sources differ from what these say, a line for each node. Nothing:
// it cannot be told, and `errors` says why.
[[nodiscard]] std::optional<std::vector<std::string>> outdated_nodes(const std::string& folder,
                                                                     const std::vector<std::string>& from,
                                                                     std::vector<std::string>& errors);

}  // namespace espalier::project
