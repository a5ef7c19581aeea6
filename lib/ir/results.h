// Sets of results of nodes: what one evaluation of a node, or all of its runs, can give.
#pragma once
#include <cstdint>

#include "runtime/include/espalier/espalier.hpp"

namespace espalier::ir {

// Bits: 1 << Result, and one more of trees that poll.
using Results = std::uint8_t;

constexpr Results bit(Result result) { return static_cast<Results>(1u << static_cast<unsigned>(result)); }
inline constexpr Results kRuns = bit(Result::running);
inline constexpr Results kFails = bit(Result::failure);
inline constexpr Results kSucceeds = bit(Result::success);
inline constexpr Results kDone = static_cast<Results>(kSucceeds | kFails);
inline constexpr Results kAnyResult = static_cast<Results>(kDone | kRuns);
inline constexpr Results kSkips = 8;  // a parent goes on as if the node were not there

constexpr bool can(Results results, Results some) { return (results & some) != 0; }

constexpr Results both(Results one, Results other) { return static_cast<Results>(one | other); }
constexpr Results without(Results results, Results some) { return static_cast<Results>(results & ~some); }
constexpr Results if_so(bool is_so, Results results) { return is_so ? results : Results{0}; }

}  // namespace espalier::ir
