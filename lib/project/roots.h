// Root elements: what tells a tree from the other XML of a folder.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::project {

enum class Root : std::uint8_t {
  tree,   // of a dialect
  near,   // none, but written so much like one that it was meant as one: that is an error wherever the file is found
  other,  // of something else
};

// Near is what differs in case, in a prefix, or in at most two letters from a name of more than six.
Root kind_of_root(std::string_view name);

// "did you mean 'SelectionTree'?", or empty.
std::string hint_for_root(std::string_view name);

}  // namespace espalier::project
