// Nodes: what all of them have, and by their kind what else. The operands of opcodes.def, but for those that follow
// from where a node stands (its parent, its number, its state), are here in words of the project: names, times, indices
// into the tree.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/condition.h"
#include "runtime/format/opcode.h"
#include "runtime/format/records.h"
#include "runtime/include/espalier/espalier.hpp"
#include "text/source.h"

namespace espalier::ir {

using espalier::ParameterType;

// Results that a node can give: bit 1 << Result.
using Results = std::uint8_t;
inline constexpr Results kAnyResult = 7;

// Names that many nodes have in common.
using SharedNames = std::shared_ptr<const std::vector<std::string>>;
inline SharedNames shared_names(std::vector<std::string> names) {
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

struct Parameter {
  std::string name;
  ParameterType type = ParameterType::text;
  std::string text;               // text, event, script; choice: the word
  std::int64_t whole = 0;         // whole; boolean: 0 or 1; choice: which word
  double numbers[3] = {0, 0, 0};  // number: the first; vector: all
};

// ---- Payloads ------------------------------------------------------------------------------------

// Each names the opcodes that have it; all others have none.

// select_priority, select_machine, tick_case, tick_guard, tick_condition
struct Guard {
  std::optional<ConditionIndex> condition;  // none: always true
};

// select_leaf
struct Leaf {
  std::optional<ConditionIndex> condition;  // none: always true
  std::string behavior;                     // after translation
};

struct Transition {
  std::uint32_t target = 0;  // number of the state in its machine
  ConditionIndex condition = 0;
  Span span;
};

// select_state
struct Transitions {
  std::vector<Transition> transitions;
};

struct EventTransition {
  std::uint32_t signal = 0;  // of the tree
  std::uint32_t target = 0;  // number of the state in its machine
  Span span;
};

// tick_state
struct EventTransitions {
  std::vector<EventTransition> transitions;
};

// tick_wait_event, tick_send, tick_queue
struct Event {
  std::uint32_t signal = 0;  // of the tree
};

// tick_chance_guard
struct Chance {
  std::uint64_t number = 0;  // of 2^53
};

// tick_wait, store_cooldown, store_cooldown_all
struct Duration {
  std::uint64_t time_us = 0;
  std::uint64_t random_us = 0;  // tick_wait: up to so much more
};

// tick_time_guard, tick_time
struct TimeTest {
  std::optional<std::uint32_t> timestamp;  // of the tree; none: one that is never set
  std::uint64_t threshold_us = 0;          // two's complement
};

// tick_loop, tick_limit, tick_scope, store_repeat, store_gate
struct Limit {
  std::uint32_t maximum = 0;
  std::string scope;  // tick_scope: its name
};

// tick_script_guard, tick_script: the first; tick_script_wrapper: before and after its child. Empty: none
struct Scripts {
  std::array<std::string, 2> sources;
};

// tick_message: the first; tick_log: when its child begins, succeeds, fails. Empty: none
struct Texts {
  std::array<std::string, 3> texts;
};

// tick_action, tick_wrapper, store_action; store_condition: its name is one of the host's conditions
struct Behavior {
  std::string name;
  std::vector<Parameter> parameters;
  // What the host has declared of it, for analyses.
  Results results = kAnyResult;
  SharedNames sends;  // null: any event
  SharedNames sets;   // null: any variable
};

// rule_file, rule_subtree
struct RuleFile {
  text::FileId file = 0;  // where the rules below it stand, which tells units apart
};

// rule_sequence, rule_choice, rule_action, rule_result, rule_yield
struct Rule {
  std::vector<std::string> conditions;  // of the host, in the order of the file
  layout::QueryMode mode = layout::QueryMode::all_true;
  Results results = kAnyResult;  // rule_action: as those of a Behavior
  std::vector<Parameter> parameters;
  std::string behavior;  // rule_action
};

// A flag or stimulus of the tree as a precondition asks for it.
struct Wanted {
  std::uint32_t index = 0;
  bool present = true;  // false: "!" stands before it
  Span span;            // of the word
};

// A list as it is written, repetitions too; empty: the attribute is not there. `span`: the attribute's value.
struct WantedList {
  std::vector<Wanted> words;
  Span span;
};

struct Decider {
  WantedList flags_all;
  WantedList flags_any;
  WantedList stimuli_all;
  WantedList stimuli_any;
  std::uint64_t every_us = 0;        // 0: none
  std::string decide;                // the host's function; empty: none
  std::string behavior;              // empty: a group without one
  std::uint32_t behavior_flags = 0;  // bits, numbered by Deciding::behavior_flags
  std::uint32_t memory_bytes = 0;    // of its behaviour
  std::uint32_t block_bytes = 0;
  bool delegates = false;      // of a group: asked, it asks its children
  bool decides_again = false;  // of a group: its Decide is called before it decides again
};

// decide_share
struct DeciderShare {
  std::uint32_t weight = 1;  // among its siblings
  std::uint32_t shared = 0;  // index into Deciding::shared
};

// The deciders but for decide_share. What they are is large, and kept apart for the sake of other nodes.
struct PlacedDecider {
  std::uint32_t weight = 1;  // among its siblings
  std::shared_ptr<const Decider> decider;
};

// store_group
struct Group {
  std::optional<std::uint64_t> timeout_us;  // none: an agent waits for ever
  layout::OnLeave on_leave = layout::OnLeave::fail;
  std::uint32_t agents = 0;  // as many as its `agents` says, which are its roles; 0: it does not say
};

// store_barrier
struct Barrier {
  std::string name;
};

// store_child
struct ChildTree {
  std::string slot;
  std::string default_tree;  // empty: none
};

// ---- Nodes --------------------------------------------------------------------------------------

using Payload =
    std::variant<std::monostate, Guard, Leaf, Transitions, EventTransitions, Event, Chance, Duration, TimeTest, Limit,
                 Scripts, Texts, Behavior, RuleFile, Rule, PlacedDecider, DeciderShare, Group, Barrier, ChildTree>;

struct Node {
  Opcode opcode = Opcode::count;
  std::uint8_t flags = 0;    // as opcodes.def has them, but for those of kind `number` and `group`
  bool is_doubtful = false;  // an attribute of it is misspelt, which has been reported
  Span span;                 // of the element's name
  std::string name;   // of the element; empty: it stands for none, as a tick_branch. Of a node that selects, or a
                      // decider, its own name; of a decide_share that of the decider it stands for
  std::string label;  // tick_state: its name; rules: the full id; nodes that store: their `name`, where a payload has
                      // none; empty: none
  Payload payload;
  std::vector<Node> children;  // references are resolved: a shared block's nodes stand in each place, spans kept

  // The payload, which is of this kind.
  template <typename Kind>
  const Kind& as() const {
    return std::get<Kind>(payload);
  }
  template <typename Kind>
  Kind& as() {
    return std::get<Kind>(payload);
  }
  // The same; null: it is of another kind.
  template <typename Kind>
  const Kind* as_if() const {
    return std::get_if<Kind>(&payload);
  }
};

inline const Decider& decider_of(const Node& node) { return *node.as<PlacedDecider>().decider; }

// None: always true, or never read.
inline std::optional<ConditionIndex> condition_of(const Node& node) {
  if (const Guard* guard = node.as_if<Guard>()) return guard->condition;
  if (const Leaf* leaf = node.as_if<Leaf>()) return leaf->condition;
  return std::nullopt;
}

}  // namespace espalier::ir
