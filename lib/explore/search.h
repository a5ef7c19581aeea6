// Finds the states that a world can be in, by their distance from the beginning in steps, and the shortest traces to
// what an observer marks. With the same world and budget the result is the same for any number of threads.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "explore/kept_states.h"
#include "explore/known_pool.h"
#include "explore/results.h"
#include "explore/run.h"

namespace espalier::explore {

// The parts of an update of several agents that follow one another as one step of all.
std::vector<Edge> finished(std::vector<Edge> parts);

class Search {
 public:
  // World and observer must outlive the search.
  Search(const World& world, const Observer& observer, Choices choices, Answers answers, const Budget& budget);

  // Explores until everything is found, or the budget is used up, or `wanted_marks` different marks are found (0: any
  // number) by their shortest traces.
  void run(std::uint64_t wanted_marks = 0);

  // Was everything explored that can be reached? Then what is not marked cannot be.
  bool is_complete() const { return is_complete_; }
  // Had some update more choices than there may be?
  bool has_left_out() const { return has_left_out_; }
  // Did it end by Budget::states_then?
  bool has_enough() const { return has_enough_; }
  std::uint64_t state_count() const { return state_count_; }
  // What the budget has paid: states, and work as states; that for traces so far, too.
  std::uint64_t paid_count() const {
    return std::max<std::uint64_t>(state_count_, (work_ + work_for_traces_) / budget_.work_a_state());
  }

  // What it has in memory of its states.
  std::size_t bytes() const {
    return kept_.bytes() + table_.bytes() + blocks_.size() * kBlockStates * (sizeof(State) + sizeof(std::uint16_t)) +
           (fresh_.capacity() + again_.capacity()) * sizeof(std::uint32_t) + points_.bytes() + known_entries_.bytes();
  }

  struct Found {
    std::uint32_t steps = 0;  // of the shortest trace
    std::uint32_t state = 0;  // before its last step
    std::uint64_t order = 0;  // in which marks were found
  };
  const std::unordered_map<std::uint64_t, Found>& marks() const { return marks_; }

  // None: no seed below 2^53 was found that gives the random numbers it needs.
  // `path`: what it replays.
  std::optional<Trace> trace(std::uint64_t mark, const Found& found, std::vector<Edge>& path) const;
  // Replays it again, the last step with Run::is_telling().
  void show(std::uint64_t mark, std::vector<Edge> path, std::uint64_t seed) const;

 private:
  struct State {
    std::uint32_t before;  // the state that led here, by its number
    std::uint32_t steps;
  };
  // What a thread found from some states.
  struct Chunk {
    struct Source {
      std::uint32_t state = 0;
      std::uint64_t work = 0;
      std::uint32_t next_count = 0;
      bool has_more = false;  // farther ones
    };
    struct Next {
      std::uint32_t mark_count;
      std::uint32_t write;
      std::uint64_t hash;
      bool is_news;
    };
    std::vector<Source> sources;
    std::vector<Next> next;  // of all sources
    std::vector<std::uint64_t> marks;
    std::vector<unsigned char> states;  // those that are news
    std::vector<std::uint64_t> hashes;
    std::vector<std::uint32_t> table;            // 1 + numbers of these, by hash; at most half full
    std::vector<Next> waiting;                   // to be looked up: is_news says whether they go on
    std::vector<std::uint32_t> waiting_sources;  // of `sources`
    std::vector<unsigned char> waiting_states;
    std::vector<unsigned char> from;  // the state that is expanded
    std::vector<Hash> points;         // see Run::take_points()
    PointCounts point_counts;
    std::vector<Hash> entries;  // see Run::take_entries()
    PointCounts entry_counts;
    bool has_left_out = false;
  };

  // Do so many ways meet that points are worth while in updates with few of them, too?
  bool meets_often() const {
    constexpr std::uint64_t kPointsAMerged = 12;
    return point_counts_.merged * kPointsAMerged >= point_counts_.looked_at;
  }
  // Do so many states differ in the value of an entry alone that it is worth while to look for them?
  bool knows_entries() const {
    constexpr std::uint64_t kTriedEntries = 4096;
    constexpr std::uint64_t kEntriesAKnown = 8;
    return entry_counts_.looked_at < std::max(kTriedEntries, entry_counts_.merged * kEntriesAKnown);
  }
  // What is left of the budget.
  [[nodiscard]] std::uint64_t work_left() const { return budget_.work() - std::min(budget_.work(), work_); }
  bool is_found(std::uint64_t mark) const {
    return mark < is_marked_.size() ? is_marked_[static_cast<std::size_t>(mark)] != 0 : marks_.count(mark) != 0;
  }
  void expand(Run& run, std::uint32_t state, std::uint32_t steps, Chunk& chunk) const;
  void look_up(Chunk& chunk) const;
  bool is_news(const unsigned char* bytes, std::uint64_t hash, Chunk& chunk) const;
  template <typename IsOver>
  bool merge(const Chunk& chunk, std::uint32_t steps, const IsOver& is_over);
  std::size_t share(std::uint64_t most_work) const;
  // 1 + the number of a known state; 0: it is not known.
  std::uint32_t find(const unsigned char* bytes, std::uint64_t hash) const {
    return table_.find(hash, [&](std::uint32_t number) { return kept_.is(number, bytes); });
  }
  // Of a state that may be known. False: the budget does not allow for it.
  [[nodiscard]] bool add(const unsigned char* bytes, std::uint64_t hash, const State& state, std::uint32_t write = 0);
  const State& state_of(std::uint32_t state) const {
    return blocks_[state / kBlockStates].states[state % kBlockStates];
  }
  std::uint32_t write_of(std::uint32_t state) const {
    return blocks_[state / kBlockStates].writes[state % kBlockStates];
  }
  static std::function<bool(const Run::Next& next)> leads_to(std::uint64_t mark);
  const Edge& edge_to(Run& run, std::uint32_t state) const;
  std::vector<Edge> edges(std::uint64_t mark, const Found& found) const;

  // So many states are in memory of their own: it never moves, and little of it is unused.
  static constexpr std::uint32_t kBlockStates = 4096;
  struct Block {
    std::unique_ptr<State[]> states;
    std::unique_ptr<std::uint16_t[]> writes;  // see Run::Next; 0 also for numbers that are too large
  };

  const World& world_;
  const Observer& observer_;
  const Choices choices_;
  const Answers answers_;
  const Budget budget_;
  const std::size_t size_;  // of a state
  KeptStates kept_;
  std::vector<Block> blocks_;
  std::uint32_t state_count_ = 0;
  NumberTable table_;                 // of states
  std::vector<std::uint32_t> fresh_;  // the states of the next distance, in the order in which they were found
  std::vector<std::uint32_t> again_;  // nearer ones from which as many steps lead on
  HashSet points_;                    // all of whose next states are known
  PointCounts point_counts_;
  HashSet known_entries_;  // whose writes lead to known states only
  PointCounts entry_counts_;
  KnownPool<KnownBranches> branches_;
  KnownPool<KnownWrites> writes_;
  std::unordered_map<std::uint64_t, Found> marks_;
  std::vector<unsigned char> is_marked_;  // of small marks, which are looked up often: not 0
  std::uint64_t mark_order_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t source_count_ = 0;  // of states for which it was done
  std::uint64_t news_count_ = 0;    // of states that looked new to the threads that found them
  mutable std::uint64_t work_for_traces_ = 0;
  mutable std::unordered_map<std::uint32_t, Edge> edges_;  // that lead to states of traces
  bool is_complete_ = false;
  bool has_left_out_ = false;
  bool has_enough_ = false;
};

}  // namespace espalier::explore
