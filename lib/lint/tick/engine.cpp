// What depends on a difference between the engine and its documentation. See analysis.h.
#include "lint/tick/analysis.h"

#include "rules/modular.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::lint {
namespace {

constexpr std::size_t kMaxPlacesOfNote = 8;

// One note a tree: the places after the first one are related to it.
class Note {
 public:
  Note(TickAnalysis& analysis, Rule rule) : analysis_(analysis), rule_(rule) {}

  void add(PlaceIndex place, const std::string& message, std::string hint = {}) {
    if (finding_ == nullptr) {
      finding_ = &analysis_.report(rule_, place, message, std::move(hint));
    } else if (finding_->related.size() < kMaxPlacesOfNote) {
      finding_->related.push_back({analysis_.span(place), "here, too"});
    }
  }

 private:
  TickAnalysis& analysis_;
  Rule rule_;
  Finding* finding_ = nullptr;  // valid as long as nothing else is reported
};

// The round that begins in the update in which the child has ended is not counted if it ends at once.
void find_uncounted_rounds(TickAnalysis& analysis) {
  Note note(analysis, rules::MBT_loop_count);
  analysis.each(opcode::tick_loop, [&](PlaceIndex place) {
    if (analysis.node(place).as<ir::Limit>().maximum < 2) return;
    const bool until_success = (analysis.node(place).flags & kLoopsUntilSuccess) != 0;
    const Outcome& child = analysis.outline.outcome(analysis.outline.places[place].children[0]);
    const Results counted = until_success ? kFails : kSucceeds;
    if ((child.first & kRuns) == 0 || (child.first & counted) == 0) return;
    note.add(place,
             analysis.outline.facts.engine + " can run the child of " + analysis.name(place) + " more often than '" +
                 (until_success ? "attemptCount" : "count") + "' says",
             "the documentation counts each round; the engine does not count one that begins in the update in which "
             "the round before it ended, and ends at once");
  });
}

void find_missing_nodes(TickAnalysis& analysis) {
  Note note(analysis, rules::MBT_limit_not_in_engine);
  analysis.each(opcode::tick_limit, [&](PlaceIndex place) {
    note.add(place,
             analysis.name(place) + " is documented, but is in no public version of " + analysis.outline.facts.engine,
             "'GroupScope' limits the users of a name in a group");
  });
}

void find_script_truth(TickAnalysis& analysis) {
  const auto gives_no_boolean = analysis.outline.facts.gives_no_boolean;
  if (gives_no_boolean == nullptr) return;
  Note note(analysis, rules::MBT_script_truth);
  for (const Opcode opcode : {opcode::tick_script_guard, opcode::tick_script}) {
    analysis.each(opcode, [&](PlaceIndex place) {
      const bool decides = opcode == opcode::tick_script_guard || (analysis.node(place).flags & kScriptDecides) != 0;
      if (!decides || !gives_no_boolean(analysis.node(place).as<ir::Scripts>().sources[0])) return;
      note.add(place,
               "the code of " + analysis.name(place) + " returns neither true nor false: " +
                   analysis.outline.facts.engine + " takes a number other than 0 as true and anything else as false",
               "the documentation asks for true: compare the value");
    });
  }
}

void find_cleared_timestamps(TickAnalysis& analysis) {
  const std::vector<ir::Timestamp>& timestamps = analysis.ticking().timestamps;
  Note note(analysis, rules::MBT_cleared_timestamp);
  for (const Opcode opcode : {opcode::tick_time_guard, opcode::tick_time}) {
    analysis.each(opcode, [&](PlaceIndex place) {
      const std::optional<std::uint32_t> tested = analysis.node(place).as<ir::TimeTest>().timestamp;
      if (!tested || (analysis.node(place).flags & kTimeNeverSet) == 0) return;
      for (const ir::Timestamp& other : timestamps) {
        if (other.exclusive_to != tested) continue;
        note.add(place,
                 analysis.outline.facts.engine + " counts a cleared timestamp as set: once " + quote(other.name) +
                     " has cleared " + quote(timestamps[*tested].name) + ", " + analysis.name(place) +
                     " does not hold, whatever 'orNeverBeenSet' says",
                 "test the other timestamp as well");
        return;
      }
    });
  }
}

}  // namespace

void analyse_engine(TickAnalysis& analysis) {
  find_uncounted_rounds(analysis);
  find_missing_nodes(analysis);
  find_script_truth(analysis);
  find_cleared_timestamps(analysis);
}

}  // namespace espalier::lint
