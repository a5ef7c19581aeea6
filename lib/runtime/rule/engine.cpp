// The engine without the function that moves agents to another version of their tree. See core/engine.h.
#include "rule/rule.h"

const espalier_engine* espalier_rule_engine(void) { return &espalier::kRuleRow; }
