// Finds the states that a world can be in, by their distance from the beginning in steps, and the shortest traces to
// what an observer marks. With the same world and budget the result is the same for any number of threads.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "explore/results.h"
#include "explore/run.h"

namespace espalier::explore {

class Search {
 public:
  // World and observer must outlive the search.
  Search(const World& world, const Observer& observer, Choices choices, Answers answers, const Budget& budget);

  // Explores until everything is found, or the budget is used up, or `wanted_marks` different marks are found (0: any
  // number) by their shortest traces.
  void run(std::uint64_t wanted_marks = 0);

  // Was everything explored that can be reached? Then what is not marked cannot be.
  bool is_complete() const { return is_complete_; }
  std::uint64_t state_count() const { return states_.size(); }

  struct Found {
    std::uint32_t steps = 0;   // of the shortest trace
    std::uint32_t state = 0;   // before its last step
    std::uint32_t number = 0;  // of what follows, see Run::expand
    std::uint64_t order = 0;   // in which marks were found
  };
  const Found* find(std::uint64_t mark) const;
  const std::unordered_map<std::uint64_t, Found>& marks() const { return marks_; }

  // None: no seed below 2^53 was found that gives the random numbers it needs.
  std::optional<Trace> trace(std::uint64_t mark, const Found& found) const;
  // Runs the last step again, with Run::is_telling().
  void show(const Found& found) const {
    Run(world_, observer_, choices_, answers_).edge(bytes_of(found.state), found.number);
  }

 private:
  struct State {
    std::uint32_t before = 0;  // the state that led here, by its number
    std::uint32_t number = 0;  // of this one among those that follow it
    std::uint32_t steps = 0;
  };
  // What a thread found for some states.
  struct Chunk {
    struct Next {
      std::uint32_t from;
      std::uint32_t number;
      std::uint32_t cost;
      std::uint32_t mark_count;
      bool goes_on;
    };
    std::vector<Next> next;
    std::vector<std::uint64_t> marks;
    std::vector<unsigned char> states;
    std::uint64_t step_count = 0;
    bool has_left_out = false;
  };

  void expand(Run& run, std::uint32_t state, std::uint32_t steps, Chunk& chunk) const;
  void merge(const Chunk& chunk, std::uint32_t steps);
  void add_mark(std::uint64_t mark, const Found& found);
  // The number of a state; it is new if there was none with these bytes.
  std::uint32_t add(const unsigned char* bytes, bool* is_new);
  void grow();
  const unsigned char* bytes_of(std::uint32_t state) const {
    return blocks_[state / kBlockStates].get() + std::size_t{state % kBlockStates} * size_;
  }
  bool is_found(std::uint64_t wanted_marks, std::uint32_t steps) const;
  std::vector<Edge> edges(const Found& found) const;

  static constexpr std::uint32_t kBlockStates = 4096;

  const World& world_;
  const Observer& observer_;
  const Choices choices_;
  const Answers answers_;
  const Budget budget_;
  const std::size_t size_;  // of a state
  std::vector<std::unique_ptr<unsigned char[]>> blocks_;
  std::vector<State> states_;
  std::vector<std::uint32_t> table_;                  // 1 + numbers of states, by hash; at most half full
  std::vector<std::vector<std::uint32_t>> distance_;  // states by steps; some may have been reached by fewer
  std::unordered_map<std::uint64_t, Found> marks_;
  std::uint64_t mark_order_ = 0;
  std::uint64_t step_count_ = 0;
  bool is_complete_ = false;
  bool has_left_out_ = false;
};

}  // namespace espalier::explore
