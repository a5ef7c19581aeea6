// What is explored: the agents of one tree, or of two versions of it side by side, that hear the same steps. A state of
// the world is a row of bytes: the blocks of its agents as the runtime knows them, what they share, and what the host
// answers. The clock of a state is always kNow: times in blocks are kept relative to it.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/by_node.h"
#include "explore/host_values.h"
#include "explore/numbers.h"
#include "explore/results.h"
#include "explore/step.h"
#include "replay/answers.h"
#include "text/json.h"

namespace espalier::explore {

struct EngineRow;
struct FlagTest;
enum class HostWrites : std::uint8_t;
class PollBranches;
class PollUses;

// Asked of the host under one name.
struct Question {
  std::string name;
  bool is_called = false, is_activated = false, is_asked = false, is_decided = false, is_scored = false;
  bool is_done_at_once = false;  // called, and never running
  std::uint8_t results = 7;      // called: those that are declared, bits 1 << Result
};

// The clock of each state. Times before it are the past.
constexpr std::uint64_t kNow = std::uint64_t{1} << 40;

// An answer that also writes outputs.
struct WrittenAnswer {
  Answer word = {};
  replay::TraceOutputs outputs = {};
};

// What the host is asked for under one name, and its possible answers, the default first.
struct HostName {
  std::string name;
  std::vector<Answer> answers;
  bool is_called = false;     // as a behaviour: its answers are words
  bool is_activated = false;  // as a behaviour of a decider, which goes on unless it fails or is refused
  bool is_asked = false;      // as a condition, a gate or a script: true or false
  bool is_decided = false;    // as a Decide function: a number
  bool is_script = false;
  bool is_fixed = false;                    // see World::fix_answers()
  std::vector<WrittenAnswer> written = {};  // see kFirstWithOutputs

  // Has it no answer before a line gives it one?
  bool begins_unanswered() const { return is_script || answers.front() != Answer::success; }
  // What the host answers, without outputs.
  Answer word_of(Answer answer) const {
    const auto number = static_cast<std::uint32_t>(answer);
    return number < kFirstWithOutputs ? answer : written[number - kFirstWithOutputs].word;
  }
};

// A part of an agent's block.
struct KeptBytes {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

// One version of the tree, with its agents.
struct Side {
  Tree tree = {};
  const EngineRow* engine = nullptr;
  std::uint32_t agent_count = 1;
  std::uint32_t block_bytes = 0;  // of one agent, a multiple of 8: what EngineRow::used_bytes says, or all
  std::size_t blocks_offset = 0;  // in the state
  std::size_t shared_offset = 0;
  std::size_t group_offset = 0;
  std::size_t queue_offset = 0;  // tick: for each agent, a count and kMaxQueue signals
  std::size_t shared_size = 0;
  std::size_t group_size = 0;
  bool has_queue = false;           // tick: nodes send events that wait
  std::vector<bool> reacts_to;      // tick: signals that change agents, by signal
  std::vector<Behavior> behaviors;  // the host's functions, for the runtime
  std::vector<Behavior> conditions;
  std::vector<std::uint32_t> behavior_names;            // of World::names(), by behaviour of the asset
  std::vector<std::uint32_t> condition_names;           // by condition
  std::map<std::uint32_t, std::uint32_t> script_names;  // by node
  std::set<std::uint32_t> asked_names;                  // all of these
  // Times after something was set, in microseconds, at which a comparison with it changes its answer: by timestamp.
  std::vector<std::vector<std::uint64_t>> changes_us;
  ByNode<std::uint8_t> declared;       // of nodes whose results are declared: bits 1 << Result
  std::set<std::uint32_t> fails_anew;  // nodes that fail whenever they were idle
  bool has_limits = false;             // there are some of these two
  // No update evaluates a node twice, so that the host is asked about it once; and by name, about it alone: asked once.
  bool is_passed_once = false;
  std::vector<bool> is_asked_once = {};
  ByNode<std::vector<KeptBytes>> kept_bytes;  // tick: what an active node has of the block
  std::uint64_t granule_us = 1;               // of all sides: see regions.h
  std::vector<std::uint32_t> opening_times;   // store: shared values that are the ends of cooldowns
  std::vector<std::uint32_t> groups;          // store: those of the trees that its agents may run
  // store: by tree of the asset, the words of the nodes that keep more than their results.
  std::vector<std::vector<std::uint32_t>> keeping_nodes;
  std::set<std::uint32_t> choosing_nodes;  // deciders: see EngineRow::is_point
  std::shared_ptr<const PollUses> uses;    // poll: how it uses its entries
  std::shared_ptr<const PollBranches> branches;
  // poll, of two versions: entries of equal names, by number, are the same to the host.
  std::vector<std::string> entry_names = {};
  // By the world's ids; kNoValue where this version has no such thing.
  std::vector<std::uint32_t> signals, variables, stimuli, rules, slots, trees, entries;

  // May the node give this answer, of which Answer::success, running and failure are declared?
  bool allows(std::uint32_t node_word, Answer answer) const {
    const std::uint8_t* const results = declared.find(node_word);
    if (results == nullptr) return true;
    const Result result = answer == Answer::success   ? Result::success
                          : answer == Answer::running ? Result::running
                                                      : Result::failure;
    return (*results >> static_cast<unsigned>(result) & 1) != 0;
  }
};

// Events that wait for an agent's next update.
constexpr std::uint32_t kMaxQueue = 15;

// An entry of a tree that polls that a property is about: it makes a difference whether it has this value.
struct ExpectedEntry {
  std::string path = {};  // of its blackboard
  std::string name = {};
  EntryValue value = {};
};

// What only trees that poll need to know.
struct Facts {
  HostFacts host = {};
  std::vector<ExpectedEntry> expected = {};
  bool sees_inputs = false;  // it makes a difference what the host's nodes read
  // What observes the world measures so long from times that it keeps: see World::watched_time(). 0: none.
  std::uint64_t watched_us = 0;
  const std::map<std::string, std::string>* renamed_trees = nullptr;  // of two versions: as of Options; may be null
  // What waits may end at any update, in any order: how long it takes makes no difference. What such agents never show,
  // those of the tree never show, but their traces are not those of the tree.
  bool has_free_times = false;
};

class World {
 public:
  struct Version {
    Tree tree;
    std::uint32_t agent_count = 1;
    const DeclaredResults* results = nullptr;  // null: nothing is declared
    bool are_all_agents = false;               // what more agents could do is not asked for
  };
  // `signal_only`: variables that only signals set: "Var" or "Tree/Var". The assets must outlive the world.
  World(const std::vector<Version>& versions, const std::vector<std::string>& signal_only, std::size_t own_bytes = 0,
        Facts facts = {});

  std::size_t state_bytes() const { return state_bytes_; }
  // So many of its first bytes tell a state if any answer may come at any time: all others are those of start().
  std::size_t bytes_without_answers() const;
  // The world as it begins.
  void start(unsigned char* state) const;

  const std::vector<Side>& sides() const { return sides_; }
  std::uint32_t agent_count() const { return sides_.front().agent_count; }
  // Steps that may come at any time, in their order: signals, writes, and others; without answers of the host and
  // ticks.
  const std::vector<Step>& steps() const { return steps_; }

  const std::vector<HostName>& names() const { return names_; }
  const std::vector<std::string>& signals() const { return signals_; }
  const std::vector<std::string>& variables() const { return variables_; }
  const std::vector<std::string>& stimuli() const { return stimuli_; }
  const std::vector<std::string>& rules() const { return rules_; }
  const std::vector<std::string>& slots() const { return slots_; }
  const std::vector<std::string>& trees() const { return trees_; }
  // Entries of blackboards that the host may write, and the values that make a difference.
  const std::vector<std::string>& entries() const { return entries_; }
  const EntryValue& entry_value(const Step& step) const {
    return entry_values_[step.id][static_cast<std::size_t>(step.value)];
  }

  // Adds a step for each answer of the host under each name: lines that come although nothing asks.
  void add_host_steps();

  // The answers under a name change with such steps only: what a property says of these lines counts all of them.
  void fix_answers(std::uint32_t name) { names_[name].is_fixed = true; }

  // Adds a step that changes nothing, as a trace has it.
  void add_line_without_effect(std::string line) {
    const auto number = static_cast<std::uint32_t>(lines_without_effect_.size());
    steps_.push_back({.kind = StepKind::nothing, .id = number});
    lines_without_effect_.push_back(std::move(line));
  }

  // The host's present answer for an agent and a name.
  unsigned char* answer(unsigned char* state, std::uint32_t agent, std::uint32_t name) const {
    return state + answers_offset_ + agent * names_.size() + name;
  }
  // Bytes of the state for what observes the world; all zero in the beginning.
  unsigned char* own(unsigned char* state) const { return state + own_offset_; }
  // With Facts::watched_us: the last 8 of these bytes are a time of the clock from which it is measured; 0: none.
  unsigned char* watched_time(unsigned char* state) const { return state + turn_offset_ - sizeof(std::uint64_t); }
  std::uint64_t watched_us() const { return facts_.watched_us; }
  bool has_free_times() const { return facts_.has_free_times; }
  // Has it times, which may be free, and are not?
  bool may_have_free_times() const;
  // With several agents: the one whose turn it is in an update of all, and 1 + what the others before it returned.
  unsigned char* turn(unsigned char* state) const { return state + turn_offset_; }
  template <typename Byte>  // const or not
  static Byte* block(const Side& side, Byte* state, std::uint32_t agent) {
    return state + side.blocks_offset + std::size_t{agent} * side.block_bytes;
  }
  // Gives the agents from `first` on their places by what they have in the state, of a world of one version.
  void sort_agents(unsigned char* state, std::uint32_t first) const;
  // Null: there is one version, or one of them draws no random numbers.
  NumbersAhead* numbers_ahead(unsigned char* state, std::uint32_t agent) const {
    if (!has_numbers_ahead_) return nullptr;
    return reinterpret_cast<NumbersAhead*>(state + numbers_offset_) + agent;
  }
  // There are more sets of decision flags, with other effects, than are among the steps; or more agents could do more.
  bool leaves_out_steps() const { return leaves_out_steps_; }
  // What is left out of the values that a host may write, in words; empty: nothing.
  const std::string& limit() const { return limit_; }
  // There are more sets of decision flags, which have the same effects on the tree.
  bool has_flag_classes() const { return has_flag_classes_; }

  // A line of a trace: {"signal": "OnNoise"}.
  std::string text(const Step& step) const;
  // {"host": {"Fire": "running"}}; several answers: a list, used one a call.
  std::string host_text(std::uint32_t agent, std::uint32_t name, std::span<const Answer> answers) const;
  // The same for all agents and several names.
  std::string host_text(const std::map<std::uint32_t, Answer>& answers) const;

 private:
  void add_side(const Version& version);
  void add_declared(const Version& version, std::uint32_t word, Side& side, Question& question) const;
  void add_host_values();
  void add_answers_with_outputs(HostName& name, const HostValues& values);
  std::uint32_t add_question(const Question& question);
  void add_steps(const std::vector<std::string>& signal_only);
  std::vector<std::uint64_t> flag_sets();
  std::vector<FlagTest> flag_tests() const;
  bool may_inject(std::uint32_t slot, std::uint32_t tree) const;
  std::string line(const Step& step, const std::string& key, const std::string& value) const;
  void find_granule();
  HostWrites host_writes() const;
  void lay_out(std::size_t own_bytes);

  std::vector<Side> sides_;
  std::vector<Step> steps_;
  std::vector<HostName> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_of_names_;
  const Facts facts_;
  std::vector<std::string> signals_, variables_, stimuli_, rules_, slots_, trees_, entries_;
  std::vector<std::vector<EntryValue>> entry_values_;  // by entry
  std::vector<std::string> lines_without_effect_;
  std::string limit_;
  std::size_t numbers_offset_ = 0;
  std::size_t answers_offset_ = 0;
  std::size_t own_offset_ = 0;
  std::size_t turn_offset_ = 0;
  std::size_t state_bytes_ = 0;
  bool has_numbers_ahead_ = false;
  bool leaves_out_steps_ = false;
  bool has_flag_classes_ = false;
};

// A tick while nothing waits.
constexpr std::uint64_t kIdle_us = 100'000;

// How many agents a tree needs so that it can do all that it can do.
std::uint32_t agents_to_explore(const Tree& tree);

// How an answer is written in a trace.
std::string text_of(const HostName& name, Answer answer);
// The answer that has the same effects as what a trace writes; none if there is none.
std::optional<Answer> answer_of(const HostName& name, const text::JsonValue& written);

}  // namespace espalier::explore
