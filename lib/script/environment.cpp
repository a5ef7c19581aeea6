// The environment of one agent's scripts. See environment.h.
#include "script/environment.h"

#include "script/library.h"
#include "script/state.h"

namespace espalier::script {
namespace {

// Addresses in the registry.
const char kLibrary = 0;

// Fields of an agent's table.
enum AgentField : lua_Integer { kGlobals = 1, kEntity, kStrings };

// Fields of a snapshot: the agent's table, the contents of its tables and functions, and the metatables of its tables.
enum SnapshotField : lua_Integer { kAgent = 1, kContents, kMetatables };

// Pushes a shallow copy of the table at `index`.
void push_copy(lua_State* lua, int index) {
  index = lua_absindex(lua, index);
  lua_newtable(lua);
  for (lua_pushnil(lua); lua_next(lua, index) != 0;) {
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    lua_rawset(lua, -4);
  }
}

// Pushes the globals of a new agent.
void push_new_globals(lua_State* lua) {
  lua_rawgetp(lua, LUA_REGISTRYINDEX, &kLibrary);
  push_copy(lua, -1);
  lua_remove(lua, -2);
  const int globals = lua_gettop(lua);
  for (lua_pushnil(lua); lua_next(lua, globals) != 0;) {
    if (lua_istable(lua, -1)) {
      push_copy(lua, -1);
      lua_pushvalue(lua, -3);
      lua_insert(lua, -2);
      lua_rawset(lua, globals);  // the key exists, so the loop may continue
    }
    lua_pop(lua, 1);
  }
  lua_pushvalue(lua, globals);
  lua_setfield(lua, globals, "_G");
}

}  // namespace

int open_library(lua_State* lua) {
  push_library(lua);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &kLibrary);
  lua_pushliteral(lua, "");
  lua_getmetatable(lua, -1);
  lua_pushboolean(lua, 0);
  lua_setfield(lua, -2, "__metatable");  // all agents share it

  State& state = State::of(lua);
  lua_gc(lua, LUA_GCSTOP);
  const std::size_t without_agent_bytes = state.memory_bytes();
  push_new_agent(lua, 0, "");
  const std::size_t without_snapshot_bytes = state.memory_bytes();
  push_snapshot(lua, -1);
  state.snapshot_bytes = state.memory_bytes() - without_snapshot_bytes;
  state.agent_bytes = without_snapshot_bytes - without_agent_bytes;
  state.allow_memory(without_agent_bytes);
  lua_gc(lua, LUA_GCRESTART);
  return 0;
}

void push_new_agent(lua_State* lua, std::uint32_t index, const char* name) {
  lua_createtable(lua, 3, 0);
  push_new_globals(lua);
  lua_getfield(lua, -1, "string");
  lua_rawseti(lua, -3, kStrings);
  look_up_in_host(lua, -1, "");
  lua_rawseti(lua, -2, kGlobals);
  lua_createtable(lua, 0, 2);
  lua_pushinteger(lua, index);
  lua_setfield(lua, -2, "id");
  lua_pushstring(lua, name);
  lua_setfield(lua, -2, "name");
  look_up_in_host(lua, -1, "entity.");
  lua_rawseti(lua, -2, kEntity);
}

void enter_agent(lua_State* lua, int agent) {
  agent = lua_absindex(lua, agent);
  lua_pushliteral(lua, "");
  lua_getmetatable(lua, -1);
  lua_rawgeti(lua, agent, kStrings);
  lua_setfield(lua, -2, "__index");
  lua_pop(lua, 2);
  lua_rawgeti(lua, agent, kGlobals);
  set_environment(lua, -1);
  lua_rawgeti(lua, agent, kEntity);
}

// ---- Snapshots

namespace {

// Stack indices of the tables of a walk. `waiting` lists the values that were reached but not yet copied; `reached` is
// the set of all values that were reached.
struct Walk {
  int contents;
  int metatables;
  int reached;
  int waiting;
  lua_Integer waiting_count;
};

// Pops a value. If it can contain other values and is new, adds it to the walk.
void reach(lua_State* lua, Walk* walk) {
  const int type = lua_type(lua, -1);
  if (type == LUA_TTABLE || type == LUA_TFUNCTION) {
    lua_pushvalue(lua, -1);
    if (lua_rawget(lua, walk->reached) == LUA_TNIL) {
      lua_pushvalue(lua, -2);
      lua_pushboolean(lua, 1);
      lua_rawset(lua, walk->reached);
      lua_pushvalue(lua, -2);
      lua_rawseti(lua, walk->waiting, ++walk->waiting_count);
    }
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
}

// Pushes the contents of the table on top.
void push_elements(lua_State* lua, Walk* walk) {
  const int table = lua_gettop(lua);
  push_copy(lua, table);
  for (lua_pushnil(lua); lua_next(lua, table) != 0;) {
    reach(lua, walk);
    lua_pushvalue(lua, -1);
    reach(lua, walk);
  }
  if (lua_getmetatable(lua, table) == 0) return;
  lua_pushvalue(lua, table);
  lua_pushvalue(lua, -2);
  lua_rawset(lua, walk->metatables);
  reach(lua, walk);
}

// Pushes a table of the upvalues of the function on top, or nil if it has none.
void push_kept(lua_State* lua, Walk* walk) {
  const int function = lua_gettop(lua);
  lua_pushnil(lua);
  for (int i = 1; lua_getupvalue(lua, function, i) != nullptr; ++i) {
    if (i == 1) {
      lua_newtable(lua);
      lua_replace(lua, function + 1);
    }
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, function + 1, i);
    reach(lua, walk);
  }
}

void restore_table(lua_State* lua, int table, int contents) {
  for (lua_pushnil(lua); lua_next(lua, table) != 0;) {
    lua_pop(lua, 1);
    lua_pushvalue(lua, -1);
    lua_pushnil(lua);
    lua_rawset(lua, table);
  }
  for (lua_pushnil(lua); lua_next(lua, contents) != 0;) {
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    lua_rawset(lua, table);
  }
}

void restore_function(lua_State* lua, int function, int contents) {
  for (int i = 1; lua_getupvalue(lua, function, i) != nullptr; ++i) {
    lua_pop(lua, 1);
    lua_rawgeti(lua, contents, i);
    lua_setupvalue(lua, function, i);
  }
}

}  // namespace

void push_snapshot(lua_State* lua, int agent) {
  agent = lua_absindex(lua, agent);
  luaL_checkstack(lua, LUA_MINSTACK, nullptr);
  lua_createtable(lua, 3, 0);
  const int snapshot = lua_gettop(lua);
  for (int i = 0; i < 4; ++i) lua_newtable(lua);
  Walk walk{snapshot + 1, snapshot + 2, snapshot + 3, snapshot + 4, 0};
  lua_pushvalue(lua, agent);
  reach(lua, &walk);
  for (lua_Integer i = 1; i <= walk.waiting_count; ++i) {
    lua_rawgeti(lua, walk.waiting, i);
    lua_pushvalue(lua, -1);
    (lua_istable(lua, -1) ? push_elements : push_kept)(lua, &walk);
    lua_remove(lua, -2);
    lua_rawset(lua, walk.contents);  // nil for a function without upvalues: adds no entry
  }
  lua_pushvalue(lua, walk.contents);
  lua_rawseti(lua, snapshot, kContents);
  lua_pushvalue(lua, walk.metatables);
  lua_rawseti(lua, snapshot, kMetatables);
  lua_pushvalue(lua, agent);
  lua_rawseti(lua, snapshot, kAgent);
  lua_settop(lua, snapshot);
}

void restore_snapshot(lua_State* lua, int snapshot) {
  snapshot = lua_absindex(lua, snapshot);
  lua_rawgeti(lua, snapshot, kMetatables);
  const int metatables = lua_gettop(lua);
  lua_rawgeti(lua, snapshot, kContents);
  const int all_contents = lua_gettop(lua);
  for (lua_pushnil(lua); lua_next(lua, all_contents) != 0; lua_pop(lua, 1)) {
    const int holder = lua_gettop(lua) - 1;
    if (lua_istable(lua, holder)) {
      restore_table(lua, holder, holder + 1);
      lua_pushvalue(lua, holder);
      lua_rawget(lua, metatables);
      lua_setmetatable(lua, holder);
    } else {
      restore_function(lua, holder, holder + 1);
    }
  }
  lua_rawgeti(lua, snapshot, kAgent);
}

}  // namespace espalier::script
