// Checks the syntax of scripts. See syntax.h.
#include "script/syntax.h"

#include <algorithm>
#include <span>
#include <utility>

#include "script/lexer.h"
#include "script/message.h"
#include "script/state.h"

namespace espalier::script {
namespace {

int load(lua_State* lua) {
  const auto& script = *static_cast<const std::string_view*>(lua_touserdata(lua, 1));
  if (luaL_loadbufferx(lua, script.data(), script.size(), "=script 0", "t") != LUA_OK) return lua_error(lua);
  return 0;
}

constexpr std::size_t kMaxHinted = 4096;  // bytes of a script, and
constexpr std::size_t kMaxTried = 32;     // operators in it that are tried

bool is_valid(std::string_view script) {
  State state{Limits{}};
  return state.lua() != nullptr && state.protect(load, &script);
}

// The operators of other languages and what they are in Lua.
struct Operator {
  std::string_view other;
  std::string_view in_lua;
};
constexpr Operator kOperators[] = {{"=", "=="},  {"!=", "~="},  {"===", "=="}, {"!==", "~="},   {"&&", "and"},
                                   {"||", "or"}, {"!", "not "}, {"<>", "~="},  {"null", "nil"}, {"else if", "elseif"}};

std::string replaced(std::string_view script, std::string_view from, std::string_view to) {
  std::string result;
  std::size_t tried = 0;
  for (std::size_t at = 0; at < script.size();) {
    const bool is_here = script.substr(at, from.size()) == from;
    const bool is_part = from == "=" && ((at > 0 && std::string_view("=~<>!").find(script[at - 1]) != script.npos) ||
                                         script.substr(at + 1, 1) == "=");
    if (is_here && !is_part && tried++ < kMaxTried) {
      result += to;
      at += from.size();
    } else {
      result += script[at++];
    }
  }
  return result;
}

}  // namespace

std::string syntax_hint(std::string_view script) {
  if (script.size() > kMaxHinted) return {};
  if (const std::string whole = "return " + std::string(script); is_valid(whole)) {
    return "begin with 'return': the result of an expression is returned";
  }
  for (const auto& [other, in_lua] : kOperators) {
    const std::string mended = replaced(script, other, in_lua);
    if (mended == script) continue;
    const std::string hint = "Lua has '" + std::string(in_lua) + "' in place of '" + std::string(other) + "'" +
                             (other == "=" ? " to compare" : "");
    if (is_valid(mended)) return hint;
    if (is_valid("return " + mended)) return hint + ", and the script begins with 'return'";
  }
  return {};
}

std::optional<std::string> check_syntax(std::string_view script) {
  State state{Limits{}};
  if (state.lua() != nullptr) {
    if (state.protect(load, &script)) return std::nullopt;
    std::size_t length = 0;
    const char* const message = lua_tolstring(state.lua(), -1, &length);
    if (message != nullptr) return plain_message({message, length}, 0, script);
  }
  return "it could not be checked: not enough memory";
}

bool returns_no_boolean(std::string_view script) {
  constexpr std::string_view kArithmetic[] = {"+", "-", "*", "/", "//", "%", "^", "..", "#"};
  constexpr std::string_view kOther[] = {"==", "~=", "<", ">", "<=", ">=", "and", "or", "not", "return", "function"};
  const std::vector<Token> tokens = read_tokens(script);
  const auto is_one_of = [](const Token& token, std::span<const std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return token.is(word); });
  };
  // The script is one return statement, or ends with one.
  auto at = std::find_if(tokens.rbegin(), tokens.rend(), [](const Token& token) { return token.is("return"); }).base();
  if (at == tokens.begin() || at == tokens.end()) return false;
  const bool is_literal = at->kind == TokenKind::number || at->kind == TokenKind::string;
  if (is_literal && at + 1 == tokens.end()) return true;
  int depth = 0;
  bool is_arithmetic = false;
  for (; at != tokens.end(); ++at) {
    if (at->is("end") || at->is(",")) return false;
    if (at->is("(") || at->is("[") || at->is("{")) ++depth;
    if (at->is(")") || at->is("]") || at->is("}")) --depth;
    if (depth != 0) continue;
    if (is_one_of(*at, kOther)) return false;
    is_arithmetic = is_arithmetic || is_one_of(*at, kArithmetic);
  }
  return is_arithmetic;
}

std::vector<std::string> called_names(std::string_view script) {
  const std::vector<Token> tokens = read_tokens(script);
  const auto is = [&](std::size_t at, std::string_view symbol) { return at < tokens.size() && tokens[at].is(symbol); };
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tokens.size();) {
    const std::size_t first = i++;
    const bool is_part = first > 0 && (is(first - 1, ".") || is(first - 1, ":") || is(first - 1, "function"));
    if (tokens[first].kind != TokenKind::name || is_part) continue;
    std::string name(tokens[first].text);
    for (; (is(i, ".") || is(i, ":")) && i + 1 < tokens.size() && tokens[i + 1].kind == TokenKind::name; i += 2) {
      name.append(".").append(tokens[i + 1].text);
    }
    const bool is_called = is(i, "(") || is(i, "{") || (i < tokens.size() && tokens[i].kind == TokenKind::string);
    if (is_called && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

namespace {

// The third argument of a call, whose arguments begin at `at`: the text of one plain string; nullopt if it is anything
// else.
std::optional<std::string> third_text(const std::vector<Token>& tokens, std::size_t at) {
  constexpr std::size_t kThird = 2;
  std::size_t argument = 0;
  std::size_t argument_tokens = 0;
  std::optional<std::string> text;
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (token.is("(") || token.is("{") || token.is("[")) ++depth;
    if (token.is(")") || token.is("}") || token.is("]")) --depth;
    const bool is_over = depth < 0 || (depth == 0 && token.is(","));
    if (is_over && argument == kThird) return argument_tokens == 1 ? text : std::nullopt;
    if (depth < 0) return std::nullopt;
    argument_tokens = is_over ? 0 : argument_tokens + 1;
    argument += is_over ? 1 : 0;
    const std::string_view written = token.text;
    const bool is_plain = token.kind == TokenKind::string && written.size() >= 2 && written.front() != '[' &&
                          written.front() == written.back() && written.find('\\') == std::string_view::npos;
    if (argument == kThird && is_plain) text = std::string(written.substr(1, written.size() - 2));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::string>> sent_signals(std::string_view script) {
  constexpr std::string_view kOtherWays[] = {"_G",         "_ENV",   "getfenv", "setfenv", "load",
                                             "loadstring", "dofile", "require", "rawget",  "Signal"};
  const std::vector<Token> tokens = read_tokens(script);
  const auto is = [&](std::size_t at, std::string_view word) { return at < tokens.size() && tokens[at].is(word); };
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::name) continue;
    if (std::find(std::begin(kOtherWays), std::end(kOtherWays), tokens[i].text) != std::end(kOtherWays)) return {};
    if (!tokens[i].is("AI")) continue;
    if (!is(i + 1, ".")) return std::nullopt;  // the library may get another name
    i += 2;
    if (!is(i, "Signal")) continue;
    std::optional<std::string> name = is(i + 1, "(") ? third_text(tokens, i + 2) : std::nullopt;
    if (!name) return std::nullopt;
    names.push_back(std::move(*name));
  }
  return names;
}

}  // namespace espalier::script
