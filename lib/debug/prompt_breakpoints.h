// Breakpoints as words: how they are typed at a prompt, and shown.
#pragma once
#include <string>
#include <vector>

#include "debug/breakpoints.h"

namespace espalier::debug {

// "Attack:failure if Alerted hit >=2 say {Alerted}", as words. Returns what is wrong; empty: nothing.
[[nodiscard]] std::string read_breakpoint(const History& history, const std::vector<std::string>& words,
                                          Breakpoint& breakpoint);
// The same in words, with its number.
[[nodiscard]] std::string words_of(const Breakpoint& breakpoint);

}  // namespace espalier::debug
