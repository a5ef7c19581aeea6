// What the scripts of one agent have: globals, `entity`, and tables of the library, all its own. In a state an agent is
// one table that holds these. Saving copies what can be reached from it; restoring puts that back into the very same
// tables and functions, so that whatever refers to them is right. Inside of this library only.
#pragma once
#include <cstdint>
#include <lua.hpp>

namespace espalier::script {

// Makes a state ready for agents. For State::protect().
int open_library(lua_State* lua);

// Pushes the table of a new agent.
void push_new_agent(lua_State* lua, std::uint32_t index, const char* name);
// With the agent's table at `agent`: pushes its globals and its `entity`, and makes its library that of strings and of
// `load`.
void enter_agent(lua_State* lua, int agent);

// Pushes a snapshot of the agent's table at `agent`.
void push_snapshot(lua_State* lua, int agent);
// Puts back the snapshot at `snapshot` and pushes the table of its agent.
void restore_snapshot(lua_State* lua, int snapshot);

}  // namespace espalier::script
