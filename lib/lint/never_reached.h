// What all dialects report: a place that is never reached, because something before it always comes first.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "text/finding.h"

namespace espalier::lint {

// "'B' is never selected, because 'A' always comes first": how it is not reached, and why.
std::string never_reached_because(const std::string& name, std::string_view how, const std::string& because);

struct Blocker {
  std::string name;  // in '...'
  text::Span span;
  std::string why;  // "cannot fail"
  std::string_view where = "before it";
};

// The blocker, and the one below it that decides, and so on. `how` it is not reached differs where there are other
// ways to a place.
text::Finding never_reached(text::Rule rule, text::Span span, const std::string& name,
                            std::span<const Blocker> blockers, std::string_view how = "never reached");

}  // namespace espalier::lint
