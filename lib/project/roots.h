// Root elements, which distinguish trees from other XML files.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::project {

enum class Root : std::uint8_t {
  tree,   // of a dialect
  near,   // similar enough to one to be a misspelling, which is an error even for a file found in a folder
  other,  // anything else
};

// Similar names differ in case, in a prefix, or in at most two letters of a name of more than six.
Root kind_of_root(std::string_view name);

// The root element of a dialect that a name is similar to; empty if there is none.
std::string_view near_root(std::string_view name);

// "did you mean 'SelectionTree'?", or empty.
std::string hint_for_root(std::string_view name);

}  // namespace espalier::project
