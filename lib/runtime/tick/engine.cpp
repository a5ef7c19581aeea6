// The engine without the function that moves agents to another version of their tree. See core/engine.h.
#include "tick/tick.h"

const espalier_engine* espalier_tick_engine(void) { return &espalier::kTickRow; }
