// The table of engines. See engine.h.
#include "explore/engine.h"

#include "explore/engines.h"
#include "runtime/format/by_engine.h"

namespace espalier::explore {

const EngineRow& row_of(EngineId engine) {
  constexpr ByEngine<const EngineRow*> kEngineRows = {.select = &kSelectExploring,
                                                      .tick = &kTickExploring,
                                                      .rule = &kRuleExploring,
                                                      .decide = &kDecideExploring,
                                                      .store = &kStoreExploring,
                                                      .poll = &kPollExploring};
  return *kEngineRows[engine];
}

}  // namespace espalier::explore
