// Boolean functions of numbered variables, kept as reduced ordered binary decision diagrams: what is asked about them
// is answered exactly, for all values of all variables at once. Knows no dialect; whoever asks numbers what it asks
// about.
//
// The order of the variables is the order of their numbers. Answers do not depend on it, but the size of diagrams does,
// by worlds: give what is asked about together numbers side by side.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace espalier::logic {

using Variable = std::uint16_t;

// A function of a variable that is not below this is unknown. Operations recurse once for each variable, so this bounds
// what they need of the stack: far less than a megabyte.
constexpr Variable kMaxVariables = 1024;

// A variable that is to have this value.
struct Literal {
  Variable variable = 0;
  bool value = true;
};

enum class Answer : std::uint8_t { no, yes, unknown };

// Whether functions can be true together, and values for which they are; see Diagrams::satisfy.
struct Satisfied {
  Answer answer = Answer::unknown;
  std::vector<Literal> witness = {};
};

// A function: a number to copy, of use to the Diagrams that gave it alone. Whether two are equal is asked there.
class Function {
 public:
  Function() = default;  // unknown
  bool is_known() const { return index_ != kUnknown; }

 private:
  friend class Diagrams;
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  explicit Function(std::uint32_t index) : index_(index) {}
  std::uint32_t index_ = kUnknown;
};

// All functions that are asked about together. They live as long as this.
//
// Work is bounded by a budget of steps: a step is one more node of a diagram, or one more result between two nodes that
// is remembered. Each is made once, so this bounds time and memory (some 60 bytes a step). An operation that would need
// more gives an unknown function, and so does each operation on one; what is asked of it is answered with "unknown",
// never guessed. What was known stays so.
class Diagrams {
 public:
  explicit Diagrams(std::size_t budget);

  Function constant(bool value) const { return Function(value ? kTrue : kFalse); }
  Function variable(Variable variable);
  // All, or any, of these have their values: true, or false, where there are none. They may come in any order, and a
  // variable more than once.
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

  // What is left when these variables have these values; unknown when one is given both.
  Function restricted(Function function, std::span<const Literal> given);
  // True where some values of these variables make it true. It does not depend on them any more.
  Function exists(Function function, std::span<const Variable> variables);

  Answer is_satisfiable(Function function) const;  // for some values
  Answer is_tautology(Function function) const;    // for all values
  Answer is_equal(Function left, Function right) const;
  Answer implies(Function left, Function right);
  // Whatever the variables without a value here are. These are in order, each once.
  Answer holds(Function function, std::span<const Literal> given) const;
  // Variables without a value are false.
  Answer value(Function function, const std::vector<bool>& values) const;

  // The variables it depends on, in order. Nothing when it is unknown.
  std::optional<std::vector<Variable>> support(Function function) const;
  // Values that make it true, in order of the variables, with as few true ones as there can be. Whatever the variables
  // left out are, it is true. Nothing when no values do, or it is unknown.
  std::optional<std::vector<Literal>> witness(Function function) const;
  // The same of many functions that all have to be true. Far cheaper than the witness of their conjunction where most
  // variables only ever help when they are false, or only when they are true.
  Satisfied satisfy(std::span<const Function> functions);
  // The share of all values of all variables that make it true; exact where it depends on at most 53 variables. Nothing
  // when it is unknown.
  std::optional<double> fraction(Function function) const;

  bool is_exhausted() const { return is_exhausted_; }
  std::size_t steps() const { return nodes_.size() + results_.size(); }

 private:
  using Index = std::uint32_t;
  static constexpr Index kFalse = 0;
  static constexpr Index kTrue = 1;
  static constexpr Index kUnknown = Function::kUnknown;

  // Children come before their parents: whatever is worked out from the leaves up is a loop over the nodes.
  struct Node {
    Index variable;  // kMaxVariables for the two constants, which are not asked any more
    Index low;       // where it is false
    Index high;      // where it is true
  };

  // Finds a number by three. Open addressing; at most half full.
  class Table {
   public:
    struct Key {
      Index first, second, third;
      bool operator==(const Key&) const = default;
    };
    Index find(Key key) const;  // kUnknown when it is not there
    void insert(Key key, Index value);
    std::size_t size() const { return size_; }

   private:
    struct Entry {
      Key key;
      Index value = kUnknown;
    };
    std::size_t slot(const std::vector<Entry>& entries, Key key) const;
    std::vector<Entry> entries_;  // a power of two, or none
    std::size_t size_ = 0;
  };

  bool has_step();
  Index node(Index variable, Index low, Index high);
  Index remember(Table::Key key, Index result);
  Index chain(std::span<const Literal> literals, bool is_all);
  Index choose(Index condition, Index then, Index otherwise);
  Index restrict_to(Index function, Index given);
  Index quantify(Index function, Index variables);
  std::vector<Index> reached(Index function, std::span<const Literal> given) const;
  std::vector<Literal> cheapest(Index function) const;
  std::vector<Literal> unhelpful(std::span<const Index> functions);
  std::vector<Literal> needed(std::vector<Literal> literals, std::span<const Index> functions) const;

  std::vector<Node> nodes_;
  Table unique_;   // of variable, low, high
  Table results_;  // of operations
  std::size_t budget_;
  bool is_exhausted_ = false;
};

}  // namespace espalier::logic
