// A tree that selects, or two versions of it, as a system of Boolean state variables: its steps are those of the world.
// What diagrams find of it is what a search would find by listing its states.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "explore/results.h"
#include "explore/world.h"
#include "ir/tree.h"
#include "lint/select_model.h"
#include "logic/reachability.h"

namespace espalier::explore {

// How many steps of diagrams a budget allows.
std::size_t diagram_steps(const Budget& budget);

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
  SelectingSystem(const World& world, const Budget& budget, const Asked& asked);
  SelectingSystem(const SelectingSystem&) = delete;

  logic::Diagrams& diagrams() { return diagrams_; }
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
  const std::vector<logic::Function>& shown_leaves(std::size_t side);
  // None is.
  logic::Function shows_nothing(std::size_t side);

  // The leaf that a tick in this state shows, and its place; none: nothing is selected.
  std::optional<std::uint32_t> shown_leaf(std::size_t side, const std::vector<bool>& state);
  std::optional<Place> shown_place(std::size_t side, const std::vector<bool>& state);

  // ---- What is asked for, before anything else
  // Nothing that comes after a tick in such a state matters.
  void end_at_ticks(logic::Function states);
  // Adds a state variable, which is false at the start, and one of its updates.
  logic::Variable add_variable();
  void add_update(std::size_t step, logic::Variable variable, logic::Function value);
  const std::vector<Step>& steps() const { return steps_; }

  // ---- Reachability
  logic::Function reachable();
  // The shortest trace that ends with a tick in such a state.
  struct Found {
    logic::Answer answer = logic::Answer::unknown;
    Trace trace = {};
    std::vector<bool> state = {};  // before the last tick
  };
  Found trace_to_tick(logic::Function states);
  // How many states are reachable; 0 if the budget did not suffice to find them. At most 2^53.
  std::uint64_t state_count();

 private:
  void number_variables();
  bool is_flipped(std::uint32_t variable) const;
  void add_steps();
  void add_step(const Step& step, const std::vector<logic::Step>& of_sides);
  logic::Reachability& reachability();
  Trace trace_of(const logic::Way& way) const;

  const World& world_;
  const Asked asked_;
  logic::Diagrams diagrams_;
  std::vector<ir::Tree> trees_;
  lint::StateNumbers free_;
  std::vector<std::vector<std::optional<logic::Variable>>> numbers_;  // of the world's variables, by version
  std::vector<std::unique_ptr<lint::SelectModel>> models_;
  std::vector<std::vector<logic::Function>> shown_;
  std::vector<Step> steps_;  // what each of the system's steps is
  logic::System system_;
  std::unique_ptr<logic::Reachability> reachability_;
};

}  // namespace espalier::explore
