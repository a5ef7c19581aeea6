// The rules of logs.def.
#pragma once
#include "rules/rule.h"

namespace espalier::rules {

#define RULE(prefix, number, name, severity, fix, scope, since, summary) \
  inline constexpr Rule prefix##_##name = rule_of(Prefix::prefix, #number);
#include "rules/logs.def"
#undef RULE

}  // namespace espalier::rules
