// What the functions for all agents need of trees of rules.
#pragma once
#include "core/engine.h"
#include "rule/tree.h"

namespace espalier {

// See Engine.
Result update_rules(const Tree& tree, const Batch& agents, const Watcher* watcher);
bool is_rule_agent_stopped(const Tree& tree, const void* block);
void stop_rules(const Tree& tree, void* block, const Host& host);
void visit_rules(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word), void* user);
void move_rules(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                const Host& to_host);
bool check_rules(const Tree& tree, const void* block, const void* shared);

}  // namespace espalier
