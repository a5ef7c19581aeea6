// The attributes of one element: what is wrong with their names, what is missing, and their values by name.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/reading/element_table.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects {

class Attributes {
 public:
  // Reports unknown, misspelt, repeated, missing and empty ones. The row, the table and the reporter must outlive this.
  Attributes(const Element& element, const ElementRow& row, const ElementTable& table, Reporter& reporter,
             UseIndex use = kInPlace);

  // ---- As written. Names are those of the row's attributes, or of the table's common ones.

  // A false one when it is not there.
  [[nodiscard]] const Attribute& operator[](std::string_view name) const;
  // The same when it is not empty, else a false one.
  [[nodiscard]] Attribute filled(std::string_view name) const;
  // An unknown attribute that was meant to be `name`, which is not there; else a false one.
  [[nodiscard]] Attribute misspelt(std::string_view name) const;
  [[nodiscard]] bool has_misspelt() const { return !misspelt_.empty(); }
  // Is it there, or was a misspelt one meant to be it?
  [[nodiscard]] bool is_meant(std::string_view name) const { return (*this)[name] || misspelt(name); }
  // Parameters, of an element that takes them, in file order.
  [[nodiscard]] const std::vector<Attribute>& parameters() const { return parameters_; }

  // ---- Values. One that is not valid is reported as the table's `bad_value`, and is as if it were not there.

  [[nodiscard]] std::optional<std::uint32_t> whole(std::string_view name) const;
  [[nodiscard]] std::optional<std::uint64_t> seconds_us(std::string_view name) const;
  [[nodiscard]] bool boolean(std::string_view name) const;      // false when it is not there
  [[nodiscard]] std::size_t word(std::string_view name) const;  // its number; 0 when it is not there
  // The same where the engine takes any other word as the default: such a one is reported as `rule`.
  [[nodiscard]] std::size_t word(std::string_view name, Rule rule) const;
  // Of an optional name, or list of names: one of blanks only is reported.
  [[nodiscard]] Attribute not_blank(std::string_view name) const;

 private:
  struct Unknown {
    Attribute attribute;
    std::string_view meant;  // one of the row's, which is not there; empty: none is near
  };
  void take(const Attribute& attribute, const AttributeRow& row, Attribute& value) const;
  bool take_common(const Attribute& attribute);
  void report_repeated(const Attribute& attribute, const Attribute& first) const;
  [[nodiscard]] bool has_any(Need need) const;
  void guess_meant(std::vector<Unknown>& unknown);
  void report_missing(std::vector<Unknown>& unknown, Need need) const;
  void report_unknown(const std::vector<Unknown>& unknown);
  std::optional<std::int64_t> read(std::string_view name, std::optional<Rule> taken_as_default = {}) const;

  Element element_;
  const ElementRow& row_;
  const ElementTable& table_;
  Reporter& reporter_;
  UseIndex use_;
  std::vector<Attribute> values_;  // one for each of the row's attributes
  std::vector<Attribute> common_;  // one for each of the table's common ones; empty: it takes none
  std::vector<Attribute> parameters_;
  std::vector<Unknown> misspelt_;
};

}  // namespace espalier::dialects
