// A tree that selects, or two versions of it, as a system of Boolean state variables: its steps are those of the world.
// What is found of it is what a search would find by listing its states.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "explore/results.h"
#include "explore/world.h"
#include "ir/tree.h"
#include "lint/select/model.h"
#include "logic/questions.h"
#include "logic/ways.h"

namespace espalier::explore {

// How many steps of diagrams, or gates of circuits, a budget allows.
std::size_t steps_in(const Budget& budget);

class SelectingSystem {
 public:
  // What a question needs of the steps.
  struct Asked {
    // The writes of this variable of the world are two steps, each of which may leave it as it is.
    std::optional<std::uint32_t> split = {};
    // Ticks are steps even if they change nothing that the next one shows.
    bool has_ticks = false;
  };
  // A world of one agent of trees that select; it must outlive this.
  SelectingSystem(const World& world, const Options& options, const Asked& asked);
  SelectingSystem(const SelectingSystem&) = delete;

  logic::Circuit& circuit() { return circuit_; }
  logic::Questions& questions() { return questions_; }
  std::size_t side_count() const { return models_.size(); }
  lint::SelectModel& model(std::size_t side) { return *models_[side]; }
  bool has_machines() const;
  // The state variable of a variable of the world, which two versions share if they always agree about it; none: the
  // version has no such variable.
  std::optional<logic::Variable> number(std::size_t side, std::uint32_t variable) const {
    return numbers_[side][variable];
  }

  // ---- Seen after a tick, as functions of the state before it
  // For each leaf of a version, by its number: it is the current one.
  const std::vector<logic::Formula>& shown_leaves(std::size_t side);
  // None is.
  logic::Formula shows_nothing(std::size_t side);

  // The leaf that a tick in this state shows, and its place; none: nothing is selected.
  std::optional<std::uint32_t> shown_leaf(std::size_t side, const std::vector<bool>& state);
  std::optional<SourcePlace> shown_place(std::size_t side, const std::vector<bool>& state);

  // ---- What is asked for, before anything else
  // Nothing that comes after a tick in such a state matters.
  void end_at_ticks(logic::Formula states);
  // Adds a state variable, which is false at the start, and one of its updates.
  logic::Variable add_variable();
  void add_update(std::size_t step, logic::Variable variable, logic::Formula value);
  const std::vector<Step>& steps() const { return steps_; }

  // ---- Reachability
  const logic::Ways::States& reachable() { return ways().all(); }
  // The shortest trace that ends with a tick in such a state.
  struct Found {
    logic::Answer answer = logic::Answer::unknown;
    Trace trace = {};
    std::vector<bool> state = {};  // before the last tick
  };
  Found trace_to_tick(logic::Formula states);
  // How many states are reachable; 0 if the budget did not suffice to find them. At most 2^53.
  std::uint64_t state_count();

 private:
  void number_variables();
  bool is_flipped(std::uint32_t variable) const;
  void add_steps();
  void add_step(const Step& step, const std::vector<logic::Move>& of_sides);
  logic::Ways& ways();
  Trace trace_of(const logic::Way& way) const;

  const World& world_;
  const Options& options_;
  const Asked asked_;
  logic::Circuit circuit_;
  logic::Questions questions_;
  std::vector<ir::Tree> trees_;
  lint::StateNumbers free_;
  std::vector<std::vector<std::optional<logic::Variable>>> numbers_;  // of the world's variables, by version
  std::vector<std::unique_ptr<lint::SelectModel>> models_;
  std::vector<std::vector<logic::Formula>> shown_;
  std::vector<Step> steps_;  // what each of the system's steps is
  logic::Moves moves_;
  std::unique_ptr<logic::Ways> ways_;
};

}  // namespace espalier::explore
