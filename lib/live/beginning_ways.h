// How a node of each kind may be where a log begins: what it remembers and what its children may be, if it does not
// run, and if it does.
#pragma once
#include <cstdint>

#include "live/beginning_search.h"
#include "runtime/format/kinds.h"

namespace espalier::live {

using Rest = void(BeginningSearch& search, std::uint32_t node, PollStatus status, BeginningSearch::Task task);
using RunOn = void(BeginningSearch& search, std::uint32_t node, BeginningSearch::Task task);
// What derive() finds from the statuses of its children at the end.
enum class Derived : std::uint8_t { nothing, done, skips, failures };

struct BeginningWay {
  Opcode opcode;
  Rest* rest;
  RunOn* run_on;
  Derived derived = Derived::nothing;
  bool may_be_skipped = false;  // by itself
};

// Of a kind that is not in the table, what it remembers cannot be seen.
[[nodiscard]] const BeginningWay& beginning_way(Opcode opcode);

}  // namespace espalier::live
