#include "explore/engine.h"
#include "explore/engines.h"
namespace espalier::explore {
constinit const EngineRow kDecideExploring = {};
}  // namespace espalier::explore
