// Steps that a property names, such as that of `after`, in terms of the world that is explored.
#pragma once
#include <string>

#include "explore/world.h"
#include "text/json.h"

namespace espalier::explore {

// A value as JSON: "{"signal": "OnAlarm"}".
std::string line_of(const text::JsonValue& written);

// Is a step the one that is written? Lists of several flags or variables are one step each of which is compared. One
// that names no agent is of any.
bool is_step(const World& world, const text::JsonValue& written, const Step& step);

// A step as the world names it: an answer for one place, by the name that the world has for the same nodes:
// "LuaGate@12" is "LuaGate@Sequence/LuaGate". As it is, if there is none.
text::JsonValue world_step(const World& world, text::JsonValue step);

// Is the step about what the world does not have: a signal that its trees do not hear, names that it does not ask for?
bool has_no_effect(const World& world, const text::JsonValue& written);

}  // namespace espalier::explore
