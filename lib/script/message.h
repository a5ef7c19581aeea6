// Lua's messages in espalier's wording.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace espalier::script {

// The chunk name under which Lua's messages mention the script `id`: "=script 3".
std::string chunk_name(std::uint32_t id);

// Scripts that are files: their names, by their ids from `first` on.
struct ScriptFiles {
  std::span<const std::string> names = {};
  std::uint32_t first = 0;
};

// Rewrites a message such as "script 3:2: '=' expected near <eof>": "line 2: '=' expected at the end". The line is left
// out if the script has only one. In a file: "game.lua:2: '=' expected at the end".
std::string plain_message(std::string_view message, std::uint32_t id, std::string_view script,
                          const ScriptFiles& files = {});

// The length of "script 3:2: " at the beginning; 0 if there is none.
std::size_t place_length(std::string_view message);

// A hint for this message; empty if there is none.
std::string hint_for(std::string_view message);

}  // namespace espalier::script
