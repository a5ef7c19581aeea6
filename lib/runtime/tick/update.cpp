// Updates of agents of trees that tick. Most only call an action that goes on: see PreparedTicking::resumable_action().
#include <optional>

#include "core/check.h"
#include "core/host_call.h"
#include "format/node.h"
#include "tick/tick.h"

namespace espalier {
namespace {

// The private members of a prepared tree that ticks.
class PreparedTicking {
 public:
  explicit PreparedTicking(const Prepared& prepared)
      : first_node_(static_cast<const std::uint32_t*>(prepared.internal[kFirstNode])),
        memory_sizes_(static_cast<const std::uint32_t*>(prepared.internal[kMemorySizes])),
        status_(prepared.internal_numbers[kStatus]),
        cursor_(prepared.internal_numbers[kCursor]),
        first_word_(prepared.internal_numbers[kFirstWord]),
        end_cursor_(prepared.internal_numbers[kEndCursor]) {}

  static void prepare(const Tree& tree, Prepared* prepared) {
    const Asset& asset = *tree.asset;
    const layout::Tree& record = tree_record(tree);
    const layout::Part* parts = parts_of(asset, record);
    const layout::Part& cursor = part_of<EngineId::tick, PartKind::cursor>(parts);
    const layout::Unit& unit = unit_record(asset, record.unit);
    prepared->internal[kFirstNode] = nodes_of(asset) + unit.first_word;
    prepared->internal[kMemorySizes] = array<std::uint32_t>(asset, layout::SectionId::memory_sizes);
    prepared->internal_numbers[kStatus] = offset_bytes(part_of<EngineId::tick, PartKind::status>(parts));
    prepared->internal_numbers[kCursor] = offset_bytes(cursor);
    prepared->internal_numbers[kFirstWord] = unit.first_word;
    prepared->internal_numbers[kEndCursor] = cursor.bits == 16 ? unit.word_count : 0;
  }

  // The first word of the action at an agent's cursor, if all that an update does is to call it, and to go on if it is
  // not running: nothing has changed, and the action has no memory. Else kNoWord.
  std::uint32_t resumable_action(const unsigned char* agent) const {
    if (agent[status_] != 0) return kNoWord;
    const std::uint32_t cursor = load_u16(agent + cursor_);
    if (cursor >= end_cursor_ || opcode_of(first_node_ + cursor) != Opcode::tick_action) return kNoWord;
    return memory_sizes_ == nullptr || memory_sizes_[behavior_of(cursor)] == 0 ? cursor : kNoWord;
  }
  Result call(std::uint32_t action, const Behavior* behaviors, HostCaller& caller) const {
    const std::uint32_t behavior = behavior_of(action);
    if (memory_sizes_ != nullptr) caller.forget_memory();
    return caller.plain_behavior(behaviors[behavior], behavior, first_word_ + action).tick(Result::success);
  }

 private:
  enum Pointer : std::uint8_t { kFirstNode, kMemorySizes };
  // The first two are those of trees that select.
  enum Number : std::uint8_t { kStatus = 2, kCursor, kFirstWord, kEndCursor };

  std::uint32_t behavior_of(std::uint32_t action) const {
    return operand<OperandKind::behavior, Opcode::tick_action>(first_node_ + action);
  }

  const std::uint32_t* const first_node_;
  const std::uint32_t* const memory_sizes_;
  const std::uint32_t status_;
  const std::uint32_t cursor_;
  const std::uint32_t first_word_;
  const std::uint32_t end_cursor_;
};

espalier_result update_prepared(const Prepared* prepared, void* block, const Host* host) {
  if (!Check("espalier_update_prepared").agent(prepared->tree, block).host(host)) return Result::error;
  const PreparedTicking own(*prepared);
  const std::uint32_t action =
      host->behaviors == nullptr ? kNoWord : own.resumable_action(static_cast<const unsigned char*>(block));
  if (action == kNoWord) return walk_ticking(prepared->tree, block, *host, kNoWord, Result::running);
  HostCaller caller(prepared->tree, block, *host);
  const Result result = own.call(action, host->behaviors, caller);
  return result == Result::running ? result : walk_ticking(prepared->tree, block, *host, action, result);
}

}  // namespace

void prepare_ticking(const Tree& tree, Prepared* prepared) {
  PreparedTicking::prepare(tree, prepared);
  prepared->internal_evaluate = update_prepared;
}

Result update_ticking(const Tree& tree, const Batch& batch, const Watcher* watcher) {
  Prepared prepared;
  PreparedTicking::prepare(tree, &prepared);
  const PreparedTicking own(prepared);
  const Batch agents = batch;  // the compiler knows that the host's calls do not change it
  HostCaller caller(tree, nullptr, agents.host());
  std::optional<TickAgent> walked;
  Result result = Result::running;
  for (std::size_t i = 0; i < agents.count(); ++i) {
    unsigned char* agent = agents.block(i);
    const Host& host = agents.host(i);
    const bool can_resume = watcher == nullptr && host.behaviors != nullptr;
    const std::uint32_t action = can_resume ? own.resumable_action(agent) : kNoWord;
    caller.look_at(agent, host.first_agent);
    if (action != kNoWord) {
      result = own.call(action, host.behaviors, caller);
      if (result == Result::running) continue;
    }
    if (!walked) walked.emplace(tree);
    walked->look_at(agent);
    result = walk_ticking(*walked, caller, watcher, action, result);
  }
  return result;
}

}  // namespace espalier
