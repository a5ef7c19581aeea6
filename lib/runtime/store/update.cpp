// Updates of agents of trees that store their results. Most only call an action that goes on: see
// PreparedStoring::resumable_action().
#include "core/check.h"
#include "core/host_call.h"
#include "format/node.h"
#include "store/cursor.h"
#include "store/store.h"

namespace espalier {
namespace {

// The private members of a prepared tree that stores its results.
class PreparedStoring {
 public:
  explicit PreparedStoring(const Prepared& prepared)
      : nodes_(static_cast<const std::uint32_t*>(prepared.internal[kNodes])),
        node_words_(static_cast<const std::uint32_t*>(prepared.internal[kNodeWords])),
        timed_behaviors_(static_cast<const std::uint32_t*>(prepared.internal[kTimedBehaviors])),
        memory_sizes_(static_cast<const std::uint32_t*>(prepared.internal[kMemorySizes])),
        may_have_memory_(prepared.internal_numbers[kMayHaveMemory] != 0),
        cursor_(prepared.internal_numbers[kCursor]),
        first_word_(prepared.internal_numbers[kFirstWord]),
        shared_bytes_(prepared.internal_numbers[kSharedBytes]) {}

  static void prepare(const Tree& tree, Prepared* prepared) {
    const Asset& asset = *tree.asset;
    const layout::Tree& record = tree_record(tree);
    const layout::Unit& unit = unit_record(asset, record.unit);
    prepared->internal[kNodes] = nodes_of(asset);
    prepared->internal[kNodeWords] = node_words_of(asset, unit);
    prepared->internal[kTimedBehaviors] = array<std::uint32_t>(asset, layout::SectionId::timed_behaviors);
    prepared->internal[kMemorySizes] = array<std::uint32_t>(asset, layout::SectionId::memory_sizes);
    prepared->internal_numbers[kMayHaveMemory] =
        prepared->internal[kTimedBehaviors] != nullptr || prepared->internal[kMemorySizes] != nullptr ? 1 : 0;
    prepared->internal_numbers[kCursor] = StoreCursor::offset_of(parts_of(asset, record));
    prepared->internal_numbers[kFirstWord] = unit.first_word;
    prepared->internal_numbers[kSharedBytes] = record.shared_bytes;
  }

  // Does the host have what an update needs?
  bool has_shared_block(const Host& host) const { return host.shared != nullptr || shared_bytes_ == 0; }

  // The action at an agent's cursor, if all that an update does is to call it, and to go on if it is not running: no
  // monitor is registered, the agent has no seat in a group, and the action has no memory and no times. Else null.
  const std::uint32_t* resumable_action(const unsigned char* agent) const {
    static_assert(kMonitorsOffset == 0 && kSeatsOffset == 2);
    if (load_u32(agent) != 0 || cursor_ == 0) return nullptr;
    const std::uint32_t cursor = load_u16(agent + cursor_);
    if (cursor == 0) return nullptr;
    const std::uint32_t* node = nodes_ + first_word_ + node_words_[cursor];
    if (opcode_of(node) != Opcode::store_action) return nullptr;
    return may_have_memory_ && has_memory(node) ? nullptr : node;
  }
  Result call(const std::uint32_t* action, const Behavior* behaviors, HostCaller& caller) const {
    const std::uint32_t behavior = behavior_of(action);
    const auto word = static_cast<std::uint32_t>(action - nodes_);
    return caller.plain_behavior(behaviors[behavior], behavior, word).tick(Result::success);
  }

 private:
  enum Pointer : std::uint8_t { kNodes, kNodeWords, kTimedBehaviors, kMemorySizes };
  // The first two are those of trees that select.
  enum Number : std::uint8_t { kCursor = 2, kFirstWord, kSharedBytes, kMayHaveMemory };

  bool has_memory(const std::uint32_t* action) const {
    const std::uint32_t behavior = behavior_of(action);
    return (timed_behaviors_ != nullptr && timed_behaviors_[behavior] != 0) ||
           (memory_sizes_ != nullptr && memory_sizes_[behavior] != 0);
  }
  static std::uint32_t behavior_of(const std::uint32_t* action) {
    return operand<OperandKind::behavior, Opcode::store_action>(action);
  }

  const std::uint32_t* const nodes_;
  const std::uint32_t* const node_words_;
  const std::uint32_t* const timed_behaviors_;
  const std::uint32_t* const memory_sizes_;
  const bool may_have_memory_;  // any action, or times
  const std::uint32_t cursor_;
  const std::uint32_t first_word_;
  const std::uint32_t shared_bytes_;
};

espalier_result update_prepared(const Prepared* prepared, void* block, const Host* host) {
  if (!Check("espalier_update_prepared").agent(prepared->tree, block).host(host)) return Result::error;
  const PreparedStoring own(*prepared);
  if (!own.has_shared_block(*host)) return Result::error;
  const std::uint32_t* action =
      host->behaviors == nullptr ? nullptr : own.resumable_action(static_cast<const unsigned char*>(block));
  Result result = Result::running;
  if (action != nullptr) {
    HostCaller caller(prepared->tree, block, *host);
    result = own.call(action, host->behaviors, caller);
    if (result == Result::running) return result;
  }
  return walk_storing(prepared->tree, block, *host, nullptr, action, result);
}

}  // namespace

void prepare_storing(const Tree& tree, Prepared* prepared) {
  PreparedStoring::prepare(tree, prepared);
  prepared->internal_evaluate = update_prepared;
}

Result update_storing(const Tree& tree, const Batch& batch, const Watcher* watcher) {
  Prepared prepared;
  PreparedStoring::prepare(tree, &prepared);
  const PreparedStoring own(prepared);
  const Batch agents = batch;  // the compiler knows that the host's calls do not change it
  if (!own.has_shared_block(agents.host())) return Result::error;
  HostCaller caller(tree, nullptr, agents.host());
  Result result = Result::error;
  for (std::size_t i = 0; i < agents.count(); ++i) {
    unsigned char* agent = agents.block(i);
    const Host& host = agents.host(i);
    const bool can_resume = watcher == nullptr && host.behaviors != nullptr;
    const std::uint32_t* action = can_resume ? own.resumable_action(agent) : nullptr;
    if (action != nullptr) {
      caller.look_at(agent, host.first_agent);
      result = own.call(action, host.behaviors, caller);
      if (result == Result::running) continue;
    }
    result = walk_storing(tree, agent, host, watcher, action, result);
  }
  return result;
}

}  // namespace espalier
