// The tokens of a Lua script, without comments and white space.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace espalier::script {

enum class TokenKind : std::uint8_t { name, keyword, number, string, symbol };

struct Token {
  TokenKind kind;
  std::uint32_t begin;  // byte range in the script
  std::uint32_t end;
  std::string_view text;  // its text in the script

  bool is(std::string_view word) const { return text == word && kind != TokenKind::string; }
};

// Accepts any bytes: what is not Lua becomes some token. `goto` is a name, as in Lua 5.1.
std::vector<Token> read_tokens(std::string_view script);

}  // namespace espalier::script
