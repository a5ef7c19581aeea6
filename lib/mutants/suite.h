// Tests that tell a tree from its mutants: few short traces on which most of them fail.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explore/expected_lines.h"
#include "explore/results.h"
#include "mutants/effort.h"
#include "mutants/mutants.h"
#include "replay/replay.h"

namespace espalier::mutants {

// What becomes of a mutant.
struct Fate {
  std::optional<std::size_t> test = {};      // that fails on it: its number among all tests
  std::optional<explore::Trace> trace = {};  // none does: one that would
};

struct Suite {
  std::vector<std::string> tests;  // traces with expectations, those that were found first in front
  std::vector<Fate> fates;         // by mutant
};

struct SuiteOptions {
  explore::Options explore = {};      // what is known of the host
  replay::ReplayOptions replay = {};  // of the tests: they give no warning with these
  std::uint32_t random_count = 200;   // of random traces that are tried
  // What is explored for a mutant on which no random trace fails.
  std::uint64_t states = 1000;
  std::uint32_t cost_a_state = 160;  // Budget::cost_a_state: a few updates for each state
  std::uint32_t choices = 64;        // in an update
};

// A trace with expectations as a test that gives no warning: it allows errors of updates where it has some that
// expectations do not name.
std::string test_of(const Asset& asset, explore::Trace& trace, explore::Expected expected,
                    const replay::ReplayOptions& options);

// All of these do what the effort allows; of an effort that is over, some fates are not known.

// The fates of mutants under given tests, traces with expectations.
std::vector<Fate> fates_of(std::span<const std::string> tests, std::span<const Mutant> mutants, Effort& effort);

// Adds to tests that cover a tree, those that are needed to make each mutant fail on one, as far as some are found.
Suite suite_of(const Tree& tree, std::span<const explore::Trace> covering, std::span<const Mutant> mutants,
               const SuiteOptions& options, Effort& effort);

// Finds traces that would make the mutants fail on which no test does: Fate::trace.
void find_traces(const Tree& tree, std::span<const explore::Trace> covering, std::span<const Mutant> mutants,
                 const SuiteOptions& options, Effort& effort, std::vector<Fate>& fates);

}  // namespace espalier::mutants
