// The conditions of a project as its files have them. An asset keeps what a condition tests, not how it was written.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "codegen/dump/disassemble.h"
#include "ir/tree.h"
#include "text/source.h"

namespace espalier::codegen {

class WrittenConditions {
 public:
  // Nothing is looked for before the first question; both must outlive this.
  WrittenConditions(const ir::Project& project, const text::Sources& sources) : project_(project), sources_(sources) {}

  // Of the node at this place, or of a transition of that state. Empty: not known.
  [[nodiscard]] std::string of(const NodeDebug& place, std::int32_t transition);

 private:
  using ConditionKey = std::tuple<std::string_view, std::uint32_t, std::uint32_t, std::int32_t>;  // file, line, column
  void find_all();
  void add_all(const ir::Tree& tree, const ir::Node& node);
  void add(const ir::Node& node, const ir::Condition& condition, std::int32_t transition);

  const ir::Project& project_;
  const text::Sources& sources_;
  bool is_found_ = false;
  std::map<ConditionKey, std::string> texts_;
};

}  // namespace espalier::codegen
