// Rows of an element table for what a project declares of its host: the same checks, and a place in the XSD.
#pragma once
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dialects/reading/element_table.h"
#include "dialects/reading/host.h"
#include "dialects/reading/values.h"

namespace espalier::dialects {

// The row of a declaration, with what it points into. The declaration outlives it. Not copyable: rows point into it.
class HostRow {
 public:
  // The groups that the element belongs to, and those that may stand in it, are the dialect's. `engine`: the one whose
  // attributes are read.
  HostRow(const HostDeclaration& host, Groups groups, Groups holds, Engine engine = Engine::cryengine_5_6);
  HostRow(const HostRow&) = delete;
  HostRow& operator=(const HostRow&) = delete;

  [[nodiscard]] const ElementRow& row() const { return row_; }
  ElementRow& row() { return row_; }

 private:
  std::vector<AttributeRow> attributes_;
  std::deque<std::vector<std::string_view>> words_;
  ElementRow row_;
};

// What a project declares, for its schemas: rows of new elements, and rows in place of a table's. The declarations
// outlive it.
class DeclaredRows {
 public:
  void add(const HostDeclaration& host, Groups groups, Groups holds, Engine engine = Engine::cryengine_5_6);
  // A node that is known, but not declared: every attribute may stand there, with any value, and `content` in it.
  void add_known(const HostDeclaration& host, Groups groups, const Content& content);
  // In place of the table's rows of `element`: the attribute, or with an empty name the text, is one of `names`.
  void limit(const ElementTable& table, std::string_view element, std::string_view attribute,
             const std::vector<std::string_view>& names);

  [[nodiscard]] std::span<const ElementRow> rows() const { return rows_; }

 private:
  std::deque<HostRow> hosts_;
  std::deque<std::vector<AttributeRow>> attributes_;
  std::deque<std::vector<std::string_view>> words_;
  std::vector<ElementRow> rows_;
};

// The value of a declared attribute. `words` gets the words that it may be, and outlives the result.
[[nodiscard]] Value value_of(const HostAttribute& attribute, std::vector<std::string_view>& words,
                             bool exact_booleans = false);

// What `text` is as a value of a declared attribute, as read_value() of value_of().
[[nodiscard]] std::optional<ir::Parameter> read_value(const HostAttribute& attribute, std::string_view text,
                                                      ValueFault& fault, NumberText numbers = NumberText::plain,
                                                      bool exact_booleans = false);

}  // namespace espalier::dialects
