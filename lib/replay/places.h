// The nodes that ask the host, by name and place: "Move@12", "Move@guard.xml:12", "walk#round.hall",
// "Move@patrol/Sequence[2]". Answers for such a name are for these nodes only, and expectations are about them.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/names.h"
#include "replay/node_paths.h"

namespace espalier::replay {

// A name split at its place.
struct PlacedName {
  std::string_view name;
  std::string_view file = {};  // empty: of any file
  std::uint32_t line = 0;
  std::string_view rule = {};  // the full id of a rule, in place of file and line
  std::string_view path = {};  // in place of these; see node_paths.h
};
// Nothing: the name has no place.
std::optional<PlacedName> read_place(std::string_view name);
// "at line 12", "at 'patrol/Move'", "in rule 'round.hall'".
std::string place_text(const PlacedName& placed);

class Places {
 public:
  // Of the whole asset; rules and paths are those of the tree.
  explicit Places(const Tree& tree);

  // The names by which answers are kept, one for each node at the place; true: of a behaviour. Empty: there is none.
  // `full_name` is the whole name. At most one node is at a path that is not ambiguous.
  std::map<std::string, bool> find(std::string_view full_name, const PlacedName& wanted) const;
  // Where a node of this name is, as near as possible: "'Move' is at line 12"; empty: nowhere.
  std::string nearest(const PlacedName& wanted) const;
  // If the path fits several nodes of the name: their paths, "'Sequence[1]/Move' and 'Sequence[2]/Move'"; else empty.
  std::string several_at(const PlacedName& wanted) const;
  // Has the tree nodes of this kind, such as "Sequence"?
  bool has_kind(std::string_view kind) const;
  // The id of the rule of a node; empty: it has none.
  std::string_view rule_of(std::uint32_t node_word) const;

  // A node, and where it may be used at several places: of a tree of rules the number of the rule, of one that selects
  // that of the leaf.
  struct Found {
    std::uint32_t word = 0;
    std::uint32_t number = 0;
    bool is_behavior = false;
    const PlacedNode* node = nullptr;
  };
  // The nodes of the tree that are at the place and either ask for the name or, with `by_own_name`, have it.
  std::vector<Found> nodes_at(const PlacedName& wanted, bool by_own_name) const;
  // Is the node one of those at the path that ends a name by which answers are kept? `rule`: kNoRule if it is unknown.
  bool is_at_path(const std::string& full_name, std::uint32_t word, std::uint32_t rule) const;

  // The names by which answers for a node can be kept: with its file and line, with its line, with its rule.
  static std::string key_of_place(std::string_view name, std::string_view file, std::uint32_t line);
  static std::string key_of_line(std::string_view name, std::uint32_t line);
  static std::string key_of_rule(std::string_view name, std::string_view rule);

 private:
  void add(std::string_view name, std::uint32_t word, bool is_behavior);
  void add_units();
  void add_leaves();
  bool is_at(const PlacedNode& node, const PlacedName& wanted) const;
  const NodePaths& paths() const;

  Tree tree_;
  std::map<std::string, bool, std::less<>> keys_;
  std::map<std::string, std::map<std::uint32_t, std::string>, std::less<>> lines_;  // by name and line: the file
  std::map<std::uint32_t, std::string_view> rules_;                                 // by word
  std::map<std::string, std::map<std::uint32_t, bool>, std::less<>> askers_;  // by name: words; true: of a behaviour
  mutable std::unique_ptr<const NodePaths> paths_;                            // made when a path is looked up
  mutable std::map<std::string, std::vector<Found>, std::less<>> at_paths_;   // those that is_at_path() has looked up
};

}  // namespace espalier::replay
