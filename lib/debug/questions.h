// What is asked of the past of a run: in the console of editors, and at the prompt of `replay --step`.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "debug/history.h"

namespace espalier::debug {

// This moment writes a variable or an entry of this name, of whichever agent.
[[nodiscard]] bool is_write_of(const History& history, const Moment& moment, std::string_view name);

// Each of these is among the first `count` moments: how many there are with it. 0: there is none.

// An agent's variable or entry was written last.
[[nodiscard]] std::size_t last_write(const History& history, std::size_t count, std::uint32_t agent,
                                     std::string_view name);
// A node of this name began or ended last; an empty name: anything happened to the agent.
[[nodiscard]] std::size_t last_of(const History& history, std::size_t count, std::uint32_t agent,
                                  std::string_view node);
// The last one until this time.
[[nodiscard]] std::size_t last_until(const History& history, std::size_t count, double time_s);

// A time of a person, in seconds: "12.3".
[[nodiscard]] std::optional<double> seconds_in(const std::string& text);

// "SetMode at 1.5 s: mode becomes 2". `count`: of last_write().
[[nodiscard]] std::string words_of_write(const History& history, std::size_t count);

}  // namespace espalier::debug
