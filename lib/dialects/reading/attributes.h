// The attributes of one element: checks their names, finds missing ones, and gives their values by name.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/reading/reporter.h"

namespace espalier::dialects {

class Attributes {
 public:
  // Reports unknown, misspelt, repeated, missing and empty ones. The row and the reporter must outlive this.
  Attributes(const Element& element, const ElementRow& row, Reporter& reporter, UseIndex use = kInPlace);

  // ---- As written. Names are those of the row's attributes, or of the table's common ones.

  // False if it is missing.
  [[nodiscard]] const Attribute& operator[](std::string_view name) const;
  // The attribute if it is not empty, else false.
  [[nodiscard]] Attribute filled(std::string_view name) const;
  // An unknown attribute that was meant to be `name`, if that is missing; else false.
  [[nodiscard]] Attribute misspelt(std::string_view name) const;
  [[nodiscard]] bool has_misspelt() const { return !misspelt_.empty(); }
  // Was the text of the element, which nothing reads, given as a hint for its one missing attribute?
  [[nodiscard]] bool is_value_in_text() const { return is_value_in_text_; }
  // The only unknown attribute of an element whose name is its text, but that has no text; it is not reported.
  [[nodiscard]] const Attribute& in_place_of_text() const { return in_place_of_text_; }
  // Is it present, or was a misspelt one meant to be it?
  [[nodiscard]] bool is_meant(std::string_view name) const { return (*this)[name] || misspelt(name); }
  // Parameters, of an element that takes them, in file order.
  [[nodiscard]] const std::vector<Attribute>& parameters() const { return parameters_; }

  // ---- Values. An invalid one is reported as the table's `bad_value` and treated as missing.

  [[nodiscard]] std::optional<std::uint32_t> whole(std::string_view name) const;
  [[nodiscard]] std::optional<std::uint64_t> seconds_us(std::string_view name) const;
  [[nodiscard]] bool boolean(std::string_view name) const;      // false if it is missing
  [[nodiscard]] std::size_t word(std::string_view name) const;  // its number; 0 if it is missing
  // The same if the engine takes any other word as the default; such a word is reported as `rule`.
  [[nodiscard]] std::size_t word(std::string_view name, Rule rule) const;
  // For an optional name or list of names; a value of blanks only is reported.
  [[nodiscard]] Attribute not_blank(std::string_view name) const;

 private:
  // Why an attribute that is missing was probably meant by an unknown one.
  enum class Reason : std::uint8_t {
    spelling,  // the names are similar
    word,      // they are words for the same thing
    place,     // nothing else is missing, and nothing else is unknown
  };
  struct Unknown {
    Attribute attribute;
    std::string_view meant = {};  // an attribute that is missing; empty if none seems to be meant
    Reason reason = Reason::spelling;
  };
  // An attribute of the row, or of the table's common ones, that the element has.
  struct Taken {
    const AttributeRow* row;
    Attribute attribute;
  };
  // Visits the rows of all attributes that it may have.
  template <typename Visit>
  void for_each_row(const Visit& visit) const;
  [[nodiscard]] const AttributeRow* row_named(std::string_view name) const;
  // Null: it is missing.
  [[nodiscard]] const Taken* find(const AttributeRow& row) const;
  [[nodiscard]] const Taken* find(std::string_view name) const;
  void take(const Attribute& attribute, const AttributeRow& row);
  void report_repeated(const Attribute& attribute, const Attribute& first) const;
  [[nodiscard]] bool has_any(Need need) const;
  [[nodiscard]] bool lacks_any() const;  // is there anything for report_missing()?
  [[nodiscard]] std::vector<std::string_view> lacking(bool is_needed) const;
  void guess_meant(std::vector<Unknown>& unknown);
  void guess_by_place(std::vector<Unknown>& unknown) const;
  [[nodiscard]] std::string hint_for(std::string_view missing) const;
  void take_text(std::vector<Unknown>& unknown);
  void report_missing(std::vector<Unknown>& unknown, Need need);
  void report_unknown(const std::vector<Unknown>& unknown);
  [[nodiscard]] Guess::Of kind_of(std::string_view name) const;  // of an attribute of the row
  std::optional<std::int64_t> read(std::string_view name, std::optional<Rule> taken_as_default = {}) const;

  Element element_;
  const ElementRow& row_;
  const ElementTable& table_;
  Reporter& reporter_;
  UseIndex use_;
  std::vector<Taken> taken_;  // in the order of the file
  std::vector<Attribute> parameters_;
  std::vector<Unknown> misspelt_;
  Attribute in_place_of_text_;
  bool is_value_in_text_ = false;
};

// Only reports what is wrong with the attributes of an element.
inline void check_attributes(const Element& element, const ElementRow& row, Reporter& reporter) {
  [[maybe_unused]] const Attributes attributes(element, row, reporter);
}

}  // namespace espalier::dialects
