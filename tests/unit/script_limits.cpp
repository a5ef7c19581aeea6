// Scripts that exceed limits: each ends with an error that states the reason, and the next script runs normally.
#include "script_machine.h"
#include "unit.h"

namespace script_limits {

using namespace espalier;
using namespace espalier::test;

namespace {

constexpr const char* kTooLong = "the script runs too long: more than 400000 steps";
constexpr const char* kTooLongString = "a string is too long: more than 64 KiB";
constexpr const char* kTooLarge = "a table, a string buffer or the call stack is too large: more than 1024 KiB";
constexpr const char* kTooDeep = "calls are nested too deeply";

struct Attack {
  const char* script;
  const char* error;  // empty: any
};

}  // namespace

TEST_CASE("a script that asks for too much ends with an error") {
  const Attack attacks[] = {
      // Running forever, and catching the error.
      {"while true do end", kTooLong},
      {"repeat until false", kTooLong},
      {"goto a ::a:: goto a", ""},
      {"local function f() return f() end return f()", kTooLong},
      {"while true do pcall(function() while true do end end) end", kTooLong},
      {"pcall(function() while true do end end) return true", kTooLong},
      {"pcall(pcall, pcall, function() while true do end end) return true", kTooLong},
      {"xpcall(function() while true do end end, function() while true do end end) return true", kTooLong},
      {"xpcall(error, function() while true do end end) return true", kTooLong},
      {"while true do pcall(error) end", kTooLong},
      {"local t = setmetatable({}, {__close = function() while true do end end}) local x <close> = t return true",
       kTooLong},
      {"local t = setmetatable({}, {__close = function() while true do end end}) "
       "local function f() local x <close> = t local y <close> = t while true do end end f()",
       kTooLong},
      {"local t = setmetatable({}, {__index = function(t, k) return t[k] end}) return t.x", ""},
      {"local t = {} t.__index = t setmetatable(t, t) return t.x", ""},
      {"setmetatable(entity, {__index = function() while true do end end}) return entity.x", kTooLong},
      {"for i = 1, math.huge do end", kTooLong},
      {"for k in function() return 1 end do end", kTooLong},
      {"error(setmetatable({}, {__tostring = function() while true do end end}))", ""},
      {"error(setmetatable({}, {__tostring = error}))", ""},

      // Functions that work for long without one instruction.
      {"return ('a'):rep(60000):find(('.-'):rep(50) .. 'b')", kTooLong},
      {"return ('a'):rep(1e6):find(('.-'):rep(50) .. 'b')", kTooLongString},
      {"return ('a'):rep(60000):match(('a*'):rep(30) .. 'b')", kTooLong},
      {"return ('a'):rep(60000):gsub(('a?'):rep(30) .. ('a'):rep(30) .. 'b', '')", kTooLong},
      {"for x in ('a'):rep(60000):gmatch('.-.-.-.-b') do end", kTooLong},
      {"return ('('):rep(60000):find('%b()')", kTooLong},
      {"while true do ('a'):rep(60000):find(('a'):rep(30000) .. 'b', 1, true) end", kTooLong},
      {"return ('a'):rep(60000):find('[' .. ('b'):rep(60000) .. ']')", kTooLong},
      {"return ('a'):rep(60000):find('(' .. ('.-'):rep(20) .. ')%1b')", kTooLong},
      {"return ('x'):rep(60000):find(('x*'):rep(300))", "pattern too complex"},
      {"return ('x'):find(('('):rep(300))", "too many captures"},
      {"return string.rep('', 1e18) == '' and string.rep('', 1e18, '') == ''", "none"},
      {"string.rep('x', 1e18)", "resulting string too large"},
      {"local t = setmetatable({}, {__len = function() return 1 << 62 end}) table.insert(t, 1, 1)", kTooLong},
      {"local t = setmetatable({}, {__len = function() return 1 << 62 end}) table.remove(t, 1)", kTooLong},
      {"local t = setmetatable({}, {__len = function() return 1 << 62 end}) table.sort(t)",
       "attempt to compare two nil values"},
      {"local t = setmetatable({}, {__len = function() return 1 << 62 end}) table.unpack(t)",
       "too many results to unpack"},
      {"local t = setmetatable({}, {__len = function() return 1 << 62 end, __index = function() return '' end}) "
       "table.concat(t)",
       kTooLong},
      {"table.concat(setmetatable({}, {__index = function() return '' end}), '', 1, 1 << 62)", kTooLong},
      {"table.move({}, 1, 1 << 60, 2)", kTooLong},
      {"table.unpack({}, 1, 1e8)", "too many results to unpack"},
      {"table.unpack({}, 1, 1e7)", "too many results to unpack"},
      {"table.unpack({}, math.mininteger, math.maxinteger)", "too many results to unpack"},
      {"local t = {} for i = 1, 200 do t[i] = i end while true do table.unpack(t) end", kTooLong},
      {"local s = ('x'):rep(60000) while true do s:byte(1, 10000) end", kTooLong},
      {"local s = ('x'):rep(60000) while true do s:upper() end", kTooLong},
      {"local s = ('x'):rep(60000) while true do utf8.len(s) end", kTooLong},
      {"local s = ('1'):rep(60000) while true do tonumber(s, 10) end", kTooLong},
      {"local s = ('x=1 '):rep(10000) while true do load(s) end", kTooLong},
      {"local s = ('x'):rep(60000) while true do local t = s .. 'y' end", kTooLong},
      {"local t = {} for i = 1, 500 do t['k' .. i] = i end while true do for k in pairs(t) do end end", kTooLong},
      {"local t = {} for i = 1, 20000 do t['k' .. i] = i end for k in pairs(t) do end", kTooLong},
      {"local t = {} for i = 1, 8000 do t['k' .. i] = 1 end for i = 1, 8000 do t['k' .. i] = nil end "
       "for i = 1, 2000 do next(t) end",
       kTooLong},
      {"local t = {} for i = 1, 16000 do t[i] = 1 end for i = 1, 16000 do t[i] = nil end "
       "for i = 1, 2000 do for k in pairs(t) do end end",
       kTooLong},
      {"table.sort({3, 1, 2}, function() while true do end end)", kTooLong},
      {"local t = {} for i = 1, 60000 do t[i] = i % 7 end table.sort(t)", kTooLong},
      {"while true do string.format('%99.99f%99.99f%99.99f', 1e308, 1e308, 1e308) end", kTooLong},
      {"string.format('%99999999d', 1)", ""},
      {"local a, b = ('x'):rep(50000), ('x'):rep(50000) while true do local c = a == b end", kTooLong},
      {"local a, b = ('x'):rep(50000), ('x'):rep(50000) while true do local c = a < b end", kTooLong},
      {"local a = ('0'):rep(50000) while true do local c = a + a end", kTooLong},
      {"local a = ('0'):rep(50000) while true do math.floor(a) end", kTooLong},
      {"local a = ('0'):rep(4000) while true do local b = a + a end", kTooLong},
      {"local a = (' '):rep(50000) while true do tonumber(a) end", kTooLong},
      {"local t = {} for i = 1, 250 do t[i] = i end local function f(...) "
       "local function g(n, ...) if n > 0 then return g(n - 1, table.unpack(t, 1, 200), ...) end "
       "while true do local function h(...) end h(...) end end return g(200, ...) end f()",
       ""},
      {"local function g(...) local n = select('#', ...) if n < 8000 then return g(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...) "
       "end "
       "local function h() end while true do h(...) end end g()",
       kTooLong},
      {"local s = ('x'):rep(60000) while true do local t = {[s .. 1] = 1} end", kTooLong},
      {"local s = '\\128' s = s:rep(60000) local f, s, i = utf8.codes(s) while true do pcall(f, s, 0) end", kTooLong},

      // Memory.
      {"local s = 'x' while true do s = s .. s end", kTooLongString},
      {"local s = 'x' pcall(function() while true do s = s .. s end end) return true", kTooLongString},
      {"local t = {} while true do t[#t + 1] = 1 end", kTooLarge},
      {"local t = {} for i = 1, 1e9 do t[i] = 1 end", kTooLarge},
      {"local t = {} for i = 1, 1e9 do t['k' .. i] = 1 end", ""},
      {"local t while true do t = {t, t, t, t} end", kTooLong},
      {"table.concat({('x'):rep(60000), ('x'):rep(60000)})", kTooLongString},
      {"return ('x'):rep(60000):gsub('x', ('y'):rep(60000))", kTooLarge},
      {"return load(('('):rep(60000))()", ""},
      {"return load('return ' .. ('- '):rep(250) .. '1')()", ""},
      {"return load('return ' .. ('{'):rep(30000))()", ""},

      // Calls.
      {"local function f() return 1 + f() end f()", kTooDeep},
      {"local function f() pcall(f) return 1 + f() end f()", ""},
      {"local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k .. 'x'] end return t.x", ""},
      {"local function f(s) return (s:gsub('.', f)) end f('x')", ""},
      {"local function f() return pcall(f) end return f()", ""},
      {"local function f() table.sort({1, 2}, f) end f()", ""},
      {"local function f() return tostring(setmetatable({}, {__tostring = f})) end f()", ""},
      {"local function f(...) return f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...) end f()", kTooLarge},
      {"string.format(('%s'):rep(200), 1)", ""},
  };
  script::Limits limits;
  limits.step_count = 400'000;
  for (const Attack& attack : attacks) {
    INFO(attack.script);
    const Scripts scripts({attack.script, "return entity.id == 0 and ('x'):upper() == 'X'"});
    script::Machine machine(scripts.asset, 1, limits);
    machine.add_agent(0, "first");
    const script::Outcome outcome = machine.run(0, 0);
    if (*attack.error != '\0') CHECK(outcome.error.value_or("none") == attack.error);
    CHECK(outcome.truth == !outcome.error.has_value());
    CHECK(told(machine.run(0, 1)) == "true");
  }
}

TEST_CASE("limits are those that are given") {
  script::Limits limits;
  limits.step_count = 10'000;
  limits.call_depth = 100;
  limits.string_bytes = 1 << 10;
  limits.object_bytes = 4 << 10;
  limits.memory_bytes = 64 << 10;
  struct {
    const char* script;
    const char* result;
  } const cases[] = {
      {"for i = 1, 2000 do end return true", "true"},
      {"for i = 1, 20000 do end return true", "error: the script runs too long: more than 10000 steps"},
      {"return #('x'):rep(900)", "true"},
      {"return #('x'):rep(1024)", "error: a string is too long: more than 1 KiB"},
      {"local t = {} for i = 1, 200 do t[i] = i end return true", "true"},
      {"local t = {} for i = 1, 300 do t[i] = i end",
       "error: a table, a string buffer or the call stack is too large: more than 4 KiB"},
      {"local t for i = 1, 500 do t = {t} end return true", "true"},
      {"local t for i = 1, 1000 do t = {t, i} end", "error: scripts use too much memory: more than 64 KiB"},
      {"local function f(n) return n == 0 and 1 or n * f(n - 1) end return f(10) == 3628800", "true"},
      {"local function f() local x = f() return x end f()", "error: calls are nested too deeply"},
  };
  for (const auto& expected : cases) {
    INFO(expected.script);
    CHECK(told(run_alone(expected.script, limits)) == expected.result);
  }
}

TEST_CASE("what is held counts, what is dropped does not") {
  script::Limits limits;
  limits.memory_bytes = 256 << 10;
  const Scripts scripts(
      {"entity.list = entity.list or {} for i = 1, 100 do table.insert(entity.list, {}) end return true",
       "entity.list = nil return true",
       "for i = 1, 100 do local t = {} for j = 1, 100 do t[j] = {} end end return true"});
  script::Machine machine(scripts.asset, 1, limits);
  for (std::uint32_t agent = 0; agent < 100; ++agent) machine.add_agent(agent, "");  // their own libraries do not count
  for (int i = 0; i < 3; ++i) {
    for (std::uint32_t agent = 0; agent < 100; ++agent) CHECK(told(machine.run(agent, 2)) == "true");
  }
  int count = 0;
  while (!machine.run(0, 0).error) ++count;
  CHECK(count > 20);
  CHECK(count < 60);
  CHECK(told(machine.run(0, 0)) == "error: scripts use too much memory: more than 256 KiB");
  CHECK(told(machine.run(0, 1)) == "true");
  CHECK(told(machine.run(0, 0)) == "true");
  machine.remove_agent(0);
  machine.add_agent(0, "");
  for (int i = 0; i < count; ++i) CHECK(told(machine.run(0, 0)) == "true");
}

TEST_CASE("a script that holds nearly all there is does not make Lua collect it again and again") {
  script::Limits limits;
  limits.memory_bytes = 8 << 20;
  const Scripts scripts({"list = list or {} for i = 1, 1000 do list = {list} end return true",
                         "while true do local t = {} end", "while true do pcall(table.unpack, {}, 1, 100000) end"});
  script::Machine machine(scripts.asset, 1, limits);
  while (!machine.run(0, 0).error) {
  }
  for (int i = 0; i < 3; ++i) {
    CHECK(machine.run(0, 1).error);
    CHECK(machine.run(0, 2).error);
  }
}

TEST_CASE("no cycle of tables, and no metatable, makes a script run when none does") {
  const Scripts scripts(
      {"log = {} for i = 1, 100 do setmetatable({}, {__gc = function() log[1] = 1 end}) end",
       "for i = 1, 10000 do local t = {} end return log[1] == nil",
       "local m = {} setmetatable({}, m) m.__gc = function() log[1] = 1 end",
       "local m = {__gc = 1, x = 2} local t = setmetatable({}, m) return getmetatable(t) == m and m.__gc"});
  script::Machine machine(scripts.asset);
  machine.add_agent(0, "");
  CHECK(told(machine.run(0, 0)) == "false");
  CHECK(told(machine.run(0, 1)) == "true");
  CHECK(told(machine.run(0, 2)) == "false");
  CHECK(told(machine.run(0, 1)) == "true");
  CHECK(told(machine.run(0, 3)) == "true");
}

}  // namespace script_limits
