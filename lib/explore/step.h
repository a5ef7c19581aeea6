// One step of a run: one line of a trace.
#pragma once
#include <cstdint>
#include <string>

namespace espalier::explore {

enum class StepKind : std::uint8_t {
  signal,    // `id` of World::signals()
  set,       // `id` of World::variables(), to `value`
  write,     // `id` of World::entries(), to number `value` of its values
  flags,     // deciders: `value` has a bit for each of World::variables() that is set; the others are cleared
  stimulus,  // `id` of World::stimuli(); `value` 0: it is cleared
  jump,      // `id` of World::rules(), or kReset
  inject,    // slot `id` of World::slots() gets tree `value` of World::trees(), or kNoValue: it is emptied
  halt,      // the tree is halted
  host,      // name `id` of World::names() answers `value` (an Answer) from now on
  tick,      // the clock advances by `time_us`, then the agents are updated
  nothing,   // a line about what the world does not have: World::add_line_without_effect()
  end        // of a wait, as Facts::has_free_times has it: no line of a trace
};

constexpr bool is_write(StepKind kind) {
  return kind == StepKind::set || kind == StepKind::write || kind == StepKind::stimulus;
}

constexpr std::uint32_t kReset = 0xFFFFFFFF;    // of a jump: back to the start
constexpr std::uint32_t kNoValue = 0xFFFFFFFF;  // there is none
constexpr std::uint8_t kAllAgents = 0xFF;

struct Step {
  StepKind kind = StepKind::tick;
  std::uint8_t agent = 0;     // or kAllAgents
  bool is_immediate = false;  // inject
  std::uint32_t id = 0;
  std::uint64_t value = 0;
  std::uint64_t time_us = 0;
  bool operator==(const Step&) const = default;
};

// What the host answers when it is asked.
//   success   of a condition, a gate, a script: true; of a Decide function: 1; of a decider's behaviour: it goes on
//   failure   false; 0
//   refuse    of a decider's behaviour; of trees that poll: the update ends with an error
//   two       of a Decide function: 2
//   skipped   of trees that poll
//   none      no line has answered yet, and what happens without one is not explored: a script would run
// From kFirstWithOutputs on: one of HostName::written, which also writes outputs.
enum class Answer : std::uint8_t { success, running, failure, refuse, two, skipped, none };
constexpr std::uint32_t kFirstWithOutputs = 16;
constexpr std::uint32_t kMostWithOutputs = 0xFF - kFirstWithOutputs;

}  // namespace espalier::explore
