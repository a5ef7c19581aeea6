// One state of Lua and the limits that hold in it. Memory is counted by its allocator, steps by its hook and by
// functions that work for long (charge()). Inside of this library only.
//
// Lua reports an error by longjmp: nothing with a destructor may live where a call of Lua may raise one. So all that
// can is done in a function of C that protect() calls, and what it needs is plain data.
#pragma once
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <string>

#include "script/limits.h"

namespace espalier::script {

// Why Lua was refused memory last.
enum class Refusal : std::uint8_t { none, steps, string, object, total };

// What is known of an agent outside of Lua.
struct AgentNumbers {
  std::uint64_t random = 0;              // the generator that its scripts draw from
  std::size_t longest_string_bytes = 0;  // of those that its scripts may have
  std::size_t largest_block_bytes = 0;   // of those that are no strings: bounds how many places a table has
};

class State {
 public:
  explicit State(const Limits& limits);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // Null when there was no memory to make it.
  lua_State* lua() const { return lua_; }
  const Limits& limits() const { return limits_; }

  // Calls function(lua, data) with a clean stack. False: it failed, and the error is the only thing on the stack;
  // what it returned is else.
  bool protect(int (*function)(lua_State*), void* data);

  // From now on steps are counted and memory is limited, until end_run(). What is known of the agent is kept in
  // `numbers`.
  void begin_run(AgentNumbers* numbers);
  void end_run();
  bool is_running() const { return is_running_; }
  // The run has used up its steps or memory and must end: no script may catch this.
  bool is_spent() const { return is_spent_; }
  // What limit ended the run, in words.
  std::string limit_text() const;
  // Memory for what scripts did not ask for themselves, such as their libraries.
  void allow_memory(std::size_t bytes) { allowed_bytes_ += bytes; }
  void disallow_memory(std::size_t bytes) { allowed_bytes_ -= bytes; }
  std::size_t memory_bytes() const { return memory_bytes_; }

  static State& of(lua_State* lua) { return **static_cast<State**>(lua_getextraspace(lua)); }
  // Takes steps; false when there are not as many.
  bool take_steps(std::uint64_t steps);
  std::uint64_t& steps_left() { return steps_left_; }
  // After an error that Lua has caught: was it one that must not be caught?
  bool must_end(int status);

  // What a new agent takes, and a snapshot of it.
  std::size_t agent_bytes = 0;
  std::size_t snapshot_bytes = 0;
  AgentNumbers* agent = nullptr;  // in a run
  // Numbers given to objects whose address would be shown else, and to functions of the library.
  std::int64_t serial_count = 0;
  std::int64_t library_count = 0;
  // Of a table or a function that was made, by its address: the later it was made the higher.
  static std::uint64_t number_of(const void* object) { return static_cast<const Block*>(object)[-1].number; }

 private:
  // Stands before each block that Lua has.
  struct alignas(std::max_align_t) Block {
    std::uint64_t number;
  };

  static void* allocate(void* state, void* block, std::size_t old_bytes, std::size_t new_bytes);
  static void count_steps(lua_State* lua, lua_Debug* record);
  bool allows(std::size_t kind, std::size_t old_bytes, std::size_t new_bytes);

  Limits limits_;
  lua_State* lua_ = nullptr;
  std::uint64_t block_count_ = 0;  // that were ever made
  std::size_t memory_bytes_ = 0;
  std::size_t allowed_bytes_ = 0;
  std::uint64_t steps_left_ = 0;
  bool is_running_ = false;
  bool is_spent_ = false;
  Refusal refusal_ = Refusal::none;
};

// In functions that scripts call: takes steps for work that is not counted otherwise, or raises the error that ends the
// run.
void charge(lua_State* lua, std::uint64_t steps);

}  // namespace espalier::script
