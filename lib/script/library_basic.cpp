// The basic functions for scripts, and the random functions of `math`. See library.h.
#include <cmath>
#include <cstring>
#include <string_view>

#include "script/library.h"
#include "script/state.h"

namespace espalier::script {
namespace {

// Addresses in the registry.
const char kEnvironment = 0;
const char kSerials = 0;
const char kLibraryNumbers = 0;

constexpr std::size_t kSourceBytesAStep = 16;
constexpr std::uint64_t kKeysAStep = 2;
constexpr std::size_t kPlaceBytes = 16;  // bytes of one entry of a table
constexpr std::size_t kPlacesAStep = 32;
constexpr std::uint64_t kStepsACaughtError = 100;  // Lua then visits all active calls

int finish_call(lua_State* lua, int status) {
  if (status == LUA_OK) {
    lua_pushboolean(lua, 1);
    lua_insert(lua, 1);
    return lua_gettop(lua);
  }
  if (State::of(lua).must_end(status)) return lua_error(lua);
  charge(lua, kStepsACaughtError);
  lua_pushboolean(lua, 0);
  lua_insert(lua, -2);
  return 2;
}

int basic_pcall(lua_State* lua) {
  luaL_checkany(lua, 1);
  return finish_call(lua, lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0));
}

// The handler runs after the error, not during it, where its instructions would not be counted.
int basic_xpcall(lua_State* lua) {
  luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_pushvalue(lua, 1);
  lua_copy(lua, 2, 1);
  lua_replace(lua, 2);
  const int status = lua_pcall(lua, lua_gettop(lua) - 2, LUA_MULTRET, 0);
  if (status == LUA_OK || State::of(lua).must_end(status)) {
    lua_remove(lua, 1);
    return finish_call(lua, status);
  }
  charge(lua, kStepsACaughtError);
  lua_call(lua, 1, LUA_MULTRET);
  lua_pushboolean(lua, 0);
  lua_insert(lua, 1);
  return lua_gettop(lua);
}

// Accepts only text, because Lua does not verify bytecode.
int basic_load(lua_State* lua) {
  std::size_t length = 0;
  const char* const source = luaL_checklstring(lua, 1, &length);
  const bool has_environment = lua_gettop(lua) >= 4;
  charge(lua, length / kSourceBytesAStep);
  const int status = luaL_loadbufferx(lua, source, length, "=load", "t");
  if (status == LUA_OK) {
    if (has_environment) {
      lua_pushvalue(lua, 4);
    } else {
      lua_rawgetp(lua, LUA_REGISTRYINDEX, &kEnvironment);
    }
    lua_setupvalue(lua, -2, 1);
    return 1;
  }
  if (State::of(lua).must_end(status)) return lua_error(lua);
  luaL_pushfail(lua);
  lua_insert(lua, -2);
  return 2;
}

// ---- Iterating over tables in an order that is the same in every run: whole numbers, other numbers, strings,
// booleans, functions of the library, then tables and other functions in the order of their creation.

enum Rank { kWhole, kNumber, kString, kBoolean, kOfLibrary, kMade };

// A C function without upvalues is an address, not an object that was created.
bool is_of_library(lua_State* lua, int index) {
  if (lua_iscfunction(lua, index) == 0) return false;
  if (lua_getupvalue(lua, index, 1) == nullptr) return true;
  lua_pop(lua, 1);
  return false;
}

Rank rank_of(lua_State* lua, int index) {
  switch (lua_type(lua, index)) {
    case LUA_TNUMBER:
      return lua_isinteger(lua, index) != 0 ? kWhole : kNumber;
    case LUA_TSTRING:
      return kString;
    case LUA_TBOOLEAN:
      return kBoolean;
    default:
      return is_of_library(lua, index) ? kOfLibrary : kMade;
  }
}

std::string_view text_at(lua_State* lua, int index) {
  std::size_t length = 0;
  const char* const text = lua_tolstring(lua, index, &length);
  return {text, length};
}

lua_Integer library_number(lua_State* lua, int index) {
  index = lua_absindex(lua, index);
  lua_rawgetp(lua, LUA_REGISTRYINDEX, &kLibraryNumbers);
  lua_pushvalue(lua, index);
  lua_rawget(lua, -2);
  const lua_Integer number = lua_tointeger(lua, -1);
  lua_pop(lua, 2);
  return number;
}

bool is_before(lua_State* lua, int a, int b) {
  const Rank rank_a = rank_of(lua, a);
  const Rank rank_b = rank_of(lua, b);
  if (rank_a != rank_b) return rank_a < rank_b;
  switch (rank_a) {
    case kWhole:
      return lua_tointeger(lua, a) < lua_tointeger(lua, b);
    case kNumber:
      return lua_tonumber(lua, a) < lua_tonumber(lua, b);
    case kString:
      return text_at(lua, a) < text_at(lua, b);
    case kBoolean:
      return lua_toboolean(lua, a) < lua_toboolean(lua, b);
    case kOfLibrary:
      return library_number(lua, a) < library_number(lua, b);
    case kMade:
      break;
  }
  return State::number_of(lua_topointer(lua, a)) < State::number_of(lua_topointer(lua, b));
}

// Pushes the first key after the one at 2 (nil: the first of all), or nil. Lua visits all entries of the table, also
// empty ones, which a table keeps when its elements are removed. Their number is unknown, so the charge is for as many
// as fit in the largest block.
void push_next_key(lua_State* lua) {
  charge(lua, State::of(lua).agent->largest_block_bytes / kPlaceBytes / kPlacesAStep);
  std::uint64_t key_count = 0;
  lua_pushnil(lua);  // the best key so far
  const int best = lua_gettop(lua);
  for (lua_pushnil(lua); lua_next(lua, 1) != 0; ++key_count) {
    lua_pop(lua, 1);
    const bool is_behind = lua_isnil(lua, 2) || is_before(lua, 2, -1);
    if (is_behind && (lua_isnil(lua, best) || is_before(lua, -1, best))) lua_copy(lua, -1, best);
  }
  charge(lua, key_count / kKeysAStep);
}

int basic_next(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 2);
  int is_whole = 0;
  const lua_Integer whole = lua_type(lua, 2) == LUA_TNUMBER ? lua_tointegerx(lua, 2, &is_whole) : 0;
  if (is_whole != 0) {  // as a key, 2.0 is 2
    lua_pushinteger(lua, whole);
    lua_replace(lua, 2);
    // The usual case: the next element of a list.
    const auto next = static_cast<lua_Integer>(static_cast<lua_Unsigned>(whole) + 1);
    if (lua_rawgeti(lua, 1, next) != LUA_TNIL) {
      lua_pushinteger(lua, next);
      lua_insert(lua, -2);
      return 2;
    }
    lua_settop(lua, 2);
  }
  push_next_key(lua);
  if (lua_isnil(lua, -1)) return 1;
  lua_pushvalue(lua, -1);
  lua_rawget(lua, 1);
  return 2;
}

int basic_pairs(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (luaL_getmetafield(lua, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(lua, 1);
    lua_call(lua, 1, 3);
    return 3;
  }
  lua_pushcfunction(lua, basic_next);
  lua_pushvalue(lua, 1);
  lua_pushnil(lua);
  return 3;
}

// ---- Other functions

int basic_print(lua_State*) { return 0; }

// `__gc` has no effect on tables, as in Lua 5.1: it would run when no script is running. Lua tests for it only when a
// metatable is set, so it is removed from the metatable during the call.
int basic_setmetatable(lua_State* lua) {
  const int type = lua_type(lua, 2);
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_argexpected(lua, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (luaL_getmetafield(lua, 1, "__metatable") != LUA_TNIL) {
    return luaL_error(lua, "cannot change a protected metatable");
  }
  lua_settop(lua, 2);
  const auto set_finalizer = [lua](int value) {
    lua_pushliteral(lua, "__gc");
    lua_pushvalue(lua, value);
    lua_rawset(lua, 2);
  };
  lua_pushnil(lua);
  if (type == LUA_TTABLE) {
    lua_pushliteral(lua, "__gc");
    lua_rawget(lua, 2);
    set_finalizer(3);
    lua_pushvalue(lua, 2);
    lua_setmetatable(lua, 1);
    set_finalizer(4);
  } else {
    lua_setmetatable(lua, 1);
  }
  lua_settop(lua, 1);
  return 1;
}

int basic_tostring(lua_State* lua) {
  luaL_checkany(lua, 1);
  push_text_of(lua, 1);
  return 1;
}

// SplitMix64.
std::uint64_t draw(lua_State* lua) {
  std::uint64_t& state = State::of(lua).agent->random;
  std::uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

int math_random(lua_State* lua) {
  const std::uint64_t drawn = draw(lua);
  lua_Integer low = 1;
  lua_Integer high = 0;
  switch (lua_gettop(lua)) {
    case 0:
      lua_pushnumber(lua, std::ldexp(static_cast<double>(drawn >> 11), -53));
      return 1;
    case 1:
      high = luaL_checkinteger(lua, 1);
      if (high == 0) {
        lua_pushinteger(lua, static_cast<lua_Integer>(drawn));
        return 1;
      }
      break;
    case 2:
      low = luaL_checkinteger(lua, 1);
      high = luaL_checkinteger(lua, 2);
      break;
    default:
      return luaL_error(lua, "wrong number of arguments");
  }
  luaL_argcheck(lua, low <= high, lua_gettop(lua), "interval is empty");
  const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t above = count == 0 ? drawn : drawn % count;  // 0: all 2^64 numbers
  const std::uint64_t chosen = static_cast<std::uint64_t>(low) + above;
  lua_pushinteger(lua, static_cast<lua_Integer>(chosen));
  return 1;
}

int math_randomseed(lua_State* lua) {
  const lua_Number seed = luaL_optnumber(lua, 1, 0);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &seed, sizeof bits);
  State::of(lua).agent->random = bits;
  return 0;
}

}  // namespace

void number_function(lua_State* lua) {
  if (lua_rawgetp(lua, LUA_REGISTRYINDEX, &kLibraryNumbers) != LUA_TTABLE) {
    lua_pop(lua, 1);
    lua_newtable(lua);
    lua_pushvalue(lua, -1);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &kLibraryNumbers);
  }
  lua_insert(lua, -2);
  lua_pushinteger(lua, ++State::of(lua).library_count);
  lua_rawset(lua, -3);
  lua_pop(lua, 1);
}

void set_environment(lua_State* lua, int index) {
  lua_pushvalue(lua, index);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &kEnvironment);
}

namespace {

// Pushes the table of the numbers that replace addresses.
void push_serials(lua_State* lua) {
  if (lua_rawgetp(lua, LUA_REGISTRYINDEX, &kSerials) == LUA_TTABLE) return;
  lua_pop(lua, 1);
  lua_newtable(lua);
  lua_newtable(lua);
  lua_pushliteral(lua, "k");
  lua_setfield(lua, -2, "__mode");
  lua_setmetatable(lua, -2);
  lua_pushvalue(lua, -1);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &kSerials);
}

lua_Integer serial_of(lua_State* lua, int index) {
  push_serials(lua);
  lua_pushvalue(lua, index);
  lua_rawget(lua, -2);
  if (lua_isnil(lua, -1)) {
    lua_pushvalue(lua, index);
    lua_pushinteger(lua, ++State::of(lua).serial_count);
    lua_copy(lua, -1, -3);
    lua_rawset(lua, -4);
  }
  const lua_Integer serial = lua_tointeger(lua, -1);
  lua_pop(lua, 2);
  return serial;
}

}  // namespace

void push_text_of(lua_State* lua, int index) {
  index = lua_absindex(lua, index);
  const int type = lua_type(lua, index);
  if (type <= LUA_TSTRING) {
    luaL_tolstring(lua, index, nullptr);
  } else if (luaL_getmetafield(lua, index, "__tostring") != LUA_TNIL) {
    lua_pushvalue(lua, index);
    lua_call(lua, 1, 1);
    if (lua_isstring(lua, -1) == 0) luaL_error(lua, "'__tostring' must return a string");
  } else {
    if (luaL_getmetafield(lua, index, "__name") == LUA_TNIL) lua_pushnil(lua);
    const char* const name = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : lua_typename(lua, type);
    lua_pushfstring(lua, "%s: %I", name, static_cast<LUAI_UACINT>(serial_of(lua, index)));
    lua_remove(lua, -2);
  }
}

const luaL_Reg kBasicFunctions[] = {
    {"load", basic_load},         {"next", basic_next},     {"pairs", basic_pairs},
    {"pcall", basic_pcall},       {"print", basic_print},   {"setmetatable", basic_setmetatable},
    {"tostring", basic_tostring}, {"xpcall", basic_xpcall}, {nullptr, nullptr}};

const luaL_Reg kMathFunctions[] = {{"random", math_random}, {"randomseed", math_randomseed}, {nullptr, nullptr}};

}  // namespace espalier::script
