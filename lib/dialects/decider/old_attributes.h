// The attributes of one element, with what is wrong with their names and what is missing.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/decider/old_reporter.h"

namespace espalier::dialects::decider {

struct AttributeRow {
  std::string_view name;
  bool is_required = false;
};

// How a dialect tells of attributes.
struct AttributeRules {
  Rule unknown;
  Rule missing;
  std::string_view (*element_with)(std::string_view attribute);  // an element that has it; empty: none has
};

class Attributes {
 public:
  // Those that `rows` names; any other is reported unless others may stand there, and so is one that should be there.
  // `rows` must outlive this.
  Attributes(const Element& element, std::span<const AttributeRow> rows, const AttributeRules& rules,
             Reporter& reporter, bool takes_others = false);

  // A false one when it is not there. `name` is one of the rows'.
  [[nodiscard]] const Attribute& operator[](std::string_view name) const;
  // The same when it is not empty, else a false one.
  [[nodiscard]] Attribute filled(std::string_view name) const;
  // What else stands there, of an element that takes others.
  [[nodiscard]] const std::vector<Attribute>& others() const { return others_; }
  // Is it there, or was a misspelt one meant to be it?
  [[nodiscard]] bool is_meant(std::string_view name) const;

 private:
  struct Unknown {
    Attribute attribute;
    std::string meant;
  };
  void report_missing(const Element& element, Rule rule, std::vector<Unknown>& unknown, Reporter& reporter) const;

  std::span<const AttributeRow> rows_;
  std::vector<Attribute> values_;  // one for each row
  std::vector<Attribute> others_;
  std::vector<std::string> misspelt_;
};

}  // namespace espalier::dialects::decider
