// What the benchmarks share. A row of the result is two benchmarks with the same name: "what/espalier" and
// "what/floor".
#pragma once
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "floor.h"

namespace bench {

// The processor's time for this thread, where the system knows it: other programs then do not count.
struct Clock {
  using time_point = double;  // seconds
  static time_point now();
};

inline double seconds_since(Clock::time_point begin) { return Clock::now() - begin; }

// SplitMix64: the same numbers on every machine.
struct Random {
  std::uint64_t state = 0;
  std::uint64_t next();
  std::uint32_t below(std::uint32_t count);
};

struct Compiled {
  std::vector<std::uint64_t> words;
  std::size_t size_bytes = 0;
  espalier::Asset asset;  // a view of `words`
};

// Parses, reads and compiles a file of trees. Ends the program if that fails: the inputs are not from users.
void compile(std::string_view xml, Compiled& compiled);

// Registers both benchmarks of a row; each call of `measured` and `floor` performs the operation `item_count` times and
// returns the seconds it took. `unit` names one item. The geometric mean of the ratios of a group's rows is printed.
void add_row(const std::string& what, const std::string& unit, std::size_t item_count, double (*measured)(void*),
             double (*floor)(void*), void* data, const std::string& group = {});

// The time of one update of the first tree of a file by a batch of agents. growing.cpp
double update_ns(const char* file_name, std::size_t agent_count);

// Each prepares its inputs, checks that both sides give the same results, and adds its rows. Returns false if the
// results differ.
[[nodiscard]] bool add_selecting(bool quick);  // selecting.cpp
[[nodiscard]] bool add_crowds(bool quick);     // crowds.cpp
[[nodiscard]] bool add_ticking(bool quick);    // ticking.cpp
[[nodiscard]] bool add_deciding(bool quick);   // deciding.cpp
[[nodiscard]] bool add_storing(bool quick);    // storing.cpp
[[nodiscard]] bool add_rules(bool quick);      // rules.cpp
[[nodiscard]] bool add_polling(bool quick);    // polling.cpp
[[nodiscard]] bool add_reading(bool quick);    // reading.cpp
[[nodiscard]] bool add_recording(bool quick);  // recording.cpp

}  // namespace bench
