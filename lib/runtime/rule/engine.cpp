// The engine without what carries agents over to another version of their tree. See core/engine.h.
#include "rule/rule.h"

const espalier_engine* espalier_rule_engine(void) { return &espalier::kRuleRow; }
