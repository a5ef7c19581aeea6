// How decider trees run, as plain recursion: slow, and close to the words of the rules. It shares no code with the
// runtime, not even structures or random numbers.
//
// A tree is a list of deciders; groups name their children by index, so a shared decider is one that is named twice. A
// child is identified by its *place*, its index in its group, since a decider may have several places in one group.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime_deciders_host.h"

namespace espalier::test {

enum class ModelPolicy : std::uint8_t { prioritized_list, sequential, random, shuffle, scored };

// A flag or a stimulus, by its index in the tree, and whether it must be present.
struct ModelWord {
  std::size_t index = 0;
  bool is_wanted = true;
};

struct ModelChild {
  std::size_t decider = 0;
  std::uint32_t weight = 1;
};

struct ModelDecider {
  std::string name;
  std::optional<std::size_t> behavior;
  std::uint32_t behavior_flags = 0;  // a bit each
  std::string decide;                // the host function; empty if none
  std::uint32_t block_bytes = 0;
  std::optional<std::uint64_t> every_us;
  std::vector<ModelWord> flags_all, flags_any, stimuli_all, stimuli_any;
  // Of groups.
  std::optional<ModelPolicy> policy;  // none: it is a behaviour decider
  bool delegates = false;
  bool decides_on_redecide = false;
  std::vector<ModelChild> children;
};

struct ModelStimulus {
  std::string name;
  std::uint64_t timeout_us = 0;  // 0: until it is cleared
};

struct ModelSignal {
  std::string name;
  std::size_t stimulus = 0;
};

struct ModelBehavior {
  std::string name;
  std::uint32_t memory_bytes = 0;
};

struct ModelDeciderTree {
  std::string name;
  std::uint32_t max_redecides = 16;
  std::vector<std::string> flags;
  std::vector<ModelStimulus> stimuli;
  std::vector<ModelSignal> signals;  // in the order of the file
  std::vector<ModelBehavior> behaviors;
  std::vector<ModelDecider> deciders;
  std::size_t root = 0;
  std::vector<std::size_t> shared;  // those directly in `Deciders`
};

enum class ModelStatus : std::uint8_t { running, failure, error };

class DeciderModel {
 public:
  using Bytes = std::vector<unsigned char>;

  struct Active {
    std::size_t decider = 0;
    std::size_t place = 0;  // in the group above it
    bool behavior_is_active = false;
    std::uint64_t since_us = 0;
    Bytes memory;
    Bytes block;
  };
  struct Stimulus {
    std::uint64_t set_us = 0;
    std::string data;
  };
  struct Order {
    std::vector<std::size_t> places;
    std::size_t position = 0;
  };
  // The state of an agent that a saved game keeps. Maps are by decider.
  struct State {
    std::vector<Active> path;
    std::map<std::size_t, std::uint64_t> last_asked_us;
    std::map<std::size_t, std::size_t> ran_last;
    std::map<std::size_t, Order> orders;
    std::map<std::size_t, Stimulus> stimuli;
    std::vector<bool> flags;
    std::uint64_t generator = 1;
  };

  DeciderModel(const ModelDeciderTree& tree, DeciderHost& host, std::uint64_t seed);

  State state;
  std::uint64_t now_us = 0;
  // If set: gives numbers below `count` in place of the generator.
  std::function<std::uint64_t(std::uint64_t count)> draw;
  // If set: called when the last decider of the path has been activated.
  std::function<void()> activated;

  ModelStatus tick();
  void stop() { deactivate_below(0); }
  void signal(const std::string& name, const std::string& data);
  void set_stimulus(std::size_t stimulus, const std::string& data);
  void clear_stimulus(std::size_t stimulus) { state.stimuli.erase(stimulus); }

  std::vector<std::string> path() const;
  std::optional<std::string> behavior() const;  // of the path's last decider
  std::vector<std::string> running() const;     // active behaviours from the root down

 private:
  struct Choice;
  // The result of asking a decider. `choice` is that of a group that delegates, with the choices of its children.
  struct Answer {
    double value = 0;
    Bytes block;
    std::shared_ptr<Choice> choice;
    bool accepts() const { return value > 0; }
  };
  struct Choice {
    std::size_t place = 0;
    Answer answer;
  };
  enum class Outcome : std::uint8_t { goes_on, failed, too_many_redecides };

  const ModelDecider& decider(std::size_t index) const { return tree_.deciders[index]; }
  const ModelDecider& child(const ModelDecider& group, std::size_t place) const;

  bool preconditions_hold(std::size_t index) const;
  double call_decide(std::size_t index, Bytes& block);
  Answer ask(std::size_t index);
  Answer ask_child(std::size_t group, std::size_t place);
  double value_of_active(std::size_t level);

  std::optional<Choice> choose(std::size_t group);
  std::optional<Choice> choose_first(std::size_t group, std::size_t begin, std::size_t end);
  std::optional<Choice> choose_next(std::size_t group);
  std::optional<Choice> choose_random(std::size_t group);
  std::optional<Choice> choose_shuffled(std::size_t group);
  std::optional<Choice> choose_highest(std::size_t group);
  std::optional<Choice> take_over(std::size_t level);

  Outcome visit(std::size_t level, const Choice* chosen_before, bool was_active);
  Outcome switch_to(std::size_t level, const Choice& choice);
  bool activate(std::size_t index, std::size_t place, const Bytes& block);
  void deactivate_below(std::size_t level);

  bool is_masked(std::size_t group, std::size_t place) const;
  std::uint64_t next_random();
  std::uint64_t random_below(std::uint64_t count);

  const ModelDeciderTree& tree_;
  DeciderHost& host_;
  // Of the current tick.
  std::map<std::size_t, std::set<std::size_t>> masks_;  // places by group
  std::uint32_t redecides_ = 0;
};

}  // namespace espalier::test
