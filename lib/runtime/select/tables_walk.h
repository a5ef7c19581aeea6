// Updates by tables.
#pragma once
#include <espalier/espalier.hpp>

#include "select/tables.h"

namespace espalier {

// Updates one agent: espalier_prepared::internal_evaluate of a tree with tables.
espalier_result evaluate_by_tables(const Prepared* prepared, void* block, const Host* host);

}  // namespace espalier
