// Rows of an element table for a project's host declarations, so that they get the same checks and a place in the XSD.
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

// The row of a declaration and the data it points to. The declaration must outlive it. Not copyable: rows point into
// it.
class HostRow {
 public:
  // `groups` and `holds` are the dialect's groups that the element belongs to and may contain. `engine`: the one whose
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

// What a project declares, for its schemas: rows of new elements, and rows that replace those of a table. The
// declarations must outlive it.
class DeclaredRows {
 public:
  void add(const HostDeclaration& host, Groups groups, Groups holds, Engine engine = Engine::cryengine_5_6);
  // A node that is known but not declared: it may have any attributes with any values, and `content`.
  void add_known(const HostDeclaration& host, Groups groups, const Content& content);
  // Replaces the table's rows of `element`: the attribute, or with an empty name the text, must be one of `names`.
  void limit(const ElementTable& table, std::string_view element, std::string_view attribute,
             const std::vector<std::string_view>& names);

  [[nodiscard]] std::span<const ElementRow> rows() const { return rows_; }

 private:
  std::deque<HostRow> hosts_;
  std::deque<std::vector<AttributeRow>> attributes_;
  std::deque<std::vector<std::string_view>> words_;
  std::vector<ElementRow> rows_;
};

// The value of a declared attribute. `words` receives the allowed words and must outlive the result.
[[nodiscard]] Value value_of(const HostAttribute& attribute, std::vector<std::string_view>& words,
                             bool exact_booleans = false);

// Reads `text` as a value of a declared attribute, like read_value() with value_of().
[[nodiscard]] std::optional<ir::Parameter> read_value(const HostAttribute& attribute, std::string_view text,
                                                      ValueFault& fault, NumberText numbers = NumberText::plain,
                                                      bool exact_booleans = false);

}  // namespace espalier::dialects
