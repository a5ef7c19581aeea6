#include "explore/engine.h"
#include "explore/engines.h"
namespace espalier::explore {
constinit const EngineRow kStoreExploring = {};
}  // namespace espalier::explore
