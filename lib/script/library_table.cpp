// The functions of `table`. Every element costs steps, because a metatable can define any length. See library.h.
#include "script/library.h"
#include "script/state.h"

namespace espalier::script {
namespace {

lua_Integer check_length(lua_State* lua, int index) {
  luaL_checktype(lua, index, LUA_TTABLE);
  return luaL_len(lua, index);
}

// Moves an element of the table at 1.
void move_element(lua_State* lua, lua_Integer from, lua_Integer to) {
  charge(lua, 1);
  lua_geti(lua, 1, from);
  lua_seti(lua, 1, to);
}

int table_insert(lua_State* lua) {
  const lua_Integer length = check_length(lua, 1);
  if (length == LUA_MAXINTEGER) return luaL_error(lua, "table is too long");
  const int argument_count = lua_gettop(lua);
  lua_Integer position = length + 1;
  if (argument_count == 3) {
    position = luaL_checkinteger(lua, 2);
    luaL_argcheck(lua, position >= 1 && position <= length + 1, 2, "position out of bounds");
    for (lua_Integer i = length; i >= position; --i) move_element(lua, i, i + 1);
  } else if (argument_count != 2) {
    return luaL_error(lua, "wrong number of arguments to 'insert'");
  }
  lua_settop(lua, argument_count);
  lua_seti(lua, 1, position);
  return 0;
}

int table_remove(lua_State* lua) {
  const lua_Integer length = check_length(lua, 1);
  const lua_Integer position = luaL_optinteger(lua, 2, length);
  const bool is_inside = static_cast<lua_Unsigned>(position) - 1 <= static_cast<lua_Unsigned>(length);
  luaL_argcheck(lua, position == length || is_inside, 2, "position out of bounds");
  lua_geti(lua, 1, position);
  for (lua_Integer i = position; i < length; ++i) move_element(lua, i + 1, i);
  lua_pushnil(lua);
  lua_seti(lua, 1, position < length ? length : position);
  return 1;
}

int table_move(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  const lua_Integer first = luaL_checkinteger(lua, 2);
  const lua_Integer last = luaL_checkinteger(lua, 3);
  const lua_Integer to = luaL_checkinteger(lua, 4);
  const int target = lua_isnoneornil(lua, 5) ? 1 : 5;
  luaL_checktype(lua, target, LUA_TTABLE);
  lua_settop(lua, 5);
  if (last >= first) {
    luaL_argcheck(lua, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
    const lua_Integer count = last - first + 1;
    luaL_argcheck(lua, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    const bool is_forward = to > last || to <= first || target != 1;
    for (lua_Integer i = 0; i < count; ++i) {
      const lua_Integer offset = is_forward ? i : count - 1 - i;
      charge(lua, 1);
      lua_geti(lua, 1, first + offset);
      lua_seti(lua, target, to + offset);
    }
  }
  lua_pushvalue(lua, target);
  return 1;
}

int table_concat(lua_State* lua) {
  const lua_Integer length = check_length(lua, 1);
  std::size_t separator_length = 0;
  const char* const separator = luaL_optlstring(lua, 2, "", &separator_length);
  const lua_Integer first = luaL_optinteger(lua, 3, 1);
  const lua_Integer last = luaL_optinteger(lua, 4, length);
  luaL_Buffer result;
  luaL_buffinit(lua, &result);
  for (lua_Integer i = first; i <= last; ++i) {
    charge(lua, 1);
    lua_geti(lua, 1, i);
    if (lua_isstring(lua, -1) == 0) {
      return luaL_error(lua, "invalid value (at index %I) in table for 'concat'", static_cast<LUAI_UACINT>(i));
    }
    luaL_addvalue(&result);
    if (i == last) break;  // `last` may be the largest integer
    luaL_addlstring(&result, separator, separator_length);
  }
  luaL_pushresult(&result);
  return 1;
}

int table_unpack(lua_State* lua) {
  const lua_Integer first = luaL_optinteger(lua, 2, 1);
  const lua_Integer last = lua_isnoneornil(lua, 3) ? luaL_len(lua, 1) : luaL_checkinteger(lua, 3);
  if (first > last) return 0;
  const lua_Unsigned count = static_cast<lua_Unsigned>(last) - static_cast<lua_Unsigned>(first);
  if (count >= State::of(lua).limits().object_bytes || lua_checkstack(lua, static_cast<int>(count) + 1) == 0) {
    return luaL_error(lua, "too many results to unpack");
  }
  charge(lua, count + 1);
  for (lua_Unsigned i = 0; i <= count; ++i) {
    lua_geti(lua, 1, static_cast<lua_Integer>(static_cast<lua_Unsigned>(first) + i));
  }
  return static_cast<int>(count) + 1;
}

// Is the value at `a` less than the one at `b`, by the function at 2 if there is one?
bool is_less(lua_State* lua, int a, int b) {
  charge(lua, 1);
  a = lua_absindex(lua, a);
  b = lua_absindex(lua, b);
  if (lua_isnil(lua, 2)) return lua_compare(lua, a, b, LUA_OPLT) != 0;
  lua_pushvalue(lua, 2);
  lua_pushvalue(lua, a);
  lua_pushvalue(lua, b);
  lua_call(lua, 2, 1);
  const bool result = lua_toboolean(lua, -1) != 0;
  lua_pop(lua, 1);
  return result;
}

// Pops the value on top and moves it down from `place` until no child in the heap of `length` is greater.
void sink(lua_State* lua, lua_Integer place, lua_Integer length) {
  while (place <= length / 2) {
    lua_Integer child = place * 2;
    lua_geti(lua, 1, child);
    if (child < length) {
      lua_geti(lua, 1, child + 1);
      if (is_less(lua, -2, -1)) {
        lua_remove(lua, -2);
        ++child;
      } else {
        lua_pop(lua, 1);
      }
    }
    if (!is_less(lua, -2, -1)) {
      lua_pop(lua, 1);
      break;
    }
    lua_seti(lua, 1, place);
    place = child;
  }
  lua_seti(lua, 1, place);
}

// A heap sort: it ends with any comparison function, and is deterministic. (Lua's own sort reads the clock.)
int table_sort(lua_State* lua) {
  const lua_Integer length = check_length(lua, 1);
  if (!lua_isnoneornil(lua, 2)) luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_settop(lua, 2);
  for (lua_Integer i = length / 2; i >= 1; --i) {
    lua_geti(lua, 1, i);
    sink(lua, i, length);
  }
  for (lua_Integer i = length; i > 1; --i) {
    lua_geti(lua, 1, i);
    lua_geti(lua, 1, 1);
    lua_seti(lua, 1, i);
    sink(lua, 1, i - 1);
  }
  return 0;
}

}  // namespace

const luaL_Reg kTableFunctions[] = {{"concat", table_concat}, {"insert", table_insert}, {"move", table_move},
                                    {"remove", table_remove}, {"sort", table_sort},     {"unpack", table_unpack},
                                    {nullptr, nullptr}};

}  // namespace espalier::script
