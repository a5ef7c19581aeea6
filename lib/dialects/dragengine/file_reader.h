// Reads the rules of one file and reports the faults that can be found without other files.
#pragma once
#include "dialects/dragengine/host_rules.h"
#include "dialects/dragengine/rule_file.h"

namespace espalier::dialects::dragengine {

[[nodiscard]] RuleFile read_file(const File& file, HostRules& hosts, text::Findings& findings);

}  // namespace espalier::dialects::dragengine
