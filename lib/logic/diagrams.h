// Boolean functions of numbered variables, kept as reduced ordered binary decision diagrams: questions about them are
// answered exactly, for all values of all variables at once. Independent of dialects; the caller numbers the variables.
//
// The order of the variables is the order of their numbers. Answers do not depend on it, but the size of diagrams
// depends on it heavily: give adjacent numbers to variables that are used together.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace espalier::logic {

using Variable = std::uint32_t;

// A function of a variable that is not below this is unknown. Operations recurse once for each variable, so this bounds
// their use of the stack to far less than a megabyte.
constexpr Variable kMaxVariables = 1024;

// A variable and the value that it must have.
struct Literal {
  Variable variable = 0;
  bool value = true;
};

enum class Answer : std::uint8_t { no, yes, unknown };

// Can functions be true together, and for which values? See Diagrams::satisfy.
struct Satisfied {
  Answer answer = Answer::unknown;
  std::vector<Literal> witness = {};
};

// A handle of a function: cheap to copy, valid only for the Diagrams that made it, which can also compare two of them.
class Function {
 public:
  Function() = default;  // unknown
  bool is_known() const { return index_ != kUnknown; }
  // Known ones are equal if they have the same values; the order means nothing.
  friend auto operator<=>(const Function&, const Function&) = default;

 private:
  friend class Diagrams;
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  explicit Function(std::uint32_t index) : index_(index) {}
  std::uint32_t index_ = kUnknown;
};

// The value that a variable gets, as a function of the values before.
struct Update {
  Variable variable = 0;
  Function value = {};
};

// All functions that are used together. They live as long as this.
//
// Work is bounded by a budget of steps: a step is one more node of a diagram, or one more stored result of an operation
// on two nodes. Each is made once, so this bounds time and memory (about 60 bytes per step). An operation that would
// need more gives an unknown function, and so does each operation on an unknown function; questions about it are
// answered with "unknown", never guessed. Functions that are already known stay known.
class Diagrams {
 public:
  explicit Diagrams(std::size_t budget);

  Function constant(bool value) const { return Function(value ? kTrue : kFalse); }
  Function variable(Variable variable);
  // True if all, or any, of these have their values; without literals, all_of is true and any_of is false. They may be
  // in any order, and a variable may occur more than once.
  Function all_of(std::span<const Literal> literals);
  Function any_of(std::span<const Literal> literals);

  Function negation(Function function);
  Function conjunction(Function left, Function right);
  Function disjunction(Function left, Function right);
  Function exclusive(Function left, Function right);
  Function equivalence(Function left, Function right);
  Function implication(Function left, Function right);
  // `then` where `condition` is true, else `otherwise`.
  Function choice(Function condition, Function then, Function otherwise);

  // The function with these variables fixed to these values; unknown if a variable is given both.
  Function restricted(Function function, std::span<const Literal> given);
  // True if some values of these variables make it true. The result does not depend on these variables.
  Function exists(Function function, std::span<const Variable> variables);

  // The function of the values before the updates, which happen all at once. With `function` as a set: from which
  // values they lead into it.
  Function before(Function function, std::span<const Update> updates);
  // The values that the updates lead to from those of a set. For each variable that is updated, the variable after it
  // must not occur in any of the functions.
  Function after(Function set, std::span<const Update> updates);
  // The values that differ from those of a set in exactly one of these variables.
  Function neighbors(Function set, std::span<const Variable> variables);

  Answer is_satisfiable(Function function) const;  // for some values
  Answer is_tautology(Function function) const;    // for all values
  Answer is_equal(Function left, Function right) const;
  Answer implies(Function left, Function right);
  // Whether it is true whatever the values of the variables that are not given. `given` is in order, each variable
  // once.
  Answer holds(Function function, std::span<const Literal> given) const;
  // Variables without a value are false.
  Answer value(Function function, const std::vector<bool>& values) const;

  // Values that make it true, by number; those that are missing are false. Empty if there are none.
  std::vector<bool> example(Function function) const;
  // The variables it depends on, in order. Nothing if it is unknown.
  std::optional<std::vector<Variable>> support(Function function) const;
  // Values that make it true, in order of the variables, with as few true ones as possible, and these as early as
  // possible. It is true whatever the values of the variables left out. Nothing if it is never true, or unknown.
  std::optional<std::vector<Literal>> witness(Function function) const;
  // The same for many functions that must all be true. Far cheaper than the witness of their conjunction if most
  // variables help only with one of their values.
  Satisfied satisfy(std::span<const Function> functions);
  // Products (conjunctions of literals) of which at least one is true where `lower` is and none where `upper` is not;
  // none of them, and no literal, can be left out. Nothing if there would be more than `most`, or if a function is
  // unknown. `lower` must imply `upper`.
  std::optional<std::vector<std::vector<Literal>>> products(Function lower, Function upper, std::size_t most);
  // The share of all values of all variables that make it true; exact if it depends on at most 53 variables. Nothing if
  // it is unknown.
  std::optional<double> fraction(Function function) const;

  // What a function is made of, the whole function last: a variable, and which part it is if the variable is false, and
  // if it is true. Parts have the numbers 2, 3 and so on; 0 is false and 1 is true, and all there is of a constant.
  struct Part {
    Variable variable;
    std::uint32_t low, high;
  };
  std::vector<Part> parts(Function function) const;

  bool is_exhausted() const { return is_exhausted_; }
  std::size_t steps() const { return nodes_.size() + results_.size() + passing_; }
  // Sets the budget to this many steps from now on, so that one question cannot use up what others need.
  void allow(std::size_t more_steps);

 private:
  using Index = std::uint32_t;
  static constexpr Index kFalse = 0;
  static constexpr Index kTrue = 1;
  static constexpr Index kUnknown = Function::kUnknown;

  // Children come before their parents: computing from the leaves up is a loop over the nodes.
  struct Node {
    Index variable;  // kMaxVariables for the two constants, which have none
    Index low;       // if it is false
    Index high;      // if it is true
  };

  // Maps three numbers to one. Open addressing; at most half full.
  class Table {
   public:
    struct Key {
      Index first, second, third;
      bool operator==(const Key&) const = default;
    };
    Index find(Key key) const;  // kUnknown if it is missing
    // Its value must be missing, and known.
    void insert(Key key, Index value);
    // The value of the key; if it is missing, what `make` gives, which is inserted unless it is unknown. `make` must
    // not use the table.
    template <typename Make>
    Index find_or_insert(Key key, const Make& make);
    std::size_t size() const { return size_; }

   private:
    struct Entry {
      Key key;
      Index inverted;  // ~value, so that zeros are empty
      Index value() const { return ~inverted; }
    };
    const Entry& slot(Key key) const;
    Entry& slot(Key key) { return const_cast<Entry&>(std::as_const(*this).slot(key)); }
    void make_room();
    std::vector<Entry> entries_;  // their number is a power of two, or 0
    std::size_t size_ = 0;
  };

  bool has_step();
  Index node(Index variable, Index low, Index high);
  Index remember(Table::Key key, Index result);
  Index chain(std::span<const Literal> literals, bool is_all);
  Index choose(Index condition, Index then, Index otherwise);
  Index restrict_to(Index function, Index given);
  Index quantify(Index function, Index variables);
  Index substitute(Index function, const std::vector<Index>& values, Table& known);
  Index rename(Index function, const std::vector<bool>& is_renamed, Table& known);
  Index neighbors_of(Index set, Index variables);
  Index remember_here(Table& known, Index function, Index result);
  std::vector<Index> reached(Index function, std::span<const Literal> given) const;
  std::vector<Literal> cheapest(Index function) const;
  struct Products;
  Index add_products(Index lower, Index upper, Products& products);
  std::vector<Literal> unhelpful(std::span<const Index> functions);
  std::vector<Literal> needed(std::vector<Literal> literals, std::span<const Index> functions) const;

  std::vector<Node> nodes_;
  Table unique_;             // of variable, low, high
  Table results_;            // of operations
  std::size_t passing_ = 0;  // results that were stored only during one operation
  std::size_t budget_;
  Index variable_count_ = 0;  // those of all nodes are below this
  bool is_exhausted_ = false;
  mutable std::vector<bool> is_met_ = {};  // of reached(), by node: false between its calls
};

}  // namespace espalier::logic
