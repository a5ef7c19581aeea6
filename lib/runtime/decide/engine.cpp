// The engine without the function that moves agents to another version of their tree. See core/engine.h.
#include "decide/decide.h"

const espalier_engine* espalier_decide_engine(void) { return &espalier::kDecideRow; }
