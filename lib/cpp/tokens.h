// C++ source as tokens, without comments and without what "#if 0" leaves out. Tolerant: any bytes give tokens.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::cpp {

enum class TokenKind : std::uint8_t {
  name,       // identifiers and keywords
  number,     // as it is written
  text,       // a string literal: what is between its quotes
  raw_text,   // the same without escapes: R"(...)", and names that a macro makes a text of
  character,  // with its quotes
  mark,       // one character, "::" or "->"
};

struct Token {
  TokenKind kind = TokenKind::mark;
  std::uint32_t begin = 0;  // byte offset in the file; of what a macro gives: where the macro is used
  std::string_view written;

  [[nodiscard]] bool is(std::string_view mark_or_name) const {
    return (kind == TokenKind::mark || kind == TokenKind::name) && written == mark_or_name;
  }
  [[nodiscard]] bool is_text() const { return kind == TokenKind::text || kind == TokenKind::raw_text; }
};

// "#define NAME(parameters) body". The body is tokens of the file's text.
struct Macro {
  bool has_parameters = false;
  std::vector<std::string_view> parameters;
  std::vector<Token> body;
};
using Macros = std::map<std::string_view, Macro>;

// The tokens of a file. They refer to its text, which must outlive them.
struct Tokens {
  std::vector<Token> all;
  // Before which tokens an #if, #elif, #else or #endif stands that may leave out tokens; sorted. Of the branches of one
  // #if, those that leave a brace or parenthesis open are left out, but for the first one.
  std::vector<std::uint32_t> branches;
  Macros macros;
  std::vector<std::string_view> includes;  // the paths of files that it includes, as they are written
};

[[nodiscard]] Tokens tokenize(std::string_view text);

// What a string literal means: its escapes are read. Bytes that it gives are those of UTF-8 source.
[[nodiscard]] std::string value_of(const Token& literal);

// The tokens that a use of a macro gives. `arguments`: of each parameter. Texts that it makes are kept in `made`.
[[nodiscard]] std::vector<Token> expand(const Macro& macro, const std::vector<std::vector<Token>>& arguments,
                                        std::uint32_t place, std::deque<std::string>& made);

}  // namespace espalier::cpp
