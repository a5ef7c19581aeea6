// Tests that tell a tree from its mutants. See suite.h.
#include "mutants/suite.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "explore/explore.h"
#include "explore/random_traces.h"
#include "text/parallel.h"

namespace espalier::mutants {
namespace {

using explore::Trace;

constexpr std::size_t kReplaysATest = 3;  // until it is written, and is known to hold

bool holds(const Asset& asset, const std::string& test, replay::ReplayOptions options) {
  options.ends_at_failure = true;
  std::istringstream lines(test);
  text::Sources sources;
  return replay::replay(asset, lines, "test", options, sources, {}).holds();
}

bool holds_strictly(const Asset& asset, const std::string& test, replay::ReplayOptions options) {
  options.strict = true;
  return holds(asset, test, std::move(options));
}

bool is_tick(const std::string& line) { return line.starts_with("{\"tick\""); }

// The lines of ticks in traces, and one of 0.1 s.
std::vector<std::string> ticks_of(std::span<const Trace> traces) {
  std::vector<std::string> ticks = {"{\"tick\": 0.1}"};
  for (const Trace& trace : traces) {
    for (const std::string& line : trace.steps) {
      if (is_tick(line) && std::find(ticks.begin(), ticks.end(), line) == ticks.end()) ticks.push_back(line);
    }
  }
  return ticks;
}

// The trace up to its n-th tick.
Trace up_to(const Trace& trace, std::size_t ticks) {
  Trace part = trace;
  std::size_t count = 0;
  const auto is_last = [&](const std::string& line) { return is_tick(line) && ++count == ticks; };
  const auto last = std::find_if(part.steps.begin(), part.steps.end(), is_last);
  if (last != part.steps.end()) part.steps.erase(last + 1, part.steps.end());
  return part;
}

// What the host answers by default as a line of its own.
Trace with_defaults(Trace trace) {
  if (!trace.defaults.empty()) trace.steps.insert(trace.steps.begin(), std::exchange(trace.defaults, {}));
  return trace;
}

// Finds traces for mutants on which no test fails.
class Finder {
 public:
  using Set = std::vector<std::size_t>;  // of mutants, by number

  Finder(const Tree& tree, std::span<const Trace> covering, std::span<const Mutant> mutants,
         const SuiteOptions& options, Effort& effort)
      : tree_(tree), covering_(covering), mutants_(mutants), options_(options), effort_(effort) {}

  [[nodiscard]] std::string test_of(Trace& trace) const {
    return mutants::test_of(*tree_.asset, trace, explore::Expected::events, options_.replay);
  }

  // A trace that some of the mutants fail on.
  struct Found {
    Trace trace;
    std::string test;
    Set failing;
  };

  // `alive`: those that are looked for; what no trace is found for is left in it.
  std::vector<Found> run(Set& alive) {
    std::vector<Found> found;
    const std::vector<std::string> ticks = ticks_of(covering_);
    if (!alive.empty()) {
      for (const Trace& trace : explore::random_traces(tree_, options_.explore, ticks, options_.random_count)) {
        if (alive.empty() || effort_.is_over()) break;
        try_trace(trace, alive, found);
      }
    }
    const Set left = alive;
    for (const std::size_t mutant : left) {
      if (effort_.is_over()) break;
      if (std::find(alive.begin(), alive.end(), mutant) != alive.end()) explore_mutant(mutant, alive, found);
    }
    return found;
  }

  // Those on which the test fails.
  [[nodiscard]] Set failing_of(const std::string& test, const Set& mutants) const {
    constexpr std::size_t kLeastShare = 16;
    effort_.use_replays(test.size(), mutants.size());
    std::vector<unsigned char> fails(mutants.size(), 0);
    text::run_parallel(mutants.size(), options_.explore.budget.threads, kLeastShare, [&]() -> text::Worker {
      return [&](std::size_t i) { fails[i] = is_interrupted() || holds(mutants_[mutants[i]].asset, test, {}) ? 0 : 1; };
    });
    Set failing;
    for (std::size_t i = 0; i < mutants.size(); ++i) {
      if (fails[i] != 0) failing.push_back(mutants[i]);
    }
    return failing;
  }

  // Ends the trace as soon as the test fails on all of these, and leaves out what is not needed for that.
  void shorten(const Set& failing, Found& found) const {
    found.failing = failing;
    if (effort_.is_over()) return;
    Trace plain = found.trace;
    plain.seed = 1;
    if (found.trace.seed != 1) static_cast<void>(take_shorter(std::move(plain), found));
    end_early(found);
    for (std::size_t line = found.trace.steps.size(); line-- > 0;) {
      if (found.trace.steps.size() == 1 || effort_.is_over()) return;
      Trace part = found.trace;
      part.steps.erase(part.steps.begin() + static_cast<std::ptrdiff_t>(line));
      static_cast<void>(take_shorter(std::move(part), found));
    }
  }

 private:
  [[nodiscard]] bool is_interrupted() const { return options_.explore.budget.is_interrupted(); }
  [[nodiscard]] bool holds_here(const std::string& test) const {
    return holds_strictly(*tree_.asset, test, options_.replay);
  }
  void try_trace(const Trace& trace, Set& alive, std::vector<Found>& found) const {
    Found own{trace, {}, {}};
    own.test = test_of(own.trace);
    effort_.use_replays(own.test.size(), kReplaysATest);
    if (!holds_here(own.test)) return;
    own.failing = failing_of(own.test, alive);
    if (own.failing.empty()) return;
    std::erase_if(alive, [&](std::size_t mutant) {
      return std::find(own.failing.begin(), own.failing.end(), mutant) != own.failing.end();
    });
    found.push_back(std::move(own));
  }

  // Does a shorter trace do as well? Then it takes the place of the other.
  [[nodiscard]] bool take_shorter(Trace part, Found& found) const {
    std::string test = test_of(part);
    if (failing_of(test, found.failing).size() != found.failing.size() || !holds_here(test)) return false;
    found.trace = std::move(part);
    found.test = std::move(test);
    return true;
  }

  void end_early(Found& found) const {
    const auto tick_count =
        static_cast<std::size_t>(std::count_if(found.trace.steps.begin(), found.trace.steps.end(), is_tick));
    for (std::size_t ticks = 1; ticks < tick_count && !effort_.is_over(); ++ticks) {
      if (take_shorter(up_to(found.trace, ticks), found)) return;
    }
  }

  void explore_mutant(std::size_t mutant, Set& alive, std::vector<Found>& found) {
    explore::Options options = options_.explore;
    options.budget = {.states = std::min(options.budget.states, options_.states),
                      .cost_a_state = options_.cost_a_state,
                      .threads = options.budget.threads,
                      .choices = options_.choices,
                      .states_then = 1,
                      .interruption = options.budget.interruption};
    options.method = explore::Method::list;  // formulas would look farther, for longer
    options.host.old_results = options.host.results;
    const std::vector<explore::TreeDiff> diffs =
        explore::diff(*tree_.asset, mutants_[mutant].asset, std::string(tree_name(tree_)), options);
    for (const explore::TreeDiff& diff : diffs) effort_.use_states(diff.used_count, options.budget);
    if (diffs.size() == 1 && !diffs.front().differences.empty())
      try_trace(diffs.front().differences.front().trace, alive, found);
  }

  const Tree tree_;
  const std::span<const Trace> covering_;
  const std::span<const Mutant> mutants_;
  const SuiteOptions& options_;
  Effort& effort_;
};

Finder::Set alive_in(const std::vector<Fate>& fates) {
  Finder::Set alive;
  for (std::size_t i = 0; i < fates.size(); ++i) {
    if (!fates[i].test) alive.push_back(i);
  }
  return alive;
}

}  // namespace

std::string test_of(const Asset& asset, Trace& trace, explore::Expected expected,
                    const replay::ReplayOptions& options) {
  const auto written = [&] { return explore::with_expectations(asset, trace, expected); };
  std::string test = written();
  if (trace.allows_errors || holds_strictly(asset, test, options)) return test;
  trace.allows_errors = true;
  test = written();
  trace.allows_errors = holds_strictly(asset, test, options);
  return trace.allows_errors ? test : written();
}

std::vector<Fate> fates_of(std::span<const std::string> tests, std::span<const Mutant> mutants, Effort& effort) {
  constexpr std::size_t kLeastShare = 4;
  constexpr std::size_t kAtOnce = 64;
  const explore::Budget& budget = effort.budget();
  std::vector<Fate> fates(mutants.size());
  std::vector<std::size_t> bytes(mutants.size(), 0);  // of the tests that were replayed
  for (std::size_t begin = 0; begin < mutants.size() && !effort.is_over(); begin += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, mutants.size() - begin);
    text::run_parallel(count, budget.threads, kLeastShare, [&]() -> text::Worker {
      return [&](std::size_t place) {
        const std::size_t i = begin + place;
        for (std::size_t test = 0; test < tests.size() && !fates[i].test && !budget.is_interrupted(); ++test) {
          bytes[i] += tests[test].size();
          if (!holds(mutants[i].asset, tests[test], {})) fates[i].test = test;
        }
      };
    });
    for (std::size_t i = begin; i < begin + count; ++i) effort.use_replays(bytes[i], 1);
  }
  return fates;
}

void find_traces(const Tree& tree, std::span<const Trace> covering, std::span<const Mutant> mutants,
                 const SuiteOptions& options, Effort& effort, std::vector<Fate>& fates) {
  Finder::Set alive = alive_in(fates);
  Finder finder(tree, covering, mutants, options, effort);
  for (const Finder::Found& found : finder.run(alive)) {
    for (const std::size_t mutant : found.failing) {
      Finder::Found own = found;
      finder.shorten({mutant}, own);
      fates[mutant].trace = with_defaults(std::move(own.trace));
    }
  }
}

Suite suite_of(const Tree& tree, std::span<const Trace> covering, std::span<const Mutant> mutants,
               const SuiteOptions& options, Effort& effort) {
  Suite suite;
  Finder finder(tree, covering, mutants, options, effort);
  for (Trace trace : covering) {
    suite.tests.push_back(finder.test_of(trace));
    effort.use_replays(suite.tests.back().size(), kReplaysATest);
  }
  suite.fates = fates_of(suite.tests, mutants, effort);
  Finder::Set alive = alive_in(suite.fates);
  const Finder::Set wanted = alive;
  std::vector<Finder::Found> found = finder.run(alive);
  for (Finder::Found& each : found) each.failing = finder.failing_of(each.test, wanted);
  // Few of them: each time the one that most of the rest fail on.
  for (Finder::Set rest = wanted; !rest.empty();) {
    Finder::Found* best = nullptr;
    Finder::Set most;
    for (Finder::Found& each : found) {
      Finder::Set failing;
      for (const std::size_t mutant : each.failing) {
        if (!suite.fates[mutant].test) failing.push_back(mutant);
      }
      if (failing.size() <= most.size()) continue;
      most = std::move(failing);
      best = &each;
    }
    if (best == nullptr) break;
    for (const std::size_t mutant : most) suite.fates[mutant].test = suite.tests.size();
    finder.shorten(most, *best);
    suite.tests.push_back(best->test);
    std::erase_if(rest, [&](std::size_t mutant) { return suite.fates[mutant].test.has_value(); });
  }
  return suite;
}

}  // namespace espalier::mutants
