// Which payload nodes have, by their opcodes. See payloads.h.
#include "payloads.h"

#include <memory>

#include "runtime/format/opcode_info.h"
#include "runtime/format/opcodes/decide.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/format/opcodes/select.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::test {

ir::Payload empty_payload(Opcode opcode) {
  switch (opcode) {
    case opcode::select_leaf:
      return ir::Leaf();
    case opcode::select_priority:
    case opcode::select_machine:
    case opcode::tick_case:
    case opcode::tick_guard:
    case opcode::tick_condition:
      return ir::Guard();
    case opcode::select_state:
      return ir::Transitions();
    case opcode::tick_state:
      return ir::EventTransitions();
    case opcode::tick_wait_event:
    case opcode::tick_send:
    case opcode::tick_queue:
      return ir::Event();
    case opcode::tick_chance_guard:
      return ir::Chance();
    case opcode::tick_wait:
    case opcode::store_cooldown:
    case opcode::store_cooldown_all:
      return ir::Duration();
    case opcode::tick_time_guard:
    case opcode::tick_time:
      return ir::TimeTest();
    case opcode::tick_loop:
    case opcode::tick_limit:
    case opcode::tick_scope:
    case opcode::store_repeat:
    case opcode::store_gate:
      return ir::Limit();
    case opcode::tick_script_guard:
    case opcode::tick_script:
    case opcode::tick_script_wrapper:
      return ir::Scripts();
    case opcode::tick_message:
    case opcode::tick_log:
      return ir::Texts();
    case opcode::tick_action:
    case opcode::tick_wrapper:
    case opcode::store_action:
    case opcode::store_condition:
      return ir::Behavior();
    case opcode::rule_file:
    case opcode::rule_subtree:
      return ir::RuleFile();
    case opcode::decide_share:
      return ir::DeciderShare();
    case opcode::store_group:
      return ir::Group();
    case opcode::store_barrier:
      return ir::Barrier();
    case opcode::store_child:
      return ir::ChildTree();
    default:
      switch (opcode_info(opcode).engine) {
        case EngineId::rule:
          return ir::Rule();
        case EngineId::poll:
          return ir::PolledNode();
        case EngineId::decide:
          return ir::PlacedDecider{1, std::make_shared<const ir::Decider>()};
        default:
          return {};
      }
  }
}

}  // namespace espalier::test
