// Checks that a text is well-formed XML 1.0 within the limits, before pugixml, which is more lenient, parses it. One
// pass, linear in the text, without recursion. It reports every fault, describes how to repair the text so that its
// sound parts can be read, and records where everything in the root element begins and ends.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/finding.h"
#include "text/repair.h"

namespace espalier::text {

struct ScanOptions {
  // Deviations from XML that tinyxml2 accepts are not faults, and are kept as literal text: in attributes '<', and '&'
  // if it does not begin a reference that is known; '--' in comments; blanks before the XML declaration.
  bool is_lenient = false;
  // What attributes say in place of "&&": "and". Empty: "&&" itself, in references.
  std::string_view conjunction = {};
  // The attributes that say it in place of a single '&', too: " condition Signal.value ", without regard to case, with
  // an element where it is not so in all.
  std::string_view conditions = {};
  // Is this the name of an element of the format? It tells which of two tags is misspelt. Null: nothing is known.
  bool (*has_element)(std::string_view name) = nullptr;
};

// A part of an attribute's value whose bytes in the file differ from its value: "&amp;", or a line break of two bytes.
struct Rewritten {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t saved_before = 0;  // total number of bytes saved by earlier rewritten parts of the file
  std::uint32_t saved = 0;         // number of bytes saved by this one
};

inline constexpr std::uint32_t kNoItem = ~std::uint32_t{0};

// An element, or another item that an element can contain. Blank text is not an item.
struct Item {
  enum class Kind : std::uint8_t { element, text, section, comment, instruction };
  std::uint32_t begin = 0;         // of its markup or text
  std::uint32_t end = 0;           // of all of it
  std::uint32_t tag_end = 0;       // of an element: after the '>' of its start tag
  std::uint32_t end_tag = 0;       // of an element: the '<' of its end tag; 0 if it has no end tag
  std::uint32_t parent = kNoItem;  // kNoItem: the root element, or outside of it
  std::uint32_t next = 0;          // the first item after this one and its content
  Kind kind = Kind::element;
};

struct Scan {
  std::vector<Finding> faults;       // in the order of their discovery
  std::vector<Finding> warnings;     // about entities that are not read
  bool is_readable = false;          // there is a text to parse, possibly repaired
  bool is_cut = false;               // the file ends too early; the rest is unknown
  Repaired repaired;                 // the text to parse, if it differs from the source
  std::vector<Item> items;           // all items of that text, in file order
  std::vector<Rewritten> rewritten;  // all rewritten parts of that text
  std::uint32_t doctype_begin = 0;   // the DOCTYPE in that text; empty if there is none
  std::uint32_t doctype_end = 0;
  std::uint32_t subset_begin = 0;  // the '[' of its internal subset, in the source; 0 if it has none
};

// A NUL must follow the text, as in a string. `has_forbidden`: it may have characters that XML forbids (decode.h).
[[nodiscard]] Scan scan(std::string_view text, FileId file, bool has_forbidden, const ScanOptions& options = {});

}  // namespace espalier::text
