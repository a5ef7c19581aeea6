// Properties: what must hold in all runs, written with the words of `expect`. Read from *.properties.json files, or
// from `properties` of espalier.json.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/finding.h"
#include "text/json.h"

namespace espalier::explore {

enum class PropertyKind : std::uint8_t { never, always, reachable, after };

struct Property {
  std::string name;
  std::optional<std::string> tree;  // none: every tree
  PropertyKind kind = PropertyKind::always;
  text::JsonValue expectation;  // the object of never, always, reachable, or of `expect`
  text::JsonValue step;         // after: {"signal": "OnAlarm"}, a line of a trace
  std::uint32_t within = 1;     // after: updates
  text::Span span = {};         // of the name
};

}  // namespace espalier::explore
