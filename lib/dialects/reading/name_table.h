// Names that are declared once and referred to: variables, states, deciders, trees. Duplicates and unknown names are
// reported here. For state machines, see MachineNames.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialects/reading/reporter.h"
#include "text/name_index.h"

namespace espalier::dialects {

// What kind of thing the names denote, and how their faults are reported.
struct NameRules {
  std::string_view thing;  // "variable"
  Rule duplicate;
  Rule unknown;
  bool any_case = false;
};

// The number of the next one of a container's things.
[[nodiscard]] std::uint32_t size_of(const auto& container) { return static_cast<std::uint32_t>(container.size()); }

class NameTable {
 public:
  explicit NameTable(const NameRules& rules)
      : rules_(rules), declared_(0, Hash{rules.any_case}, Equal{rules.any_case}) {}
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;
  NameTable(NameTable&&) = default;
  NameTable& operator=(NameTable&&) = default;

  // True: the name is new and now denotes `number`. Else "duplicate variable 'X'" is reported.
  bool declare(std::string_view name, std::uint32_t number, Where where, Reporter& reporter, std::string hint = {});
  // Call this if a declaration was lost by a fault that has been reported: names that are not found are then reported
  // only if a hint can be given.
  void lack_one() { may_lack_ = true; }

  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;
  // The same, but a missing name is reported: "unknown variable 'X'". `hint` is used if no name is similar; `unknown`:
  // the rule, if it is not that of the table.
  std::optional<std::uint32_t> find_or_report(std::string_view name, Where where, Reporter& reporter,
                                              std::string hint = {}, std::optional<Rule> unknown = {});

  [[nodiscard]] std::size_t size() const { return declared_.size(); }
  [[nodiscard]] bool may_lack() const { return may_lack_; }
  // Was a name not found, and not reported since a declaration is lacking?
  [[nodiscard]] bool has_missed() const { return has_missed_; }
  [[nodiscard]] Span span_of(std::string_view name) const;  // of a declared one
  void clear();

 private:
  struct Declared {
    std::uint32_t number;
    Span span;
  };
  // Of names as they are compared. Looking one up needs no copy of it.
  struct Hash {
    using is_transparent = void;
    bool any_case;
    std::size_t operator()(std::string_view name) const;
  };
  struct Equal {
    using is_transparent = void;
    bool any_case;
    bool operator()(std::string_view a, std::string_view b) const;
  };

  NameRules rules_;
  // By name as written. Entries do not move: the members below point into them.
  std::unordered_map<std::string, Declared, Hash, Equal> declared_;
  std::vector<std::string_view> in_order_;
  text::NameIndex names_;                       // of all declared; built when a hint is needed
  std::unordered_map<std::string, Span> told_;  // unknown names that were reported while nothing was declared
  bool may_lack_ = false;
  bool has_missed_ = false;
};

// States by name, and transitions whose targets are looked up when all states are known.
class MachineNames {
 public:
  explicit MachineNames(const NameRules& rules) : states(rules) {}

  // The transition `transition` of the state `state` goes to the state that `target` names.
  void add_jump(std::size_t state, std::size_t transition, const Attribute& target, UseIndex use = kInPlace) {
    jumps_.push_back({state, transition, target, use});
  }

  // Calls `set(state, transition, number of the target)` for each target that exists; others are reported.
  template <typename Set>
  void resolve(Reporter& reporter, Set&& set) {
    for (const Jump& jump : jumps_) {
      const auto target =
          states.find_or_report(jump.target.value(), Where(jump.target.value_span(), jump.use), reporter);
      if (target) set(jump.state, jump.transition, *target);
    }
  }

  NameTable states;

 private:
  struct Jump {
    std::size_t state;
    std::size_t transition;
    Attribute target;
    UseIndex use;
  };
  std::vector<Jump> jumps_;
};

}  // namespace espalier::dialects
