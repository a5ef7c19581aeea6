// The functions that scripts can call. Functions of Lua that end quickly and do not depend on anything outside are used
// as they are; the others are reimplemented here, so that limits apply to them and every run gives the same results.
// Internal to this library.
#pragma once
#include <lua.hpp>

namespace espalier::script {

// Opens Lua's own libraries and pushes a table of what scripts get: functions, and tables of functions.
void push_library(lua_State* lua);

// Pushes the string that `tostring` gives for the value at `index`, the same in every run.
void push_text_of(lua_State* lua, int index);

// Assigns the C function on top its place in the order of keys; pops it.
void number_function(lua_State* lua);

// What the table at `index` does not have is looked up in the host, under `prefix` and the key: "AI.".
void look_up_in_host(lua_State* lua, int index, const char* prefix);

// Sets the globals of chunks that `load` makes; called before a script runs.
void set_environment(lua_State* lua, int index);

// `string.format`; its upvalue is Lua's own.
int call_format(lua_State* lua);

extern const luaL_Reg kBasicFunctions[];
extern const luaL_Reg kStringFunctions[];
extern const luaL_Reg kTableFunctions[];
extern const luaL_Reg kMathFunctions[];

}  // namespace espalier::script
