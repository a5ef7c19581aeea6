// The nodes that ask the host, by name and place: "Move@12", "Move@guard.xml:12", "walk#round.hall". Answers for such a
// name are for these nodes only.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "replay/names.h"

namespace espalier::replay {

// A name of a `host` line, split at its place.
struct PlacedName {
  std::string_view name;
  std::string_view file;  // empty: of any file
  std::uint32_t line = 0;
  std::string_view rule;  // the full id of a rule, in place of file and line
};
// Nothing: the name has no place.
std::optional<PlacedName> read_place(std::string_view name);

class Places {
 public:
  // Of the whole asset; rules are those of the tree.
  explicit Places(const Tree& tree);

  // The names by which answers are kept, one for each node at the place; true: of a behaviour. Empty: there is none.
  std::map<std::string, bool> find(const PlacedName& wanted) const;
  // Where a node of this name is, as near as possible: "'Move' is at line 12"; empty: nowhere.
  std::string nearest(const PlacedName& wanted) const;
  // The id of the rule of a node; empty: it has none.
  std::string_view rule_of(std::uint32_t node_word) const;

  // The names by which answers for a node can be kept: with its file and line, with its line, with its rule.
  static std::string key_of_place(std::string_view name, std::string_view file, std::uint32_t line);
  static std::string key_of_line(std::string_view name, std::uint32_t line);
  static std::string key_of_rule(std::string_view name, std::string_view rule);

 private:
  void add(std::string_view name, std::uint32_t word, bool is_behavior);
  void add_units();
  void add_leaves();

  Tree tree_;
  std::map<std::string, bool, std::less<>> keys_;
  std::map<std::string, std::map<std::uint32_t, std::string>, std::less<>> lines_;  // by name and line: the file
  std::map<std::uint32_t, std::string_view> rules_;                                 // by word
};

}  // namespace espalier::replay
