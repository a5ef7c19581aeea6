// Updates of agents of trees that tick. Most only call an action that goes on: see PreparedTicking::resume().
#include <optional>

#include "core/check.h"
#include "core/resume.h"
#include "format/node.h"
#include "format/opcodes/tick.h"
#include "tick/tick.h"

namespace espalier {
namespace {

// The private members of a prepared tree that ticks.
class PreparedTicking {
 public:
  // `prepared` must outlive this.
  explicit PreparedTicking(const Prepared& prepared) : prepared_(prepared) {}

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

  // Calls the action at an agent's cursor, if all that an update does is to call it, and to go on if it is not running:
  // nothing has changed, and the action has no memory. See update_each().
  Resumed resume(unsigned char* agent, const Behavior* behaviors, HostCaller& caller, Result* result) const {
    if (agent[number(kStatus)] != 0) return Resumed::nothing;
    const std::uint32_t cursor = load_u16(agent + number(kCursor));
    if (cursor >= number(kEndCursor)) return Resumed::nothing;
    const std::uint32_t* node = words(kFirstNode) + cursor;
    if (opcode_of(node) != opcode::tick_action) return Resumed::nothing;
    const std::uint32_t behavior = operand<OperandKind::behavior, opcode::tick_action>(node);
    if (words(kMemorySizes) != nullptr && words(kMemorySizes)[behavior] != 0) return Resumed::nothing;
    *result = caller.plain_behavior(behaviors[behavior], behavior, number(kFirstWord) + cursor).tick(Result::success);
    return *result == Result::running ? Resumed::goes_on : Resumed::ended;
  }

 private:
  enum Pointer : std::uint8_t { kFirstNode, kMemorySizes };
  // The first two are those of trees that select.
  enum Number : std::uint8_t { kStatus = 2, kCursor, kFirstWord, kEndCursor };

  std::uint32_t number(Number which) const { return prepared_.internal_numbers[which]; }
  const std::uint32_t* words(Pointer which) const {
    return static_cast<const std::uint32_t*>(prepared_.internal[which]);
  }

  const Prepared& prepared_;
};

espalier_result update_prepared(const Prepared* prepared, void* block, const Host* host) {
  if (!Check("espalier_update_prepared").agent(prepared->tree, block).host(host)) return Result::error;
  if (host->behaviors != nullptr) {
    HostCaller caller(prepared->tree, block, *host);
    Result result = Result::running;
    const Resumed resumed =
        PreparedTicking(*prepared).resume(static_cast<unsigned char*>(block), host->behaviors, caller, &result);
    if (resumed == Resumed::goes_on) return Result::running;
    if (resumed == Resumed::ended) return walk_ticking_after(caller.call(), result);
  }
  return walk_ticking(prepared->tree, block, *host);
}

}  // namespace

void prepare_ticking(const Tree& tree, Prepared* prepared) {
  PreparedTicking::prepare(tree, prepared);
  prepared->internal_evaluate = update_prepared;
}

Result update_ticking(const Tree& tree, const Batch& agents, const Watcher* watcher) {
  Prepared prepared;
  prepare_ticking(tree, &prepared);
  const PreparedTicking own(prepared);
  std::optional<TickAgent> walked;
  const auto resume = [&own](unsigned char* agent, const Behavior* behaviors, HostCaller& caller, Result* result) {
    return own.resume(agent, behaviors, caller, result);
  };
  const auto walk = [&](unsigned char* agent, HostCaller& caller, Resumed resumed, Result result) {
    if (!walked) walked.emplace(tree);
    walked->look_at(agent);
    return resumed == Resumed::ended ? walk_ticking_after(*walked, caller, result)
                                     : walk_ticking(*walked, caller, watcher);
  };
  HostCaller own_caller(tree, nullptr, agents.host());
  return update_each(agents, watcher, own_caller, resume, walk);
}

}  // namespace espalier
