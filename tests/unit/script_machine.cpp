// Running scripts: what is true, what agents share (nothing), what is kept.
#include "script_machine.h"

#include "codegen/compile.h"
#include "unit.h"

namespace espalier::test {

Scripts::Scripts(const std::vector<std::string>& texts) {
  ir::Tree tree;
  tree.name = "Scripts";
  tree.details.resize(1 + texts.size());
  tree.root.opcode = Opcode::tick_sequence;
  tree.root.name = "Sequence";
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    ir::Node node;
    node.opcode = Opcode::tick_script;
    node.name = "ExecuteLua";
    node.details = i + 1;
    tree.details[i + 1].scripts[0] = texts[i];
    tree.root.children.push_back(node);
  }
  text::Sources sources;
  sources.add("scripts.xml", "\n");
  text::Findings findings;
  std::size_t size_bytes = 0;
  words = codegen::compile({{tree}}, sources, {}, findings, &size_bytes);
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
      {"error()", "error: the error is a nil and no text"},
      {"error({})", "error: the error is a table and no text"},
      {"error(42)", "error: 42"},
      {"return true -- a comment", "true"},
  };
  for (const auto& expected : cases) {
    INFO(expected.script);
    CHECK(told(run_alone(expected.script)) == expected.result);
  }
}
