// The searches that an answer takes. See find.h.
#include "explore/find.h"

#include <utility>

namespace espalier::explore {
namespace {

// Adds what a search found and is not known yet.
void take(const std::shared_ptr<const Search>& search, Findings& findings) {
  for (const auto& [mark, found] : search->marks()) {
    if (findings.marks.count(mark) != 0) continue;
    std::optional<Trace> trace = search->trace(mark, found);
    if (!trace) {
      findings.is_complete = false;
      continue;
    }
    // With free answers, the lines for the host are not counted.
    const auto steps = static_cast<std::uint32_t>(trace->steps.size());
    findings.marks[mark] = {steps, std::move(*trace), found.order, [search, found = found] { search->show(found); }};
  }
}

}  // namespace

Findings find_all(const World& world, const Observer& observer, std::uint64_t wanted_marks, const Budget& budget) {
  Findings findings;
  findings.is_complete = true;
  for (const Choices choices : {Choices::plain, Choices::wide}) {
    const auto all = std::make_shared<Search>(world, observer, choices, Answers::free, budget);
    all->run(wanted_marks);
    findings.state_count += all->state_count();
    findings.is_complete = all->is_complete() || (wanted_marks != 0 && all->marks().size() >= wanted_marks);
    const std::uint64_t found_count = all->marks().size();
    // Agents that take turns do not find the shortest traces.
    if (world.names().empty() && world.agent_count() == 1) {
      take(all, findings);
    } else if (found_count > findings.marks.size() || (choices == Choices::plain && !all->is_complete())) {
      const auto shortest = std::make_shared<Search>(world, observer, choices, Answers::kept, budget);
      shortest->run(found_count);
      findings.state_count += shortest->state_count();
      take(shortest, findings);
      take(all, findings);
    }
    if (wanted_marks != 0 && findings.marks.size() >= wanted_marks) break;
  }
  return findings;
}

}  // namespace espalier::explore
