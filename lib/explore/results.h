// What exploration answers, as plain data: what can be reached, how two versions differ, which properties hold. Written
// as text, JSON and others by lib/report.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "explore/budget.h"
#include "runtime/format/kinds.h"

namespace espalier::explore {

// How the states of a tree are found: listed one by one, or, where a tree has too many variables for that, as
// functions, which are decision diagrams or, where these are too large, asked of a satisfiability solver.
enum class Method : std::uint8_t { by_size, list, diagrams, solver };

// What is declared of actions, by the file, line and column of their nodes: bits 1 << Result. Others may give any.
using DeclaredResults = std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::uint8_t>;

// What is known of the host. The first three are of trees that poll.
struct HostFacts {
  std::optional<std::vector<std::string>> entries = {};          // of main trees that it writes, sorted; none: any
  std::map<std::string, std::vector<std::string>> answers = {};  // by name, in the words of traces; others: any
  std::set<std::string> fails_anew = {};                         // names that fail whenever their node was idle
  std::map<std::string, std::vector<std::string>> uses = {};     // things, and the actions that use them
  std::set<std::string> ends_updates = {};     // names with which an update may end with an error; of slices
  std::set<std::string> unset_variables = {};  // that keep their first values; of slices
  DeclaredResults results = {};                // of other trees than those that poll
  DeclaredResults old_results = {};            // diff: the same of the old version
  friend bool operator==(const HostFacts&, const HostFacts&) = default;
};

// What `replay` runs: its header, and one line a step. A step is a line of JSON without a line ending.
struct Trace {
  std::string tree = {};
  std::uint32_t agent_count = 1;
  std::uint64_t seed = 1;
  std::vector<std::string> steps = {};
  // A line with the answers that the host gives without one; empty: it is asked for none. Not a step.
  std::string defaults = {};
  bool allows_errors = false;            // of updates
  std::vector<std::string> events = {};  // the kinds that `expect` compares; empty: the default ones
};

struct Options {
  Budget budget = {};                     // of each tree: all that is asked about it together
  Budget total = {.states = UINT64_MAX};  // of all trees
  Method method = Method::by_size;
  HostFacts host = {};
  std::vector<std::string> signal_only = {};  // variables that only signals set: "Var" or "Tree/Var"
  std::set<std::string> equal_trees =
      {};  // diff: the new names of trees that are known to do the same in both versions
  std::map<std::string, std::string> renamed_trees = {};  // diff: the new names of trees by the old ones
  bool pairs_only_trees = false;                          // diff: the only tree of each version, whatever their names
  // diff: traces that may show a difference which the search does not come to. None: such are looked for.
  std::optional<std::vector<Trace>> hints = {};
};

// Trees of an asset: those with this name, or all if it is empty, whose numbers are from `begin` to `end`, exclusive.
struct ChosenTrees {
  std::string name = {};
  std::uint32_t begin = 0;
  std::uint32_t end = UINT32_MAX;
};

enum class Reached : std::uint8_t { no, yes, undecided };

// In a file of the project, as the asset names it. Line 0: not known.
struct SourcePlace {
  std::string file = {};
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// ---- cover

enum class ItemKind : std::uint8_t { leaf, state, transition, node, result, case_, rule, decider, role, slot };
std::string_view name_of(ItemKind kind);

struct Item {
  ItemKind kind = ItemKind::node;
  std::string name = {};  // of a transition: the state that it leads to; of a result: "Fire success"
  SourcePlace place = {};
  std::string path = {};    // tells the places of a shared node apart; empty: it has one
  bool is_possible = true;  // of trackers: can the node give the result? Others are no items of covers
  bool may_begin = true;    // of trackers: can the node begin? If not, the item cannot be reached
  Reached reached = Reached::undecided;
  std::uint32_t steps = 0;                // of the shortest trace that was found; 0 if it is not reached
  bool is_shortest = true;                // there is none with fewer steps, but for richer ones
  std::optional<Trace> shortest = {};     // that reaches it, of those that were found
  std::optional<std::size_t> trace = {};  // index into Cover::traces of one that reaches it
};

// A change of the tree that no trace notices.
struct Unnoticed {
  SourcePlace place = {};
  std::string change = {};  // "'Sequence' becomes 'Fallback'"
  Trace trace = {};         // one that would
};

// What becomes of the tree's mutants: the tree with one change each.
struct TreeMutants {
  std::size_t count = 0;
  std::size_t noticed_count = 0;
  std::size_t undecided_count = 0;        // no trace was found that shows them; some of them do the same as the tree
  std::vector<Unnoticed> unnoticed = {};  // the others, in the order of the files
};

struct TreeCover {
  std::string tree = {};
  std::string file = {};  // of trees of dialects whose files may share names; empty: not known
  EngineId engine = {};
  std::vector<Item> items = {};             // in the order of the file
  std::uint64_t state_count = 0;            // explored; 0 if given traces were measured
  bool is_complete = true;                  // everything was explored
  std::string limit = {};                   // why not, if not for the budget
  std::uint64_t used_count = 0;             // what a budget of states has paid: those listed one by one, and steps
  std::optional<TreeMutants> mutants = {};  // if they were asked for
};

struct CoverTrace {
  std::string name = {};  // of its file, without a folder: "Guard-1.trace.jsonl"
  Trace trace = {};
};

struct Cover {
  std::vector<TreeCover> trees = {};
  std::vector<CoverTrace> traces = {};  // few that together reach all that is reached
};

// ---- diff

// Where two versions first differ: all before was equal.
struct Difference {
  std::optional<std::string> before = {};  // what the old version shows; none: nothing
  std::optional<std::string> after = {};
  Trace trace = {};        // the shortest one that ends there
  std::string when = {};   // condition over the variables of both; empty: not known, or the trees have machines
  SourcePlace place = {};  // of the node that now shows; of the old version's where the new one shows nothing
  bool is_place_of_old = false;
};

enum class Compared : std::uint8_t { same, different, added, removed, undecided };
std::string_view name_of(Compared result);

struct TreeDiff {
  std::string tree = {};
  std::string file = {};  // as of covers
  Compared result = Compared::same;
  std::vector<Difference> differences = {};  // by length
  std::uint64_t state_count = 0;
  bool is_complete = true;       // false with `different`: there may be more of them
  std::string limit = {};        // why not, if not for the budget
  std::uint64_t used_count = 0;  // as of covers
  // Where the search did not come far: traces that might show a difference.
  std::vector<Trace> replayed = {};
};

// An element of the text that is another one in the new version.
struct ChangedAttribute {
  std::string name = {};
  std::optional<std::string> before = {};  // none: it was not there
  std::optional<std::string> after = {};
};

enum class ChangeKind : std::uint8_t { changed, replaced, added, around, removed, unwrapped, moved };

struct Change {
  ChangeKind kind = ChangeKind::changed;
  std::string element = {};  // what it is called: its name, its ID, or its kind
  std::string other = {};    // replaced: what it was; around, unwrapped: what is in it
  std::vector<ChangedAttribute> attributes = {};
  std::size_t below_count = 0;  // added, removed: elements in it
  std::string tree = {};        // in which it is; empty: in none, or in all
  SourcePlace place = {};
  bool is_place_of_old = false;

  // Made alone, with all else as it was.
  enum class Effect : std::uint8_t { none, some, undecided, unknown };
  Effect effect = Effect::unknown;
  // Neither can be read alone: it is made with the change of the element of this name.
  std::optional<std::string> made_with = {};
  // It cannot be read alone: it is made after that of the element of this name, or if that is empty, after all others.
  std::optional<std::string> made_after = {};
  std::optional<Difference> shown = {};  // some: with the shortest trace
};

// ---- prove

enum class Truth : std::uint8_t { holds, fails, undecided };
std::string_view name_of(Truth result);

struct Proof {
  std::string property = {};  // its name
  std::string tree = {};
  Truth result = Truth::undecided;
  std::optional<Trace> trace = {};  // fails: the shortest one that refutes it; `reachable` holds: that reaches it
  std::string expectation =
      {};  // the `expect` line, as JSON, that fails at the end of `trace` (of `reachable`: that holds)
  // Its events are those that come after so many steps of the trace: an empty `expect` line takes those before them.
  std::optional<std::size_t> first_expected = {};
  std::uint64_t state_count = 0;
  std::string hint = {};  // fails: what lets it happen, in words; undecided: why, if not for the budget; may be empty
  SourcePlace hint_place = {};   // of the line that lets it happen
  std::uint64_t used_count = 0;  // as of covers; of formulas that decide nothing, all that they were given
  bool is_told = true;           // false: it turned out to mean nothing for the tree
};

// The lines of a proof's trace without its header, with the expectation at its end; empty: it has none.
std::vector<std::string> lines_of(const Proof& proof);

}  // namespace espalier::explore
