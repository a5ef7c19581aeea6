// What can be said of a script that is not run: whether it is Lua at all, and what in it means something else to the
// engines, which have Lua 5.1.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::script {

// What is wrong with the syntax of a chunk, in one line; nothing: it is right. A script of several lines is told which.
std::optional<std::string> check_syntax(std::string_view script);

// A thing that is not the same in Lua 5.1 and in Lua 5.4.
struct PortabilityNote {
  std::uint32_t begin = 0;  // byte range in the script
  std::uint32_t end = 0;
  std::string message;
  std::string hint;  // what works in both
};

// In the order of the script. Told of names and operators that the script uses, not of strings and comments, and not of
// names that it makes its own or asks for before it uses them.
std::vector<PortabilityNote> portability_notes(std::string_view script);

}  // namespace espalier::script
