// Properties: what must hold in all runs, written with the words of `expect`. Read from *.properties.json files, or
// from `properties` of espalier.json. schemas/properties.schema.json describes them to editors.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <optional>
#include <string>
#include <vector>

#include "text/finding.h"
#include "text/json.h"

namespace espalier::explore {

enum class PropertyKind : std::uint8_t { never, always, reachable, after };

struct Property {
  std::string name;
  std::optional<std::string> tree;  // none: every tree that knows all its names
  PropertyKind kind = PropertyKind::always;
  text::JsonValue expectation;  // the object of never, always, reachable, or of `expect`
  text::JsonValue step;         // after: {"signal": "OnAlarm"}, a line of a trace
  std::string step_text;        // the same, as it is written
  std::uint32_t within = 1;     // after: updates
  text::Span span = {};         // of the name
  text::Span tree_span = {};
};

inline constexpr std::uint32_t kMaxWithin = 1000;

// Reads a list of properties: `properties` of espalier.json. Faults become findings, and properties that have some are
// left out. `sources` has their file.
void read_properties(const text::JsonValue& list, const text::Sources& sources, text::Findings& findings,
                     std::vector<Property>& properties);
// Reads a *.properties.json file, which is in `sources`.
void read_property_file(text::FileId file, const text::Sources& sources, text::Findings& findings,
                        std::vector<Property>& properties);

// The trees that a property is about: the one that it names, or all that know all its names. The asset has names.
std::vector<Tree> trees_of(const Property& property, const Asset& asset);
// Reports names of a property that are unknown, if trees_of() is empty for that reason.
void check_names(const Property& property, const Asset& asset, text::Findings& findings);

// after: its step as a line of a trace.
std::string step_line(const Property& property);

// The `expect` line that a state must pass: of `never` {"expect": {"not": P}}.
std::string expect_line(const Property& property);

}  // namespace espalier::explore
