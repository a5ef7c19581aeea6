// Slips of the keyboard, planted one at a time into files of trees: what was written, and what a finding about it says.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/finding.h"
#include "text/xml.h"

namespace project_planted {

using namespace espalier;

enum class Kind : std::uint8_t {
  root,       // the name of the root element, in both tags
  element,    // the name of another element
  singular,   // the name of a section without its last letter: that of the elements in it
  attribute,  // the name of an attribute
  other,      // a required attribute that has another name altogether
  value,      // a word or a truth value
  name,       // the name of something that the file declares
  condition,  // a variable in a condition
  tag,        // the name in an end tag
  unclosed,   // no end tag
  comment,    // a comment of C++ in a start tag
  count,
};
[[nodiscard]] std::string_view name_of(Kind kind);

struct Slip {
  Kind kind;
  std::vector<text::Edit> edits;
  std::string word;                  // that a finding has to name
  std::vector<std::uint32_t> lines;  // where it may be: of the slip, and of elements that it leaves incomplete
};

// All slips of a file that its dialect's tables show, in the order of the file.
[[nodiscard]] std::vector<Slip> slips_of(const text::XmlDocument& document);

[[nodiscard]] std::string planted(std::string_view text, const Slip& slip);

}  // namespace project_planted
