// Saving and restoring what an agent's scripts have made.
#include "script_machine.h"
#include "unit.h"

namespace script_snapshots {

using namespace espalier;
using namespace espalier::test;

TEST_CASE("restoring puts back everything that scripts can reach") {
  struct {
    const char* name;
    const char* make;
    const char* change;
    const char* holds;  // before the change, and after restoring; not in between
  } const cases[] = {
      {"globals", "a = 1", "a = 2 b = 3", "return a == 1 and b == nil"},
      {"fields of entity", "entity.a = 1", "entity.a = nil entity.b = 1", "return entity.a == 1 and entity.b == nil"},
      {"tables in tables", "t = {{1}}", "t[1][1] = 2 t[2] = {}", "return t[1][1] == 1 and #t == 1"},
      {"a table that was replaced", "t = {1} u = t", "t = {2}", "return t[1] == 1 and t == u"},
      {"cycles", "t = {} t.t = t t[t] = t", "t.t = nil t[t] = nil", "return t.t == t and t[t] == t"},
      {"keys that are tables", "k = {n = 1} t = {[k] = 1}", "k.n = 2 t[k] = nil", "return t[k] == 1 and k.n == 1"},
      {"what a function has kept", "do local n = 0 function f(d) n = n + d return n end end f(1)", "f(5)",
       "return f(0) == 1"},
      {"what two functions share", "do local n = 0 function inc() n = n + 1 end function get() return n end end inc()",
       "inc() inc()", "return get() == 1"},
      {"a table that only a function knows", "do local t = {0} function f(d) t[1] = t[1] + d return t[1] end end f(1)",
       "f(5)", "return f(0) == 1"},
      {"metatables", "t = setmetatable({}, {__index = {a = 1}})", "getmetatable(t).__index.a = 2 setmetatable(t, nil)",
       "return t.a == 1"},
      {"a metatable that came later", "t = {}", "setmetatable(t, {__index = {a = 1}})", "return t.a == nil"},
      {"the library", "string.twice = function(s) return s .. s end", "string.twice = nil math.huge = 1 _G.print = nil",
       "return ('a'):twice() == 'aa' and math.huge > 1 and print ~= nil"},
      {"a library that was replaced", "", "string = {upper = 1} math = nil",
       "return ('a'):upper() == 'A' and math ~= nil"},
      {"iterators", "it = ('abc'):gmatch('.') first = it()", "it() it()", "return it() == 'b'"},
      {"globals that have a metatable",
       "setmetatable(_G, {__index = function() return 1 end, __newindex = rawset}) g = 2",
       "setmetatable(_G, nil) g = 3", "return g == 2 and unknown == 1"},
      {"random numbers", "", "drawn = math.random(1e9)", "expected = expected or math.random(1e9) return drawn == nil"},
  };
  for (const auto& expected : cases) {
    INFO(expected.name);
    const Scripts scripts({expected.make, expected.change, expected.holds});
    script::Machine machine(scripts.asset);
    machine.add_agent(0, "");
    CHECK(told(machine.run(0, 0)) == "false");
    const auto snapshot = machine.save(0);
    REQUIRE(snapshot);
    CHECK(told(machine.run(0, 1)) == "false");
    CHECK_FALSE(machine.run(0, 2).truth);
    for (int time = 0; time < 2; ++time) {
      REQUIRE(machine.restore(0, *snapshot));
      CHECK(told(machine.run(0, 2)) == "true");
      CHECK(told(machine.run(0, 1)) == "false");
    }
  }
}

TEST_CASE("saving changes nothing, and snapshots are apart") {
  const Scripts scripts({"n = (n or 0) + 1", "return n == 1", "return n == 2", "return n == nil"});
  script::Machine machine(scripts.asset);
  machine.add_agent(0, "");
  machine.add_agent(1, "");
  const auto none = machine.save(0);
  machine.run(0, 0);
  const auto one = machine.save(0);
  machine.run(0, 0);
  const auto two = machine.save(0);
  machine.run(1, 0);
  CHECK(told(machine.run(0, 2)) == "true");
  REQUIRE(machine.restore(0, *one));
  CHECK(told(machine.run(0, 1)) == "true");
  REQUIRE(machine.restore(0, *none));
  CHECK(told(machine.run(0, 3)) == "true");
  REQUIRE(machine.restore(0, *two));
  CHECK(told(machine.run(0, 2)) == "true");
  CHECK(told(machine.run(1, 1)) == "true");
}

TEST_CASE("the same numbers are drawn after restoring") {
  const Scripts scripts(
      {"a = a or math.random(1e9)", "entity.a = math.random(1e9)", "b = entity.a", "return entity.a == b"});
  script::Machine machine(scripts.asset);
  machine.add_agent(0, "");
  machine.run(0, 0);
  const auto snapshot = machine.save(0);
  const Scripts draw({"return math.random(1e9) % 2 == 0"});
  machine.use(draw.asset);
  std::string first;
  for (int i = 0; i < 64; ++i) first += machine.run(0, 0).truth ? '1' : '0';
  REQUIRE(machine.restore(0, *snapshot));
  std::string second;
  for (int i = 0; i < 64; ++i) second += machine.run(0, 0).truth ? '1' : '0';
  CHECK(first == second);
  CHECK(first.find('0') != std::string::npos);
  CHECK(first.find('1') != std::string::npos);
}

TEST_CASE("what is saved counts as held, until the snapshot is dropped") {
  script::Limits limits;
  limits.memory_bytes = 256 << 10;
  const Scripts scripts(
      {"t = {} for i = 1, 1000 do t[i] = i end return true", "local t = {} for i = 1, 100 do t[i] = {} end"});
  script::Machine machine(scripts.asset, 1, limits);
  machine.add_agent(0, "");
  REQUIRE(machine.run(0, 0).truth);
  std::vector<script::Snapshot> kept;
  while (auto snapshot = machine.save(0)) {
    kept.push_back(*snapshot);
    REQUIRE(kept.size() < 100);
  }
  CHECK(kept.size() > 5);
  CHECK(told(machine.run(0, 1)) == "false");
  kept.pop_back();
  CHECK(machine.save(0));
  REQUIRE(machine.restore(0, kept[0]));
}

TEST_CASE("a snapshot may outlive its machine") {
  const Scripts scripts({"n = 1"});
  std::optional<script::Snapshot> snapshot;
  {
    script::Machine machine(scripts.asset);
    machine.run(0, 0);
    snapshot = machine.save(0);
  }
  CHECK(snapshot);
}

}  // namespace script_snapshots
