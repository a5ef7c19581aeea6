// The element table of selection trees, and elements where references have put them.
#pragma once
#include <string_view>

#include "dialects/reading/attributes.h"
#include "dialects/reading/element_table.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects::selection {

// A group for each element: the groups of its row say which one it is.
inline constexpr Groups kSelectionTrees = 1U << 0;
inline constexpr Groups kSelectionTree = 1U << 1;
inline constexpr Groups kBlocks = 1U << 2;
inline constexpr Groups kBlock = 1U << 3;
inline constexpr Groups kRef = 1U << 4;
inline constexpr Groups kVariables = 1U << 5;
inline constexpr Groups kVariable = 1U << 6;
inline constexpr Groups kSignalVariables = 1U << 7;
inline constexpr Groups kSignal = 1U << 8;
inline constexpr Groups kLeafTranslations = 1U << 9;
inline constexpr Groups kMap = 1U << 10;
inline constexpr Groups kPriority = 1U << 11;
inline constexpr Groups kStateMachine = 1U << 12;
inline constexpr Groups kLeaf = 1U << 13;
inline constexpr Groups kSequence = 1U << 14;
inline constexpr Groups kState = 1U << 15;
inline constexpr Groups kTransition = 1U << 16;
inline constexpr Groups kNodes = kPriority | kStateMachine | kLeaf | kSequence;
inline constexpr Groups kSections = kVariables | kSignalVariables | kLeafTranslations;

inline constexpr std::string_view kUsualType = "BehaviorSelectionTree";  // of a tree

[[nodiscard]] const ElementTable& table();
[[nodiscard]] Groups kind_of(const Element& element);  // 0: unknown

// An element where references have put it. `row` is what it is read as: for a misspelt element, the one that was meant.
struct Placed {
  Element element;
  const ElementRow* row;
  UseIndex use = kInPlace;

  [[nodiscard]] bool is(Groups kinds) const { return (row->groups & kinds) != 0; }
  [[nodiscard]] Where where() const { return {element.span(), use}; }
};
// An element of the tree itself. Its name is one of the table's.
[[nodiscard]] Placed in_place(const Element& element);

[[nodiscard]] Attributes read_attributes(const Placed& placed, Reporter& reporter);
// An attribute, or the misspelt one that was meant. `given`: false if it is empty, which has been reported.
[[nodiscard]] Attribute meant(const Attributes& attributes, std::string_view name);
[[nodiscard]] Attribute given(const Attributes& attributes, std::string_view name);

}  // namespace espalier::dialects::selection
