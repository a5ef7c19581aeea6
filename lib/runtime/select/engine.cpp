// The engine without the function that moves agents to another version of their tree. See core/engine.h.
#include "select/select.h"

const espalier_engine* espalier_select_engine(void) { return &espalier::kSelectRow; }
