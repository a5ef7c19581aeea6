// How results flow from children to parents: what nodes give if their children can give these.
#include <string>
#include <vector>

#include "lint/flow.h"
#include "runtime/format/opcode.h"
#include "runtime/poll/nodes.h"
#include "unit.h"

namespace lint_flow {

using namespace espalier;
using lint::FlowNode;

namespace {

// "RFSK": letters of results, K for skipped.
std::string shown(ir::Results results) {
  std::string text;
  if (ir::can(results, ir::kRuns)) text += 'R';
  if (ir::can(results, ir::kFails)) text += 'F';
  if (ir::can(results, ir::kSucceeds)) text += 'S';
  if (ir::can(results, ir::kSkips)) text += 'K';
  return text;
}

ir::Results read(const std::string& letters) {
  ir::Results results = 0;
  for (const char letter : letters) {
    results |= letter == 'R' ? ir::kRuns : letter == 'F' ? ir::kFails : letter == 'S' ? ir::kSucceeds : ir::kSkips;
  }
  return results;
}

struct Case {
  FlowNode node;
  std::vector<std::string> children;
  std::string gives;
};

void check(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    std::vector<ir::Results> children;
    std::string written;
    for (const std::string& child : each.children) {
      children.push_back(read(child));
      written += " " + child;
    }
    INFO("opcode " << static_cast<int>(each.node.opcode) << ", flags " << each.node.flags << ", children" << written);
    CHECK(shown(results_of(each.node, children)) == each.gives);
  }
}

}  // namespace

TEST_CASE("a row goes on after one result, and gives the others", "[flow]") {
  check({
      {{Opcode::tick_sequence}, {"S", "RS"}, "RS"},
      {{Opcode::tick_sequence}, {"F", "RS"}, "F"},
      {{Opcode::tick_selector}, {"F", "S"}, "S"},
      {{Opcode::tick_selector}, {"FS", "R"}, "RS"},
      {{Opcode::store_sequence}, {"FS", "FS"}, "FS"},
      {{Opcode::poll_sequence}, {"SK", "RSK"}, "RSK"},
      {{Opcode::poll_sequence}, {"S", "K"}, "S"},
      {{Opcode::poll_sequence}, {"K", "K"}, "K"},
      {{Opcode::poll_fallback}, {"FK", "F"}, "F"},
      {{Opcode::poll_sequence, kSignals}, {"S", "S"}, "RS"},
  });
}

TEST_CASE("a wrapper maps the results of its child", "[flow]") {
  check({
      {{Opcode::tick_suppress}, {"RF"}, "RS"},
      {{Opcode::tick_wrapper, kWrapperKeeps, 0, true, false}, {"FS"}, "RF"},
      {{Opcode::store_invert}, {"RF"}, "RS"},
      {{Opcode::store_fail}, {"RS"}, "RF"},
      {{Opcode::store_role}, {"FS", "RS"}, "RS"},
      {{Opcode::poll_invert}, {"FK"}, "SK"},
      {{Opcode::poll_force, kGivesSuccess}, {"RFK"}, "RSK"},
      {{Opcode::poll_force, kGivesFailure}, {"K"}, "K"},
      {{Opcode::poll_keep_running}, {"SK"}, "R"},
  });
}

TEST_CASE("a gate gives what its child gives if it opens, and its own result if it closes", "[flow]") {
  check({
      {{Opcode::tick_guard}, {"S"}, "FS"},
      {{.opcode = Opcode::tick_guard, .can_close = false}, {"S"}, "S"},
      {{.opcode = Opcode::tick_chance_guard, .can_open = false}, {"S"}, "F"},
      {{Opcode::store_cooldown}, {"RS"}, "RFS"},
      {{Opcode::poll_run_once}, {"F"}, "FK"},
      {{Opcode::poll_updated}, {"S"}, "SK"},
      {{Opcode::poll_updated, kWaits}, {"S"}, "RS"},
      {{.opcode = Opcode::poll_precondition, .own = ir::kSkips}, {"S"}, "SK"},
  });
}

TEST_CASE("a loop gives its end result only if it ends", "[flow]") {
  check({
      {{Opcode::tick_loop}, {"S"}, "RS"},
      {{.opcode = Opcode::tick_loop, .is_endless = true}, {"FS"}, "RF"},
      {{.opcode = Opcode::tick_loop, .has_one_round = true}, {"S"}, "S"},
      {{Opcode::tick_loop, kLoopsUntilSuccess}, {"F"}, "RF"},
      {{Opcode::store_repeat}, {"F"}, "RS"},
      {{Opcode::store_repeat, kUntilFailure}, {"F"}, "F"},
      {{Opcode::store_repeat, kEachUpdate}, {"F"}, "F"},
      {{.opcode = Opcode::poll_repeat, .is_endless = true}, {"S"}, "R"},
      {{.opcode = Opcode::poll_retry}, {"FK"}, "RFK"},
  });
}

TEST_CASE("a parallel gives what its children give side by side", "[flow]") {
  check({
      {{Opcode::tick_parallel}, {"S", "R"}, "R"},
      {{Opcode::tick_parallel}, {"S", "F"}, "F"},
      {{Opcode::tick_parallel, kSucceedsWithAny}, {"S", "F"}, "S"},
      {{Opcode::tick_parallel, kFailsWithAll}, {"S", "F"}, "R"},
      {{Opcode::store_parallel, kFailsWithAll}, {"S", "F"}, "F"},
      {{Opcode::store_parallel}, {"RS", "RS"}, "RS"},
      {{Opcode::poll_nonblocking}, {"S", "RS"}, "RS"},
      {{Opcode::poll_parallel}, {"S", "K"}, "FS"},
      {{Opcode::poll_parallel}, {"RK", "K"}, "RFSK"},
  });
}

TEST_CASE("a node that tries runs its last child after a failure, and gives no result of it", "[flow]") {
  check({
      {{Opcode::poll_try_catch}, {"S", "F"}, "S"},
      {{Opcode::poll_try_catch}, {"F", "RS"}, "RF"},
      {{Opcode::poll_try_catch}, {"K", "S"}, "K"},
      {{Opcode::poll_recovery}, {"F", "RS"}, "RF"},
      {{Opcode::poll_recovery}, {"S", "F"}, "S"},
  });
}

TEST_CASE("a choice gives what some of its children give", "[flow]") {
  check({
      {{.opcode = Opcode::tick_priority, .can_close = false}, {"S", "R"}, "RS"},
      {{Opcode::tick_priority}, {"S"}, "FS"},
      {{Opcode::poll_if_then_else}, {"S", "R", "F"}, "R"},
      {{Opcode::poll_if_then_else}, {"FS", "S"}, "FS"},
      {{Opcode::poll_switch}, {"S", "K"}, "SK"},
      {{Opcode::poll_persistent}, {"RF", "K"}, "RFS"},
      {{Opcode::poll_round_robin}, {"S", "SK"}, "FS"},
  });
}

TEST_CASE("leaves give what the table, their flags or declarations say", "[flow]") {
  check({
      {{Opcode::tick_result, 1}, {}, shown(ir::bit(static_cast<Result>(1)))},
      {{Opcode::tick_script}, {}, "S"},
      {{Opcode::tick_script, kScriptDecides}, {}, "FS"},
      {{.opcode = Opcode::tick_action, .own = ir::kRuns}, {}, "R"},
      {{Opcode::store_barrier}, {}, "S"},
      {{Opcode::rule_yield}, {}, "RS"},
      {{Opcode::poll_result, kGivesFailure}, {}, "F"},
      {{Opcode::poll_script}, {}, "S"},
  });
}

}  // namespace lint_flow
