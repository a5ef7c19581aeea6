// What espalier.json says of trees of BehaviorTree.CPP, under "btcpp".
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dialects/btcpp/models.h"
#include "dialects/btcpp/poll.h"
#include "dialects/btcpp/versions.h"
#include "dialects/configuration.h"
#include "dialects/reading/host.h"
#include "runtime/format/records.h"

namespace espalier::dialects {

inline constexpr std::uint32_t kMaxTextBytes = layout::kMaxTextBytes;
inline constexpr std::uint32_t kMaxNamedEntries = 1024;

namespace btcpp {

// What a port was in earlier releases of Nav2.
struct FormerPort {
  std::string node;
  std::string port;
  Nav2Release last = Nav2Release::main;  // in which it was so
  Type type;
  std::optional<std::string> otherwise;
};

// What a host file has under "btcpp".
struct HostFacts {
  std::vector<Declaration> nodes;
  bool is_open = false;  // there may be other nodes
  // Of built-in ones only.
  std::vector<FormerPort> former_ports;
  std::vector<Nav2Entry> entries;
};

}  // namespace btcpp

struct BtcppOptions : btcpp::ProgramFacts {
  std::map<std::string, std::string, std::less<>> packages;  // the share folders of ROS packages, absolute
  std::vector<btcpp::Declaration> nodes;                     // of the host; they win over those of models
  bool has_other_nodes = false;                              // which nothing declares: an ID is computed in C++
  bool has_complete_models = false;                          // they declare nodes as this does
  std::optional<btcpp::Version> version;                     // of the library; none: files, or packages, tell it
  bool is_fork = false;                                      // MoveIt Pro takes the library's place
  // What the sources of packages tell, by folder: 3 or 4; of the folder that was given: "".
  std::map<std::string, std::uint32_t, std::less<>> told_versions;
  // Models of projects of editors, which are no files of trees.
  std::vector<btcpp::EditorModels> editor_models;
  btcpp::HostFacts shared;  // of host files, until all are read: then it is in `nodes`
  // The nodes as rows of elements, sorted by name; in editors also those of the files' models, and the trees that they
  // declare.
  std::vector<HostDeclaration> node_rows;
  std::vector<HostDeclaration> tree_rows;
  std::vector<std::string> trees;  // that programs have from elsewhere, sorted
  // Nav2's nodes of all releases, which espalier.json may declare all at once, and the entries of its navigators.
  const btcpp::HostFacts& (*nav2)() = nullptr;
};

namespace btcpp {

[[nodiscard]] DialectConfiguration configuration();

}  // namespace btcpp
}  // namespace espalier::dialects
