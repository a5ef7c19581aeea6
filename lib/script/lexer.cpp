// The tokens of a Lua script. See lexer.h.
#include "script/lexer.h"

#include <algorithm>

#include "script/syntax.h"

namespace espalier::script {
namespace {

constexpr std::string_view kKeywords[] = {"and", "break",    "do",     "else", "elseif", "end",   "false",
                                          "for", "function", "if",     "in",   "local",  "nil",   "not",
                                          "or",  "repeat",   "return", "then", "true",   "until", "while"};
constexpr std::string_view kSymbols[] = {
    "...", "..", "==", "~=", "<=", ">=", "//", "<<", ">>", "::"};  // longer than one character

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); }

// The end of the long string or comment `[==[...]==]` that begins at `at`; `at` if there is none.
std::size_t long_bracket_end(std::string_view script, std::size_t at) {
  if (script.substr(at, 1) != "[") return at;
  std::size_t level = 0;
  while (at + 1 + level < script.size() && script[at + 1 + level] == '=') ++level;
  if (script.substr(at + 1 + level, 1) != "[") return at;
  for (std::size_t i = at + level + 2; i < script.size(); ++i) {
    if (script[i] != ']') continue;
    std::size_t count = 0;
    while (i + 1 + count < script.size() && script[i + 1 + count] == '=') ++count;
    if (count == level && script.substr(i + 1 + count, 1) == "]") return i + level + 2;
    i += count;
  }
  return script.size();
}

std::size_t quoted_end(std::string_view script, std::size_t at) {
  const char quote = script[at];
  for (std::size_t i = at + 1; i < script.size(); ++i) {
    if (script[i] == '\\') {
      ++i;
    } else if (script[i] == quote || script[i] == '\n') {
      return i + 1;
    }
  }
  return script.size();
}

std::size_t number_end(std::string_view script, std::size_t at) {
  const bool is_hexadecimal = script[at] == '0' && (script.substr(at + 1, 1) == "x" || script.substr(at + 1, 1) == "X");
  std::size_t end = at;
  while (end < script.size() && (is_name_letter(script[end]) || script[end] == '.')) {
    const char letter = static_cast<char>(script[end] | 0x20);
    const bool is_exponent = letter == (is_hexadecimal ? 'p' : 'e');
    ++end;
    if (is_exponent && end < script.size() && (script[end] == '-' || script[end] == '+')) ++end;
  }
  return end;
}

// The position after comments and white space.
std::size_t skip_blanks(std::string_view script, std::size_t at) {
  while (at < script.size()) {
    if (static_cast<unsigned char>(script[at]) <= ' ') {
      ++at;
    } else if (script.substr(at, 2) == "--") {
      const std::size_t end = long_bracket_end(script, at + 2);
      at = end != at + 2 ? end : std::min(script.find('\n', at), script.size());
    } else {
      break;
    }
  }
  return at;
}

Token read_token(std::string_view script, std::size_t at) {
  std::size_t end = at + 1;
  TokenKind kind = TokenKind::symbol;
  const char first = script[at];
  if (is_digit(first) || (first == '.' && at + 1 < script.size() && is_digit(script[at + 1]))) {
    kind = TokenKind::number;
    end = number_end(script, at);
  } else if (is_name_letter(first)) {
    while (end < script.size() && is_name_letter(script[end])) ++end;
    const bool is_keyword =
        std::find(std::begin(kKeywords), std::end(kKeywords), script.substr(at, end - at)) != std::end(kKeywords);
    kind = is_keyword ? TokenKind::keyword : TokenKind::name;
  } else if (first == '"' || first == '\'') {
    kind = TokenKind::string;
    end = quoted_end(script, at);
  } else if (long_bracket_end(script, at) != at) {
    kind = TokenKind::string;
    end = long_bracket_end(script, at);
  } else {
    for (const std::string_view symbol : kSymbols) {
      if (script.substr(at, symbol.size()) != symbol) continue;
      end = at + symbol.size();
      break;
    }
  }
  return {kind, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end), script.substr(at, end - at)};
}

}  // namespace

std::vector<Token> read_tokens(std::string_view script) {
  std::vector<Token> tokens;
  for (std::size_t at = skip_blanks(script, 0); at < script.size(); at = skip_blanks(script, tokens.back().end)) {
    tokens.push_back(read_token(script, at));
  }
  return tokens;
}

// It comes after the last token.
std::optional<std::uint32_t> find_open_comment(std::string_view script) {
  if (script.find("--") == std::string_view::npos) return std::nullopt;
  const std::vector<Token> tokens = read_tokens(script);
  std::size_t at = tokens.empty() ? 0 : tokens.back().end;
  while ((at = script.find("--", at)) != std::string_view::npos) {
    const std::size_t bracket_end = long_bracket_end(script, at + 2);
    const std::size_t line_end = script.find('\n', at);
    if (bracket_end == at + 2 && line_end == std::string_view::npos) return static_cast<std::uint32_t>(at);
    at = bracket_end != at + 2 ? bracket_end : line_end;
  }
  return std::nullopt;
}

}  // namespace espalier::script
