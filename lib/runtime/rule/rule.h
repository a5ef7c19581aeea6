// The functions of the engine `rule` that the functions for all agents call.
#pragma once
#include "core/engine.h"
#include "core/variables.h"
#include "rule/tree.h"

namespace espalier {

// See Engine.
Result update_rules(const Tree& tree, const Batch& agents, const Watcher* watcher);
void prepare_rules(const Tree& tree, Prepared* prepared);
// One update of one agent.
Result run_rules(const Tree& tree, void* block, const Host& host, const Watcher* watcher);
// Ends an update that nobody watches, and that has only called an action with this call, which gave this answer. It was
// the current rule, and has no conditions and no times.
Result run_rules_after(const Call& called, Result answer);
bool is_rule_agent_stopped(const Tree& tree, const void* block);
void stop_rules(const Tree& tree, void* block, const Host& host);
void visit_rules(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word), void* user);
void move_rules(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                const Host& to_host);
bool check_rules(const Tree& tree, const void* block, const void* shared);

// The row of the engine. See core/engine.h.
inline constexpr Engine kRuleRow = {
    EngineId::rule,
    &Verifier::check_queries,
    &Verifier::check_rule_unit,
    &Verifier::check_rule_tree,
    nullptr,
    nullptr,
    update_rules,
    prepare_rules,
    stop_rules,
    signal_variables,
    nullptr,
    nullptr,  // move: only in espalier_rule_reload_engine()
    check_rules,
    visit_rules,
    is_rule_agent_stopped,
    nullptr,
    nullptr,
};

}  // namespace espalier
