// What can happen, found by brute force over an independent model: every line that a trace may have is tried after
// every sequence of lines that leads somewhere new. And: what a cover claims is compared with that, and each of its
// traces is replayed.
#pragma once
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

// A line, as the model's functions need it.
struct ModelLine {
  enum Kind : std::uint8_t { signal, flags, stimulus, inject, host, tick } kind = tick;
  std::size_t agent = 0;  // kAll: all agents
  std::size_t id = 0;
  std::size_t value = 0;
  bool is_immediate = false;
  std::uint64_t time_us = 0;
  ModelDraws draws = {};
};
inline constexpr std::size_t kAll = ~std::size_t{0};

// Agents of a model.
struct ModelAgents {
  std::function<std::vector<ModelLine>()> lines;  // that may come now
  std::function<void(const ModelLine& line, ModelDraws& draws)> run;
  std::function<std::string()> state;  // all that matters of it, as text
  std::set<std::size_t> reached;       // items, by the last line
};

struct BruteForce {
  std::map<std::size_t, std::uint32_t> steps;  // of the shortest trace, by item
  std::size_t state_count = 0;
  bool is_complete = false;
};

// `make` gives new agents.
inline BruteForce find_by_brute_force(const std::function<std::shared_ptr<ModelAgents>()>& make,
                                      std::size_t max_states) {
  BruteForce found;
  std::vector<std::vector<ModelLine>> level = {{}};
  std::set<std::string> known = {make()->state()};
  const auto after = [&](const std::vector<ModelLine>& lines) {
    auto agents = make();
    for (const ModelLine& line : lines) {
      ModelDraws draws = line.draws;
      draws.begin();
      agents->run(line, draws);
    }
    return agents;
  };
  for (std::uint32_t steps = 1; !level.empty(); ++steps) {
    std::vector<std::vector<ModelLine>> next_level;
    for (const std::vector<ModelLine>& lines : level) {
      for (ModelLine line : after(lines)->lines()) {
        do {
          const auto agents = after(lines);
          line.draws.begin();
          agents->reached.clear();
          agents->run(line, line.draws);
          for (const std::size_t item : agents->reached) found.steps.try_emplace(item, steps);
          if (!known.insert(agents->state()).second) continue;
          next_level.push_back(lines);
          next_level.back().push_back(line);
          if (known.size() > max_states) {
            found.state_count = known.size();
            return found;
          }
        } while (line.draws.next());
      }
    }
    level = std::move(next_level);
  }
  found.state_count = known.size();
  found.is_complete = true;
  return found;
}

// Does the trace, when it is replayed, reach the item with its last line and not before? Empty if it does.
std::string replayed(const Asset& asset, const Tree& tree, const explore::Trace& trace, std::size_t item);

// How many items of each kind of answer were compared.
struct Compared {
  std::size_t reached = 0, unreachable = 0, by_wide_choices = 0, undecided = 0;
};

// Fails the test where a cover of the tree is not what brute force has found, or one of its traces does not replay.
void compare_cover(const Asset& asset, const std::string& tree, const std::function<BruteForce()>& brute_force,
                   const std::function<std::string()>& text, Compared& compared);

}  // namespace espalier::test
