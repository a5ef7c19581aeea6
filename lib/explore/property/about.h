// What properties speak of: keys, entries of blackboards, steps, agents.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "explore/properties.h"
#include "explore/world.h"

namespace espalier::explore {

// Is a key of this name in an expectation, at any depth?
bool speaks_of(const text::JsonValue& expectation, std::string_view key);
bool speaks_of(const Property& property, std::string_view key);

// What a world does not tell apart: the exact times of timestamps, the data of stimuli, and, where there are many, sets
// of decision flags that no precondition tells apart. A claim about these can be refuted, but not proved.
bool is_blurred(const World& world, const Property& property);

// The entries of blackboards that a property is about in this tree.
std::vector<ExpectedEntry> expected_of(const Property& property, const Tree& tree);

// The conditions that are steps.
std::vector<const Condition*> steps_of(const Property& property);

// Data of signals and stimuli reach no state: a claim about it cannot be decided after such a step.
bool has_data(const Condition& step, const Property& property);

// The agents that a state or an event is of, a bit each; without a number the first one.
using AgentSet = std::uint32_t;
constexpr AgentSet kAnyAgent = ~AgentSet{0};
AgentSet agents_of(const Condition& condition);
// Those that it tells apart from others: lists of what different agents do, and steps of any, tell none apart.
AgentSet named_agents(const Condition& condition);

// "1:enter Attack": agent 1, "enter Attack". None: the event has no number.
struct EventOfAgent {
  std::optional<std::uint32_t> agent = {};
  std::string_view text;
};
EventOfAgent split_event(std::string_view event);

}  // namespace espalier::explore
