// What the functions for all agents need of trees that store their results.
#pragma once
#include "core/engine.h"
#include "store/tree.h"

namespace espalier {

// See Engine.
Result update_storing(const Tree& tree, const Batch& agents);
void stop_storing(const Tree& tree, void* block, const Host& host);
void move_storing(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                  const Host& to_host);
bool check_storing(const Tree& tree, const void* block, const void* shared);
bool check_shared_store(const Tree& tree, const void* shared);
void start_shared_store(const Tree& tree, void* block);
// The nodes that run, in the order of the file, trees in slots where their slots are.
void visit_storing(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word), void* user);

// Is there what an update needs?
inline bool has_shared_block(const Tree& tree, const Host& host) {
  return host.shared != nullptr || tree_record(tree).shared_bytes == 0;
}

}  // namespace espalier
