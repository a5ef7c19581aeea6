// The dialect-neutral project: what readers make of XML, and everything after them works on. Plain open data, easy to
// build by hand.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/opcode.h"
#include "text/source.h"

namespace espalier::ir {

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

struct Node {
  Opcode opcode = Opcode::count;
  std::string name;
  Span span;                                // of the element's name
  std::optional<ConditionIndex> condition;  // none: always true, or never read
  std::string behavior;                     // select_leaf: after translation
  std::vector<Transition> transitions;      // select_state
  std::vector<Node> children;  // references are resolved: a shared block's nodes stand in each place, spans kept
};

struct Tree {
  std::string name;
  Span span;  // of the name
  std::vector<Variable> variables;
  std::vector<Signal> signals;
  std::vector<Condition> conditions;
  Node root;
};

// The trees that have no errors; sorted by name when reading is done.
struct Project {
  std::vector<Tree> trees;
};

}  // namespace espalier::ir
