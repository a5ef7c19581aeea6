// A Lua state with limits. The allocator counts memory; the hook and functions that do much work (charge()) count
// steps. Internal to this library.
//
// Lua reports errors by longjmp: no object with a destructor may be alive where a call of Lua can raise an error. So
// such calls are made in C functions that protect() calls, and these use only plain data.
#pragma once
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <string>

#include "script/host.h"
#include "script/limits.h"

namespace espalier::script {

// Why a memory allocation of Lua was last refused.
enum class Refusal : std::uint8_t { none, steps, string, object, total };

// The data of an agent outside Lua.
struct AgentNumbers {
  std::uint64_t random = 0;              // the generator that its scripts draw from
  std::size_t longest_string_bytes = 0;  // of all strings that its scripts may have
  std::size_t largest_block_bytes = 0;   // of all blocks other than strings: bounds the size of a table
};

class State {
 public:
  explicit State(const Limits& limits, const HostFunctions& host = {});
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // Null: there was not enough memory to create it.
  lua_State* lua() const { return lua_; }
  const Limits& limits() const { return limits_; }
  const HostFunctions& host() const { return host_; }

  // Calls function(lua, data) with an empty stack. Then its results are on the stack. False: it failed, and only the
  // error is on the stack.
  bool protect(int (*function)(lua_State*), void* data);

  // From now on steps are counted and memory is limited, until end_run(). The data of the agent is in
  // `numbers`.
  void begin_run(AgentNumbers* numbers);
  void end_run();
  bool is_running() const { return is_running_; }
  // The run has used up its steps or memory and must end: scripts cannot catch this error.
  bool is_spent() const { return is_spent_; }
  // A description of the limit that ended the run.
  std::string limit_text() const;
  // Memory that does not count against scripts, such as their libraries.
  void allow_memory(std::size_t bytes) { allowed_bytes_ += bytes; }
  void disallow_memory(std::size_t bytes) { allowed_bytes_ -= bytes; }
  std::size_t memory_bytes() const { return memory_bytes_; }

  static State& of(lua_State* lua) { return **static_cast<State**>(lua_getextraspace(lua)); }
  // Takes steps; false if not enough are left.
  bool take_steps(std::uint64_t steps);
  std::uint64_t& steps_left() { return steps_left_; }
  // After an error that Lua has caught: must the run end nevertheless?
  bool must_end(int status);

  // The memory of a new agent, and of a snapshot of it.
  std::size_t agent_bytes = 0;
  std::size_t snapshot_bytes = 0;
  AgentNumbers* agent = nullptr;  // during a run
  // The last numbers given to objects whose address would otherwise be visible, and to functions of the library.
  std::int64_t serial_count = 0;
  std::int64_t library_count = 0;
  // The number of a table or function, by its address; later objects have higher numbers.
  static std::uint64_t number_of(const void* object) { return static_cast<const Block*>(object)[-1].number; }

 private:
  // Precedes each memory block of Lua.
  struct alignas(std::max_align_t) Block {
    std::uint64_t number;
  };

  static void* allocate(void* state, void* block, std::size_t old_bytes, std::size_t new_bytes);
  static void count_steps(lua_State* lua, lua_Debug* record);
  bool allows(std::size_t kind, std::size_t old_bytes, std::size_t new_bytes);

  Limits limits_;
  HostFunctions host_;
  lua_State* lua_ = nullptr;
  std::uint64_t block_count_ = 0;  // ever allocated
  std::size_t memory_bytes_ = 0;
  std::size_t allowed_bytes_ = 0;
  std::uint64_t steps_left_ = 0;
  bool is_running_ = false;
  bool is_spent_ = false;
  Refusal refusal_ = Refusal::none;
};

// For functions that scripts call: takes steps for work that is not counted otherwise, or raises the error that ends
// the run.
void charge(lua_State* lua, std::uint64_t steps);

}  // namespace espalier::script
