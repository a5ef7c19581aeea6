// The environment of one agent's scripts: its globals, its `entity`, and its tables of the library. In the Lua state an
// agent is one table that holds these. Saving copies everything reachable from it; restoring writes it back into the
// same tables and functions, so that references to them stay valid. Internal to this library.
#pragma once
#include <cstdint>
#include <lua.hpp>

namespace espalier::script {

// Prepares a state for agents. For State::protect().
int open_library(lua_State* lua);

// Pushes the table of a new agent.
void push_new_agent(lua_State* lua, std::uint32_t index, const char* name);
// With the agent's table at `agent`: pushes its globals and its `entity`, and makes its library the one that strings
// and `load` use.
void enter_agent(lua_State* lua, int agent);

// Pushes a snapshot of the agent's table at `agent`.
void push_snapshot(lua_State* lua, int agent);
// Restores the snapshot at `snapshot` and pushes the table of its agent.
void restore_snapshot(lua_State* lua, int snapshot);

}  // namespace espalier::script
