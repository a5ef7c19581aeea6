// The functions of trees that store that the functions for all agents call.
#pragma once
#include "core/engine.h"
#include "store/tree.h"

namespace espalier {

// See Engine.
Result update_storing(const Tree& tree, const Batch& agents, const Watcher* watcher);
void stop_storing(const Tree& tree, void* block, const Host& host);
void move_storing(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                  const Host& to_host);
bool check_storing(const Tree& tree, const void* block, const void* shared);
bool check_shared_store(const Tree& tree, const void* shared);
void start_shared_store(const Tree& tree, void* block);
// The nodes that run, in the order of the file, trees in slots where their slots are.
void visit_storing(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word), void* user);

// Resets what runs in a slot, the last in order first.
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
    stop_storing,
    nullptr,
    nullptr,
    nullptr,  // move: of espalier_store_reload_engine()
    check_storing,
    visit_storing,
    nullptr,
    start_shared_store,
    check_shared_store,
};

}  // namespace espalier
