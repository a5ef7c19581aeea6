// The functions of the engine `tick` that the functions for all agents call.
#pragma once
#include "core/engine.h"
#include "tick/agent.h"

namespace espalier {

// See Engine.
Result update_ticking(const Tree& tree, const Batch& agents, const Watcher* watcher);
void prepare_ticking(const Tree& tree, Prepared* prepared);
// One update of one agent, which `caller` has.
Result walk_ticking(const TickAgent& agent, HostCaller& caller, const Watcher* watcher);
Result walk_ticking(const Tree& tree, void* block, const Host& host);
// Ends an update that nobody watches, and that has only called the action at the cursor, which has no memory and now
// this result, not running. That was the last call of `caller`, or this one.
Result walk_ticking_after(const TickAgent& agent, HostCaller& caller, Result result);
Result walk_ticking_after(const Call& called, Result result);
void stop_ticking(const Tree& tree, void* block, const Host& host);
void move_ticking(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                  const Host& to_host);
void signal_ticking(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                    const Watcher* watcher);
bool is_stopped_ticking(const Tree& tree, const void* block);
void start_shared_ticking(const Tree& tree, void* block);
bool check_ticking(const Tree& tree, const void* block, const void* shared);
void visit_ticking(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word), void* user);

// Releases the places in limits and scopes that `block` holds, and acquires those that `saved` holds, regardless of the
// maximum.
void exchange_counts(const Tree& tree, const void* block, const void* saved, const Host& host);
// Adds `change` to the counts of all places that an agent holds.
void count_inside(const TickAgent& agent, const Host& host, std::uint16_t change);

// The row of the engine. See core/engine.h.
inline constexpr Engine kTickRow = {
    EngineId::tick,
    nullptr,
    &Verifier::check_ticking_unit,
    &Verifier::check_ticking_tree,
    nullptr,
    nullptr,
    update_ticking,
    prepare_ticking,
    stop_ticking,
    signal_ticking,
    exchange_counts,
    nullptr,  // move: only in espalier_tick_reload_engine()
    check_ticking,
    visit_ticking,
    is_stopped_ticking,
    start_shared_ticking,
    nullptr,
};

}  // namespace espalier
