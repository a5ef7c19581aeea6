// The host's functions and constants as scripts see them: globals, libraries and fields of `entity` that nothing has
// set are looked up in the host. See host.h and library.h.
#include "script/library.h"
#include "script/state.h"

namespace espalier::script {
namespace {

constexpr std::uint64_t kStepsOfCall = 16;

Value value_at(lua_State* lua, int index) {
  Value value;
  switch (lua_type(lua, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
      break;
    case LUA_TBOOLEAN:
      value.kind = ValueKind::boolean;
      value.boolean = lua_toboolean(lua, index) != 0;
      break;
    case LUA_TNUMBER:
      value.kind = ValueKind::number;
      value.number = lua_tonumber(lua, index);
      break;
    case LUA_TSTRING: {
      std::size_t length = 0;
      const char* const text = lua_tolstring(lua, index, &length);
      value.kind = ValueKind::text;
      value.text = {text, length};
      break;
    }
    default:
      value.kind = ValueKind::other;
      break;
  }
  return value;
}

void push_value(lua_State* lua, const Value& value) {
  switch (value.kind) {
    case ValueKind::boolean:
      lua_pushboolean(lua, value.boolean ? 1 : 0);
      break;
    case ValueKind::number: {
      lua_Integer whole = 0;
      if (lua_numbertointeger(value.number, &whole) && static_cast<double>(whole) == value.number) {
        lua_pushinteger(lua, whole);
      } else {
        lua_pushnumber(lua, value.number);
      }
      break;
    }
    case ValueKind::text:
      lua_pushlstring(lua, value.text.data(), value.text.size());
      break;
    case ValueKind::nil:
    case ValueKind::other:
      lua_pushnil(lua);
      break;
  }
}

// Calls the function of the host whose name is its upvalue.
int call_host(lua_State* lua) {
  charge(lua, kStepsOfCall);
  const HostFunctions& host = State::of(lua).host();
  const std::string_view name = value_at(lua, lua_upvalueindex(1)).text;
  Value arguments[kMaxHostArguments];
  int count = 0;
  for (; count < kMaxHostArguments && count < lua_gettop(lua); ++count) arguments[count] = value_at(lua, count + 1);
  Value result;
  const bool is_done = host.call(host.user, name, arguments, count, &result);
  if (is_done) {
    push_value(lua, result);
    return 1;
  }
  luaL_where(lua, 1);
  push_value(lua, result);
  lua_concat(lua, 2);
  return lua_error(lua);
}

// "__index": pushes what the host has under the prefix, which is the upvalue, and the key.
int look_up(lua_State* lua) {
  if (lua_type(lua, 2) != LUA_TSTRING) return 0;
  charge(lua, kStepsOfCall);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_pushvalue(lua, 2);
  lua_concat(lua, 2);
  const HostFunctions& host = State::of(lua).host();
  Value constant;
  switch (host.find(host.user, value_at(lua, -1).text, &constant)) {
    case Named::function:
      lua_pushcclosure(lua, call_host, 1);
      return 1;
    case Named::library:  // is the same table from now on
      lua_pushliteral(lua, ".");
      lua_concat(lua, 2);
      lua_newtable(lua);
      look_up_in_host(lua, -1, lua_tostring(lua, -2));
      lua_pushvalue(lua, 2);
      lua_pushvalue(lua, -2);
      lua_rawset(lua, 1);
      return 1;
    case Named::constant:
      push_value(lua, constant);
      return 1;
    case Named::nothing:
      break;
  }
  return 0;
}

}  // namespace

void look_up_in_host(lua_State* lua, int table, const char* prefix) {
  if (State::of(lua).host().find == nullptr) return;
  table = lua_absindex(lua, table);
  lua_createtable(lua, 0, 1);
  lua_pushstring(lua, prefix);
  lua_pushcclosure(lua, look_up, 1);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, table);
}

}  // namespace espalier::script
