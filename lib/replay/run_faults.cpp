// What goes wrong in a run. See run_faults.h.
#include "replay/run_faults.h"

#include <algorithm>
#include <utility>

#include "codegen/dump/disassemble.h"
#include "rules/traces.h"

namespace espalier::replay {
namespace {

enum class FaultUse : std::uint8_t { error, breach, habit };

constexpr RunFaultInfo kRunFaults[] = {
#define RUN_FAULT(name, rule, use, statuses, engines, meaning) \
  {#name, rules::rule, FaultUse::use != FaultUse::habit, statuses, engines},
#include "replay/run_faults.def"
#undef RUN_FAULT
};

// ", robot.xml:12"; empty: it is not known.
std::string place_words(NodeOf node) {
  if (node.asset == nullptr) return {};
  const codegen::NodeDebug place = codegen::node_debug(*node.asset, node.word);
  return place.line == 0 ? "" : ", " + std::string(place.file) + ':' + std::to_string(place.line);
}

}  // namespace

const RunFaultInfo& info_of(RunFaultKind kind) { return kRunFaults[static_cast<std::size_t>(kind)]; }

bool RunFaults::is_full() const {
  constexpr std::size_t kMaxKept = 50'000;
  constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
  return kept_.size() >= kMaxKept || line_bytes_ > kMaxBytes;
}

void RunFaults::keep(RunFault fault, const std::function<Line()>& line) {
  fault.message += place_words(fault.node);
  const auto key = std::make_tuple(fault.kind, fault.agent, fault.message);
  if (const auto found = kept_.find(key); found != kept_.end()) {
    ++found->second.count;
    return;
  }
  is_incomplete_ = is_incomplete_ || is_full();
  if (is_incomplete_) return;
  const auto place = kept_.try_emplace(key).first;
  if (!fault.event.empty()) by_event_.emplace(fault.event, place);
  Kept& kept = place->second;
  kept.count = 1;
  kept.fault = std::move(fault);
  kept.line = line();
  kept.order = next_order_++;
  if (std::exchange(last_line_, kept.line.get()) != kept.line.get()) line_bytes_ += kept.line->text().size();
}

RunFaults::KeptFaults::iterator RunFaults::erase(KeptFaults::iterator kept) {
  const auto known = by_event_.find(kept->second.fault.event);
  if (known != by_event_.end() && known->second == kept) by_event_.erase(known);
  return kept_.erase(kept);
}

void RunFaults::accept(const std::vector<std::string>& events) {
  for (const std::string& event : events) {
    const auto named = by_event_.find(event);
    if (named != by_event_.end() && --named->second->second.count == 0) erase(named->second);
  }
}

void RunFaults::accept(std::uint32_t agent, std::string_view status) {
  for (std::size_t i = 0; i < std::size(kRunFaults) && !kept_.empty(); ++i) {
    if (kRunFaults[i].statuses.find(status) == std::string_view::npos) continue;
    const auto kind = static_cast<RunFaultKind>(i);
    auto kept = kept_.lower_bound({kind, agent, ""});
    while (kept != kept_.end() && kept->second.fault.kind == kind && kept->second.fault.agent == agent) {
      kept = erase(kept);
    }
  }
}

std::vector<RunFaults::Told> RunFaults::take(bool several_agents) {
  std::vector<Kept> all;
  by_event_.clear();
  for (auto& [key, kept] : std::exchange(kept_, {})) all.push_back(std::move(kept));
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.order < b.order; });
  std::vector<Told> told;
  for (Kept& kept : all) {
    RunFault& fault = kept.fault;
    fault.message += " (";
    if (several_agents) fault.message += "agent " + std::to_string(fault.agent) + ", ";
    if (kept.count > 1) fault.message += std::to_string(kept.count) + " times, first ";
    fault.message += "at " + seconds_text(fault.time_us) + " s)";
    told.push_back({std::move(fault), std::move(kept.line)});
  }
  if (is_incomplete_ && !told.empty())
    told.back().fault.hint = "these are not all: further warnings of this trace were not kept";
  return told;
}

}  // namespace espalier::replay
