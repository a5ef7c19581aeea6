// The table of engines. See engine.h.
#include "explore/engine.h"

#include <iterator>

#include "explore/engines.h"

namespace espalier::explore {

const EngineRow& row_of(EngineId engine) {
  constexpr const EngineRow* kRows[] = {&kSelectExploring, &kTickExploring,  &kRuleExploring,
                                        &kDecideExploring, &kStoreExploring, &kPollExploring};
  static_assert(std::size(kRows) == kEngineIds);
  return *kRows[static_cast<unsigned>(engine)];
}

}  // namespace espalier::explore
