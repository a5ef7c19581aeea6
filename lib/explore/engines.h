// The rows of the engines, one file each: engine_NAME.cpp. See engine.h.
#pragma once
#include "explore/engine.h"

namespace espalier::explore {

extern const EngineRow kSelectExploring;
extern const EngineRow kTickExploring;
extern const EngineRow kRuleExploring;
extern const EngineRow kDecideExploring;
extern const EngineRow kStoreExploring;
extern const EngineRow kPollExploring;

}  // namespace espalier::explore
