// The names in a file: where each is declared, read and set, by the element table of its dialect. What connects files,
// and the definitions, references, renaming, completion and hover of an editor, are made from them, for all dialects
// alike.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/dialect.h"
#include "text/xml.h"

namespace espalier::project {

using dialects::NameKind;
using dialects::NameScope;
using dialects::NameUse;

// Half-open range of bytes of a file's text.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] bool holds(std::uint32_t offset) const { return begin <= offset && offset <= end; }
  friend bool operator==(const Range&, const Range&) = default;
  friend auto operator<=>(const Range&, const Range&) = default;
};

// A scope within a file, numbered from 1; 0 is the project.
using ScopeId = std::uint32_t;
inline constexpr ScopeId kProjectScope = 0;

struct Occurrence {
  NameKind kind = NameKind::none;
  NameUse use = NameUse::reads;
  std::string key;  // the name as it is compared
  Range range;
  ScopeId scope = kProjectScope;
  // The scopes around it; of the declaration of a block, those that it opens. A reference to a block joins them.
  ScopeId tree = kProjectScope;
  ScopeId part = kProjectScope;
  bool is_implied = false;  // nothing is written: a file's own name, or a slot that takes any tree
};

// The key of all trees of a dialect together.
inline constexpr std::string_view kAnyTree = "*";

// May a name connect its file with others?
[[nodiscard]] inline bool is_shared(const Occurrence& occurrence) {
  return occurrence.scope == kProjectScope || occurrence.kind == NameKind::block;
}

struct FileNames {
  std::vector<Occurrence> all;  // in file order
  // The occurrence at an offset, its end included; null if there is none.
  [[nodiscard]] const Occurrence* at(std::uint32_t offset) const;
};

// `place` is where the file is, for paths in it. The document may be damaged. `is_wanted`: other kinds may be left out;
// null: none.
[[nodiscard]] FileNames names_of(const text::XmlDocument& document, const dialects::Dialect& dialect,
                                 const dialects::File& place, bool is_wanted(NameKind kind) = nullptr);

// "variable", "behaviour"
[[nodiscard]] std::string_view word_of(NameKind kind);

// Visits all elements of a document with their rows: visit(element, row). The row is null for a node of the game, and
// for an element that the table does not know.
template <typename Visit>
void each_element(const dialects::ElementTable& table, const text::Element& element, const dialects::ElementRow* parent,
                  const Visit& visit) {
  const dialects::ElementRow* const row =
      parent == nullptr ? table.find(element.name()) : table.find_in(*parent, element.name());
  visit(element, row);
  // Nodes of a game hold what other nodes hold.
  const dialects::ElementRow* const around = row == nullptr ? parent : row;
  for (text::Element child = element.first_child(); child; child = child.next_sibling()) {
    each_element(table, child, around, visit);
  }
}

}  // namespace espalier::project
