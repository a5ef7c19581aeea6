// The functions of the engine `store` that the functions for all agents call.
#pragma once
#include "core/engine.h"
#include "store/tree.h"

namespace espalier {

// See Engine.
Result update_storing(const Tree& tree, const Batch& agents, const Watcher* watcher);
void prepare_storing(const Tree& tree, Prepared* prepared);
// Does the host have what an update needs?
inline bool has_shared_block(const Tree& tree, const Host& host) {
  return host.shared != nullptr || tree_record(tree).shared_bytes == 0;
}
// One update of the caller's agent; has_shared_block() is true. `has_called`: of the update, which nobody watches, the
// end is left: it has called the action at the cursor, which has no memory and no times, and now this result, not
// running. That was the last call of `caller`.
Result walk_storing(HostCaller& caller, const Watcher* watcher, bool has_called, Result result);
// Does what was left of a watched update when the host was asked about this node: asks it again, with the block as it
// was then. Of trees without slots, monitors, groups, and repeats that are evaluated in each update.
Result go_on_storing(const Tree& tree, void* block, const Host& host, const Watcher& watcher,
                     const std::uint32_t* asked);
void stop_storing(const Tree& tree, void* block, const Host& host);
void move_storing(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                  const Host& to_host);
bool check_storing(const Tree& tree, const void* block, const void* shared);
bool check_shared_store(const Tree& tree, const void* shared);
void start_shared_store(const Tree& tree, void* block);
// Visits the running nodes in the order of the file. The nodes of a tree in a slot come after their store_child.
void visit_storing(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word), void* user);

// Resets the trees that run in a slot, in reverse order.
void reset_slot(const Tree& tree, void* block, std::uint32_t slot, const Host& host);

// The row of the engine. See core/engine.h.
inline constexpr Engine kStoreRow = {
    EngineId::store,
    &Verifier::check_groups,
    &Verifier::check_store_unit,
    &Verifier::check_store_tree,
    &Verifier::check_rooms,
    nullptr,
    update_storing,
    prepare_storing,
    stop_storing,
    nullptr,
    nullptr,
    nullptr,  // move: only in espalier_store_reload_engine()
    check_storing,
    visit_storing,
    nullptr,
    start_shared_store,
    check_shared_store,
};

}  // namespace espalier
