// The row of the engine. See core/engine.h.
#include "core/engine.h"
#include "core/variables.h"
#include "rule/rule.h"

namespace espalier {

const Engine kRuleEngine = {
    EngineId::rule,
    &Verifier::check_askings,
    &Verifier::check_rule_unit,
    &Verifier::check_rule_tree,
    nullptr,
    nullptr,
    update_rules,
    stop_rules,
    signal_variables,
    nullptr,
    move_rules,
    check_rules,
    visit_rules,
    is_rule_agent_stopped,
    nullptr,
    nullptr,
};

}  // namespace espalier

const espalier_engine* espalier_rule_engine(void) { return &espalier::kRuleEngine; }
