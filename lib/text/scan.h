// The judge of a text before pugixml, which forgives much, parses it: is it well-formed XML 1.0 within the limits? One
// pass, linear in the text, without recursion. It reports every fault, tells how to repair the text so that its sound
// parts can still be read, and notes where everything in the root element begins and ends.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/finding.h"
#include "text/repair.h"

namespace espalier::text {

// What a dialect's own reader tolerates although XML does not allow it. It is no fault, and stands for itself.
struct ScanOptions {
  bool raw_ampersands = false;  // '&' in an attribute's value, where it begins no reference
  bool raw_less_than = false;   // '<' in an attribute's value
};

// Something in an attribute's value that is written in other bytes than it stands for: "&amp;", or a line break of two
// bytes.
struct Rewritten {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t saved_before = 0;  // bytes by which everything rewritten in the file up to `begin` became shorter
  std::uint32_t saved = 0;         // and this one
};

inline constexpr std::uint32_t kNoItem = ~std::uint32_t{0};

// An element, or what else an element can hold. Blank text is none.
struct Item {
  enum class Kind : std::uint8_t { element, text, section, comment, instruction };
  std::uint32_t begin = 0;         // of its markup or text
  std::uint32_t end = 0;           // of all of it
  std::uint32_t tag_end = 0;       // of an element: behind the '>' of its start tag
  std::uint32_t end_tag = 0;       // of an element: the '<' of its end tag; 0: the start tag is all
  std::uint32_t parent = kNoItem;  // kNoItem: it is the root element, or beside it
  std::uint32_t next = 0;          // the first item behind it and all that is in it
  Kind kind = Kind::element;
};

struct Scan {
  std::vector<Finding> faults;       // in the order of their discovery
  std::vector<Finding> warnings;     // about entities that are not read
  bool is_readable = false;          // there is a text to parse, if need be a repaired one
  bool is_cut = false;               // the file ends too early: anything may have followed
  Repaired repaired;                 // the text to parse, where it is not the source
  std::vector<Item> items;           // all in that text, in file order
  std::vector<Rewritten> rewritten;  // the same
  std::uint32_t doctype_begin = 0;   // the DOCTYPE in that text; empty: there is none
  std::uint32_t doctype_end = 0;
  std::uint32_t subset_begin = 0;  // the '[' of its internal subset, in the source; 0: it has none
};

// A NUL must follow the text, as in a string. `has_forbidden`: it may hold characters that XML forbids (decode.h).
[[nodiscard]] Scan scan(std::string_view text, FileId file, bool has_forbidden, const ScanOptions& options = {});

}  // namespace espalier::text
