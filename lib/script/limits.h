// What a script may use. Exceeding a limit is an error of the script.
#pragma once
#include <cstddef>
#include <cstdint>

namespace espalier::script {

struct Limits {
  std::uint64_t step_count = 1'000'000;  // of one run: instructions, and the work of library functions
  int call_depth = 4000;                 // functions that have called each other
  std::size_t string_bytes = 64 << 10;   // of one string: comparing two strings is one instruction
  std::size_t object_bytes = 1 << 20;    // of one block: the elements of a table, or the call stack
  std::size_t memory_bytes = 64 << 20;   // of all scripts of a replay
  std::size_t step_bytes = 64;           // each allocation costs one step per this many bytes
};

}  // namespace espalier::script
