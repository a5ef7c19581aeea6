// Events of logs. See events.h.
#include "live/events.h"

#include <algorithm>
#include <sstream>

#include "live/trace.h"
#include "live/values.h"
#include "replay/replay.h"

namespace espalier::live {

void each_event(const LoggedTree& tree, const FittedRun& run, bool has_reads,
                const std::function<void(std::uint32_t, const replay::Event&)>& visit) {
  std::uint32_t update = 0;
  replay::Observer observer;
  observer.gets_inputs = has_reads;
  observer.event = [&](const replay::Event& event) { visit(update, event); };
  replay::ReplayOptions options;
  options.start = start_of(run);
  text::Sources sources;
  replay::SteppedReplay replay(*tree.tree().asset, options, sources, observer);
  std::istringstream trace(trace_of(tree, run, {}, false));
  std::uint64_t number = 0;
  for (std::string line; std::getline(trace, line);) {
    if (!replay.run(line, {"log", ++number})) return;
    if (line.starts_with("{\"tick\"") || line.starts_with("{\"halt\"")) ++update;
  }
}

std::int64_t first_us_of(const Log& log, const FittedRun& run) {
  return run.first_change < log.changes.size() ? log.changes[run.first_change].at_us : 0;
}

EventWriter::EventWriter(const LoggedTree& tree, const FittedRun& run, std::int64_t first_us, std::int64_t zero_us,
                         std::uint32_t agent)
    : tree_(tree), run_(run), sampled_(sampled_outputs(run)), first_us_(first_us), zero_us_(zero_us), agent_(agent) {}

std::string EventWriter::json_of(std::uint32_t update, const replay::Event& event) const {
  if (!replay::is_written(event.kind) || event.kind == replay::EventKind::read) return {};
  const std::int64_t at_us = first_us_ + static_cast<std::int64_t>(event.time_us);
  replay::Event told = event;
  told.time_us = static_cast<std::uint64_t>(std::max<std::int64_t>(0, at_us - zero_us_));
  told.agent = agent_;
  std::string json = replay::event_json(told);
  json.pop_back();
  if (event.node.asset != nullptr) {
    const std::uint32_t node = tree_.number_of(event.node.word);
    const bool is_inferred = !tree_.nodes()[node].outputs.empty() && !sampled_.contains({event.time_us, node});
    if (event.kind == replay::EventKind::set && is_inferred) json += ", \"inferred\": true";
    json += ", \"uid\": " + std::to_string(node + 1);
  }
  if (event.kind == replay::EventKind::set && event.node.asset == nullptr && !run_.is_recorded)
    json += ", \"inferred\": true";
  if (event.kind == replay::EventKind::ask)
    json += std::string(", \"result\": ") + (event.value == "true" ? "\"success\"" : "\"failure\"");
  const bool is_end = event.kind == replay::EventKind::status && update < run_.updates.size();
  if (is_end && (!run_.updates[update].is_certain || run_.updates[update].lacks_end)) json += ", \"certain\": false";
  return json + ", \"at\": " + std::to_string(at_us) + '}';
}

}  // namespace espalier::live
