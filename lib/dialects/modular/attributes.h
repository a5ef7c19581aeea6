// The attributes of one element: looked up without case, with what is wrong with their names and what is missing.
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/modular/elements.h"
#include "dialects/modular/reporter.h"

namespace espalier::dialects::modular {

// What an element does with the attributes that log.
enum class Logs : std::uint8_t {
  none,  // it is no node: they are unknown
  unread,
  read,
};

// In the order of kLogNames; empty: nothing is logged.
using LogTexts = std::array<std::string, std::size(kLogNames)>;

class Attributes {
 public:
  // Those that `rows` names; any other is reported, and so is one that should be there. `rows` must outlive this.
  Attributes(const Element& element, std::span<const AttributeRow> rows, Logs logs, Reporter& reporter);

  // Those of a node of which nothing is declared: every attribute may stand there.
  Attributes(const Element& element, Reporter& reporter);

  // A false one when it is not there. `name` is one of the rows'.
  [[nodiscard]] const Attribute& operator[](std::string_view name) const;
  // The same when it is not empty, else a false one.
  [[nodiscard]] Attribute filled(std::string_view name) const;
  // An unknown attribute that was meant to be `name`, one of the rows' that is not there; a false one: there is none.
  [[nodiscard]] Attribute misspelt(std::string_view name) const;
  [[nodiscard]] bool has_misspelt() const { return !misspelt_.empty(); }
  // Where no rows are given: all but those that log, in file order.
  [[nodiscard]] const std::vector<Attribute>& all() const { return values_; }
  [[nodiscard]] const LogTexts& logs() const { return logs_; }

 private:
  // One that is not known, and the row that was meant, which is not there; empty: none is near.
  struct Unknown {
    Attribute attribute;
    std::string_view meant;
  };

  // Takes an attribute that logs. False: it is none.
  bool take_log(const Attribute& attribute, Logs logs, Reporter& reporter);
  bool has_any(Need need) const;
  void guess_meant(std::vector<Unknown>& unknown, Reporter& reporter);
  void report_missing(const Element& element, std::vector<Unknown>& unknown, Reporter& reporter) const;
  void report_unknown(const Element& element, const Unknown& unknown, Reporter& reporter) const;

  std::span<const AttributeRow> rows_;
  std::vector<Attribute> values_;
  std::vector<Unknown> misspelt_;
  std::array<Attribute, std::size(kLogNames)> log_attributes_;
  LogTexts logs_;
};

}  // namespace espalier::dialects::modular
