// The rows of elements as a project sees them: those of a dialect's table, and of what the project declares.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "dialects/dialect.h"
#include "editor/context.h"

namespace espalier::editor {

class Rows {
 public:
  Rows(const dialects::Dialect& dialect, const dialects::Options& options);

  [[nodiscard]] const dialects::ElementTable& table() const { return table_; }
  // The row of an element with these elements around it, from the outside; null if it is not known.
  [[nodiscard]] const dialects::ElementRow* find(const std::vector<std::string_view>& around,
                                                 std::string_view element) const;
  // The rows that the innermost of these elements can hold.
  [[nodiscard]] std::vector<const dialects::ElementRow*> inside(const std::vector<std::string_view>& around) const;
  // Its attributes: of the row, those that all nodes have, and the parameters of the action or condition that it names.
  [[nodiscard]] std::vector<const dialects::AttributeRow*> attributes(
      const dialects::ElementRow& row, const std::vector<WrittenAttribute>& written) const;
  [[nodiscard]] const dialects::AttributeRow* attribute(const dialects::ElementRow& row,
                                                        const std::vector<WrittenAttribute>& written,
                                                        std::string_view name) const;
  // The hosts that a name of this kind can be of.
  [[nodiscard]] std::vector<const dialects::HostDeclaration*> hosts(NameKind kind) const;
  // The declaration of a node by its element, or by the name that this gives it; null: it is none of a host.
  [[nodiscard]] const dialects::HostDeclaration* host(const std::vector<std::string_view>& around,
                                                      std::string_view element,
                                                      const std::vector<WrittenAttribute>& written) const;
  // The declared names of this kind of which nothing else is known.
  [[nodiscard]] std::vector<std::string_view> names(NameKind kind) const;

 private:
  [[nodiscard]] const dialects::ElementRow* declared(std::string_view element) const;
  [[nodiscard]] const dialects::HostDeclaration* named_host(const dialects::ElementRow& row,
                                                            const std::vector<WrittenAttribute>& written) const;
  const dialects::ElementTable& table_;
  const dialects::Options& options_;
  dialects::DeclaredRows declared_;
  std::vector<dialects::DeclaredNames> names_;
  mutable std::vector<std::unique_ptr<dialects::HostRow>> parameters_;
};

}  // namespace espalier::editor
