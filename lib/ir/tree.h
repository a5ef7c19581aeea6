// The dialect-neutral project: what readers make of XML, and everything after them works on. Plain open data, easy to
// build by hand.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/include/espalier/espalier.hpp"
#include "runtime/layout.h"
#include "runtime/opcode.h"
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
  // Of a behaviour, what the host has declared, for analyses.
  Results results = kAnyResult;
  std::optional<std::vector<std::string>> sends;  // none: any event
  std::optional<std::vector<std::string>> sets;   // none: any variable
};

using DetailsIndex = std::uint32_t;  // into Tree::details

struct Node {
  Opcode opcode = Opcode::count;
  std::string name;                         // of the element; empty: it stands for none, as a tick_branch
  Span span;                                // of the element's name
  std::optional<ConditionIndex> condition;  // none: always true, or never read
  std::string behavior;                     // select_leaf: after translation; tick_action, tick_wrapper, rule_action
  std::vector<Transition> transitions;      // select_state
  DetailsIndex details = 0;                 // tick, rule
  std::vector<Node> children;  // references are resolved: a shared block's nodes stand in each place, spans kept
};

struct Tree {
  std::string name;
  Span span;  // of the name
  std::vector<Variable> variables;
  std::vector<Signal> signals;
  std::vector<Condition> conditions;
  std::vector<Timestamp> timestamps;
  std::vector<Details> details;                          // tick: the first one is that of nodes which need none
  bool stays_stopped = false;                            // tick: once the root has a result
  std::uint32_t run_limit = 0;                           // rule: runs in one update. Its root is a rule_file
  bool is_used = false;                                  // rule: a subtree of another file names its file
  std::optional<std::vector<std::string>> known_events;  // declared ones; none: nothing declares any
  Node root;
};

// The trees that have no errors; sorted by name when reading is done.
struct Project {
  std::vector<Tree> trees;
};

}  // namespace espalier::ir
