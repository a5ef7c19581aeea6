// Options that mean nothing for the trees that were replayed. See replay.h.
#include <algorithm>

#include "replay/event.h"
#include "replay/replay.h"

namespace espalier::replay {

std::vector<std::string> idle_options(const std::vector<TraceResult>& results, const ReplayOptions& options) {
  std::vector<std::string> messages;
  // Of a trace whose beginning is wrong nothing is known.
  const bool is_known = !results.empty() && std::all_of(results.begin(), results.end(),
                                                        [](const TraceResult& result) { return result.engine; });
  if (!is_known) return messages;
  const auto none = [&](const auto& is_meant) { return std::none_of(results.begin(), results.end(), is_meant); };
  if (options.verbose > 0 && none([](const auto& result) { return result.engine == EngineId::decide; })) {
    messages.emplace_back("--verbose LEVEL changes nothing: it is for decider trees, and none was replayed");
  }
  for (const std::string& name : options.events) {
    KindSet kind;
    if (!kind.add(name)) continue;
    if (none([&](const auto& result) { return (kinds_of(*result.engine).bits & kind.bits) != 0; })) {
      messages.emplace_back("--events " + name + " writes nothing: the trees that were replayed have no such events");
    }
  }
  if (options.agent && none([&](const auto& result) { return *options.agent < result.agent_count; })) {
    messages.emplace_back("--agent " + std::to_string(*options.agent) +
                          " writes nothing: agents are counted from 0, and no trace has this one");
  }
  return messages;
}

}  // namespace espalier::replay
