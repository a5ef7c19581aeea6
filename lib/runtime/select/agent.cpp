// Agents of trees that select: updates, their end, and whether a block is one's.
#include "select/agent.h"

#include "select/update.h"

namespace espalier {
namespace {

// The walk of updates that nobody watches is this file's own, so that compilers make one function of it.
struct Unwatched : NoWatch {};

}  // namespace

Result evaluate_selecting(const Tree& tree, void* block, const Host& host) {
  return evaluate(tree, static_cast<unsigned char*>(block), host, Unwatched{});
}

Result update_selecting(const Tree& tree, void* blocks, std::size_t stride_bytes, std::size_t count, const Host& host) {
  const layout::Tree record = tree_record(tree);  // a copy, which the host's calls cannot be thought to change
  unsigned char* agent = static_cast<unsigned char*>(blocks);
  Result result = Result::running;
  for (std::size_t i = 0; i < count; ++i, agent += stride_bytes) {
    if (needs_evaluation(record, agent)) result = evaluate_selecting(tree, agent, host);
  }
  return result;
}

void stop_selecting(const Tree& tree, void* block, const Host& host) {
  const layout::Tree& record = tree_record(tree);
  auto* agent = static_cast<unsigned char*>(block);
  const std::uint32_t leaf = load_leaf(record, agent);
  store_leaf(record, agent, leaf_mask(record));
  call_behavior(tree, agent, leaf, &Behavior::destruct, host);
  std::memset(agent + record.state_offset, 0, unit_record(tree).state_bytes);
}

// A state that its machine has not is taken for the first one: every byte of state is safe.
bool check_selecting(const Tree& tree, const void* block, const void*) {
  const layout::Tree& record = tree_record(tree);
  const std::uint32_t leaf = load_leaf(record, static_cast<const unsigned char*>(block));
  return leaf < record.leaf_count || leaf == leaf_mask(record);
}

// What an agent runs is its leaf, see current_leaf().
void visit_selecting(const Tree&, const void*, void (*)(void* user, std::uint32_t node_word), void*) {}

}  // namespace espalier
