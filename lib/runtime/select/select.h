// The functions of the engine `select` that the functions for all agents call.
#pragma once
#include "core/engine.h"
#include "core/times.h"
#include "core/variables.h"

namespace espalier {

// See Engine.
void signal_selecting(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                      const Watcher* watcher);
Result evaluate_selecting(const Tree& tree, void* block, const Host& host, const Watcher* watcher);
Result update_selecting(const Tree& tree, const Batch& agents, const Watcher* watcher);
void prepare_selecting(const Tree& tree, Prepared* prepared);
void stop_selecting(const Tree& tree, void* block, const Host& host);
void move_selecting(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                    const Host& to_host);
bool check_selecting(const Tree& tree, const void* block, const void* shared);

// Calls a function of a leaf's behaviour. Does nothing if the leaf does not exist.
void call_behavior(const Tree& tree, unsigned char* agent, std::uint32_t leaf, void (BoundBehavior::*function)() const,
                   const Host& host);

// Does no behaviour of the asset need to be told anything? Then a leaf is changed without a call.
inline bool calls_nothing(const Asset& asset, const Host& host) {
  return host.behaviors == nullptr && section_of(asset, layout::SectionId::timed_behaviors).records == nullptr;
}

// The row of the engine. See core/engine.h.
inline constexpr Engine kSelectRow = {
    EngineId::select,
    nullptr,
    &Verifier::check_selecting_unit,
    &Verifier::check_selecting_tree,
    nullptr,
    evaluate_selecting,
    update_selecting,
    prepare_selecting,
    stop_selecting,
    signal_selecting,
    nullptr,
    nullptr,  // move: only in espalier_select_reload_engine()
    check_selecting,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
};

}  // namespace espalier
