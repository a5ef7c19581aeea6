// Updates of agents of trees that store their results. Most only call an action that goes on: see
// PreparedStoring::resume().
#include "core/check.h"
#include "core/resume.h"
#include "format/node.h"
#include "format/opcodes/store.h"
#include "store/cursor.h"
#include "store/store.h"

namespace espalier {
namespace {

// The private members of a prepared tree that stores its results.
class PreparedStoring {
 public:
  // `prepared` must outlive this.
  explicit PreparedStoring(const Prepared& prepared) : prepared_(prepared) {}

  static void prepare(const Tree& tree, Prepared* prepared) {
    const Asset& asset = *tree.asset;
    const layout::Tree& record = tree_record(tree);
    const layout::Unit& unit = unit_record(asset, record.unit);
    prepared->internal[kFirstNode] = nodes_of(asset) + unit.first_word;
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
  bool has_shared_block(const Host& host) const { return host.shared != nullptr || number(kSharedBytes) == 0; }

  // Calls the action at an agent's cursor, if all that an update does is to call it, and to go on if it is not running:
  // no monitor is registered, the agent has no seat in a group, and the action has no memory and no times. See
  // update_each().
  Resumed resume(unsigned char* agent, const Behavior* behaviors, HostCaller& caller, Result* result) const {
    static_assert(kMonitorsOffset == 0 && kSeatsOffset == 2);
    if (load_u32(agent) != 0) return Resumed::nothing;
    const std::uint32_t cursor =
        load_u16(agent + number(kCursor));  // of an agent without one, these are the monitors: 0
    if (cursor == 0) return Resumed::nothing;
    const std::uint32_t word = words(kNodeWords)[cursor];
    const std::uint32_t* node = words(kFirstNode) + word;
    if (opcode_of(node) != opcode::store_action) return Resumed::nothing;
    const std::uint32_t behavior = operand<OperandKind::behavior, opcode::store_action>(node);
    if (number(kMayHaveMemory) != 0 && has_memory(behavior)) return Resumed::nothing;
    *result = caller.plain_behavior(behaviors[behavior], behavior, number(kFirstWord) + word).tick(Result::success);
    return *result == Result::running ? Resumed::goes_on : Resumed::ended;
  }

 private:
  enum Pointer : std::uint8_t { kFirstNode, kNodeWords, kTimedBehaviors, kMemorySizes };
  // The first two are those of trees that select.
  enum Number : std::uint8_t { kCursor = 2, kFirstWord, kSharedBytes, kMayHaveMemory };

  bool has_memory(std::uint32_t behavior) const {
    return (words(kTimedBehaviors) != nullptr && words(kTimedBehaviors)[behavior] != 0) ||
           (words(kMemorySizes) != nullptr && words(kMemorySizes)[behavior] != 0);
  }

  std::uint32_t number(Number which) const { return prepared_.internal_numbers[which]; }
  const std::uint32_t* words(Pointer which) const {
    return static_cast<const std::uint32_t*>(prepared_.internal[which]);
  }

  const Prepared& prepared_;
};

espalier_result update_prepared(const Prepared* prepared, void* block, const Host* host) {
  if (!Check("espalier_update_prepared").agent(prepared->tree, block).host(host)) return Result::error;
  const PreparedStoring own(*prepared);
  if (!own.has_shared_block(*host)) return Result::error;
  HostCaller caller(prepared->tree, block, *host);
  Result result = Result::running;
  Resumed resumed = Resumed::nothing;
  if (host->behaviors != nullptr) {
    resumed = own.resume(static_cast<unsigned char*>(block), host->behaviors, caller, &result);
    if (resumed == Resumed::goes_on) return Result::running;
  }
  return walk_storing(caller, nullptr, resumed == Resumed::ended, result);
}

}  // namespace

void prepare_storing(const Tree& tree, Prepared* prepared) {
  PreparedStoring::prepare(tree, prepared);
  prepared->internal_evaluate = update_prepared;
}

Result update_storing(const Tree& tree, const Batch& agents, const Watcher* watcher) {
  Prepared prepared;
  prepare_storing(tree, &prepared);
  const PreparedStoring own(prepared);
  if (!own.has_shared_block(agents.host())) return Result::error;
  const auto resume = [&own](unsigned char* agent, const Behavior* behaviors, HostCaller& caller, Result* result) {
    return own.resume(agent, behaviors, caller, result);
  };
  const auto walk = [watcher](unsigned char*, HostCaller& caller, Resumed resumed, Result result) {
    return walk_storing(caller, watcher, resumed == Resumed::ended, result);
  };
  HostCaller own_caller(tree, nullptr, agents.host());
  return update_each(agents, watcher, own_caller, resume, walk);
}

}  // namespace espalier
