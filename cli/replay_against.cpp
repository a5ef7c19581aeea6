// See replay_against.h.
#include "cli/replay_against.h"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "cli/beside.h"
#include "cli/debugged_run.h"
#include "debug/messages.h"
#include "text/names.h"
#include "text/visible.h"

namespace espalier::cli {
namespace {

using debug::Difference;
using debug::History;
using debug::Moment;
using debug::MomentKind;

std::vector<std::string> lines_of(const std::string& title, const std::string& story) {
  std::vector<std::string> lines = {text::visible(title)};
  std::istringstream text(story);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// What the new version asks that the old one did not: the run has no answer. Null: nothing.
const Moment* first_unknown(const History& now, const History& before) {
  const auto is_unknown = [](const Moment& moment) { return moment.kind == MomentKind::unscripted; };
  const auto was_asked = [&](const Moment& moment) {
    return std::any_of(before.moments().begin(), before.moments().end(), [&](const Moment& other) {
      return is_unknown(other) && before.text(other.name) == now.text(moment.name);
    });
  };
  const auto found = std::find_if(now.moments().begin(), now.moments().end(),
                                  [&](const Moment& moment) { return is_unknown(moment) && !was_asked(moment); });
  return found == now.moments().end() ? nullptr : &*found;
}

void write_difference(const ReplayOptions& options, const Difference& difference, const History& now,
                      const History& before, const DebuggedRuns& runs) {
  const auto moment_of = [](const History& history, std::size_t count) {
    return count == 0 ? nullptr : &history.moments()[count - 1];
  };
  const Moment* const here = moment_of(now, difference.count);
  const Moment* const there = moment_of(before, difference.other_count);
  // Where one has nothing more, the other tells the time.
  const bool is_earlier =
      there != nullptr && !difference.other_is_over && (here == nullptr || there->time_us < here->time_us);
  const Moment& first = is_earlier || here == nullptr ? *there : *here;
  std::cout << text::quote(options.against) << " does the same until " << debug::seconds_of(first.time_us)
            << ", and then something else:\n\n";
  const auto story_of = [&](const History& history, std::size_t count) {
    return story_at(history, count, first.agent, first.time_us, runs);
  };
  write_beside(lines_of(options.traces.front(), story_of(before, before.moments().size())),
               lines_of(options.against, story_of(now, now.moments().size())));
  const auto words_of = [](const History& history, const Moment* moment, bool is_over) {
    return moment == nullptr || is_over ? "nothing more happens" : text::visible(debug::words_of(history, *moment));
  };
  std::cout << "\nthere: " << words_of(before, there, difference.other_is_over)
            << "; here: " << words_of(now, here, difference.is_over) << '\n';
}

}  // namespace

int replay_against(const ReplayOptions& options) {
  DebuggedRuns runs;
  History now;
  History before;
  const debug::Launch launch{.paths = options.common.paths, .run = options.traces.front(), .against = options.against};
  const std::string fault = load_run(launch, runs, now, before);
  if (!fault.empty()) return fail(fault);
  if (now.moments().empty() && before.moments().empty()) return fail("nothing happens in the run");
  const std::optional<Difference> difference = debug::first_difference(now, before);
  if (!difference) {
    std::cout << text::quote(options.against) << " does the same in this run\n";
    return kOk;
  }
  write_difference(options, *difference, now, before, runs);
  if (const Moment* const unknown = first_unknown(now, before); unknown != nullptr) {
    std::cout << "at " << debug::seconds_of(unknown->time_us) << ": " << text::visible(now.text(unknown->name))
              << ": what follows is not known\n";
  }
  std::cout << std::flush;
  return kFound;
}

}  // namespace espalier::cli
