// Updates by tables.
#pragma once
#include <espalier/espalier.hpp>

#include "select/tables.h"

namespace espalier {

// Lets updates of a prepared tree use its tables, with the widest vectors of the processor, or without them.
void use_tables(Prepared& prepared, const DecisionTables& tables, bool with_wide_vectors);

}  // namespace espalier
