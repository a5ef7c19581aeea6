// What analyses of one selection tree work on: the tree as functions of states, and what has been found. See
// trees.cpp.
//
// Findings are of two kinds. Some are about a place of the tree: they name it by its path if its element stands in a
// block that is used more than once. Others are about what is written: they are true only if they hold at each place
// where it is used, in all trees. Those are kept as claims until all trees have been seen.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lint/lint.h"
#include "lint/select/model.h"
#include "lint/select/reach.h"
#include "logic/questions.h"
#include "text/finding.h"
#include "text/names.h"

namespace espalier::lint {

using text::Finding;
using text::quote;
using text::Rule;
using text::Span;

// Where the elements begin that several nodes of all selection trees have; sorted.
using SharedElements = std::vector<std::uint64_t>;

// Of each term of a condition: can it be replaced by false, by true, without changing any selection? Its tree is that
// of one of its places.
struct TermFacts {
  std::vector<std::array<bool, 2>> is_replaceable;
  const ir::Tree* tree = nullptr;
  const ir::Condition* condition = nullptr;
  const ir::Node* owner = nullptr;                // whose condition it is
  const ir::Node* target = nullptr;               // of a transition from `owner`; null: it is no transition's
  std::vector<text::SharedSpans> relied_on = {};  // by the proofs: conditions
};

// Claims about what is written, of all trees.
struct WrittenClaims {
  text::Findings findings;
  std::vector<std::pair<Rule, Span>> refuted;  // some more than once
  std::map<Span, TermFacts> terms;             // of conditions
  std::vector<Span> needed;                    // conditions of which a tree needs each term
};

// Why something cannot be: functions that cannot all be true, each with what it says and where. Most are never shown,
// so that their words are made for those that are.
struct Reason {
  enum class Says : std::uint8_t {
    nothing,
    comes_first,  // the node at `place` is tried before
    ends_in,      // an evaluation must end in the state at `place`
    must_be_true,
    leaves,             // a transition leaves the state
    is_followed_first,  // a transition
  };
  logic::Formula function;
  Says says = Says::nothing;
  Span span = {};
  PlaceIndex place = 0;
};

class SelectAnalysis {
 public:
  SelectAnalysis(const ir::Tree& tree, const Facts& facts, const SharedElements& shared, text::Findings& findings,
                 WrittenClaims& claims);

  const ir::Tree& tree;
  const Facts& facts;
  text::Findings& findings;
  WrittenClaims& claims;
  logic::Circuit circuit;
  logic::Questions questions;
  StateNumbers numbers;
  SelectModel model;
  // Of each place: what is at it or above shows already that it is of no use.
  std::vector<bool> is_closed;
  std::vector<bool> is_false_here;  // because its condition is always false here

  const ir::Node& node(PlaceIndex place) const { return *model.places[place].node; }
  bool has_words() const { return facts.shown >= Shown::words; }
  bool has_witnesses() const { return facts.shown == Shown::all; }
  // "'Attack'"; if its element is used more than once: "a use of 'Attack' (at 'Root/Attack' of 'Guard')".
  std::string name(PlaceIndex place) const;

  // Can an evaluation come to the place while these are true? What cannot be decided is noted for `rule`.
  logic::Answer can_be(Rule rule, PlaceIndex place, std::vector<logic::Formula> also);

  // The same for each of some.
  std::vector<logic::Answer> each_can_be(Rule rule, PlaceIndex place, std::vector<logic::Formula> common,
                                         std::span<const logic::Formula> each);

  // A claim about what is written at `span`: does it hold at this place? Returns the finding to complete, which has no
  // words yet; null if it does not hold, or is made already.
  Finding* claim(Rule rule, Span span, bool holds);

  void refute(Rule rule, Span span) { claims.refuted.emplace_back(rule, span); }

  // What must be true for an evaluation to come to the place.
  std::vector<Reason> reasons_above(PlaceIndex place);
  // Of reasons that cannot all be true, as few as suffice, of many some: see logic::Questions::enough().
  std::vector<Reason> enough(const std::vector<Reason>& reasons);

  SelectReach& reach();
  // Notes that the rule is not decided everywhere in this tree.
  void leave_undecided(Rule rule) { undecided_.insert(rule); }
  void report_undecided();

 private:
  std::vector<logic::Questions::Example> examples_;  // of each place: a state in which an evaluation comes to it
  std::set<Rule> undecided_;
  const SharedElements& shared_;
  std::optional<SelectReach> reach_;
};

// The evidence that a trace gives: its last tick shows what `shows` says.
text::Witness witness_of(const SelectAnalysis& analysis, const Trace& trace, std::string shows);

// Adds reasons as related places.
void explain(const SelectAnalysis& analysis, Finding& finding, const std::vector<Reason>& reasons);

// Is it the literal `true`?
bool is_literal_true(const ir::Condition& condition);

// Each looks for the findings of some rules.
void analyse_select_nodes(SelectAnalysis& analysis);      // never selected, conditions that never change, unreachable
void analyse_select_machines(SelectAnalysis& analysis);   // states that no evaluation ends in, transitions, loops
void analyse_select_terms(SelectAnalysis& analysis);      // parts of conditions without effect
void analyse_select_variables(SelectAnalysis& analysis);  // variables and signals without effect

// Adds the facts of another tree.
void merge_terms(std::map<Span, TermFacts>&& from, std::map<Span, TermFacts>& into);
// Reports the smallest terms that can be replaced, except in conditions that a finding here says are always true or
// always false.
void report_terms(const std::map<Span, TermFacts>& terms, const Facts& facts, text::Findings& findings);
// Where a fix may rest on all trees being known, the texts for it; else null: other trees may use the same blocks.
inline const text::Sources* sources_for_fixes(const Facts& facts) { return facts.is_partial ? nullptr : facts.sources; }

// For a state in which no evaluation ends.
void report_state_unreachable(SelectAnalysis& analysis, PlaceIndex state);

// What holds where a condition is read, besides that an evaluation comes to its place.
struct Given {
  logic::Formula all = {};
  std::function<std::vector<Reason>()> reasons = {};  // none: there is nothing to tell
};

// How findings about a condition name it, and what helps if it is always false.
struct ConditionWords {
  std::string name;
  std::string hint;
};

// A condition that is read at a place: claims that it is always false, or always true. Returns whether it is always
// false.
bool look_at_condition(SelectAnalysis& analysis, PlaceIndex place, const Given& given, ir::ConditionIndex condition,
                       const std::function<ConditionWords()>& words);

// All analyses of all selection trees.
void analyse_select_trees(const ir::Project& project, const Facts& facts, text::Findings& findings);

}  // namespace espalier::lint
