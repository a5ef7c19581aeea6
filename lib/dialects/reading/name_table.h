// Names that are declared once and referred to: variables, states, deciders, trees. Duplicates and unknown names are
// reported here.
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

// What the names are of, and how their faults are reported.
struct NameRules {
  std::string_view thing;  // "variable"
  Rule duplicate;
  Rule unknown;
  bool any_case = false;
};

class NameTable {
 public:
  explicit NameTable(const NameRules& rules) : rules_(rules) {}
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;
  NameTable(NameTable&&) = default;
  NameTable& operator=(NameTable&&) = default;

  // True: the name is new, and stands for `number` from now on. Else "duplicate variable 'X'" is reported.
  bool declare(std::string_view name, std::uint32_t number, Where where, Reporter& reporter, std::string hint = {});
  // A fault that has been reported has taken a declaration away: names that are not found are not reported, unless a
  // hint can be given.
  void lack_one() { may_lack_ = true; }

  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;
  // The same; of a name that is not there, "unknown variable 'X'" is reported. `hint`: for a name that none is near to.
  std::optional<std::uint32_t> find_or_report(std::string_view name, Where where, Reporter& reporter,
                                              std::string hint = {});
  // The same, as another rule of the same thing.
  std::optional<std::uint32_t> find_or_report(std::string_view name, Rule unknown, Where where, Reporter& reporter,
                                              std::string hint = {});

  [[nodiscard]] std::size_t size() const { return declared_.size(); }
  [[nodiscard]] bool may_lack() const { return may_lack_; }
  [[nodiscard]] Span span_of(std::string_view name) const;  // of a declared one
  void clear();

 private:
  struct Declared {
    std::string name;  // as written
    std::uint32_t number;
    Span span;
  };
  [[nodiscard]] std::string key_of(std::string_view name) const;

  NameRules rules_;
  std::unordered_map<std::string, Declared> declared_;  // entries stay where they are: what follows points into them
  std::vector<std::string_view> in_order_;
  text::NameIndex names_;  // of all declared, made when a hint is looked for
  bool may_lack_ = false;
};

}  // namespace espalier::dialects
