// The functions of `string` that can take long in Lua's own library: patterns and `rep`; and `format`, which would show
// addresses. See library.h.
#include <cstring>
#include <string_view>

#include "script/library.h"
#include "script/pattern.h"
#include "script/state.h"

namespace espalier::script {
namespace {

constexpr std::uint64_t kSearchedAStep = 256;   // of a search for plain text
constexpr std::uint64_t kStepsAnArgument = 16;  // of `format`

std::string_view check_text(lua_State* lua, int index) {
  std::size_t length = 0;
  const char* const text = luaL_checklstring(lua, index, &length);
  return {text, length};
}

void push_text(lua_State* lua, std::string_view text) { lua_pushlstring(lua, text.data(), text.size()); }

// The start position, from 0. The argument counts from 1, or from the end if it is negative.
std::size_t read_start(lua_State* lua, int index, std::size_t length) {
  const lua_Integer start = luaL_optinteger(lua, index, 1);
  if (start > 0) return static_cast<std::size_t>(start) - 1;
  const auto from_end = static_cast<lua_Unsigned>(0) - static_cast<lua_Unsigned>(start);
  return start == 0 || from_end > length ? 0 : length - static_cast<std::size_t>(from_end);
}

// Raises an error if the pattern is invalid or the matcher has used up its steps.
void check(lua_State* lua, const Matcher& matcher) {
  if (matcher.is_spent()) charge(lua, 1);
  if (matcher.error() != nullptr) luaL_error(lua, "%s", matcher.error());
}

// Pushes a capture of a match from `begin` to `end`. Without captures, capture 0 is the whole match.
void push_capture(lua_State* lua, const Matcher& matcher, std::string_view subject, int index, std::size_t begin,
                  std::size_t end) {
  if (index >= matcher.capture_count()) {
    if (index != 0) luaL_error(lua, "invalid capture index %%%d", index + 1);
    push_text(lua, subject.substr(begin, end - begin));
    return;
  }
  const Capture& capture = matcher.capture(index);
  if (capture.is_open) luaL_error(lua, "unfinished capture");
  if (capture.is_position) {
    lua_pushinteger(lua, static_cast<lua_Integer>(capture.begin) + 1);
  } else {
    push_text(lua, subject.substr(capture.begin, capture.length));
  }
}

int push_captures(lua_State* lua, const Matcher& matcher, std::string_view subject, std::size_t begin, std::size_t end,
                  int least_count) {
  const int count = matcher.capture_count() > least_count ? matcher.capture_count() : least_count;
  luaL_checkstack(lua, count, "too many captures");
  for (int i = 0; i < count; ++i) push_capture(lua, matcher, subject, i, begin, end);
  return count;
}

int push_plain_find(lua_State* lua, std::string_view subject, std::string_view text, std::size_t start) {
  const std::size_t place_count = subject.size() - start;
  charge(lua, place_count * (text.size() + 1) / kSearchedAStep);
  const std::size_t at = subject.find(text, start);
  if (at == std::string_view::npos) {
    luaL_pushfail(lua);
    return 1;
  }
  lua_pushinteger(lua, static_cast<lua_Integer>(at) + 1);
  const std::size_t end = at + text.size();
  lua_pushinteger(lua, static_cast<lua_Integer>(end));
  return 2;
}

int search(lua_State* lua, bool is_find) {
  const std::string_view subject = check_text(lua, 1);
  std::string_view pattern = check_text(lua, 2);
  const std::size_t start = read_start(lua, 3, subject.size());
  if (start > subject.size()) {
    luaL_pushfail(lua);
    return 1;
  }
  const bool is_plain = lua_toboolean(lua, 4) != 0 || pattern.find_first_of("^$*+?.([%-") == std::string_view::npos;
  if (is_find && is_plain) return push_plain_find(lua, subject, pattern, start);
  const bool is_anchored = !pattern.empty() && pattern[0] == '^';
  if (is_anchored) pattern.remove_prefix(1);
  Matcher matcher(subject, pattern, State::of(lua).steps_left());
  for (std::size_t at = start; at <= subject.size(); ++at) {
    const std::size_t end = matcher.match_at(at);
    check(lua, matcher);
    if (end != Matcher::kNone) {
      if (!is_find) return push_captures(lua, matcher, subject, at, end, 1);
      lua_pushinteger(lua, static_cast<lua_Integer>(at) + 1);
      lua_pushinteger(lua, static_cast<lua_Integer>(end));
      return 2 + push_captures(lua, matcher, subject, at, end, 0);
    }
    if (is_anchored) break;
  }
  luaL_pushfail(lua);
  return 1;
}

int string_find(lua_State* lua) { return search(lua, true); }
int string_match(lua_State* lua) { return search(lua, false); }

// Upvalues: subject, pattern, where to continue, where the last match ended (-1: none).
int next_match(lua_State* lua) {
  const std::string_view subject = check_text(lua, lua_upvalueindex(1));
  const std::string_view pattern = check_text(lua, lua_upvalueindex(2));
  const lua_Integer last = lua_tointeger(lua, lua_upvalueindex(4));
  Matcher matcher(subject, pattern, State::of(lua).steps_left());
  for (auto at = static_cast<std::size_t>(lua_tointeger(lua, lua_upvalueindex(3))); at <= subject.size(); ++at) {
    const std::size_t end = matcher.match_at(at);
    check(lua, matcher);
    if (end == Matcher::kNone || static_cast<lua_Integer>(end) == last) continue;
    lua_pushinteger(lua, static_cast<lua_Integer>(end));
    lua_copy(lua, -1, lua_upvalueindex(3));
    lua_replace(lua, lua_upvalueindex(4));
    return push_captures(lua, matcher, subject, at, end, 1);
  }
  return 0;
}

int string_gmatch(lua_State* lua) {
  const std::string_view subject = check_text(lua, 1);
  check_text(lua, 2);
  const std::size_t start = read_start(lua, 3, subject.size());
  lua_settop(lua, 2);
  lua_pushinteger(lua, static_cast<lua_Integer>(start <= subject.size() ? start : subject.size() + 1));
  lua_pushinteger(lua, -1);
  lua_pushcclosure(lua, next_match, 4);
  return 1;
}

// Adds the replacement text at 3 with its captures.
void add_text(lua_State* lua, luaL_Buffer* result, const Matcher& matcher, std::string_view subject, std::size_t begin,
              std::size_t end) {
  std::string_view text = check_text(lua, 3);
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%')) {
    luaL_addlstring(result, text.data(), at);
    const char which = at + 1 < text.size() ? text[at + 1] : '\0';
    if (which == '%') {
      luaL_addchar(result, '%');
    } else if (which == '0') {
      luaL_addlstring(result, subject.data() + begin, end - begin);
    } else if (which >= '1' && which <= '9') {
      push_capture(lua, matcher, subject, which - '1', begin, end);
      luaL_addvalue(result);
    } else {
      luaL_error(lua, "invalid use of '%%' in replacement string");
    }
    text.remove_prefix(at + 2);
  }
  luaL_addlstring(result, text.data(), text.size());
}

// Adds the replacement that the table or function at 3 gives for this match; nil and false keep the match unchanged.
void add_answer(lua_State* lua, luaL_Buffer* result, const Matcher& matcher, std::string_view subject,
                std::size_t begin, std::size_t end) {
  if (lua_type(lua, 3) == LUA_TTABLE) {
    push_capture(lua, matcher, subject, 0, begin, end);
    lua_gettable(lua, 3);
  } else {
    lua_pushvalue(lua, 3);
    lua_call(lua, push_captures(lua, matcher, subject, begin, end, 1), 1);
  }
  if (lua_toboolean(lua, -1) == 0) {
    lua_pop(lua, 1);
    luaL_addlstring(result, subject.data() + begin, end - begin);
  } else if (lua_isstring(lua, -1) != 0) {
    luaL_addvalue(result);
  } else {
    luaL_error(lua, "invalid replacement value (a %s)", luaL_typename(lua, -1));
  }
}

int string_gsub(lua_State* lua) {
  const std::string_view subject = check_text(lua, 1);
  std::string_view pattern = check_text(lua, 2);
  const int type = lua_type(lua, 3);
  const bool is_text = type == LUA_TNUMBER || type == LUA_TSTRING;
  luaL_argexpected(lua, is_text || type == LUA_TTABLE || type == LUA_TFUNCTION, 3, "string/function/table");
  const lua_Integer most_count = luaL_optinteger(lua, 4, static_cast<lua_Integer>(subject.size()) + 1);
  const bool is_anchored = !pattern.empty() && pattern[0] == '^';
  if (is_anchored) pattern.remove_prefix(1);
  lua_Integer count = 0;
  std::size_t at = 0;
  std::size_t last = Matcher::kNone;
  Matcher matcher(subject, pattern, State::of(lua).steps_left());
  luaL_Buffer result;
  luaL_buffinit(lua, &result);
  while (count < most_count) {
    const std::size_t end = matcher.match_at(at);
    check(lua, matcher);
    if (end != Matcher::kNone && end != last) {
      ++count;
      (is_text ? add_text : add_answer)(lua, &result, matcher, subject, at, end);
      at = last = end;
    } else if (at < subject.size()) {
      luaL_addchar(&result, subject[at]);
      ++at;
    } else {
      break;
    }
    if (is_anchored) break;
  }
  luaL_addlstring(&result, subject.data() + at, subject.size() - at);
  luaL_pushresult(&result);
  lua_pushinteger(lua, count);
  return 2;
}

int string_rep(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  const lua_Integer count = luaL_checkinteger(lua, 2);
  std::size_t separator_length = 0;
  const char* const separator = luaL_optlstring(lua, 3, "", &separator_length);
  const std::size_t step = text.size() + separator_length;
  if (count <= 0 || step == 0) {
    lua_pushliteral(lua, "");
    return 1;
  }
  if (static_cast<lua_Unsigned>(count) > State::of(lua).limits().object_bytes / step) {
    return luaL_error(lua, "resulting string too large");
  }
  luaL_Buffer result;
  luaL_buffinitsize(lua, &result, step * static_cast<std::size_t>(count));
  for (lua_Integer i = 0; i < count; ++i) {
    if (i > 0) luaL_addlstring(&result, separator, separator_length);
    luaL_addlstring(&result, text.data(), text.size());
  }
  luaL_pushresult(&result);
  return 1;
}

}  // namespace

int call_format(lua_State* lua) {
  const std::string_view format = check_text(lua, 1);
  const int argument_count = lua_gettop(lua);
  charge(lua, format.size() / kSearchedAStep + static_cast<std::uint64_t>(argument_count) * kStepsAnArgument);
  luaL_checkstack(lua, LUA_MINSTACK, "too many arguments");
  int argument = 1;
  for (std::size_t i = 0; i + 1 < format.size(); ++i) {
    if (format[i] != '%') continue;
    const std::size_t conversion = format.find_first_not_of("-+ #0123456789.", i + 1);
    if (conversion == std::string_view::npos) break;
    i = conversion;
    if (format[i] == '%') continue;
    ++argument;
    if (format[i] == 'p') return luaL_error(lua, "invalid conversion '%%p' to 'format'");
    if (format[i] == 's' && argument <= argument_count) {
      push_text_of(lua, argument);
      lua_replace(lua, argument);
    }
  }
  return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

const luaL_Reg kStringFunctions[] = {{"find", string_find},   {"gmatch", string_gmatch}, {"gsub", string_gsub},
                                     {"match", string_match}, {"rep", string_rep},       {nullptr, nullptr}};

}  // namespace espalier::script
