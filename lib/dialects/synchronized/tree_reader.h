// One synchronized tree: from its file to IR, with the findings in this file.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/dialect.h"
#include "dialects/reading/attributes.h"
#include "dialects/reading/name_table.h"
#include "dialects/synchronized/elements.h"
#include "ir/tree.h"
#include "text/name_index.h"

namespace espalier::dialects::synchronized {

// A ChildTree as it is written. Attributes that are missing or empty are false.
struct SlotUse {
  Span span;  // of the element's name
  Attribute slot;
  Attribute default_tree;
  Attribute accepts;
  Attribute budget;
  std::optional<std::uint32_t> budget_bytes;  // of a budget that can be read
};

struct ReadTree {
  ir::Tree tree;  // of a faulty tree, the parts that could be read
  Attribute name;
  Span span;  // of the root element's name
  bool has_errors = false;
  bool has_root = false;
  std::vector<SlotUse> uses;  // in file order, including misplaced ones
};

// The names of what espalier.json declares, for hints in all trees.
struct HostNames {
  explicit HostNames(const Options& options);
  text::NameIndex actions;
  text::NameIndex conditions;
};

class TreeReader {
 public:
  TreeReader(const Options& options, HostNames& host_names, text::Findings& findings)
      : options_(options), host_names_(host_names), reporter_(findings) {}

  // The caller does the checks that need other files. A reader reads only one tree.
  [[nodiscard]] ReadTree read(const File& file);

 private:
  enum class Watch : std::uint8_t { none, monitor, role };  // role: in a group that is not allowed below a monitor
  struct Place {
    bool is_in_role = false;
    bool is_in_gate = false;
    Watch watch = Watch::none;  // the rules for nodes below a monitor
    bool is_understood = true;  // false: in an unknown element
  };

  // tree_reader.cpp
  ir::Node read_node(const Element& element, const ElementRow& row, const Place& place);
  ir::Node read_alone(const Element& element, const ElementRow& row, const Place& place);
  void read_children(const Element& element, const ElementRow& row, const Place& place, ir::Node& parent);
  void read_misplaced(const Element& element);
  bool check_child(const Element& element, const ElementRow& row, const Element& parent_element,
                   const ElementRow& parent_row, const ir::Node& parent, const Place& place);
  void report_extra(const Element& element, const Element& parent_element, const ElementRow& parent_row,
                    const ir::Node& parent);
  void check_place(const Element& element, const ElementRow& row, const Place& place);
  void report_empty(const Element& element, const ElementRow& row);

  // nodes.cpp
  void read_values(const Attributes& attributes, const Element& element, ir::Node& node);
  void declare(const Attribute& name);
  ir::Limit read_gate(const Attributes& attributes, const Element& element);
  void read_each(const Attributes& attributes, const Element& element, ir::Node& node);
  ir::Duration read_cooldown(const Attributes& attributes, const Element& element);
  ir::Group read_group(const Attributes& attributes);
  ir::ChildTree read_child_tree(const Attributes& attributes, const Element& element);
  void check_group(const Element& element, const ir::Node& group);

  // hosts.cpp
  ir::Behavior read_host(const Attributes& attributes, Opcode opcode);

  ir::Storing& storing() { return result_.tree.as<ir::Storing>(); }

  const Options& options_;
  HostNames& host_names_;
  Reporter reporter_;
  ReadTree result_;
  Attribute crowd_;  // the greatest number of agents that have the tree
  NameTable names_{{"gate or group", Rule::SYN_duplicate_name, Rule::SYN_duplicate_name}};
  std::size_t node_count_ = 0;
  std::size_t gate_count_ = 0;
  std::size_t acting_count_ = 0;  // nodes that may be more than conditions
};

}  // namespace espalier::dialects::synchronized
