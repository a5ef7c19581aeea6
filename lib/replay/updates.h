// Updates of agents: time passes, signals arrive, and the host answers as the trace scripts it. What engines do
// differently is in strategy.h; their functions get this.
#pragma once
#include <array>
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "replay/agents.h"
#include "replay/entry_changes.h"
#include "replay/reporter.h"

namespace espalier::replay {

// What single engines keep from one call to the next.
struct EngineNotes {
  // select: the nodes of leaves, by asset and tree.
  std::map<std::pair<const Asset*, std::uint32_t>, std::vector<std::uint32_t>> leaf_words;
  std::vector<std::uint64_t> before;          // select: the block before this update
  std::optional<EntryChanges> entry_changes;  // poll: in the update of the current agent
  std::string script_error;                   // tick: of a function that a script has called
  const Asset* script_asset = nullptr;        // tick: of the scripts; during a reload they are those of both assets
  std::vector<std::uint32_t> completed;       // tick, decide: the nodes that completed in this update, by their words
  std::vector<std::uint32_t> runs;            // rule: the rules that ran in this update
  // decide: the names of nodes.
  struct NamedDecider {
    const Asset* asset = nullptr;
    std::uint32_t node_word = 0;
    std::string_view name = {};
  };
  std::array<NamedDecider, 64> named_deciders = {};
};

class Updates {
 public:
  // Executes a line for an agent, as a reaction to a signal.
  using Act = std::function<void(const Line& act, std::uint32_t index)>;

  // All must outlive it.
  Updates(Agents& its_agents, Reporter& its_reporter, const ReplayOptions& options, Act act)
      : agents(its_agents), reporter(its_reporter), options_(options), act_(std::move(act)) {}

  Agents& agents;
  Reporter& reporter;
  EngineNotes notes;
  [[nodiscard]] const ReplayOptions& options() const { return options_; }

  // A line `tick`.
  [[nodiscard]] Faults run(const Line& line);
  // Delivers an event from outside to the current agent. No `signal`: the tree does not know it. `value`: the data as
  // the line has it; null: none.
  void deliver(std::string_view name, std::optional<std::uint32_t> signal, const void* data = nullptr,
               const text::JsonValue* value = nullptr);
  // Runs the runtime's update of the current agent and returns its status.
  Result update_watched(Agent& agent, const Watcher& watcher);
  // The host of the current agent.
  Host host();

  // ---- What the host answers

  // A `host` line scripts a behaviour.
  void be_scripted() { is_scripted_ = true; }
  // The names that are scripted, or the agents that they are scripted for, have changed.
  void forget_answers() { ++answers_version_; }
  // The trace's answers for the behaviour that is called; null if it is not scripted.
  Answers* find_answers(const Call* call, std::string_view name);
  // None if the trace has no answer; the host then does `otherwise`.
  std::optional<Answer> take_answer(const Call* call, std::string_view name, const char* kind, const char* otherwise);

  // ---- Notes for warnings after this tick

  void note_unscripted(std::string_view kind, std::string_view name, const char* otherwise);
  // A signal of a script that no tree knows.
  void note_unheard(std::string name) { unheard_.push_back(std::move(name)); }
  // An answer that was used; its span becomes that of the line.
  void note_fault(LineFault fault) { answer_faults_.push_back(std::move(fault)); }

  // ---- For the runtime, which calls with the updates as its user

  static Updates& of(const Call* call) { return *static_cast<Updates*>(call->host->user); }
  // The name of the behaviour, or of the condition, that is called.
  static std::string_view called_name(const Call* call) {
    const BoundTree& bound = of(call).agents.bound();
    const bool is_bound = call->tree.asset == bound.tree.asset && call->behavior < bound.behavior_names.size();
    return is_bound ? bound.behavior_names[call->behavior] : behavior_name(*call->tree.asset, call->behavior);
  }
  static std::string_view asked_name(const Call* call) {
    const BoundTree& bound = of(call).agents.bound();
    const bool is_bound = call->tree.asset == bound.tree.asset && call->behavior < bound.condition_names.size();
    return is_bound ? bound.condition_names[call->behavior] : host_condition_name(*call->tree.asset, call->behavior);
  }
  static void note_variable(void* updates, std::uint32_t variable, bool value);
  static void tell_step(void* updates, const NodeStep* step);

 private:
  // The answers that find_answers() found for a node of an agent; null: there are none.
  struct FoundAnswers {
    std::uint64_t version = 0;  // valid only if it is that of the updates
    std::uint32_t agent = 0;
    std::uint32_t node_word = 0;
    const char* name = nullptr;
    Answers* answers = nullptr;
  };
  // A behaviour without a script, and the answer it gives.
  struct Unscripted {
    std::string_view kind;  // "action"
    std::string_view name;
    const char* otherwise;
    std::uint32_t agent = 0;
  };

  // Of the current agent. True: see Strategy::update.
  [[nodiscard]] bool update();
  void count_swaps();
  // Adds a completed node to the recent ones of the current agent.
  void note_recent(const NodeStep& step);
  // What the host could not do in this tick: answers and signals that it does not have.
  void warn_of_host_use(const Line& line);
  void warn_of_unscripted(const Line& line);
  void deliver_queue(std::uint32_t index);
  [[nodiscard]] std::vector<std::string_view> active_behaviors() const;
  [[nodiscard]] std::vector<std::string> reacting_to(std::string_view signal,
                                                     const std::vector<std::string_view>& active) const;
  void react(std::string_view signal, const text::JsonValue* data, const std::vector<std::string_view>& active);
  Answers* find_unplaced_answers(const Call* call, std::string_view name);
  Answers* find_placed_answers(const Call* call, std::string_view name);

  const ReplayOptions& options_;
  Act act_;
  std::vector<std::uint32_t> updated_;  // of the current line
  std::array<FoundAnswers, 256> found_answers_ = {};
  std::uint64_t answers_version_ = 1;   // of the names that are scripted, and of the agents that they are scripted for
  bool is_scripted_ = false;            // a `host` line scripts a behaviour
  std::vector<Unscripted> unscripted_;  // used in this tick, to be reported
  std::vector<std::string> unheard_;    // signals of scripts in this tick that no tree knows, to be reported
  std::vector<LineFault> answer_faults_;  // of answers that were used in this tick
};

}  // namespace espalier::replay
