// Warnings at the end of a trace. See end_warnings.h.
#include "replay/end_warnings.h"

#include <algorithm>
#include <utility>

#include "replay/event.h"

namespace espalier::replay {

bool EndWarnings::is_full() const {
  constexpr std::size_t kMaxKept = 50'000;
  constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
  return kept_.size() >= kMaxKept || line_bytes_ > kMaxBytes;
}

void EndWarnings::keep(EndWarning warning, const std::function<Line()>& line) {
  const auto key = std::make_tuple(warning.rule, warning.message, warning.event);
  if (const auto found = kept_.find(key); found != kept_.end()) {
    ++found->second.count;
    return;
  }
  is_incomplete_ = is_incomplete_ || is_full();
  if (is_incomplete_) return;
  Kept& kept = kept_[key];
  kept.count = 1;
  kept.warning = std::move(warning);
  kept.line = line();
  kept.order = next_order_++;
  if (std::exchange(last_line_, kept.line.get()) != kept.line.get()) line_bytes_ += kept.line->text().size();
}

void EndWarnings::withdraw(const std::vector<std::string>& events) {
  std::erase_if(kept_, [&](const auto& entry) {
    const std::string& event = entry.second.warning.event;
    return !event.empty() && std::find(events.begin(), events.end(), event) != events.end();
  });
}

std::vector<EndWarnings::Told> EndWarnings::take(bool several_agents) {
  std::vector<Kept> firsts;
  for (auto& [key, kept] : std::exchange(kept_, {})) {
    const bool is_alike = !firsts.empty() && firsts.back().warning.rule == kept.warning.rule &&
                          firsts.back().warning.message == kept.warning.message;
    if (!is_alike) {
      firsts.push_back(kept);
      continue;
    }
    const std::uint64_t count = firsts.back().count + kept.count;
    if (kept.order < firsts.back().order) firsts.back() = kept;
    firsts.back().count = count;
  }
  std::sort(firsts.begin(), firsts.end(), [](const Kept& a, const Kept& b) { return a.order < b.order; });
  std::vector<Told> told;
  for (Kept& first : firsts) {
    EndWarning& warning = first.warning;
    warning.message += " (";
    if (first.count > 1) warning.message += std::to_string(first.count) + " times, first ";
    if (several_agents) warning.message += "agent " + std::to_string(warning.agent) + ' ';
    warning.message += "at " + seconds_text(warning.time_us) + " s)";
    told.push_back({std::move(warning), std::move(first.line)});
  }
  if (is_incomplete_ && !told.empty())
    told.back().warning.hint = "these are not all: further warnings of this trace were not kept";
  return told;
}

}  // namespace espalier::replay
