// Progress of a long operation, for a display in another thread.
#pragma once
#include <atomic>
#include <cstdint>

namespace espalier::project {

struct Progress {
  std::atomic<const char*> step = "";  // what is being done: "reading files". A string literal
  std::atomic<std::uint64_t> done = 0;
  std::atomic<std::uint64_t> total = 0;  // 0: unknown

  void begin(const char* new_step, std::uint64_t new_total = 0) {
    total = 0;
    done = 0;
    step = new_step;
    total = new_total;
  }
};

}  // namespace espalier::project
