// How a tree that polls uses the entries of its blackboards: which of their values make a difference, and what they are
// compared with. Entries that one name may stand for, and those between which values are copied, are used alike.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/world.h"
#include "runtime/poll/tree.h"

namespace espalier::explore {

inline bool is_key(const layout::PollPort& port) {
  return static_cast<layout::PollPortKind>(port.kind) == layout::PollPortKind::key;
}

// The key of a name on a blackboard, '@' being the tree's own; kNone: nothing in the tree uses the name there.
std::uint32_t key_named(const PollTreeView& tree, std::uint32_t board, std::string_view name);

struct EntryUse {
  Literals literals = {};
  bool is_looked_at = false;  // it makes a difference whether it is there
  bool is_compared = false;   // its value makes a difference
  bool is_computed = false;   // more than by comparisons with literals
  bool is_given = false;      // what the host's nodes read makes a difference
  bool is_increased = false, is_decreased = false;
  bool is_set = false;  // by SetBlackboard nodes
  void add(const EntryUse& other);
  bool is_counted() const { return is_compared && (is_increased || is_decreased); }
  // Values that scripts compute may be any number of them.
  bool is_kept() const { return is_compared || (is_given && !is_computed && !is_increased && !is_decreased); }
  // Values beyond all literals are alike: beyond the last one, in the direction in which it is counted.
  bool has_end() const {
    return is_counted() && !is_computed && is_increased != is_decreased && !literals.numbers.empty();
  }
  double end() const;
};

// What a state keeps of an entry's value.
struct KeptValue {
  bool is_kept = false;
  bool has_end = false;
  bool is_increased = false;
  double end = 0;  // all values beyond it are this one
};

// What a halt clears of a node.
struct ClearedMemory {
  const std::uint32_t* node = nullptr;
  std::uint32_t bytes = 0;
};

class PollUses {
 public:
  PollUses(const Tree& tree, const Facts& facts);

  const PollTreeView& tree() const { return tree_; }
  const EntryUse& of(std::uint32_t entry) const { return uses_[root_of(entry)]; }
  const KeptValue& kept_of(std::uint32_t entry) const { return kept_[entry]; }
  HostValues host_values(const HostFacts& host) const;
  // Nodes remove entries: then counts of writes begin again.
  bool may_remove() const { return may_remove_; }
  // Does no update tick a node twice?
  bool passes_once() const { return passes_once_; }
  // Does a halt only make nodes idle and clear memory?
  bool halts_quietly() const { return halts_quietly_; }
  std::span<const ClearedMemory> cleared() const { return cleared_; }
  // Nodes with a timer, and those with something else that is settled.
  std::span<const std::uint32_t* const> timers() const { return timers_; }
  std::span<const std::uint32_t* const> settled() const { return settled_; }

 private:
  // What a value on the stack of a script may be.
  struct Atom {
    enum class Kind : std::uint8_t { number, text, entry, increased, decreased, computed } kind = Kind::computed;
    double number = 0;
    std::string text = {};
    std::uint32_t entry = 0;
    bool operator==(const Atom&) const = default;
  };
  using Value = std::vector<Atom>;
  using Stack = std::vector<Value>;

  std::uint32_t root_of(std::uint32_t entry) const;
  EntryUse& use_of(std::uint32_t entry) { return uses_[root_of(entry)]; }
  void join(std::uint32_t entry, std::uint32_t other);
  std::uint32_t entry_of(std::uint32_t key) const { return tree_.keys[key].entry; }

  void read_halt(const std::uint32_t* node);
  void read_keys();
  void read_node(const std::uint32_t* node);
  void read_ports(const std::uint32_t* node);
  void give_ports(const std::uint32_t* node);
  void read_switch(const std::uint32_t* node);
  void read_set(const std::uint32_t* node);
  void read_loop(const std::uint32_t* node);
  void look_at(std::uint32_t entry, bool is_computed);
  void expect(std::span<const ExpectedEntry> expected);
  Literals literals_of(std::uint32_t entry, layout::PollType type) const;
  void add_case(EntryUse& use, std::string_view text) const;

  // Scripts: number in the tree
  void read_script(std::uint32_t script, bool is_truth);
  void read_step(const layout::Instruction& instruction, Stack& stack);
  void compare(const Value& left, const Value& right);
  void use_as_truth(const Value& value);
  void compute(const Value& value);
  Value calculate(layout::PollOp op, const Value& left, const Value& right);
  void assign(std::uint32_t key, const Value& value);

  const PollTreeView tree_;
  const bool sees_inputs_;
  std::vector<layout::PollType> types_;  // of entries, when an agent starts
  std::vector<std::uint32_t> roots_;     // of the entries that are used alike
  std::vector<EntryUse> uses_;           // by root
  std::vector<KeptValue> kept_;          // by entry
  std::vector<const std::uint32_t*> timers_, settled_;
  std::vector<ClearedMemory> cleared_;
  bool halts_quietly_ = true;
  bool may_remove_ = false;
  bool passes_once_ = true;
  bool has_names_in_entries_ = false;  // SetBlackboard and UnsetBlackboard with the name of an entry in another one
};

}  // namespace espalier::explore
