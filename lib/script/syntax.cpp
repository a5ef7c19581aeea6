// Checks the syntax of scripts. See syntax.h.
#include "script/syntax.h"

#include "script/message.h"
#include "script/state.h"

namespace espalier::script {
namespace {

int load(lua_State* lua) {
  const auto& script = *static_cast<const std::string_view*>(lua_touserdata(lua, 1));
  if (luaL_loadbufferx(lua, script.data(), script.size(), "=script 0", "t") != LUA_OK) return lua_error(lua);
  return 0;
}

}  // namespace

std::optional<std::string> check_syntax(std::string_view script) {
  State state{Limits{}};
  if (state.lua() != nullptr) {
    if (state.protect(load, &script)) return std::nullopt;
    std::size_t length = 0;
    const char* const message = lua_tolstring(state.lua(), -1, &length);
    if (message != nullptr) return plain_message({message, length}, 0, script);
  }
  return "it could not be checked: not enough memory";
}

}  // namespace espalier::script
