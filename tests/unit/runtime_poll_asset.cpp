// Trees that poll, with every kind of node and record that they have. See runtime_poll_asset.h.
#include "runtime_poll_asset.h"

#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "payloads.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime_assets.h"

namespace espalier::test {
namespace {

using layout::PollDirection;
using layout::PollOp;
using layout::PollType;

constexpr std::uint32_t kKeys = 6;  // 0 to 2 of the tree's own blackboard, 3 to 5 of the subtree's

// What a node of the engine has at least: its type, and a value that works. The ports are in their order.
struct PortOf {
  Opcode opcode;
  PollType type;
  const char* literal;  // null: an entry
};
constexpr PortOf kPorts[] = {
    {opcode::poll_parallel, PollType::int32, "1"},
    {opcode::poll_parallel, PollType::int32, "1"},
    {opcode::poll_parallel_all, PollType::int32, "1"},
    {opcode::poll_switch, PollType::text, nullptr},
    {opcode::poll_switch, PollType::text, "1"},
    {opcode::poll_switch, PollType::text, "2"},
    {opcode::poll_try_catch, PollType::boolean, "true"},
    {opcode::poll_recovery, PollType::int32, "2"},
    {opcode::poll_round_robin, PollType::boolean, "true"},
    {opcode::poll_persistent, PollType::int32, nullptr},
    {opcode::poll_repeat, PollType::int32, "3"},
    {opcode::poll_retry, PollType::int32, "-1"},
    {opcode::poll_timeout, PollType::uint32, "30"},
    {opcode::poll_delay, PollType::uint32, "20"},
    {opcode::poll_run_once, PollType::boolean, "false"},
    {opcode::poll_precondition, PollType::status, "SKIPPED"},
    {opcode::poll_loop, PollType::untyped, "1;2;3"},
    {opcode::poll_loop, PollType::status, "SUCCESS"},
    {opcode::poll_loop, PollType::int32, nullptr},
    {opcode::poll_updated, PollType::any, nullptr},
    {opcode::poll_rate, PollType::real64, "2.5"},
    {opcode::poll_set, PollType::untyped, "text"},
    {opcode::poll_set, PollType::text, "k"},
    {opcode::poll_unset, PollType::text, "k"},
    {opcode::poll_sleep, PollType::uint32, "10"},
    {opcode::poll_was_updated, PollType::any, nullptr},
    {opcode::poll_action, PollType::real64, nullptr},
    {opcode::poll_condition, PollType::text, "x"},
};

class PollMaker {
 public:
  PollMaker(Random& random, bool is_plain) : random_(random), is_plain_(is_plain) {}

  DraftTree make() {
    DraftTree tree;
    tree.name = "T";
    polling_.text_bytes = 24;
    polling_.boards.resize(2);
    polling_.boards[1].path = "sub";
    const char* const names[] = {"k", "n", "t"};
    for (std::uint32_t i = 0; i < 3; ++i) polling_.boards[0].keys.push_back({names[i], i, std::nullopt, true});
    polling_.boards[1].keys.push_back({"k", 3, 0, true});
    polling_.boards[1].keys.push_back({"n", 1, std::nullopt, false});
    polling_.boards[1].keys.push_back({"own", 4, std::nullopt, true});
    for (const char* const name : names)
      polling_.entries.push_back({name, 0, random_.chance(50), PollType::untyped, {}});
    polling_.entries.push_back({"k", 1, true, PollType::text, "literal"});
    polling_.entries.push_back({"own", 1, true, PollType::int32, "7"});
    for (int i = 0; i < 4; ++i) polling_.scripts.push_back(script());
    std::vector<Draft> children;
    for (std::uint32_t i = 0; i < kOpcodes && !is_plain_; ++i) {
      children.push_back(node(OpcodesOf<EngineId::poll>::rows[i].opcode, 2));
    }
    tree.root = is_plain_ ? plain(4) : parent(opcode::poll_fallback, std::move(children), false);
    tree.parts = std::move(polling_);
    return tree;
  }

 private:
  static constexpr std::uint32_t kOpcodes = std::size(OpcodesOf<EngineId::poll>::rows);

  static ir::PollInstruction instruction(PollOp op, std::uint32_t operand = 0) {
    ir::PollInstruction result;
    result.op = op;
    result.operand = operand;
    return result;
  }

  std::vector<ir::PollInstruction> script() { return random_.chance(50) ? any_script() : likely_script(); }

  // As they are written: entries that are assigned, and one that is compared.
  std::vector<ir::PollInstruction> likely_script() {
    std::vector<ir::PollInstruction> code;
    const auto add = [&](PollOp op, std::uint32_t operand = 0) { code.push_back(instruction(op, operand)); };
    const auto add_number = [&] {
      const bool is_whole = random_.chance(50);
      add(is_whole ? PollOp::push_whole : PollOp::push_real);
      code.back().whole = random_.below(4);
      code.back().real = random_.below(6) * 0.5;
    };
    const std::uint32_t key = random_.below(kKeys);
    for (std::uint32_t i = random_.below(3); i > 0; --i) {
      add_number();
      add(random_.chance(70) ? PollOp::create : PollOp::assign_add, random_.chance(70) ? key : random_.below(kKeys));
      add(PollOp::drop);
    }
    add_number();
    add(PollOp::create, key);
    add(PollOp::drop);
    add(PollOp::load, key);
    add_number();
    if (random_.chance(30)) {
      add(static_cast<PollOp>(static_cast<std::uint32_t>(PollOp::add) + random_.below(4)));
      add(PollOp::create, key);
    } else {
      add(PollOp::compare, random_.below(6));
    }
    return code;
  }

  // Any instructions, in any order: an interpreter must be safe with them.
  std::vector<ir::PollInstruction> any_script() {
    std::vector<ir::PollInstruction> code;
    const std::uint32_t count = 2 + random_.below(8);
    for (std::uint32_t i = 0; i < count; ++i) {
      ir::PollInstruction each =
          instruction(static_cast<PollOp>(random_.below(static_cast<std::uint32_t>(PollOp::count))));
      each.whole = random_.below(3);
      each.real = random_.below(5) * 0.5;
      each.text = "t";
      const bool has_key = each.op == PollOp::load || (each.op >= PollOp::create && each.op <= PollOp::assign_divide);
      if (has_key) each.operand = random_.below(kKeys);
      if (each.op == PollOp::compare || each.op == PollOp::compare_next) each.operand = random_.below(6);
      each.target = count;
      if (each.op == PollOp::jump || each.op == PollOp::jump_unless) each.operand = count;
      code.push_back(std::move(each));
    }
    return code;
  }

  Draft node(Opcode opcode, std::uint32_t depth) {
    std::vector<Draft> children;
    const Children kind = opcode_info(opcode).children;
    const std::uint32_t count = kind == Children::none          ? 0
                                : kind == Children::one         ? 1
                                : opcode == opcode::poll_switch ? 3
                                                                : 2;
    for (std::uint32_t i = 0; i < count; ++i) {
      constexpr std::uint32_t kInner =
          static_cast<std::uint32_t>(opcode::poll_result) - static_cast<std::uint32_t>(opcode::poll_sequence);
      const Opcode leaf = OpcodesOf<EngineId::poll>::rows[kInner + random_.below(kOpcodes - kInner)].opcode;
      const bool is_deep = depth > 0 && random_.chance(40);
      children.push_back(is_deep ? node(random_opcode(), depth - 1) : node(leaf, 0));
    }
    return parent(opcode, std::move(children));
  }
  // Now and then another node, of any kind.
  Draft plain(std::uint32_t depth) {
    if (random_.chance(4)) return node(random_opcode(), 1);
    if (depth == 0 || random_.chance(25)) {
      constexpr Opcode kLeaves[] = {opcode::poll_condition, opcode::poll_condition,        opcode::poll_action,
                                    opcode::poll_action,    opcode::poll_action,           opcode::poll_action,
                                    opcode::poll_action,    opcode::poll_sync_action,      opcode::poll_sync_action,
                                    opcode::poll_script,    opcode::poll_script_condition, opcode::poll_sleep};
      return parent(kLeaves[random_.below(12)], {}, random_.chance(20));
    }
    constexpr Opcode kParents[] = {
        opcode::poll_sequence,          opcode::poll_fallback, opcode::poll_reactive_sequence,
        opcode::poll_reactive_fallback, opcode::poll_invert,   opcode::poll_subtree};
    const Opcode opcode = kParents[random_.below(6)];
    std::vector<Draft> children;
    const std::uint32_t count = opcode_info(opcode).children == Children::one ? 1 : 1 + random_.below(4);
    for (std::uint32_t i = 0; i < count; ++i) children.push_back(plain(depth - 1));
    Draft result = parent(opcode, std::move(children), random_.chance(10));
    if (random_.chance(80)) result.flags = 0;
    return result;
  }
  Opcode random_opcode() { return OpcodesOf<EngineId::poll>::rows[random_.below(kOpcodes)].opcode; }

  Draft parent(Opcode opcode, std::vector<Draft> children, bool has_hooks = true) {
    Draft result;
    result.opcode = opcode;
    result.name = "n";
    result.label = "name";
    result.flags = opcode == opcode::poll_loop ? static_cast<std::uint8_t>(PollType::int32) : 2;
    if (opcode != opcode::poll_loop && opcode != opcode::poll_force && opcode != opcode::poll_result) {
      result.flags = static_cast<std::uint8_t>(random_.below(2));
    }
    ir::PolledNode polled;
    for (auto& hook : polled.hooks) {
      if (has_hooks && random_.chance(8)) hook = random_.below(4);
    }
    if (random_.chance(70)) polled.script = random_.below(4);
    polled.board = random_.below(2);
    for (const PortOf& row : kPorts) {
      if (row.opcode != opcode) continue;
      ir::PollPort port;
      port.name = "p" + std::to_string(polled.ports.size());
      port.type = row.type;
      if (row.literal == nullptr || random_.chance(20)) {
        port.key = random_.below(kKeys);
      } else {
        port.literal = row.literal;
      }
      polled.ports.push_back(std::move(port));
    }
    const bool is_action = opcode == opcode::poll_action || opcode == opcode::poll_sync_action;
    polled.is_condition = opcode == opcode::poll_condition || opcode == opcode::poll_gate;
    if (is_action || polled.is_condition) polled.host = is_action ? "act" : "ask";
    result.payload = std::move(polled);
    result.children = std::move(children);
    return result;
  }

  Random& random_;
  const bool is_plain_;
  ir::Polling polling_;
};

}  // namespace

namespace {
DraftProject project_of(DraftTree tree) {
  DraftProject project;
  project.trees.push_back(std::move(tree));
  project.enums = {{"RED", 1}};
  return project;
}
}  // namespace

DraftProject random_polling_project(Random& random) { return project_of(PollMaker(random, false).make()); }
DraftProject random_plain_polling_project(Random& random) { return project_of(PollMaker(random, true).make()); }

Bytes small_poll_asset(bool strip) {
  Random random{1};
  return compiled_bytes(random_polling_project(random), strip);
}

}  // namespace espalier::test
