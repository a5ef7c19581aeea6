// Trees that select: nothing waits, and the host is asked nothing.
#include "explore/engine.h"
#include "explore/engines.h"
#include "explore/select/selecting.h"
#include "runtime/asset/view.h"

namespace espalier::explore {
namespace {

void no_select_questions(const Tree&, const EngineRow::VisitQuestion&) {}
void no_select_waits(const Side&, const unsigned char*, const unsigned char*, std::vector<std::uint64_t>&) {}

// What a behaviour's times are does not matter.
void settle_selecting(const Side& side, unsigned char* block, const unsigned char*, std::uint64_t, Settling&) {
  const std::uint32_t times = times_offset(side.tree);
  if (times != 0) std::memset(block + times, 0, layout::kTimesBytes);
}

}  // namespace

constinit const EngineRow kSelectExploring = {
    .questions = no_select_questions,
    .uses_formulas = uses_formulas,
    .find_conditions = find_conditions,
    .has_signals = true,
    .has_variables = true,
    .waits = no_select_waits,
    .settle = settle_selecting,
};

}  // namespace espalier::explore
