// Which states a system can be in, and the shortest ways there: by diagrams where they are small, else by a solver,
// with the same answers. Independent of dialects.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "logic/moves.h"
#include "logic/questions.h"
#include "logic/reachability.h"
#include "logic/unrolling.h"

namespace espalier::logic {

enum class WaysBy : std::uint8_t { size, diagrams, solver };

class Ways {
 public:
  struct Effort {
    WaysBy by = WaysBy::size;
    std::size_t steps = 0;  // of diagrams
    std::function<bool()> is_over = {};
  };
  // The circuit, the questions about it and the system must outlive this.
  Ways(Circuit& circuit, Questions& questions, const Moves& moves, Effort effort);
  ~Ways();

  // All states that some steps lead to, the start included; or these and others. Of states in which only ticks change
  // nothing (see Moves) it may be more even if it is said to be exact: ask for those in which something has changed.
  struct States {
    Formula states = {};  // unknown: not found
    bool is_exact = false;
    Formula some = {};  // some of them, that some steps do lead to; unknown: none were found
  };
  const States& all();
  // The shortest way to a state for which `target` is true. If it has no steps but a yes, the state can be reached, but
  // how is not known.
  Way way_to(Formula target);
  // How many states there are; nothing if it is not known.
  std::optional<double> fraction();

 private:
  struct Drawn;
  struct Data;

  bool can_be_drawn() const { return effort_.by != WaysBy::solver && moves_.start.size() <= kMaxVariables; }
  Drawn& drawn_system();
  void find_by_diagrams();
  void find_by_solver();
  class Listing;
  bool are_controls_apart();
  Way shortest(Formula target);
  Way way_of(const std::vector<std::size_t>& steps) const;
  Data& data();
  Formula formula_of_data(Function states);
  std::size_t most_others();
  bool is_impossible(Formula target);
  static std::size_t counted_for(std::size_t length);
  bool is_pending(const Target& target);
  Unrolling& unrolling(std::size_t tick_count, bool is_start, std::size_t length, const Target& target);
  struct Found {
    Answer answer = Answer::unknown;
    std::vector<std::size_t> steps = {};
  };
  Found shortest_with(std::size_t tick_count, Target& target, std::optional<std::size_t> most);
  Answer has_way(std::size_t tick_count, bool is_start, Target& target, std::optional<std::size_t> length);
  Answer may_be_longer(std::size_t tick_count, Target& target, std::optional<std::size_t> length);

  Circuit& circuit_;
  Questions& questions_;
  const Moves& moves_;
  Effort effort_;
  std::unique_ptr<Drawn> drawn_;
  std::optional<States> all_;
  std::optional<double> fraction_;
  Formula controls_;  // true in all reachable states, for what ticks change; unknown: not found
  bool is_narrowed_ = false;
  std::optional<Sorted> sorted_;
  std::unique_ptr<Data> data_;
  std::optional<std::size_t> most_others_;
  std::optional<bool> are_apart_;
  // By number of ticks, whether they begin at the start, what they count up to, and whether controls are distinct.
  std::map<std::tuple<std::size_t, bool, std::size_t, bool>, std::unique_ptr<Unrolling>> unrollings_;
};

}  // namespace espalier::logic
