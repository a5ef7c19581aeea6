// The dialect-neutral project: what readers make of XML, and everything after them works on. Plain open data, easy to
// build by hand.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/format/opcode.h"
#include "runtime/format/records.h"
#include "runtime/include/espalier/espalier.hpp"
#include "text/source.h"

namespace espalier::ir {

using espalier::ParameterType;
using text::Span;

// ---- Conditions ---------------------------------------------------------------------------------

enum class TermKind : std::uint8_t {
  constant,
  variable,
  negation,
  conjunction,
  disjunction,
  exclusive,
  equal,
  unequal
};

// A part of a condition. Children stand before their parents, so that one pass over the vector sees operands first.
struct Term {
  TermKind kind;
  // constant: 0 or 1; variable: its index in the tree; else the (left) operand's index in terms
  std::uint32_t left = 0;
  std::uint32_t right = 0;  // of the binary kinds
  std::uint32_t begin = 0;  // byte range in the attribute's value, for messages
  std::uint32_t end = 0;
};

// A Boolean expression. The root is the last term; there is at least one.
struct Condition {
  std::vector<Term> terms;
  Span span;  // the whole attribute value
};

using ConditionIndex = std::uint32_t;  // into Tree::conditions

// ---- Trees --------------------------------------------------------------------------------------

struct Variable {
  std::string name;
  bool initial = false;
  Span span;
  bool is_doubtful = false;  // a fault that has been reported may hide that it is read
};

// `variable` becomes the value of `condition`.
struct Assignment {
  std::uint32_t variable = 0;
  ConditionIndex condition = 0;
  Span span;
};

// All assignments of one signal, in the order they run.
struct Signal {
  std::string name;
  std::vector<Assignment> assignments;
  Span span;  // first entry
};

struct Transition {
  std::uint32_t target = 0;  // number of the state in its machine
  ConditionIndex condition = 0;
  Span span;
};

// ---- What nodes of the family tick have beside children and a condition

struct Timestamp {
  std::string name;
  std::uint32_t signal = 0;                   // of the tree: what sets it
  std::optional<std::uint32_t> exclusive_to;  // timestamp of the tree
  Span span;
  bool is_doubtful = false;  // an attribute of it is misspelt, which has been reported
};

struct EventTransition {
  std::uint32_t signal = 0;  // of the tree
  std::uint32_t target = 0;  // number of the state in its machine
  Span span;
};

struct Parameter {
  std::string name;
  ParameterType type = ParameterType::text;
  std::string text;               // text, event, script; choice: the word
  std::int64_t whole = 0;         // whole; boolean: 0 or 1; choice: which word
  double numbers[3] = {0, 0, 0};  // number: the first; vector: all
};

// Results that a node can give: bit 1 << Result.
using Results = std::uint8_t;
inline constexpr Results kAnyResult = 7;

// Names that many nodes have in common.
using SharedNames = std::shared_ptr<const std::vector<std::string>>;
inline SharedNames shared_names(std::vector<std::string> names) {
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

// The operands of a node that ticks or is a rule, those that its row in opcodes.def names; the others stay as they are.
struct Details {
  std::uint8_t flags = 0;                  // but for `number`, which follows from the place
  std::uint32_t count = 0;                 // count, maximum
  std::uint64_t numbers[2] = {0, 0};       // number, in the order of the operands
  std::uint32_t signal = 0;                // of the tree
  std::optional<std::uint32_t> timestamp;  // of the tree; none: one that is never set
  std::string texts[3];                    // text, in order; scope: its name; state: its name
  std::optional<std::string> scripts[2];   // script, in order: the source
  std::vector<Parameter> parameters;
  std::vector<EventTransition> transitions;
  // Of rules.
  std::string id;                            // the full one; empty: it has none
  std::vector<std::string> host_conditions;  // in the order of the file
  layout::AskMode mode = layout::AskMode::all_true;
  text::FileId file = 0;  // rule_file, rule_subtree: where the rules below it stand, which tells units apart
  // Of nodes that store their results.
  std::string label;                        // its `name` where that is a label; of a gate or group: its name, or empty
  std::optional<std::uint64_t> timeout_us;  // store_group; none: an agent waits for ever
  layout::OnLeave on_leave = layout::OnLeave::fail;  // store_group
  std::string slot;                                  // store_child
  std::string default_tree;                          // store_child; empty: none
  // Of a behaviour, what the host has declared, for analyses.
  Results results = kAnyResult;
  SharedNames sends;  // null: any event
  SharedNames sets;   // null: any variable
};

using DetailsIndex = std::uint32_t;  // into Tree::details

// ---- What deciders have beside name, behaviour, weight and children

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

// A decider, but for a decide_share, which has none of its own.
struct Decider {
  WantedList flags_all;
  WantedList flags_any;
  WantedList stimuli_all;
  WantedList stimuli_any;
  std::uint64_t every_us = 0;        // 0: none
  std::string decide;                // the host's function; empty: none
  std::uint32_t behavior_flags = 0;  // bits, numbered by Tree::behavior_flags
  std::uint32_t memory_bytes = 0;    // of its behaviour
  std::uint32_t block_bytes = 0;
  bool delegates = false;      // of a group: asked, it asks its children
  bool decides_again = false;  // of a group: its Decide is called before it decides again
};

struct Stimulus {
  std::string name;
  std::uint64_t timeout_us = 0;  // 0: it stays until it is cleared
  Span span;                     // of the name
};

// A behaviour that a tree of deciders declares.
struct DeclaredBehavior {
  std::string name;
  std::uint32_t memory_bytes = 0;
  Span span;  // of the name
};

struct Node {
  Opcode opcode = Opcode::count;
  std::string name;                         // of the element; empty: it stands for none, as a tick_branch; decide: the
                                            // decider's own name, of a decide_share that of the decider it stands for
  Span span;                                // of the element's name
  std::optional<ConditionIndex> condition;  // none: always true, or never read
  std::string behavior;                     // select_leaf: after translation; tick_action, tick_wrapper, rule_action;
                                            // decide: empty where a group has none
  std::vector<Transition> transitions;      // select_state
  DetailsIndex details = 0;                 // tick, rule; decide: into Tree::deciders; decide_share: into Tree::shared
  std::uint32_t weight = 1;                 // decide: among its siblings
  bool is_doubtful = false;                 // tick: an attribute of it is misspelt, which has been reported
  std::vector<Node> children;  // references are resolved: a shared block's nodes stand in each place, spans kept
};

struct Tree {
  std::string name;
  Span span;  // of the name
  layout::Dialect dialect = layout::Dialect::selection;
  std::vector<Variable> variables;
  std::vector<Signal> signals;
  std::vector<Condition> conditions;
  std::vector<Timestamp> timestamps;
  std::vector<Details> details;                          // tick: the first one is that of nodes which need none
  bool stays_stopped = false;                            // tick: once the root has a result
  std::uint32_t run_limit = 0;                           // rule: runs in one update. Its root is a rule_file
  bool is_used = false;                                  // rule: a subtree of another file names its file
  std::optional<std::vector<std::string>> known_events;  // declared ones; none: nothing declares any
  // decide. Its variables are the decision flags; an Assignment's `variable` is a stimulus, its `condition` means
  // nothing.
  std::vector<Stimulus> stimuli;
  std::vector<std::string> behavior_flags;  // in the order of their first use
  std::vector<DeclaredBehavior> declared_behaviors;
  std::vector<Decider> deciders;  // one for each node that is no decide_share
  std::vector<Node> shared;       // shared deciders, each behind those that it stands for some of; used or not
  std::uint32_t max_redecides = 0;
  // store. Names of conditions, actions and barriers are Node::behavior; numbers[0] of a cooldown is its time in
  // microseconds; count is the number of a gate or repeat; a store_role's first of two children is its condition.
  std::uint32_t max_depth = 0;
  std::optional<std::uint32_t> agent_count;  // `agents`: how many there will be at most, for analyses
  Node root;
};

// What all store_child nodes of one slot agree on.
struct Slot {
  std::string name;
  std::optional<std::vector<std::string>> accepts;  // trees, in the order of the file; none: all of the project
  std::optional<std::uint32_t> budget_bytes;        // none: of the largest one that it accepts
  Span span;                                        // of the first node that says so
};

// The trees that have no errors; sorted by name when reading is done.
struct Project {
  std::vector<Tree> trees;
  std::vector<Slot> slots;  // of trees of the family store, sorted by name
};

}  // namespace espalier::ir
