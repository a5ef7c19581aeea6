// The table of functions for scripts. See library.h.
#include "script/library.h"

#include "script/state.h"

namespace espalier::script {
namespace {

// A function (or number, or string) from Lua's own library.
struct Standard {
  const char* library;  // null: a basic function
  const char* name;
  lua_CFunction through = nullptr;  // a wrapper that is called instead, with the function as upvalue
};

constexpr Standard kStandard[] = {
    {nullptr, "assert"},
    {nullptr, "error"},
    {nullptr, "getmetatable"},
    {nullptr, "ipairs"},
    {nullptr, "rawequal"},
    {nullptr, "rawget"},
    {nullptr, "rawlen"},
    {nullptr, "rawset"},
    {nullptr, "select"},
    {nullptr, "tonumber"},
    {nullptr, "type"},
    {nullptr, "_VERSION"},
    {"string", "byte"},
    {"string", "char"},
    {"string", "len"},
    {"string", "lower"},
    {"string", "reverse"},
    {"string", "sub"},
    {"string", "upper"},
    {"string", "format", call_format},
    {"table", "pack"},
    {"math", "abs"},
    {"math", "acos"},
    {"math", "asin"},
    {"math", "atan"},
    {"math", "ceil"},
    {"math", "cos"},
    {"math", "deg"},
    {"math", "exp"},
    {"math", "floor"},
    {"math", "fmod"},
    {"math", "huge"},
    {"math", "log"},
    {"math", "max"},
    {"math", "maxinteger"},
    {"math", "min"},
    {"math", "mininteger"},
    {"math", "modf"},
    {"math", "pi"},
    {"math", "rad"},
    {"math", "sin"},
    {"math", "sqrt"},
    {"math", "tan"},
    {"math", "tointeger"},
    {"math", "type"},
    {"math", "ult"},
    {"utf8", "char"},
    {"utf8", "charpattern"},
    {"utf8", "codepoint"},
    {"utf8", "codes"},
    {"utf8", "len"},
    {"utf8", "offset"},
};

// Pushes the table `name` of the table on top, and creates it if it does not exist.
void push_library_table(lua_State* lua, const char* name) {
  if (name == nullptr) {
    lua_pushvalue(lua, -1);
  } else if (lua_getfield(lua, -1, name) != LUA_TTABLE) {
    lua_pop(lua, 1);
    lua_newtable(lua);
    lua_pushvalue(lua, -1);
    lua_setfield(lua, -3, name);
  }
}

void push_standard(lua_State* lua, const Standard& standard) {
  lua_pushglobaltable(lua);
  if (standard.library != nullptr) {
    lua_getfield(lua, -1, standard.library);
    lua_remove(lua, -2);
  }
  lua_getfield(lua, -1, standard.name);
  lua_remove(lua, -2);
  if (standard.through != nullptr) lua_pushcclosure(lua, standard.through, 1);
}

// Numbers the iterator functions of `ipairs` and `utf8.codes`. The library is on top.
void number_iterators(lua_State* lua) {
  lua_getfield(lua, -1, "ipairs");
  lua_newtable(lua);
  lua_call(lua, 1, 1);
  number_function(lua);
  lua_getfield(lua, -1, "utf8");
  for (const int is_lax : {0, 1}) {
    lua_getfield(lua, -1, "codes");
    lua_pushliteral(lua, "");
    lua_pushboolean(lua, is_lax);
    lua_call(lua, 2, 1);
    number_function(lua);
  }
  lua_pop(lua, 1);
}

}  // namespace

void push_library(lua_State* lua) {
  const luaL_Reg opened[] = {
      {"_G", luaopen_base},   {"string", luaopen_string}, {"table", luaopen_table},
      {"math", luaopen_math}, {"utf8", luaopen_utf8},
  };
  for (const luaL_Reg& library : opened) {
    luaL_requiref(lua, library.name, library.func, 1);
    lua_pop(lua, 1);
  }
  lua_newtable(lua);
  for (const Standard& standard : kStandard) {
    push_library_table(lua, standard.library);
    push_standard(lua, standard);
    if (lua_iscfunction(lua, -1) != 0) {
      lua_pushvalue(lua, -1);
      number_function(lua);
    }
    lua_setfield(lua, -2, standard.name);
    lua_pop(lua, 1);
  }
  const struct {
    const char* library;
    const luaL_Reg* functions;
  } own[] = {
      {nullptr, kBasicFunctions}, {"string", kStringFunctions}, {"table", kTableFunctions}, {"math", kMathFunctions}};
  for (const auto& [library, functions] : own) {
    push_library_table(lua, library);
    luaL_setfuncs(lua, functions, 0);
    for (const luaL_Reg* function = functions; function->name != nullptr; ++function) {
      lua_pushcfunction(lua, function->func);
      number_function(lua);
    }
    lua_pop(lua, 1);
  }
  number_iterators(lua);
}

}  // namespace espalier::script
