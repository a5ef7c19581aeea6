// The functions that scripts find. Those of Lua's own that end soon and depend on nothing outside are taken as they
// are; the others are here, written so that limits hold in them and every run is the same. Inside of this library only.
#pragma once
#include <lua.hpp>

namespace espalier::script {

// Opens Lua's own libraries and pushes a table of what scripts get: functions, and tables of functions.
void push_library(lua_State* lua);

// Pushes a string that is the same in every run for the value at `index`, as `tostring` gives it.
void push_text_of(lua_State* lua, int index);

// Gives the function on top, one of C, its place in the order of keys; pops it.
void number_function(lua_State* lua);

// What `load` gives its chunks for globals: set before a script runs.
void set_environment(lua_State* lua, int index);

// `string.format`; its upvalue is Lua's own.
int call_format(lua_State* lua);

extern const luaL_Reg kBasicFunctions[];
extern const luaL_Reg kStringFunctions[];
extern const luaL_Reg kTableFunctions[];
extern const luaL_Reg kMathFunctions[];

}  // namespace espalier::script
