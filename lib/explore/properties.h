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

// Something that a property speaks of.
struct Condition {
  enum class Kind : std::uint8_t {
    state,  // keys of `expect`, which are compared after each update
    event,  // {"event": "enter Attack"}: comes true when it happens, in the order of the events of an update
    step    // a line of a trace: when it comes
  };
  Kind kind = Kind::state;
  text::JsonValue value = {};
  std::string text = {};  // step: as it is written
};

enum class PropertyKind : std::uint8_t { never, always, reachable, expect };

struct Property {
  std::string name;
  std::optional<std::string> tree;  // none: every tree that knows all its names
  // How many agents of the tree there are; none: as many as it takes, of which it names none but the first.
  std::optional<std::uint32_t> agents = {};
  PropertyKind kind = PropertyKind::always;
  Condition claim;  // of never, always, reachable, expect
  // The claim is about what comes after the one and before the other, each time; without `after`, from the beginning.
  // `expect` has `after` and at most `until`.
  std::optional<Condition> after = {};
  std::optional<Condition> until = {};
  std::uint32_t within = 1;     // expect, without `until`: updates
  std::uint32_t more_than = 0;  // never: times
  std::uint64_t for_us = 0;     // never, always: so long after `after`; 0: without end
  text::Span span = {};         // of the name
  text::Span tree_span = {};
};

inline constexpr std::uint32_t kMaxWithin = 1000;
inline constexpr std::uint32_t kMaxTimes = 1000;
inline constexpr std::uint32_t kMaxAgents = 8;

// Reads a list of properties: `properties` of espalier.json. Faults become findings, and properties that have some are
// left out. `sources` has their file.
void read_properties(const text::JsonValue& list, const text::Sources& sources, text::Findings& findings,
                     std::vector<Property>& properties);
// Reads a *.properties.json file, which is in `sources`.
void read_property_file(text::FileId file, const text::Sources& sources, text::Findings& findings,
                        std::vector<Property>& properties);

// What a property speaks of: its claim, `after`, `until`.
std::vector<const Condition*> conditions_of(const Property& property);

// The trees that a property is about: the one that it names, or all that know all its names. The asset has names.
std::vector<Tree> trees_of(const Property& property, const Asset& asset);
// Reports names of a property that are unknown, if trees_of() is empty for that reason.
void check_names(const Property& property, const Asset& asset, text::Findings& findings);

// A step as a line of a trace.
std::string step_line(const Condition& step);

// An `expect` line that something holds, or does not. With several agents, events without a number name the first one.
std::string expect_line(const Condition& condition, bool is_negated, bool has_several_agents);

}  // namespace espalier::explore
