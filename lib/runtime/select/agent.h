// What the functions for all agents need of trees that select.
#pragma once
#include "core/engine.h"
#include "asset/view.h"

namespace espalier {

// An update of an agent of which needs_evaluation() is true (update.h).
Result evaluate_selecting(const Tree& tree, void* block, const Host& host);

// See Engine.
Result update_selecting(const Tree& tree, const Batch& agents);
void stop_selecting(const Tree& tree, void* block, const Host& host);
void move_selecting(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                    const Host& to_host);
bool check_selecting(const Tree& tree, const void* block, const void* shared);
void visit_selecting(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                     void* user);

}  // namespace espalier
