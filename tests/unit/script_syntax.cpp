// Findings on scripts without running them.
#include "script/syntax.h"

#include "unit.h"

namespace script_syntax {

using namespace espalier::script;

namespace {

// "WORDS: message [hint]", one per line.
std::string told(const std::string& script) {
  std::string result;
  for (const PortabilityNote& note : portability_notes(script)) {
    REQUIRE(note.begin < note.end);
    REQUIRE(note.end <= script.size());
    if (!result.empty()) result += "\n";
    result += script.substr(note.begin, note.end - note.begin);
  }
  return result;
}

}  // namespace

TEST_CASE("a script that is no Lua is told why, in one line") {
  struct {
    const char* script;
    const char* message;  // empty if it is valid
  } const cases[] = {
      {"", ""},
      {"return 1", ""},
      {"-- a comment", ""},
      {"local x <const> = 1", ""},
      {"return (1", "')' expected at the end"},
      {"x y", "syntax error near 'y'"},
      {"local 1", "<name> expected near '1'"},
      {"x = = 1", "unexpected symbol near '='"},
      {"if x then", "'end' expected at the end"},
      {"x = 1\r\ny = = 2", "line 2: unexpected symbol near '='"},
      {"x = [[\n\n]] = 1", "line 3: unexpected symbol near '='"},
      {"\n\nlocal x = (1", "line 3: ')' expected at the end"},
      {"end", "the end expected near 'end'"},
      {"entity.goto = 1", "<name> expected near 'goto'"},
      {"#!/usr/bin/lua", "unexpected symbol near '#'"},
  };
  for (const auto& expected : cases) {
    INFO(expected.script);
    CHECK(check_syntax(expected.script).value_or("") == expected.message);
  }
}

TEST_CASE("nesting without end is refused, not followed") {
  for (const char* const part :
       {"(", "{", "x(", "x[", "if x then ", "function() ", "- ", "not ", "a..", "x = function() "}) {
    std::string script = "return ";
    for (int i = 0; i < 100'000; ++i) script += part;
    INFO(part);
    CHECK(check_syntax(script));
    portability_notes(script);
  }
}

TEST_CASE("what Lua 5.1 and 5.4 do not share is noted where it is used") {
  struct {
    const char* script;
    const char* noted;
  } const cases[] = {
      // Features that Lua 5.4 no longer has.
      {"setfenv(1, {})", "setfenv"},
      {"return unpack(t)", "unpack"},
      {"return loadstring('return 1')()", "loadstring"},
      {"return table.getn(t)", "table.getn"},
      {"return table . getn(t)", "table . getn"},
      {"return math.pow(2, 3) + math.mod(3, 2)", "math.pow\nmath.mod"},
      {"for w in string.gfind(s, '%a') do end", "string.gfind"},
      {"for w in s:gfind('%a') do end", "gfind"},
      {"local u = unpack", "unpack"},
      {"table.foreach(t, unpack)", "table.foreach\nunpack"},
      // Features that Lua 5.1 does not have.
      {"return table.unpack(t)", "table.unpack"},
      {"return math.type(1) == 'integer'", "math.type"},
      {"return utf8.len(s)", "utf8"},
      {"return load('return 1')()", "load"},
      {"return 7 // 2", "//"},
      {"return a & b | c ~ d << 1 >> 2", "&\n|\n~\n<<\n>>"},
      {"local x <const> = 1", "<const>"},
      {"goto done ::done::", "goto done\n::done::"},
      // `goto` is a name in Lua 5.1.
      {"local goto = 1", "goto"},
      {"x.goto = 1", "goto"},
      {"goto(1)", "goto"},
      // Strings, comments, fields and methods of other names are not uses of them.
      {"x = 'unpack(t)' .. \"setfenv\" .. [[loadstring]] .. [==[unpack]]]==]", ""},
      {"-- unpack(t)\n--[[ setfenv ]] --[==[ loadstring\n]] ]==] x = 1", ""},
      {"x = 'it\\'s unpack' y = \"\\\\\" z = 1", ""},
      {"x.unpack(t) x:unpack(t) x.table.getn(t)", ""},
      {"x = {unpack = 1, load = 2}", ""},
      // The script's own, or asked for.
      {"local unpack = table.unpack or unpack return unpack(t)", ""},
      {"local function load() end load()", ""},
      {"function unpack(t) end unpack(t)", ""},
      {"local f = function(a, unpack) return unpack(a) end", ""},
      {"local a, load, b = 1 load()", ""},
      {"for load in x do load() end", ""},
      {"return (table.unpack or unpack)(t)", ""},
      {"if setfenv then x = 1 end", ""},
      {"if not loadstring then x = 1 end", ""},
      {"if table.getn == nil then x = 1 end", ""},
      {"local function f(a) return unpack(a) end", "unpack"},
      // Division where it shows.
      {"return 'x' .. a / b", "/"},
      {"return a / b .. 'x'", "/"},
      {"return 'x' .. (a / b)", "/"},
      {"return 'x' .. ((a + 1) / b * 2)", "/"},
      {"return 'x' .. 2 ^ n", "^"},
      {"return tostring(a / b)", "/"},
      {"return string.format('%d', a / b)", "/"},
      {"return string.format('%s %d', f(x), a / b)", "/"},
      {"return a / b == 2", ""},
      {"x = a / b y = 'x' .. z", ""},
      {"x = a / b\ny = 'x' .. z", ""},
      {"x = 'a' .. b, c / d", ""},
      {"return 'x' .. math.floor(a / b)", ""},
      {"return string.format('%.1f', a / b)", ""},
      {"return a / b > 1 and 'x' .. y", ""},
      {"return #('x' .. y) / 2", ""},
      {"return t[a / b] .. 'x'", ""},
      {"local x = a / b return x", ""},
      // Not Lua.
      {"return (((", ""},
      {"/ .. ^ ) ] }", "/\n^"},
      {"'", ""},
      {"[[", ""},
      {"--[[", ""},
      {"1..2", ""},
      {"0x1p-3 .. 1e+5 .. .5", ""},
  };
  for (const auto& expected : cases) {
    INFO(expected.script);
    CHECK(told(expected.script) == expected.noted);
  }
}

TEST_CASE("a note says what is not shared, and what works in both") {
  const auto only_note = [](const char* script) {
    const std::vector<PortabilityNote> notes = portability_notes(script);
    REQUIRE(notes.size() == 1);
    return notes[0].message + "; " + notes[0].hint;
  };
  CHECK(only_note("unpack(t)") ==
        "'unpack' exists only in Lua 5.1, not in Lua 5.4; '(table.unpack or unpack)' works in both");
  CHECK(only_note("table.unpack(t)") ==
        "Lua 5.1, which the engines use, has no 'table.unpack'; '(table.unpack or unpack)' works in both");
  CHECK(only_note("x = 'a' .. b / 2") ==
        "the result of '/' becomes text: a whole number gives '2.0' in Lua 5.4, but '2' in Lua 5.1; "
        "'string.format(\"%.14g\", ...)' works in both");
  CHECK(only_note("x = ('%d'):rep(2) .. string.format('%d', b / 2)") ==
        "'%d' with a result of '/' that is not whole is an error in Lua 5.4, but truncates it in Lua 5.1; "
        "'math.floor(...)' around it works in both");
}

TEST_CASE("long scripts are read in time linear in them") {
  for (const char* const part :
       {"a / b ", "a / (", "unpack ", "local unpack, ", "'x' .. ((((a / b)))) ", "[=", "--[", "a /", "=", "[", "'"}) {
    std::string script;
    while (script.size() < 30'000) script += part;
    INFO(part);
    portability_notes(script);
    check_syntax(script);
  }
}

TEST_CASE("names that a script calls are those that the host may have") {
  using Names = std::vector<std::string>;
  CHECK(called_names("return AI.IsVisible(entity.id) and Near(1)") == Names{"AI.IsVisible", "Near"});
  CHECK(called_names("entity:Hide() entity:Hide{} Log 'x'") == Names{"entity.Hide", "Log"});
  CHECK(called_names("function Near() return near end local f = AI.Signal").empty());
  CHECK(called_names("return f(a.b.c(1)).d('x') -- g()") == Names{"f", "a.b.c"});
}

TEST_CASE("signals that a script sends are known if its text names them") {
  using Names = std::vector<std::string>;
  CHECK(sent_signals("AI.Signal(0, 1, 'OnSeen', entity.id) AI.Signal(f(a, b), {1, 2}, \"OnLost\")") ==
        Names{"OnSeen", "OnLost"});
  CHECK(sent_signals("return AI.IsVisible(entity.id)") == Names());
  for (const char* const script :
       {"AI.Signal(0, 1, name, 2)", "AI.Signal(0, 1, 'On' .. name)", "AI.Signal(0, 1)", "AI.Signal 'x'",
        "AI.Signal(0, 1, 'a\\n')", "local send = AI.Signal", "local ai = AI ai.Go()", "AI['Sig' .. 'nal'](0, 1, 'x')",
        "_G.x()", "AI.Signal(0, 1, 'x'"}) {
    INFO(script);
    CHECK_FALSE(sent_signals(script));
  }
}

TEST_CASE("a result that is surely no Boolean is known by its expression") {
  for (const char* const script : {"return 1", "return 'yes'", "local n = 2 return n + 1", "return #entity.targets",
                                   "return Count() - 1", "return 'a' .. name", "return f(a == b) * 2"}) {
    INFO(script);
    CHECK(returns_no_boolean(script));
  }
  for (const char* const script :
       {"", "return", "local x = 1 + 1", "return true", "return n", "return Count()", "return #targets > 0",
        "return n + 1 == 2", "return not n", "return a and 1", "if a then return 1 end return b", "return (n + 1)",
        "if a then return 1 end", "return function() return 1 end", "return 1, 2 + 3"}) {
    INFO(script);
    CHECK_FALSE(returns_no_boolean(script));
  }
}

}  // namespace script_syntax
