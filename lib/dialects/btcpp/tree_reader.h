// One BehaviorTree: from its element to nodes with their ports and scripts, and the findings that need nothing else.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/btcpp/poll.h"
#include "dialects/btcpp/used_nodes.h"
#include "dialects/reading/reporter.h"
#include "text/name_index.h"

namespace espalier::dialects::btcpp {

// A tree that is alone in its file may have no 'ID'.
inline constexpr std::string_view kNameOfTreeWithoutId = "BehaviorTree_0";

// What trees of a project share.
struct TreeContext {
  WrittenProject& project;  // gets the names in trees, and the nodes that nobody declares
  text::Findings& findings;
  std::span<const Rule> lowered = {};
  std::map<std::string, Span, std::less<>> noted = {};  // gets the first uses of undeclared nodes that are no errors
  std::set<std::string_view> tree_names = {};
  text::NameIndex node_names = {};                             // of the project's nodes
  text::NameIndex framework_names = {};                        // of those that it has learned
  const Framework* framework = nullptr;                        // whose names nodes of the project may have
  std::function<bool(std::string_view)> is_written_once = {};  // a node, in all files; empty: this is not known
  bool has_other_nodes = false;                                // any element may be a node of the host
  // The tree that is meant by a name and, in files that the library has written, the path of an instance; null: it is
  // not known. Empty: none is.
  std::function<const WrittenTree*(std::string_view name, const Attribute& path)> tree_of = {};
};

// `may_lack_id`: the tree is the only element of its file. `elements`: gets those of the nodes, if it is not null.
[[nodiscard]] WrittenTree read_tree(const Element& element, bool may_lack_id, TreeContext& context,
                                    std::vector<Element>* elements = nullptr);

}  // namespace espalier::dialects::btcpp
