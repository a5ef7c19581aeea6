// The functions of the engine `poll` that the functions for all agents call.
#pragma once
#include "core/engine.h"
#include "poll/tree.h"

namespace espalier {

// See Engine.
Result update_polling(const Tree& tree, const Batch& agents, const Watcher* watcher);
void prepare_polling(const Tree& tree, Prepared* prepared);
void stop_polling(const Tree& tree, void* block, const Host& host);
// The same, and reports what becomes of nodes: those that are halted may begin others.
void stop_polling_watched(const Tree& tree, void* block, const Host& host, const Watcher& watcher);
void move_polling(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                  const Host& to_host);
bool check_polling(const Tree& tree, const void* block, const void* shared);
void visit_polling(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word), void* user);

// The row of the engine. See core/engine.h.
inline constexpr Engine kPollRow = {
    EngineId::poll,
    &Verifier::check_poll_enums,
    &Verifier::check_poll_unit,
    &Verifier::check_poll_tree,
    nullptr,
    nullptr,
    update_polling,
    prepare_polling,
    stop_polling,
    nullptr,
    nullptr,
    nullptr,  // move: only in espalier_poll_reload_engine()
    check_polling,
    visit_polling,
    nullptr,
    nullptr,
    nullptr,
};

}  // namespace espalier
