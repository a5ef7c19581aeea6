// The engine without what carries agents over to another version of their tree. See core/engine.h.
#include "tick/tick.h"

const espalier_engine* espalier_tick_engine(void) { return &espalier::kTickRow; }
