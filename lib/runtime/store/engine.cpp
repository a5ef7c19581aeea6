// The engine without the function that moves agents to another version of their tree. See core/engine.h.
#include "store/store.h"

const espalier_engine* espalier_store_engine(void) { return &espalier::kStoreRow; }
