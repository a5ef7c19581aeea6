// The ways through a system with a given number of ticks, as one circuit: which steps come in which order between the
// ticks is what a solver chooses. See ways.h.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "logic/moves.h"
#include "logic/solver.h"

namespace espalier::logic {

// The steps of a system by what they do.
struct Sorted {
  // Each inverts one variable and sets others to the same fixed values: between ticks their order does not matter, and
  // they can come last.
  struct Flip {
    std::size_t step;
    Variable variable;
  };
  std::vector<Flip> flips = {};
  std::vector<Literal> given = {};       // what each of them sets
  std::vector<std::size_t> others = {};  // all but the flips of variables that nothing here reads, and the tick
  bool are_constant = true;              // the others set fixed values: none has to come twice between ticks
  std::vector<bool> is_of_others = {};   // by variable: others read or change it
  std::vector<bool> is_ticked = {};      // by variable: ticks change it
  std::vector<bool> is_control = {};     // by variable: only ticks change it
};
Sorted sorted(const Circuit& circuit, const Moves& moves);

// What ways shall lead to. Most of what it needs is true in most states near the start, so only those parts that some
// way was found to miss are given to solvers.
struct Target {
  Target(const Circuit& circuit, Formula target) : parts(circuit.conjuncts(target)), is_asked(parts.size()) {}
  std::vector<Formula> parts;
  std::vector<bool> is_asked;
};

class Unrolling {
 public:
  // From the start; or from a state that earlier ticks may have led to: then the variables that ticks change have any
  // values, and all others are as in the start. `is_possible` is true in all reachable states.
  struct From {
    bool is_start = true;
    Formula is_possible = {};
    // What only ticks change differs from one tick to the next, and to all others. So it is in all shortest ways to
    // where Moves::pending is true, if other steps do the same whatever it is: where it comes to the same again, the
    // ticks between can be left out.
    bool are_controls_distinct = false;
  };
  // `most`: steps between ticks that are counted.
  Unrolling(const Circuit& circuit, const Moves& moves, const Sorted& sorted, std::size_t tick_count, From from,
            std::size_t most, std::function<bool()> is_over);
  Unrolling(const Unrolling&) = delete;

  // Are there such ways to the target with at most so many steps besides ticks, at most `most`? None: any number.
  Answer has_way(Target& target, std::optional<std::size_t> length);
  // If has_way() has just said yes, of a length: the first of the shortest ways; nothing if the solver gave up.
  std::optional<std::vector<std::size_t>> first_way();

 private:
  struct Segment {
    std::vector<std::vector<Formula>> chosen;    // [i][k]: the i-th step is Sorted::others[k]
    std::vector<Formula> is_used;                // [i]: there is an i-th step of others
    std::vector<Formula> flipped;                // for each flip
    std::vector<std::vector<Formula>> at_least;  // [i][k]: at least k of the first i flips
  };
  using State = std::vector<Formula>;  // by variable
  // Costs a step where it is true: a step; or if so many of a group of costs are true, of which fewer are paid.
  struct Cost {
    Formula formula = {};
    std::shared_ptr<const std::vector<Formula>> group = {};  // [k]: at least k of it are true
    std::size_t count = 1;
  };

  Formula fresh();
  State add_segment(State state);
  void require_distinct(const std::vector<State>& states);
  State after_others(const State& state, const std::vector<Formula>& chosen);
  void require(Formula formula) { required_ = circuit_.conjunction(required_, formula); }
  Answer ask(Formula also);
  bool ask_for_missed();
  Answer ask_without(const std::vector<Cost>& costs);
  std::vector<Cost> needed(const std::vector<Cost>& costs) const;
  std::vector<Cost> take_needed();
  void pay(const std::vector<Cost>& paid);
  Answer find_cheaper(std::size_t most, bool is_any_enough);
  Formula is_before(const Segment& segment, std::size_t place, std::size_t step);
  std::vector<std::size_t> found_way() const;
  std::size_t length_of(const std::vector<std::size_t>& way) const { return way.size() - (segments_.size() - 1); }
  bool commute(std::size_t left, std::size_t right) const;

  const Circuit& source_;
  const Moves& moves_;
  const Sorted& sorted_;
  std::size_t most_;
  Circuit circuit_;
  std::function<bool()> is_over_;
  std::unique_ptr<Solver> solver_;
  std::size_t base_size_ = 0;
  std::vector<Formula> unwanted_;  // examples have none of these where they can
  std::uint32_t next_;
  Formula required_;
  std::vector<Segment> segments_;
  std::vector<Formula> steps_;  // each is true if there is a certain step besides ticks
  // A way has `paid_` steps besides ticks, and one for each cost that is true.
  std::size_t paid_ = 0;
  std::vector<Cost> costs_;
  std::vector<Cost> later_costs_;  // not looked at until there are ways without the others
  std::vector<bool> start_;
  std::vector<bool> is_free_;  // of the state at the start, by variable
  std::optional<Copy> end_;    // formulas of the state at the end
  Target* target_ = nullptr;
  std::vector<Formula> asked_;
};

}  // namespace espalier::logic
