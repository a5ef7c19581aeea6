// What espalier.json says of trees of BehaviorTree.CPP, under "btcpp".
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dialects/btcpp/poll.h"
#include "dialects/configuration.h"
#include "dialects/reading/host.h"
#include "runtime/format/records.h"

namespace espalier::dialects {

inline constexpr std::uint32_t kMaxTextBytes = layout::kMaxTextBytes;
inline constexpr std::uint32_t kMaxNamedEntries = 1024;

struct BtcppOptions : btcpp::ProgramFacts {
  std::map<std::string, std::string, std::less<>> packages;  // the share folders of ROS packages, absolute
  std::vector<btcpp::Declaration> nodes;                     // of the host; they win over those of models
  bool has_other_nodes = false;                              // which nothing declares: an ID is computed in C++
  std::vector<btcpp::Declaration> shared_nodes;              // of host files, until all are read: then they are `nodes`
  // The nodes as rows of elements, sorted by name; in editors also those of the files' models, and the trees that they
  // declare.
  std::vector<HostDeclaration> node_rows;
  std::vector<HostDeclaration> tree_rows;
  std::vector<std::string> trees;  // that programs have from elsewhere, sorted
  // Nav2's nodes, which espalier.json may declare all at once.
  const std::vector<btcpp::Declaration>& (*nav2_nodes)() = nullptr;
};

namespace btcpp {

[[nodiscard]] DialectConfiguration configuration();

// Reads the object under "btcpp" of a host file, which has nothing but nodes: adds them. Returns whether there may be
// others.
bool read_shared_nodes(const text::JsonValue& value, text::JsonReader& json, std::vector<Declaration>& nodes);

}  // namespace btcpp
}  // namespace espalier::dialects
