// A Lua state with limits. See state.h.
#include "script/state.h"

#include <algorithm>
#include <cstdlib>

#include "system/classic_locale.h"

namespace espalier::script {
namespace {

// The number of instructions between two checks of the remaining steps.
constexpr int kInstructionsALook = 256;

// One instruction may read a whole string, to compare it or convert it to a number. So an instruction costs one step
// per this many bytes of the longest string.
constexpr std::size_t kStringBytesAStep = 1 << 10;

// If an allocation is refused, Lua runs a full garbage collection and tries again. It costs one step per this many
// bytes of memory.
constexpr std::size_t kCollectedBytesAStep = 1 << 8;

// The largest allocation that is still allowed for the error that ends a run.
constexpr std::size_t kErrorBytes = 4 << 10;

// Raises `message` with the current line of the script. The function that calls this may be in Lua's own library.
int raise_here(lua_State* lua, const char* message) {
  for (int level = 0; level < 3; ++level) {
    luaL_where(lua, level);
    if (lua_rawlen(lua, -1) > 0) break;
    lua_pop(lua, 1);
    if (level == 2) lua_pushliteral(lua, "");
  }
  lua_pushstring(lua, message);
  lua_concat(lua, 2);
  return lua_error(lua);
}

std::string in_kibibytes(std::size_t bytes) { return std::to_string(bytes >> 10) + " KiB"; }

}  // namespace

State::State(const Limits& limits, const HostFunctions& host) : limits_(limits), host_(host) {
  lua_ = lua_newstate(allocate, this);
  if (lua_ != nullptr) *static_cast<State**>(lua_getextraspace(lua_)) = this;
}

State::~State() {
  if (lua_ != nullptr) lua_close(lua_);
}

bool State::protect(int (*function)(lua_State*), void* data) {
  const system::ClassicLocale locale;  // by it Lua reads and writes numbers, and compares strings
  lua_settop(lua_, 0);
  lua_pushcfunction(lua_, function);
  lua_pushlightuserdata(lua_, data);
  return lua_pcall(lua_, 1, LUA_MULTRET, 0) == LUA_OK;
}

void State::begin_run(AgentNumbers* numbers) {
  agent = numbers;
  steps_left_ = limits_.step_count;
  is_running_ = true;
  is_spent_ = false;
  refusal_ = Refusal::none;
  lua_sethook(lua_, count_steps, LUA_MASKCOUNT, kInstructionsALook);
}

void State::end_run() {
  is_running_ = false;
  lua_sethook(lua_, nullptr, 0, 0);
}

std::string State::limit_text() const {
  switch (refusal_) {
    case Refusal::steps:
      return "the script runs too long: more than " + std::to_string(limits_.step_count) + " steps";
    case Refusal::string:
      return "a string is too long: more than " + in_kibibytes(limits_.string_bytes);
    case Refusal::object:
      return "a table, a string buffer or the call stack is too large: more than " + in_kibibytes(limits_.object_bytes);
    case Refusal::total:
      return "scripts use too much memory: more than " + in_kibibytes(limits_.memory_bytes);
    case Refusal::none:
      break;
  }
  return "not enough memory";
}

bool State::take_steps(std::uint64_t steps) {
  if (steps <= steps_left_) {
    steps_left_ -= steps;
    return true;
  }
  steps_left_ = 0;
  is_spent_ = true;
  refusal_ = Refusal::steps;
  return false;
}

bool State::must_end(int status) {
  if (status == LUA_ERRMEM) is_spent_ = true;
  return is_spent_;
}

// `kind`: the type of a new object, as Lua passes it to the allocator.
bool State::allows(std::size_t kind, std::size_t old_bytes, std::size_t new_bytes) {
  if (is_spent_) return new_bytes <= kErrorBytes;
  const std::size_t growth_bytes = new_bytes - old_bytes;
  std::size_t& largest_bytes = kind == LUA_TSTRING ? agent->longest_string_bytes : agent->largest_block_bytes;
  largest_bytes = std::max(largest_bytes, new_bytes);
  if (kind == LUA_TSTRING && new_bytes > limits_.string_bytes) {
    refusal_ = Refusal::string;
  } else if (new_bytes > limits_.object_bytes) {
    refusal_ = Refusal::object;
  } else if (memory_bytes_ + growth_bytes > limits_.memory_bytes + allowed_bytes_) {
    refusal_ = Refusal::total;
  } else {
    return take_steps(new_bytes / limits_.step_bytes);
  }
  take_steps(memory_bytes_ / kCollectedBytesAStep);
  return false;
}

void* State::allocate(void* state, void* block, std::size_t old_bytes, std::size_t new_bytes) {
  State& self = *static_cast<State*>(state);
  const std::size_t kind = block == nullptr ? old_bytes : 0;
  if (block == nullptr) old_bytes = 0;
  Block* const held = block == nullptr ? nullptr : static_cast<Block*>(block) - 1;
  if (new_bytes == 0) {
    std::free(held);
    self.memory_bytes_ -= old_bytes;
    return nullptr;
  }
  if (new_bytes > old_bytes && self.is_running_ && !self.allows(kind, old_bytes, new_bytes)) return nullptr;
  auto* const result = static_cast<Block*>(std::realloc(held, sizeof(Block) + new_bytes));
  if (result == nullptr) return new_bytes <= old_bytes ? block : nullptr;  // Lua requires that shrinking never fails
  if (held == nullptr) result->number = ++self.block_count_;
  self.memory_bytes_ += new_bytes - old_bytes;
  return result + 1;
}

void State::count_steps(lua_State* lua, lua_Debug* record) {
  State& self = of(lua);
  const std::size_t cost = std::max<std::size_t>(1, self.agent->longest_string_bytes / kStringBytesAStep);
  if (!self.take_steps(kInstructionsALook * cost)) {
    lua_sethook(lua, count_steps, LUA_MASKCOUNT, 1);  // code that closes variables after the error gets one instruction
    raise_here(lua, "too long");
  }
  if (lua_getstack(lua, self.limits_.call_depth, record) != 0) raise_here(lua, "calls are nested too deeply");
}

void charge(lua_State* lua, std::uint64_t steps) {
  if (!State::of(lua).take_steps(steps)) raise_here(lua, "too long");
}

}  // namespace espalier::script
