// Parallels: what they give from the results that their children have side by side. See flow.h.
//
// Which child has which result does not matter, only which results there are: a mix, of at most three results, so there
// are eight mixes.
#include <algorithm>

#include "lint/flow.h"
#include "runtime/format/opcode_info.h"

namespace espalier::lint {

using namespace ir;

Results result_of_mix(const Flow& flow, std::uint32_t flags, Results mix) {
  if (opcode_info(flow.opcode).flags != FlagsKind::parallel) flags = 0;
  const bool succeeds = (flags & kSucceedsWithAny) != 0 ? can(mix, kSucceeds) : mix == kSucceeds;
  const bool fails = (flags & kFailsWithAll) != 0 ? mix == kFails : can(mix, kFails);
  if (succeeds && fails) return flow.also;
  if (succeeds) return kSucceeds;
  if (fails) return kFails;
  // All are done, and neither holds: a parallel that ticks then runs without end.
  const bool is_done = !can(mix, kRuns) && flow.also == kFails;
  return is_done ? kFails : kRuns;
}

Results parallel_results(const Flow& flow, std::uint32_t flags, const MixCounts& children) {
  // Children that can give the same results: three of them allow as many mixes as any larger number.
  constexpr std::uint32_t kEnough = 3;
  unsigned mixes = 1;  // a bit for each mix that the children so far may have
  for (unsigned given = 1; given <= kAnyResult; ++given) {
    for (std::uint32_t i = 0; i < std::min(children.of[given], kEnough); ++i) {
      unsigned next = 0;
      for (unsigned mix = 0; mix <= kAnyResult; ++mix) {
        if ((mixes >> mix & 1) == 0) continue;
        for (const Results result : {kRuns, kFails, kSucceeds}) {
          if ((given & result) != 0) next |= 1u << (mix | result);
        }
      }
      mixes = next;
    }
  }
  Results results = 0;
  for (unsigned mix = 1; mix <= kAnyResult; ++mix) {
    if ((mixes >> mix & 1) != 0) results |= result_of_mix(flow, flags, static_cast<Results>(mix));
  }
  return results;
}

}  // namespace espalier::lint
