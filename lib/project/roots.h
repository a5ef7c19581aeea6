// Root elements, which distinguish trees from other XML files.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "dialects/dialect.h"
#include "text/xml.h"

namespace espalier::project {

enum class Root : std::uint8_t {
  tree,   // of a dialect
  near,   // similar enough to one to be a misspelling, if the rest of the file speaks for it
  other,  // anything else
};

// Similar names differ in case, in a prefix, or in at most two letters of a name of more than six.
Root kind_of_root(std::string_view name);

// The dialect that reads a file: the one that owns its root element, unless another dialect knows what is below it and
// has a similar root element; null: none.
const dialects::Dialect* owner_of(const text::XmlDocument& document);

// Does the dialect that owns its root element spell it in another case, and know none of the elements below it?
bool is_spelt_otherwise(const text::XmlDocument& document, const dialects::Dialect& owner);

// What the root element of a file was meant to be that no dialect reads.
struct MeantRoot {
  std::string_view name;  // empty: it is similar to none
  bool is_shown = false;  // the file's extension, or what is below the root element, is of that dialect
};
MeantRoot meant_root(const text::XmlDocument& document);

// "did you mean 'SelectionTree'?", or empty.
std::string hint_for_root(std::string_view name, std::string_view meant);

}  // namespace espalier::project
