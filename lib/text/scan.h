// A strict look at a text before pugixml, which forgives much, parses it: is it well-formed XML 1.0 within the limits?
// Linear in the text, without recursion. Finds the first fault, and on the way what a place in an attribute's value
// needs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/entities.h"
#include "text/finding.h"

namespace espalier::text {

// Something in an attribute's value that is written in other bytes than it stands for: "&amp;", or a line break of two
// bytes.
struct Rewritten {
  std::uint32_t begin = 0;  // in the text, the expanded one where there is one
  std::uint32_t end = 0;
  std::uint32_t saved_before = 0;  // bytes by which everything rewritten in the file up to `begin` became shorter
  std::uint32_t saved = 0;         // and this one
};

struct Scan {
  std::optional<Finding> fault;
  std::vector<Finding> warnings;     // of a text without a fault
  std::vector<Rewritten> rewritten;  // in file order
  // The DOCTYPE, in either text; empty: there is none.
  std::uint32_t doctype_begin = 0;
  std::uint32_t doctype_end = 0;
  std::uint32_t subset_begin = 0;  // the '[' of its internal subset; 0: it has none
  // References to entities that it declares; the text in which they are replaced, empty where there are none.
  std::vector<Reference> references;
  std::string expanded;
  std::vector<Expansion> expansions;
};

[[nodiscard]] Scan scan(std::string_view text, FileId file);

}  // namespace espalier::text
