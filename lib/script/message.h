// Lua's messages in the words of the house.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::script {

// How Lua is told to call the script `id` in its messages: "=script 3".
std::string chunk_name(std::uint32_t id);

// Of a message such as "script 3:2: '=' expected near <eof>": "line 2: '=' expected at the end". The line is left out
// where the script has just one.
std::string plain_message(std::string_view message, std::uint32_t id, std::string_view script);

// The length of "script 3:2: " at the beginning; 0: there is none.
std::size_t place_length(std::string_view message);

// What helps with that message; empty: nothing is known to.
std::string hint_for(std::string_view message);

}  // namespace espalier::script
