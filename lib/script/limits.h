// What a script may use. More is an error of the script.
#pragma once
#include <cstddef>
#include <cstdint>

namespace espalier::script {

struct Limits {
  std::uint64_t step_count = 1'000'000;  // of one run: instructions, and what functions do beside them
  int call_depth = 4000;                 // functions that have called each other
  std::size_t string_bytes = 64 << 10;   // of one string: comparing two is one instruction
  std::size_t object_bytes = 1 << 20;    // of one block: the elements of a table, or the stack of calls
  std::size_t memory_bytes = 64 << 20;   // of all that the scripts of a replay hold
  std::size_t step_bytes = 64;           // memory that is worth a step when it is taken
};

}  // namespace espalier::script
