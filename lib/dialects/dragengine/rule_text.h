// Text of elements as rules read it: trimmed, blanks collapsed.
#pragma once
#include <string>

#include "text/xml.h"

namespace espalier::dialects::dragengine {

struct RuleText {
  std::string text;
  text::Span span;        // from its first character that is not blank to its last; empty text: of the element's name
  bool is_split = false;  // its first piece alone, which is all that the engine takes, reads differently
};

[[nodiscard]] RuleText read_rule_text(const text::Element& element);

}  // namespace espalier::dialects::dragengine
