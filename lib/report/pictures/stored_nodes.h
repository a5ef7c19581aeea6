// The nodes of an asset's units, as they are stored: those that several trees share are there once. See outline.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <espalier/espalier.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/dump/rows.h"
#include "report/pictures/outline.h"

namespace espalier::report {

// A node as it is stored; `shares`: the unit that is drawn below it, or in its place.
struct StoredNode {
  PictureNode node = {};
  std::size_t depth = 0;
  std::optional<std::uint32_t> shares = {};
  bool is_leaf = false;    // of a tree that selects
  bool is_hidden = false;  // stands for what has no element of its own: its children are drawn in its place
};
using StoredUnit = std::vector<StoredNode>;

// What an item of a row says, without quotes.
[[nodiscard]] std::string item_text(const codegen::Item& item);
// By the numbers of the units.
[[nodiscard]] std::map<std::uint32_t, StoredUnit> stored_units(const Asset& asset);

}  // namespace espalier::report
