// Following a program. See followed.h.
#include "cli/followed.h"

#include <sstream>
#include <utility>

#include "live/events.h"
#include "live/values.h"

namespace espalier::cli {

Followed::Followed(const CompiledTree& compiled, std::uint32_t agent,
                   const std::function<std::string(std::uint32_t)>& name_of, FollowedEvents events)
    : compiled_(compiled),
      agent_(agent),
      events_(std::move(events)),
      decisions_(*compiled.tree),
      lines_([&tree = *compiled.tree, name_of](std::uint32_t word) { return name_of(tree.number_of(word)); }) {
  options_.checks_expectations = false;
  observer_.watches = true;
  observer_.event = [this](const replay::Event& event) {
    lines_.event(event);
    const bool is_entry = event.kind == replay::EventKind::set && event.node.asset != nullptr;
    if (is_entry && json_of_) entries_.push_back(json_of_(event));
  };
}

void Followed::add(const std::vector<live::Change>& changes) {
  // So many are all that the program keeps: some before them may be lost.
  constexpr std::size_t kMostChanges = 1000;
  if (changes.size() >= kMostChanges) decisions_.lose();
  for (const live::Change& change : changes) decisions_.add(change);
}

void Followed::tell_rest() {
  for (const live::Change& change : decisions_.take_rest()) events_.change(change);
}

void Followed::tell(std::int64_t now_us) {
  // Changes before those that are followed come first.
  tell_rest();
  if (const std::optional<live::Decided> decided = decisions_.follow(now_us)) tell(*decided);
  tell_rest();
}

void Followed::end() {
  tell(INT64_MAX);
  decisions_.lose();
  tell_rest();
}

void Followed::run(const std::string& lines) {
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    if (!replay_->run(line, {"program", ++line_number_})) return;
  }
}

void Followed::tell(const live::Decided& decided) {
  const live::LoggedTree& tree = *compiled_.tree;
  if (decided.is_apart || replay_ == nullptr) {
    options_.start = live::start_of(decided.run);
    writer_ = std::make_unique<live::TraceWriter>(tree);
    replay_ = std::make_unique<replay::SteppedReplay>(compiled_.file.asset, options_, sources_, observer_);
    run(writer_->first_line({}));
  }
  lines_.set_inferred(live::inferred_values(tree, decided.run));
  const live::EventWriter events(tree, decided.run, decided.origin_us, events_.zero_us(), agent_);
  for (std::uint32_t i = 0; i < decided.run.updates.size(); ++i) {
    const live::Update& update = decided.run.updates[i];
    json_of_ = [&](const replay::Event& event) { return events.json_of(i, event); };
    run(writer_->lines_of(decided.run, update));
    const auto first = decided.changes.begin() + static_cast<std::ptrdiff_t>(update.first_change);
    for (auto change = first; change != first + static_cast<std::ptrdiff_t>(update.change_count); ++change)
      events_.change(*change);
    const std::vector<std::string> reasons = lines_.take();
    const std::vector<std::string> entries = std::exchange(entries_, {});
    if (!update.is_certain || update.change_count == 0) continue;
    const std::int64_t at_us = (first + static_cast<std::ptrdiff_t>(update.change_count - 1))->at_us;
    for (const std::string& words : reasons) events_.reason(at_us, words);
    for (const std::string& json : entries) events_.entry(json);
  }
  json_of_ = nullptr;
}

}  // namespace espalier::cli
