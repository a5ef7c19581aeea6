// What can happen, found by brute force over an independent model: every line that a trace may have is tried after
// every sequence of lines that leads somewhere new. And: what covers, diffs and proofs claim is compared with that, and
// each of their traces is replayed.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/explore.h"
#include "runtime_random_trees.h"

namespace espalier::test {

// The choices of one step where several random numbers are possible.
class ModelDraws {
 public:
  std::uint32_t choose(std::uint32_t count) {
    if (count < 2) return 0;
    if (place_ == options_.size()) options_.push_back({0, count});
    return options_[place_++].first;
  }
  void begin() { place_ = 0; }
  // To the next choices. False: these were the last.
  bool next() {
    options_.resize(place_);
    while (!options_.empty() && options_.back().first + 1 == options_.back().second) options_.pop_back();
    if (options_.empty()) return false;
    ++options_.back().first;
    return true;
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> options_;
  std::size_t place_ = 0;
};

// Random numbers that two versions of an agent get, in the same order: each is one of as many parts of all numbers.
struct SharedNumbers {
  std::vector<std::uint32_t> drawn = {};
  std::size_t taken[2] = {};

  std::uint32_t next(std::size_t side, std::uint32_t parts, ModelDraws& draws) {
    if (taken[side] == drawn.size()) drawn.push_back(draws.choose(parts));
    return drawn[taken[side]++];
  }
  // What one side has drawn, and the other has not.
  std::string state() const {
    std::string text = taken[0] < taken[1] ? "old gets" : "new gets";
    for (std::size_t i = std::min(taken[0], taken[1]); i < drawn.size(); ++i) text += ' ' + std::to_string(drawn[i]);
    return text;
  }
};

// A line, as the model's functions need it.
struct ModelLine {
  enum Kind : std::uint8_t { signal, set, flags, stimulus, jump, inject, host, halt, tick } kind = tick;
  std::size_t agent = 0;  // kAll: all agents
  std::size_t id = 0;
  std::size_t value = 0;
  bool is_immediate = false;
  std::uint64_t time_us = 0;
  ModelDraws draws = {};
};
inline constexpr std::size_t kAll = ~std::size_t{0};

// What a host sees of an agent after an update, in the words of expectations.
struct ModelView {
  std::vector<std::string> running = {};  // in any order
  std::vector<std::string> shown = {};    // what versions are compared by, beside the status
  std::string status = {};                // of its last update; empty before the first
  std::optional<std::string> behavior = {};
  std::optional<std::string> rule = {};
  std::map<std::string, bool> variables = {}, flags = {}, stimuli = {};
};

// Agents of a model.
struct ModelAgents {
  std::size_t agent_count = 1;
  std::vector<std::string> behaviors = {}, rules = {};  // names that a host sees
  bool is_decider = false;
  bool may_update_at_once = false;                    // an update before all of the waits is nothing special
  std::function<std::vector<ModelLine>()> lines;      // that may come now, but ticks
  std::function<std::set<std::uint64_t>()> waits;     // times from now on at which something changes
  std::function<std::string(const ModelLine&)> text;  // as a trace has it, without its agent
  std::function<void(const ModelLine& line, ModelDraws& draws)> run;
  std::function<std::string()> state;  // all that matters of it, as text
  std::function<ModelView(std::size_t agent)> view;
  std::set<std::size_t> reached;                // items, by the last line
  bool ends = false;                            // what comes later does not matter
  std::shared_ptr<SharedNumbers> numbers = {};  // of two versions
  std::size_t side = 0;                         // which version it is

  std::uint32_t draw(std::uint32_t parts, ModelDraws& draws) {
    return numbers ? numbers->next(side, parts, draws) : draws.choose(parts);
  }
};
using MakeAgents = std::function<std::shared_ptr<ModelAgents>()>;

struct BruteForce {
  std::map<std::size_t, std::uint32_t> steps;  // of the shortest trace, by item
  std::size_t state_count = 0;
  bool is_complete = false;
};

BruteForce find_by_brute_force(const MakeAgents& make, std::size_t max_states);

// How many trees a test makes: `usual`, or what the variable ESPALIER_RANDOM_TREES of the environment says. Calls
// test(random, number) for each; the numbers begin with ESPALIER_RANDOM_FIRST, or with 0, so that a tree that fails can
// be made alone.
void for_random_trees(std::uint32_t usual, const std::function<void(Random& random, std::uint32_t number)>& test);

// Do answers of the host change within an update, or does an update come before anything can change?
bool has_wide_choices(const explore::Trace& trace, const ModelAgents& agents);

// Does the trace, when it is replayed, reach the item with its last line and not before? Empty if it does.
std::string replayed(const Asset& asset, const Tree& tree, const explore::Trace& trace, std::size_t item);

// How many items, differences or properties of each kind of answer were compared.
struct Compared {
  std::size_t reached = 0, unreachable = 0, by_wide_choices = 0, undecided = 0;
  std::size_t incomplete = 0;  // brute force was given up
};

// Fails the test where a cover of the tree is not what brute force has found, or one of its traces does not replay.
void compare_cover(const Asset& asset, const std::string& tree, const MakeAgents& make,
                   const std::function<std::string()>& text, Compared& compared);

// Fails the test where a diff of the tree is not what brute force has found, or one of its traces does not replay.
// `make_before` and `make_after` give agents that hear the same lines.
void compare_diff(const Asset& before, const Asset& after, const std::string& tree, const MakeAgents& make_before,
                  const MakeAgents& make_after, const std::function<std::string()>& text, Compared& compared);

// The same for proofs of some random properties.
void compare_proofs(Random& random, const Asset& asset, const std::string& tree, const MakeAgents& make,
                    const std::function<std::string()>& text, Compared& compared);

// Fails the test where a slice of the tree shows less of some random properties than brute force. Counts what slices
// do not show (`unreachable`), and what they may show (`undecided`).
void compare_slices(Random& random, const Asset& asset, const Tree& tree, const MakeAgents& make,
                    const std::function<std::string()>& text, Compared& compared);

enum class Claims : std::uint8_t { covers, proofs, diffs };

// What is claimed of random trees of an engine: how many are made, and how many claims of each answer there must at
// least be, so that the test means something.
struct RandomTest {
  Claims claims;
  std::uint32_t usual;
  std::size_t reached;
  std::size_t unreachable;
};

void expect_compared(const Compared& compared, const RandomTest& test);

// `Engine` makes the trees: it has
//   kTree                         the name of the tree that claims are about
//   make(random, claims)          a tree with all that belongs to it, of any type
//   mutate(random, tree)          makes another version of it
//   compile(tree, compiled)
//   agents(tree, other)           of a model; `other` is the other version of a diff, or null
//   text(tree)                    for messages
template <typename Engine>
void compare_random_trees(const RandomTest& test) {
  constexpr std::uint32_t kMostChanges = 5;
  Compared compared;
  for_random_trees(test.usual, [&](Random& random, std::uint32_t number) {
    const auto tree = Engine::make(random, test.claims);
    Compiled compiled;
    Engine::compile(tree, compiled);
    const auto text = [&] { return std::to_string(number) + '\n' + Engine::text(tree); };
    if (test.claims != Claims::diffs) {
      const MakeAgents make = [&] { return Engine::agents(tree, nullptr); };
      if (test.claims == Claims::covers) return compare_cover(compiled.asset, Engine::kTree, make, text, compared);
      return compare_proofs(random, compiled.asset, Engine::kTree, make, text, compared);
    }
    auto after = tree;
    for (std::uint32_t i = random.below(1 + kMostChanges); i > 0; --i) Engine::mutate(random, after);
    Compiled compiled_after;
    Engine::compile(after, compiled_after);
    compare_diff(
        compiled.asset, compiled_after.asset, Engine::kTree, [&] { return Engine::agents(tree, &after); },
        [&] { return Engine::agents(after, &tree); }, [&] { return text() + Engine::text(after); }, compared);
  });
  expect_compared(compared, test);
}

}  // namespace espalier::test
