// Random runs from the states that have reached something new: what lies too deep for a search by distance. They are
// the same in every call.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <unordered_map>
#include <vector>

#include "explore/results.h"
#include "explore/run.h"
#include "explore/search.h"

namespace espalier::explore {

class Dives {
 public:
  // World and observer must outlive it. Of the budget it takes the choices in one update.
  Dives(const World& world, const Observer& observer, const Budget& budget);

  // Goes on until so many marks are found that `is_known` does not tell, or this budget is used up, too.
  void run(std::uint64_t wanted_marks, const std::function<bool(std::uint64_t mark)>& is_known, const Budget& budget);

  // What was found, and where: for trace().
  const std::unordered_map<std::uint64_t, std::uint32_t>& marks() const { return marks_; }
  // What the budget of the last run has paid: work as states; that for traces since then, too.
  std::uint64_t paid_count() const { return (work_ + work_for_traces_) / budget_.work_a_state(); }
  // A trace to a mark; with `shortens`, steps that it does not need are left out, as far as the budget allows for it.
  // None: no seed gives the random numbers that it needs.
  std::optional<Trace> trace(std::uint64_t mark, std::uint32_t place, bool shortens);

 private:
  // A state that has reached something new.
  struct Place {
    std::vector<unsigned char> state;
    std::uint32_t before;     // the place from which it was reached, by number
    std::vector<Edge> edges;  // from there
    std::uint32_t tries = 0;  // runs from here
  };

  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
  std::uint32_t choose_place();
  void dive(std::uint32_t place, const std::function<bool(std::uint64_t mark)>& is_known);
  void shorten(std::uint64_t mark, std::vector<Edge>& edges);
  bool reaches(std::vector<Edge>& edges, std::uint64_t mark);

  const World& world_;
  Budget budget_;                         // of the last run
  std::vector<unsigned char> is_marked_;  // before the run, which looks at it
  Run run_;
  std::mt19937_64 random_{1};
  std::vector<Place> places_;
  std::unordered_map<std::uint64_t, std::uint32_t> marks_;
  std::uint64_t new_count_ = 0;  // of marks that were not known
  std::uint64_t work_ = 0;       // of the last run
  std::uint64_t work_for_traces_ = 0;
};

}  // namespace espalier::explore
