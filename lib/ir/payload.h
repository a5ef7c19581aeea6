// What nodes hold beside their common members, a payload for each kind: the operands of opcodes.def in terms of the
// project: names, times, indices into the tree. Operands that follow from a node's position (parent, number, state) are
// not stored.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "ir/condition.h"
#include "ir/few.h"
#include "ir/poll.h"
#include "ir/results.h"
#include "ir/shared.h"
#include "runtime/format/kinds.h"
#include "runtime/format/records.h"
#include "runtime/include/espalier/espalier.hpp"
#include "text/source.h"

namespace espalier::ir {

using espalier::ParameterType;

struct Parameter {
  Text name;
  ParameterType type = ParameterType::text;
  Text text;                      // text, event, script; choice: the word
  std::int64_t whole = 0;         // whole; boolean: 0 or 1; choice: which word
  double numbers[3] = {0, 0, 0};  // number: only the first; vector: all
};

// ---- Payloads ------------------------------------------------------------------------------------

// The comment before each lists its opcodes. Other opcodes have no payload.

// select_priority, select_machine, tick_case, tick_guard, tick_condition
struct Guard {
  std::optional<ConditionIndex> condition;  // none: always true
};

// select_leaf
struct Leaf {
  std::optional<ConditionIndex> condition;  // none: always true
  Text behavior;                            // after translation
  Span behavior_span = {};                  // where the name is written
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
  std::uint64_t random_us = 0;  // tick_wait: at most this much more, chosen at random
};

// tick_time_guard, tick_time
struct TimeTest {
  std::optional<std::uint32_t> timestamp;  // of the tree; none: one that is never set
  std::uint64_t threshold_us = 0;          // two's complement
};

// tick_loop, tick_limit, tick_scope, store_repeat, store_gate
struct Limit {
  std::uint32_t maximum = 0;
  Text scope;  // tick_scope: its name
};

// tick_script_guard, tick_script: only the first; tick_script_wrapper: before and after its child. Empty if none
struct Scripts {
  std::array<Text, 2> sources;
};

// tick_message: only the first; tick_log: when its child begins, succeeds, fails. Empty if none
struct Texts {
  std::array<Text, 3> texts;
};

// tick_action, tick_wrapper, store_action; store_condition: its name is one of the host's conditions
struct Behavior {
  Text name;
  Few<Parameter> parameters;
  // What the host has declared about it, for analyses.
  Results results = kAnyResult;
  SharedNames sends;               // null: any event
  SharedNames sets;                // null: any variable
  std::uint32_t memory_bytes = 0;  // of a tick_action: in the agent's block while it is active
  bool is_like_engines = false;    // nobody declares it; the engine has a node of this name that reads its attributes
};

// rule_file, rule_subtree
struct RuleFile {
  text::FileId file = 0;  // the file of the rules below it, which distinguishes units
};

// rule_sequence, rule_choice, rule_action, rule_result, rule_yield
struct Rule {
  Few<Text> conditions;  // of the host, in the order of the file
  layout::QueryMode mode = layout::QueryMode::all_true;
  Results results = kAnyResult;  // rule_action: as in Behavior
  Few<Parameter> parameters;
  Text behavior;  // rule_action
};

// A flag or stimulus of the tree that a precondition requires to be present or absent.
struct Wanted {
  std::uint32_t index = 0;
  bool present = true;  // false: written with "!" before it
  Span span;            // of the word
};

// A list as it is written, including repetitions; empty if the attribute is missing. `span`: the attribute's value.
struct WantedList {
  Few<Wanted> words;
  Span span;
};

struct Decider {
  WantedList flags_all;
  WantedList flags_any;
  WantedList stimuli_all;
  WantedList stimuli_any;
  std::uint64_t every_us = 0;        // 0: none
  Text decide;                       // the host's function; empty if none
  Text behavior;                     // empty for a group without one
  std::uint32_t behavior_flags = 0;  // bits, numbered by Deciding::behavior_flags
  std::uint32_t memory_bytes = 0;    // of its behaviour
  std::uint32_t block_bytes = 0;
  bool delegates = false;      // of a group: when it is asked, it asks its children
  bool decides_again = false;  // of a group: its Decide is called before it decides again
};

// decide_share
struct DeciderShare {
  std::uint32_t weight = 1;  // among its siblings
  std::uint32_t shared = 0;  // index into Deciding::shared
};

// All deciders except decide_share. Their data is large, so it is stored separately to keep other nodes small.
struct PlacedDecider {
  std::uint32_t weight = 1;  // among its siblings
  std::shared_ptr<const Decider> decider;
};

// store_group
struct Group {
  std::optional<std::uint64_t> timeout_us;  // none: an agent waits forever
  layout::OnLeave on_leave = layout::OnLeave::fail;
  std::uint32_t agents = 0;  // the value of its `agents`, which is the number of its roles; 0 if it has none
};

// store_barrier
struct Barrier {
  Text name;
};

// store_child
struct ChildTree {
  Text slot;
  Text default_tree;  // empty: none
};

// All nodes that poll have a PolledNode: see poll.h.

// ---- All kinds ----------------------------------------------------------------------------------

using Payload = std::variant<std::monostate, Guard, Leaf, Transitions, EventTransitions, Event, Chance, Duration,
                             TimeTest, Limit, Scripts, Texts, Behavior, RuleFile, Rule, PlacedDecider, DeciderShare,
                             Group, Barrier, ChildTree, PolledNode>;

namespace detail {
template <typename Kind, std::size_t... kIndices>
constexpr std::uint8_t kind_of(std::index_sequence<kIndices...> /*alternatives*/) {
  return static_cast<std::uint8_t>(
      ((std::is_same_v<Kind, std::variant_alternative_t<kIndices, Payload>> ? kIndices : 0) + ...));
}
}  // namespace detail

inline constexpr std::size_t kKindCount = std::variant_size_v<Payload>;
// The index of a kind among the alternatives of Payload.
template <typename Kind>
inline constexpr std::uint8_t kKindOf = detail::kind_of<Kind>(std::make_index_sequence<kKindCount>());

}  // namespace espalier::ir
