// Runs the scripts of an asset for the agents of one replay. See machine.h.
#include "script/machine.h"

#include <algorithm>
#include <utility>

#include "script/environment.h"
#include "script/library.h"
#include "script/message.h"
#include "script/state.h"

namespace espalier::script {
namespace {

// Makes the random numbers of scripts different from those that the tree of the same agent draws.
constexpr std::uint64_t kRandomOfScripts = 0x6A09E667F3BCC908;

// The text around a script: together they are a chunk that takes the globals and returns a function that uses them.
constexpr std::string_view kBefore = "local _ENV=...;return function(...) ";
constexpr std::string_view kBehind = "\nend";

// The memory for a compiled script and for compiling it does not count as memory of scripts.
constexpr std::size_t kCompiledBytesAByte = 64;
constexpr std::size_t kCompiledBytes = 16 << 10;

// The error on top of the stack as a string.
void make_error_text(lua_State* lua) {
  if (lua_type(lua, -1) == LUA_TSTRING) return;
  if (lua_type(lua, -1) == LUA_TNUMBER) {
    luaL_tolstring(lua, -1, nullptr);
  } else {
    lua_pushfstring(lua, "the error is a %s, not a string", luaL_typename(lua, -1));
  }
}

}  // namespace

struct Machine::Agent {
  std::string name;
  int table = LUA_NOREF;  // reference in the state; none before its first script
  AgentNumbers numbers;
  std::uint32_t generation = 0;  // of the preludes that it has run; 0: none
};

struct Machine::Script {
  int compiled = LUA_NOREF;  // reference in the state
  AgentNumbers numbers;      // for the objects that compiling creates
  std::size_t allowed_bytes = 0;
};

// The arguments of C functions that run in the state. They do not destroy anything in it.
struct Machine::Call {
  std::uint32_t agent_index = 0;
  const char* agent_name = nullptr;
  int* agent_table = nullptr;
  AgentNumbers* numbers = nullptr;
  Script* script = nullptr;
  const char* chunk_name = nullptr;
  std::string_view text;          // of the script
  std::string_view wrapped_text;  // with the text around it
  int snapshot = LUA_NOREF;

  static Call& of(lua_State* lua) { return *static_cast<Call*>(lua_touserdata(lua, 1)); }
  void push_agent(lua_State* lua);
  void push_compiled(lua_State* lua);
  static int run(lua_State* lua);
  static int save(lua_State* lua);
  static int restore(lua_State* lua);
};

void Machine::Call::push_agent(lua_State* lua) {
  if (*agent_table == LUA_NOREF) {
    push_new_agent(lua, agent_index, agent_name);
    *agent_table = luaL_ref(lua, LUA_REGISTRYINDEX);
    State::of(lua).allow_memory(State::of(lua).agent_bytes);
  }
  lua_rawgeti(lua, LUA_REGISTRYINDEX, *agent_table);
}

// First compiles the script without the text around it: this text must not make an incomplete script valid.
void Machine::Call::push_compiled(lua_State* lua) {
  if (script->compiled == LUA_NOREF) {
    State::of(lua).begin_run(&script->numbers);
    if (script->allowed_bytes == 0) {
      script->allowed_bytes = text.size() * kCompiledBytesAByte + kCompiledBytes;
      State::of(lua).allow_memory(script->allowed_bytes);
    }
    for (const std::string_view source : {text, wrapped_text}) {
      if (luaL_loadbufferx(lua, source.data(), source.size(), chunk_name, "t") != LUA_OK) lua_error(lua);
    }
    script->compiled = luaL_ref(lua, LUA_REGISTRYINDEX);
    State::of(lua).end_run();
  }
  lua_rawgeti(lua, LUA_REGISTRYINDEX, script->compiled);
}

int Machine::Call::run(lua_State* lua) {
  Call& call = of(lua);
  State& state = State::of(lua);
  call.push_agent(lua);
  enter_agent(lua, -1);
  const int entity = lua_gettop(lua);
  const int globals = entity - 1;
  const auto set_entity = [lua, globals](int value) {
    lua_pushliteral(lua, "entity");
    lua_pushvalue(lua, value);
    lua_rawset(lua, globals);
  };
  call.push_compiled(lua);
  call.numbers->longest_string_bytes =
      std::max(call.numbers->longest_string_bytes, call.script->numbers.longest_string_bytes);
  lua_pushvalue(lua, globals);
  lua_call(lua, 1, 1);
  set_entity(entity);
  state.begin_run(call.numbers);
  const int status = lua_pcall(lua, 0, 1, 0);
  if (status == LUA_ERRMEM) state.must_end(status);
  state.end_run();
  lua_pushnil(lua);
  set_entity(lua_gettop(lua));
  lua_pop(lua, 1);
  if (status != LUA_OK) {
    make_error_text(lua);
    return lua_error(lua);
  }
  const bool is_number = lua_type(lua, -1) == LUA_TNUMBER;
  const bool is_true = lua_isboolean(lua, -1) && lua_toboolean(lua, -1) != 0;
  lua_pushboolean(lua, is_number ? lua_tonumber(lua, -1) != 0 : is_true);
  return 1;
}

int Machine::Call::save(lua_State* lua) {
  Call& call = of(lua);
  call.push_agent(lua);
  State& state = State::of(lua);
  state.allow_memory(state.snapshot_bytes);
  state.begin_run(call.numbers);
  push_snapshot(lua, -1);
  call.snapshot = luaL_ref(lua, LUA_REGISTRYINDEX);
  return 0;
}

int Machine::Call::restore(lua_State* lua) {
  Call& call = of(lua);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.snapshot);
  restore_snapshot(lua, -1);
  if (*call.agent_table == LUA_NOREF) {
    *call.agent_table = luaL_ref(lua, LUA_REGISTRYINDEX);
    State::of(lua).allow_memory(State::of(lua).agent_bytes);
  } else {
    lua_rawseti(lua, LUA_REGISTRYINDEX, *call.agent_table);
  }
  return 0;
}

// ---- Machine

Machine::Machine(const Asset& asset, std::uint64_t seed, const Limits& limits, const HostFunctions& host)
    : seed_(seed), limits_(limits), host_(host) {
  use(asset);
}

Machine::~Machine() = default;

void Machine::use(const Asset& asset) {
  for (const Script& script : scripts_) {
    if (script.compiled != LUA_NOREF) luaL_unref(state_->lua(), LUA_REGISTRYINDEX, script.compiled);
    if (script.allowed_bytes != 0) state_->disallow_memory(script.allowed_bytes);
  }
  asset_ = asset;
  first_prelude_ = script_count(asset);
  std::vector<std::string> preludes;
  prelude_files_.clear();
  for (std::uint32_t i = 0; i < prelude_count(asset); ++i) {
    preludes.emplace_back(prelude_text(asset, i));
    prelude_files_.emplace_back(prelude_file(asset, i));
  }
  scripts_.assign(first_prelude_ + preludes.size(), {});
  if (generation_ == 0 || preludes != preludes_) ++generation_;
  preludes_ = std::move(preludes);
}

State* Machine::state() {
  if (state_ == nullptr) {
    auto state = std::make_shared<State>(limits_, host_);
    if (state->lua() == nullptr || !state->protect(open_library, nullptr)) return nullptr;
    state_ = std::move(state);
  }
  return state_.get();
}

Machine::Agent& Machine::agent(std::uint32_t index) {
  if (index >= agents_.size()) agents_.resize(index + std::size_t{1});
  return agents_[index];
}

void Machine::forget(Agent& agent) {
  if (agent.table == LUA_NOREF) return;
  luaL_unref(state_->lua(), LUA_REGISTRYINDEX, agent.table);
  state_->disallow_memory(state_->agent_bytes);
  agent.table = LUA_NOREF;
  agent.generation = 0;
}

void Machine::add_agent(std::uint32_t index, std::string_view name) {
  remove_agent(index);
  Agent& added = agent(index);
  added.name = name;
  added.numbers.random = (seed_ + (std::uint64_t{index} << 32)) ^ kRandomOfScripts;
}

void Machine::remove_agent(std::uint32_t index) {
  if (index >= agents_.size()) return;
  forget(agents_[index]);
  agents_[index] = {};
}

Outcome Machine::failure(std::uint32_t script, std::string_view text) const {
  std::size_t length = 0;
  const char* const raised = lua_tolstring(state_->lua(), -1, &length);
  std::string message = raised == nullptr ? std::string() : std::string(raised, length);
  const std::size_t place = place_length(message);
  if (state_->is_spent() || message.substr(place) == "not enough memory") {
    message.replace(place, std::string::npos, state_->limit_text());
  }
  return {false, plain_message(message, script, text, {prelude_files_, first_prelude_}), hint_for(message)};
}

std::string_view Machine::text_of(std::uint32_t chunk) const {
  return chunk < first_prelude_ ? script_text(asset_, chunk) : preludes_[chunk - first_prelude_];
}

Outcome Machine::run(std::uint32_t index, std::uint32_t script) {
  if (script >= first_prelude_) return {false, "unknown script"};
  std::vector<std::string> errors;
  std::uint64_t step_count = 0;
  if (std::exchange(agent(index).generation, generation_) != generation_) {
    for (auto prelude = first_prelude_; prelude < scripts_.size(); ++prelude) {
      const Outcome outcome = run_chunk(index, prelude);
      step_count += outcome.step_count;
      if (outcome.error) errors.push_back(*outcome.error);
    }
  }
  Outcome outcome = run_chunk(index, script);
  outcome.step_count += step_count;
  outcome.prelude_errors = std::move(errors);
  return outcome;
}

Outcome Machine::run_chunk(std::uint32_t index, std::uint32_t script) {
  if (state() == nullptr) return {false, "not enough memory"};
  Agent& runner = agent(index);
  const std::string chunk = chunk_name(script);
  const std::string_view text = text_of(script);
  std::string wrapped;
  if (scripts_[script].compiled == LUA_NOREF) wrapped = std::string(kBefore).append(text).append(kBehind);
  Call call;
  call.agent_index = index;
  call.agent_name = runner.name.c_str();
  call.agent_table = &runner.table;
  call.numbers = &runner.numbers;
  call.script = &scripts_[script];
  call.chunk_name = chunk.c_str();
  call.text = text;
  call.wrapped_text = wrapped;
  runner.numbers.longest_string_bytes = std::max(runner.numbers.longest_string_bytes, runner.name.size());
  const bool is_done = state_->protect(Call::run, &call);
  state_->end_run();
  Outcome outcome;
  if (is_done) {
    outcome.truth = lua_toboolean(state_->lua(), -1) != 0;
  } else {
    outcome = failure(script, text);
  }
  outcome.step_count = limits_.step_count - state_->steps_left();
  return outcome;
}

std::optional<Snapshot> Machine::save(std::uint32_t index) {
  Agent& saved = agent(index);
  Snapshot snapshot;
  snapshot.random_ = saved.numbers.random;
  snapshot.longest_string_bytes_ = saved.numbers.longest_string_bytes;
  snapshot.largest_block_bytes_ = saved.numbers.largest_block_bytes;
  snapshot.generation_ = saved.generation;
  if (saved.table == LUA_NOREF) return snapshot;
  Call call;
  call.agent_table = &saved.table;
  call.numbers = &saved.numbers;
  const bool is_done = state_->protect(Call::save, &call);
  state_->end_run();
  if (!is_done) {
    state_->disallow_memory(state_->snapshot_bytes);
    return std::nullopt;
  }
  snapshot.tables_ =
      std::shared_ptr<const int>(new int(call.snapshot), [owner = std::weak_ptr<State>(state_)](const int* reference) {
        if (const auto state = owner.lock()) {
          luaL_unref(state->lua(), LUA_REGISTRYINDEX, *reference);
          state->disallow_memory(state->snapshot_bytes);
        }
        delete reference;
      });
  return snapshot;
}

bool Machine::restore(std::uint32_t index, const Snapshot& snapshot) {
  Agent& restored = agent(index);
  restored.numbers = {snapshot.random_, snapshot.longest_string_bytes_, snapshot.largest_block_bytes_};
  if (snapshot.tables_ == nullptr) {
    forget(restored);
    return true;
  }
  Call call;
  call.agent_table = &restored.table;
  call.snapshot = *snapshot.tables_;
  restored.generation = snapshot.generation_;
  return state_->protect(Call::restore, &call);
}

}  // namespace espalier::script
