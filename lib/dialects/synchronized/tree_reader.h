// One synchronized tree: from its file to IR, with the findings in this file.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/dialect.h"
#include "dialects/reading/parameters.h"
#include "ir/node_lists.h"
#include "ir/tree.h"

namespace espalier::dialects::synchronized {

// A ChildTree as it is written. Attributes that are missing or empty are false.
struct SlotUse {
  Span span;  // of the element's name
  Attribute slot;
  Attribute default_tree;
  Attribute accepts;
  Attribute budget;
  std::optional<std::uint32_t> budget_bytes;  // of a budget that can be read
  // False: a misspelt attribute is probably this one, so that nothing is known of it.
  bool knows_accepts = true;
  bool knows_budget = true;
};

// The value of an attribute that may be missing. It outlives the document.
class KeptValue {
 public:
  KeptValue() = default;
  explicit KeptValue(const Attribute& attribute)
      : is_there_(attribute), value_(attribute.value()), span_(attribute.value_span()) {}
  explicit operator bool() const { return is_there_; }
  [[nodiscard]] std::string_view value() const { return value_; }
  [[nodiscard]] Span value_span() const { return span_; }

 private:
  bool is_there_ = false;
  std::string value_;
  Span span_;
};

struct ReadTree {
  ir::Tree tree;  // of a faulty tree, the parts that could be read
  KeptValue name;
  Span span;  // of the root element's name
  bool has_errors = false;
  bool has_root = false;
  std::vector<SlotUse> uses;  // in file order, including misplaced ones
  text::Findings behavior;    // about what it does: of no use where it, or a tree that it uses, has errors
};

// What espalier.json declares.
struct Hosts {
  explicit Hosts(const Options& options);
  HostSet actions;
  HostSet conditions;
  std::shared_ptr<ir::Names> names = std::make_shared<ir::Names>();  // in the trees that a thread reads
};

// The caller does the checks that need other files.
[[nodiscard]] ReadTree read_tree(const File& file, Hosts& hosts, text::Findings& findings);

}  // namespace espalier::dialects::synchronized
