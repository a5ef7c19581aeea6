// One step of a run: one line of a trace.
#pragma once
#include <cstdint>
#include <string>

namespace espalier::explore {

enum class StepKind : std::uint8_t {
  signal,    // `id` of World::signals()
  set,       // `id` of World::variables(), to `value`
  flag,      // deciders: the decision flag `id` of World::variables() becomes `value`, the others stay
  stimulus,  // `id` of World::stimuli(); `value` 0: it is cleared
  jump,      // `id` of World::rules(), or kReset
  inject,    // slot `id` of World::slots() gets tree `value` of World::trees(), or kNoValue: it is emptied
  host,      // name `id` of World::names() answers `value` (an Answer) from now on
  tick       // the clock advances by `time_us`, then the agents are updated
};

constexpr std::uint32_t kReset = 0xFFFFFFFF;
constexpr std::uint32_t kNoValue = 0xFFFFFFFF;
constexpr std::uint8_t kAllAgents = 0xFF;

struct Step {
  StepKind kind = StepKind::tick;
  std::uint8_t agent = 0;  // or kAllAgents
  bool is_immediate = false;  // inject
  std::uint32_t id = 0;
  std::uint32_t value = 0;
  std::uint64_t time_us = 0;
  bool operator==(const Step&) const = default;
};

// What the host answers when it is asked.
enum class Answer : std::uint8_t { success, running, failure, refuse, zero, one, two };

}  // namespace espalier::explore
