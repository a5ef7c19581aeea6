// How results flow from children to parents: what nodes give if their children can give these.
#include <string>
#include <vector>

#include "lint/flow.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/opcodes/tick.h"
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
      {{opcode::tick_sequence}, {"S", "RS"}, "RS"},
      {{opcode::tick_sequence}, {"F", "RS"}, "F"},
      {{opcode::tick_selector}, {"F", "S"}, "S"},
      {{opcode::tick_selector}, {"FS", "R"}, "RS"},
      {{opcode::store_sequence}, {"FS", "FS"}, "FS"},
      {{opcode::poll_sequence}, {"SK", "RSK"}, "RSK"},
      {{opcode::poll_sequence}, {"S", "K"}, "S"},
      {{opcode::poll_sequence}, {"K", "K"}, "K"},
      {{opcode::poll_fallback}, {"FK", "F"}, "F"},
      {{opcode::poll_sequence, kSignals}, {"S", "S"}, "RS"},
  });
}

TEST_CASE("a wrapper maps the results of its child", "[flow]") {
  check({
      {{opcode::tick_suppress}, {"RF"}, "RS"},
      {{opcode::tick_wrapper, kWrapperKeeps, 0, true, false}, {"FS"}, "RF"},
      {{opcode::store_invert}, {"RF"}, "RS"},
      {{opcode::store_fail}, {"RS"}, "RF"},
      {{opcode::store_role}, {"FS", "RS"}, "RS"},
      {{opcode::poll_invert}, {"FK"}, "SK"},
      {{opcode::poll_force, kGivesSuccess}, {"RFK"}, "RSK"},
      {{opcode::poll_force, kGivesFailure}, {"K"}, "K"},
      {{opcode::poll_keep_running}, {"SK"}, "R"},
  });
}

TEST_CASE("a gate gives what its child gives if it opens, and its own result if it closes", "[flow]") {
  check({
      {{opcode::tick_guard}, {"S"}, "FS"},
      {{.opcode = opcode::tick_guard, .can_close = false}, {"S"}, "S"},
      {{.opcode = opcode::tick_chance_guard, .can_open = false}, {"S"}, "F"},
      {{opcode::store_cooldown}, {"RS"}, "RFS"},
      {{opcode::poll_run_once}, {"F"}, "FK"},
      {{opcode::poll_updated}, {"S"}, "SK"},
      {{opcode::poll_updated, kWaits}, {"S"}, "RS"},
      {{.opcode = opcode::poll_precondition, .own = ir::kSkips}, {"S"}, "SK"},
  });
}

TEST_CASE("a loop gives its end result only if it ends", "[flow]") {
  check({
      {{opcode::tick_loop}, {"S"}, "RS"},
      {{.opcode = opcode::tick_loop, .is_endless = true}, {"FS"}, "RF"},
      {{.opcode = opcode::tick_loop, .has_one_round = true}, {"S"}, "S"},
      {{opcode::tick_loop, kLoopsUntilSuccess}, {"F"}, "RF"},
      {{opcode::store_repeat}, {"F"}, "RS"},
      {{opcode::store_repeat, kUntilFailure}, {"F"}, "F"},
      {{opcode::store_repeat, kEachUpdate}, {"F"}, "F"},
      {{.opcode = opcode::poll_repeat, .is_endless = true}, {"S"}, "R"},
      {{.opcode = opcode::poll_retry}, {"FK"}, "RFK"},
  });
}

TEST_CASE("a parallel gives what its children give side by side", "[flow]") {
  check({
      {{opcode::tick_parallel}, {"S", "R"}, "R"},
      {{opcode::tick_parallel}, {"S", "F"}, "F"},
      {{opcode::tick_parallel, kSucceedsWithAny}, {"S", "F"}, "S"},
      {{opcode::tick_parallel, kFailsWithAll}, {"S", "F"}, "R"},
      {{opcode::store_parallel, kFailsWithAll}, {"S", "F"}, "F"},
      {{opcode::store_parallel}, {"RS", "RS"}, "RS"},
      {{opcode::poll_nonblocking}, {"S", "RS"}, "RS"},
      {{opcode::poll_parallel}, {"S", "K"}, "FS"},
      {{opcode::poll_parallel}, {"RK", "K"}, "RFSK"},
  });
}

TEST_CASE("a node that tries runs its last child after a failure, and gives no result of it", "[flow]") {
  check({
      {{opcode::poll_try_catch}, {"S", "F"}, "S"},
      {{opcode::poll_try_catch}, {"F", "RS"}, "RF"},
      {{opcode::poll_try_catch}, {"K", "S"}, "K"},
      {{opcode::poll_recovery}, {"F", "RS"}, "RF"},
      {{opcode::poll_recovery}, {"S", "F"}, "S"},
  });
}

TEST_CASE("a choice gives what some of its children give", "[flow]") {
  check({
      {{.opcode = opcode::tick_priority, .can_close = false}, {"S", "R"}, "RS"},
      {{opcode::tick_priority}, {"S"}, "FS"},
      {{opcode::poll_if_then_else}, {"S", "R", "F"}, "R"},
      {{opcode::poll_if_then_else}, {"FS", "S"}, "FS"},
      {{opcode::poll_switch}, {"S", "K"}, "SK"},
      {{opcode::poll_persistent}, {"RF", "K"}, "RFS"},
      {{opcode::poll_round_robin}, {"S", "SK"}, "FS"},
  });
}

TEST_CASE("leaves give what the table, their flags or declarations say", "[flow]") {
  check({
      {{opcode::tick_result, 1}, {}, shown(ir::bit(static_cast<Result>(1)))},
      {{opcode::tick_script}, {}, "S"},
      {{opcode::tick_script, kScriptDecides}, {}, "FS"},
      {{.opcode = opcode::tick_action, .own = ir::kRuns}, {}, "R"},
      {{opcode::store_barrier}, {}, "S"},
      {{opcode::rule_yield}, {}, "RS"},
      {{opcode::poll_result, kGivesFailure}, {}, "F"},
      {{opcode::poll_script}, {}, "S"},
  });
}

}  // namespace lint_flow
