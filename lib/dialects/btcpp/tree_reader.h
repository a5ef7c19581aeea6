// One BehaviorTree: from its element to nodes with their ports and scripts, and the findings that need nothing else.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/btcpp/poll.h"
#include "dialects/btcpp/used_nodes.h"
#include "dialects/reading/reporter.h"
#include "text/name_index.h"

namespace espalier::dialects::btcpp {

// A tree that is alone in its file may have no 'ID'.
inline constexpr std::string_view kNameOfTreeWithoutId = "BehaviorTree_0";

// The first use of something in a file that is a note, once for all of a package.
struct FirstUse {
  Span span;
  std::string near;  // a name that may be meant; empty: none
};

// Is a tree of this name there, where a node is used?
enum class TreeNamed : std::uint8_t { none, in_the_package, in_the_file };

// What trees of a file share.
struct TreeContext {
  WrittenProject& project;  // gets the names in trees, and the nodes that nobody declares
  text::Findings& findings;
  std::span<const Rule> lowered = {};
  std::map<std::string, FirstUse, std::less<>> noted = {};  // gets those of undeclared nodes that are no errors
  std::map<std::pair<std::string, std::string>, FirstUse> noted_ports = {};  // the same of nodes and their ports
  // The node that a name means here; null: nothing is known of it. Empty: those of the project and of the library.
  std::function<const Declaration*(std::string_view name)> find_node = {};
  std::function<TreeNamed(std::string_view name)> tree_named = {};  // empty: no tree is
  text::NameIndex* node_names = nullptr;                            // of nodes; null: none is a hint
  text::NameIndex framework_names = {};                             // of the framework's
  const Framework* framework = nullptr;                             // whose names nodes may have without a declaration
  std::function<bool(std::string_view)> is_written_once = {};       // a node, in the package; empty: this is not known
  bool has_other_nodes = false;                                     // any element may be a node of the host
  bool has_all_nodes = false;                                       // what is declared is all that there is
  bool has_model = false;                                           // one holds here that has nodes
  bool is_of_format_3 = false;                                      // it is read as format 4 would write it
  bool is_of_fork = false;                                          // MoveIt Pro reads it
  bool checks_names = true;                                         // the library refuses those with blanks
  bool refuses_outputs = true;                                      // that are literals: else these name entries
  bool converts_literals = true;                                    // the library refuses those of other types
  bool reads_one_quote = true;                                      // of texts in scripts
  // The tree that is meant by a name and, in files that the library has written, the path of an instance; null: it is
  // not known. Empty: none is.
  std::function<const WrittenTree*(std::string_view name, const Attribute& path)> tree_of = {};
  // The model of a tree that is used; null: there is none. Empty: no tree has one.
  std::function<const SubtreeModel*(std::string_view name, const WrittenTree* tree)> model_of = {};

  [[nodiscard]] const Declaration* find(std::string_view node) const {
    return find_node ? find_node(node) : project.nodes.find(node);
  }
};

// `may_lack_id`: the tree is the only element of its file. `elements`: gets those of the nodes, if it is not null.
[[nodiscard]] WrittenTree read_tree(const Element& element, bool may_lack_id, TreeContext& context,
                                    std::vector<Element>* elements = nullptr);

}  // namespace espalier::dialects::btcpp
