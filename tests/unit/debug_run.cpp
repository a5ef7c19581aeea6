// How a run moves to breakpoints with a hit condition, in both directions.
#include "debug/run.h"

#include "unit.h"

namespace debug_run {

using namespace espalier::debug;

namespace {

// An entry is written so often, once a second.
History written(std::size_t times) {
  History history;
  for (std::size_t i = 0; i < times; ++i)
    history.add({.time_us = i * 1'000'000,
                 .name = history.number_of("mode"),
                 .value = history.number_of(std::to_string(i)),
                 .kind = MomentKind::set});
  return history;
}

// Where a move leads to.
Run::Stop stop_of(Run& run, Run::Move move, bool is_at_end) {
  Run::Search search = run.begin(std::move(move), is_at_end);
  CHECK(run.count_hits(search, [] { return false; }));
  Run::Stop stop;
  Run::Looked looked = Run::Looked::goes_on;
  while (looked == Run::Looked::goes_on) looked = run.look(search, stop);
  if (looked == Run::Looked::is_at_end) stop = {Run::Reason::end, run.end()};
  return stop;
}

}  // namespace

TEST_CASE("Hits count from the beginning, in whichever direction a run is moved") {
  Run run([](const std::string&) {});
  run.show(written(10), 0);
  Breakpoint breakpoint{.kind = Breakpoint::Kind::data, .id = run.next_id(), .name = "mode"};
  REQUIRE(set_conditions(breakpoint, "", "%5").empty());
  run.breakpoints().push_back(breakpoint);
  CHECK(stop_of(run, {}, false).count == 5);
  run.move_to(5);
  CHECK(stop_of(run, {}, false).count == 10);
  run.move_to(10);
  CHECK(stop_of(run, {}, false).reason == Run::Reason::end);
  // From behind the end, the last thing that happened is the first one that is looked at.
  CHECK(stop_of(run, {.is_back = true}, true).count == 10);
  CHECK(stop_of(run, {.is_back = true}, false).count == 5);
  run.move_to(5);
  CHECK(stop_of(run, {.is_back = true}, false).reason == Run::Reason::beginning);
}

TEST_CASE("A search back from behind the end looks at nothing beyond it") {
  Run run([](const std::string&) {});
  run.show(written(3), 3);
  Breakpoint breakpoint{.kind = Breakpoint::Kind::data, .id = run.next_id(), .name = "mode"};
  REQUIRE(set_conditions(breakpoint, "mode == 2", ">=1").empty());
  run.breakpoints().push_back(breakpoint);
  const Run::Stop stop = stop_of(run, {.is_back = true}, true);
  CHECK(stop.count == 3);
  REQUIRE(stop.hits.size() == 1);
  CHECK(stop.hits.front()->id == breakpoint.id);
}

}  // namespace debug_run
