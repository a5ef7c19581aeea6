// The functions of the engine `decide` that the functions for all agents call.
#pragma once
#include "core/engine.h"
#include "decide/tree.h"

namespace espalier {

// See Engine.
Result update_deciders(const Tree& tree, const Batch& agents, const Watcher* watcher);
void prepare_deciders(const Tree& tree, Prepared* prepared);
// One update of one agent. `has_failed`: the update has ticked the last level of the path, whose tree's other levels do
// nothing, and it has failed.
Result walk_deciders(const Tree& view, const DeciderTree& tree, void* block, const Host& host, const Watcher* watcher,
                     bool has_failed);
void stop_deciders(const Tree& tree, void* block, const Host& host);
// Sets the stimuli of a signal.
void raise_stimuli(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                   const Watcher* watcher);
void visit_deciders(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                    void* user);
bool check_deciders(const Tree& tree, const void* block, const void* shared);
void move_deciders(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                   const Host& to_host);

// Deactivates all levels of the active path from index `level_count` on, the deepest first.
void deactivate(const Tree& tree, void* block, const Host& host, std::uint32_t level_count);

// The row of the engine. See core/engine.h.
inline constexpr Engine kDecideRow = {
    EngineId::decide,
    &Verifier::check_preconditions,
    &Verifier::check_decider_unit,
    &Verifier::check_decider_tree,
    nullptr,
    nullptr,
    update_deciders,
    prepare_deciders,
    stop_deciders,
    raise_stimuli,
    nullptr,
    nullptr,  // move: only in espalier_decide_reload_engine()
    check_deciders,
    visit_deciders,
    nullptr,
    nullptr,
    nullptr,
};

}  // namespace espalier
