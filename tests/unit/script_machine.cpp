// Running scripts: which values are true, that agents share nothing, what is kept.
#include "script_machine.h"

#include "codegen/compile.h"
#include "payloads.h"
#include "runtime/format/opcodes/tick.h"
#include "unit.h"

namespace espalier::test {

Scripts::Scripts(const std::vector<std::string>& texts) {
  DraftTree tree;
  tree.name = "Scripts";
  tree.parts = ir::Ticking();
  tree.root.opcode = opcode::tick_sequence;
  tree.root.name = "Sequence";
  for (const std::string& text : texts) {
    Draft& node = tree.root.children.emplace_back();
    node.opcode = opcode::tick_script;
    node.name = "ExecuteLua";
    node.payload = ir::Scripts{{text.empty() ? " " : text}};  // an empty one is none
  }
  text::Sources sources;
  sources.add("scripts.xml", "\n");
  text::Findings findings;
  std::size_t size_bytes = 0;
  words = codegen::compile({{tree}, {}}, sources, {}, findings, &size_bytes);
  REQUIRE(findings.all().empty());
  REQUIRE(open(words.data(), size_bytes, &asset) == Status::ok);
  REQUIRE(script_count(asset) == texts.size());
}

script::Outcome run_alone(const std::string& text, const script::Limits& limits) {
  const Scripts scripts({text});
  script::Machine machine(scripts.asset, 1, limits);
  machine.add_agent(0, "first");
  return machine.run(0, 0);
}

std::string told(const script::Outcome& outcome) {
  if (outcome.error) return (outcome.truth ? "error, and true: " : "error: ") + *outcome.error;
  return outcome.truth ? "true" : "false";
}

}  // namespace espalier::test

namespace script_machine {

using namespace espalier;
using namespace espalier::test;

TEST_CASE("true is true and a number other than 0; nothing else is") {
  struct {
    const char* script;
    const char* result;
  } const cases[] = {
      {"return true", "true"},
      {"return 1", "true"},
      {"return -1", "true"},
      {"return 0.5", "true"},
      {"return 0/0", "true"},
      {"return true, false", "true"},
      {"return 1 < 2", "true"},
      {"return false", "false"},
      {"return 0", "false"},
      {"return 0.0", "false"},
      {"return -0.0", "false"},
      {"return false, true", "false"},
      {"return 'yes'", "false"},
      {"return '1'", "false"},
      {"return {}", "false"},
      {"return print", "false"},
      {"return nil", "false"},
      {"return", "false"},
      {"", "false"},
      {"local x = 1", "false"},
      {"return ...", "false"},
      {"return select('#', ...)", "false"},
      {"return nope.x", "error: attempt to index a nil value (global 'nope')"},
      {"error('no')", "error: no"},
      {"error('no', 0)", "error: no"},
      {"error()", "error: the error is a nil, not a string"},
      {"error({})", "error: the error is a table, not a string"},
      {"error(42)", "error: 42"},
      {"return true -- a comment", "true"},
  };
  for (const auto& expected : cases) {
    INFO(expected.script);
    CHECK(told(run_alone(expected.script)) == expected.result);
  }
}

TEST_CASE("an error names its line when the script has several, and never a file") {
  struct {
    const char* script;
    const char* error;
    const char* hint;
  } const cases[] = {
      {"\n\nerror('no')", "line 3: no", ""},
      {"local x = nil\nreturn x.y", "line 2: attempt to index a nil value (local 'x')", ""},
      {"\n  string.rep()", "line 2: bad argument #1 to 'rep' (string expected, got no value)", ""},
      {"table.insert(1, 2)", "bad argument #1 to 'insert' (table expected, got number)", ""},
      {"error('a\\nb')", "a b", ""},
      {"error('a\\nb\\0c')", "a b c", ""},
      {"\nwhile true do end", "line 2: the script runs too long: more than 1000000 steps", ""},
      {"AI.Signal(1)", "attempt to index a nil value (global 'AI')",
       "'AI' belongs to the engine; a trace can answer for the whole script"},
      {"System.Log('x')", "attempt to index a nil value (global 'System')",
       "'System' belongs to the engine; a trace can answer for the whole script"},
      {"entity:GetPos()", "attempt to call a nil value (method 'GetPos')",
       "if the method belongs to the engine, a trace can answer for the whole script"},
      {"os.exit()", "attempt to index a nil value (global 'os')", "'os' is not available in a replay"},
      {"require 'x'", "attempt to call a nil value (global 'require')", "'require' is not available in a replay"},
      {"return (1", "')' expected at the end", ""},
      {"\nreturn (1", "line 2: ')' expected at the end", ""},
      {"end return function()", "the end expected near 'end'", ""},
      {"return --[[", "unfinished long comment (starting at line 1) at the end", ""},
      {"\x1bLua", "attempt to load a binary chunk (mode is 't')", ""},
  };
  for (const auto& expected : cases) {
    INFO(expected.script);
    const script::Outcome outcome = run_alone(expected.script);
    CHECK_FALSE(outcome.truth);
    CHECK(outcome.error.value_or("none") == expected.error);
    CHECK(outcome.hint == expected.hint);
  }
}

TEST_CASE("an error in a function that another script made names that script's line") {
  const Scripts scripts({"function late()\n  error('no')\nend", "late()", "return load('error(1)')()",
                         "local ok, message = pcall(late) return not ok and #message > 0"});
  script::Machine machine(scripts.asset);
  CHECK(told(machine.run(0, 0)) == "false");
  CHECK(told(machine.run(0, 1)) == "error: line 2 of another script: no");
  CHECK(told(machine.run(0, 2)) == "error: 1");
  CHECK(told(machine.run(0, 3)) == "true");
  CHECK(told(machine.run(0, 4)) == "error: unknown script");
}

TEST_CASE("agents share nothing") {
  const Scripts scripts({
      "x = (x or 0) + 1 return x",
      "return x == nil and getmetatable('') == false and ('x'):upper() == 'X'",
      "x = 1 string.upper = nil math = nil _G.y = 2 setmetatable(_G, {__index = function() return 7 end}) "
      "function string.double(s) return s .. s end return ('x'):double() == 'xx' and z == 7",
      "return x == nil and y == nil and z == nil and math.huge > 0 and ('x').double == nil",
      "return _G.x == 1 and _G == _ENV and load('return x')() == 1 and load('return x', '', 't', {x = 2})() == 2",
      "rawset(getmetatable(''), '__index', nil)",
      "return entity.id",
      "entity.friend = entity return entity.name == 'second' and entity.friend.id == 1",
  });
  script::Machine machine(scripts.asset);
  machine.add_agent(0, "first");
  machine.add_agent(1, "second");
  CHECK(told(machine.run(0, 0)) == "true");
  CHECK(told(machine.run(1, 1)) == "true");
  CHECK(told(machine.run(0, 2)) == "true");
  CHECK(told(machine.run(1, 3)) == "true");
  CHECK(told(machine.run(0, 4)) == "true");
  CHECK(machine.run(0, 5).error);
  CHECK(told(machine.run(0, 6)) == "false");
  CHECK(told(machine.run(1, 6)) == "true");
  CHECK(told(machine.run(1, 7)) == "true");
  CHECK(told(machine.run(0, 7)) == "false");
}

TEST_CASE("`entity` is there while a script runs, the same table for the agent's life") {
  const Scripts scripts({
      "entity.n = (entity.n or 0) + 1 return entity.n == 1 and entity.id == 3 and entity.name == 'guard'",
      "entity.n = entity.n + 1 kept = entity return entity.n == 2",
      "return kept == entity and kept.n == 2",
      "entity = nil",
      "entity = {n = 5} return entity.n == 5",
      "function who() return entity end return who() == entity",
      "entity.error() ",
      "return rawget(_G, 'entity') == entity and who() == kept",
      "late = setmetatable({}, {__tostring = function() seen = entity return '' end}) error(late)",
      "return seen == nil",
  });
  script::Machine machine(scripts.asset);
  machine.add_agent(3, "guard");
  for (const std::uint32_t script : {0, 1, 2}) CHECK(told(machine.run(3, script)) == "true");
  CHECK(told(machine.run(3, 3)) == "false");
  CHECK(told(machine.run(3, 2)) == "true");
  CHECK(told(machine.run(3, 4)) == "true");
  CHECK(told(machine.run(3, 2)) == "true");
  CHECK(told(machine.run(3, 5)) == "true");
  CHECK(machine.run(3, 6).error);
  CHECK(told(machine.run(3, 7)) == "true");
  CHECK(machine.run(3, 8).error);
  CHECK(told(machine.run(3, 9)) == "true");
  machine.remove_agent(3);
  machine.add_agent(3, "guard");
  CHECK(told(machine.run(3, 0)) == "true");
}

TEST_CASE("another asset's scripts find what those of the first have left") {
  const Scripts before({"n = 1 entity.n = 2 function f() return n end", "return f() == 3"});
  const Scripts after({"return n == 1 and entity.n == 2 and f() == 1 and entity.id == 0", "n = 3 return f() == 3"});
  script::Machine machine(before.asset);
  machine.add_agent(0, "");
  CHECK(told(machine.run(0, 0)) == "false");
  machine.use(after.asset);
  CHECK(told(machine.run(0, 0)) == "true");
  CHECK(told(machine.run(0, 1)) == "true");
  machine.use(before.asset);
  CHECK(told(machine.run(0, 1)) == "true");
}

TEST_CASE("every run of the same scripts is the same") {
  const std::vector<std::string> texts = {
      "local keys = {} for k in pairs({z = 1, b = 1, [2.5] = 1, [true] = 1, aa = 1, [-3] = 1, a = 1, [1] = 1, 5}) do "
      "keys[#keys + 1] = tostring(k) end return table.concat(keys, ' ') == '-3 1 2.5 a aa b z true'",
      "local t = {} for i = 1, 100 do t['k' .. i] = i end local keys = {} for k in next, t do keys[#keys + 1] = k end "
      "for i = 2, 100 do if keys[i] <= keys[i - 1] then return false end end return #keys == 100",
      "local t = {1, 2, 3, x = 1, y = 2} for k in pairs(t) do t[k] = nil end return next(t) == nil",
      "local a, b = {}, {} local n = 0 for k, v in pairs({[a] = 1, [b] = 2, x = 3}) do n = n + v end return n == 6",
      // Tables and functions come in the order in which they were made, whatever that of their keys is.
      "local made, t = {}, {} for i = 1, 300 do made[i] = i % 2 == 0 and {} or function() return i end end "
      "for i = 300, 1, -1 do t[made[i]] = i end local n = 0 "
      "for _, i in pairs(t) do n = n + 1 if i ~= n then return false end end return n == 300",
      "local t = {[utf8.len] = 5, [print] = 3, [{}] = 7, [ipairs] = 1, [ipairs({})] = 6, [select] = 2, [math.abs] = 4} "
      "local list = {} for _, v in pairs(t) do list[#list + 1] = v end local again = {} "
      "for k, v in next, t do again[#again + 1] = v end "
      "return table.concat(list) == '1245367' and table.concat(again) == table.concat(list)",
      "local t = setmetatable({}, {__pairs = function() return function(_, k) if not k then return 1, 2 end end end}) "
      "for k, v in pairs(t) do return k == 1 and v == 2 end",
      "local t = {} return tostring(t) == tostring(t) and tostring(t) ~= tostring({}) and tostring(t):match('^table: "
      "%d$')"
      " ~= nil",
      "return string.format('%s', print):match('^function: %d$') ~= nil and not pcall(string.format, '%p', {})",
      "return string.format('%5.1f|%-3d|%%|%q|%s|%s', 1.25, 7, 'a', nil, setmetatable({}, {__tostring = function() "
      "return"
      " 'T' end})) == '  1.2|7  |%|\"a\"|nil|T'",
  };
  const Scripts scripts(texts);
  script::Machine machine(scripts.asset);
  machine.add_agent(0, "");
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    INFO(texts[i]);
    CHECK(told(machine.run(0, i)) == "true");
  }
}

TEST_CASE("random numbers follow from seed, agent and what was drawn before") {
  const Scripts scripts(
      {"first = first or math.random(1 << 40) return math.random(1 << 40) == math.random(1 << 40)",
       "n = math.random(1, 6) return n >= 1 and n <= 6 and math.type(n) == 'integer'",
       "local x = math.random() return x >= 0 and x < 1",
       "math.randomseed(7) local a = math.random(1e9) math.randomseed(7) return a == math.random(1e9)",
       "return math.random(3, 3) == 3 and not pcall(math.random, 2, 1) and not pcall(math.random, 1, 2, 3)",
       "math.randomseed(1) return math.random(1000) == 1000",
       "return math.random(math.mininteger, math.maxinteger) ~= math.random(0)"});
  const auto first_of = [&scripts](std::uint64_t seed, std::uint32_t agent) {
    script::Machine machine(scripts.asset, seed);
    machine.add_agent(agent, "");
    CHECK(told(machine.run(agent, 0)) == "false");
    for (int value = 0;; ++value) {
      const Scripts ask({"return first % 1009 == " + std::to_string(value)});
      machine.use(ask.asset);
      if (machine.run(agent, 0).truth) return value;
      REQUIRE(value < 1009);
    }
  };
  CHECK(first_of(1, 0) == first_of(1, 0));
  CHECK(first_of(1, 0) != first_of(2, 0));
  CHECK(first_of(1, 0) != first_of(1, 1));
  script::Machine machine(scripts.asset);
  machine.add_agent(0, "");
  for (const std::uint32_t script : {1, 2, 3, 4, 6}) CHECK(told(machine.run(0, script)) == "true");
}

TEST_CASE("very many agents have environments of their own") {
  const Scripts scripts({"n = (n or 0) + entity.id return n == entity.id"});
  script::Machine machine(scripts.asset);
  constexpr std::uint32_t kAgentCount = 10'000;
  for (std::uint32_t agent = 1; agent <= kAgentCount; ++agent) machine.add_agent(agent, std::to_string(agent));
  std::uint32_t true_count = 0;
  for (std::uint32_t agent = 1; agent <= kAgentCount; ++agent) true_count += machine.run(agent, 0).truth ? 1 : 0;
  CHECK(true_count == kAgentCount);
  for (std::uint32_t agent = 1; agent <= kAgentCount; ++agent) true_count -= machine.run(agent, 0).truth ? 0 : 1;
  CHECK(true_count == 0);
}

}  // namespace script_machine
