// One synchronized tree: from its file to IR, with everything that is wrong in it by itself.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialects/decider/old_attributes.h"
#include "dialects/dialect.h"
#include "dialects/decider/old_reporter.h"
#include "dialects/synchronized/elements.h"
#include "ir/tree.h"
#include "text/name_index.h"

namespace espalier::dialects::synchronized {

// A ChildTree as it is written. Attributes are false ones where they are missing or empty.
struct SlotUse {
  Span span;  // of the element's name
  Attribute slot;
  Attribute default_tree;
  Attribute accepts;
  Attribute budget;
  std::optional<std::uint32_t> budget_bytes;  // of a budget that can be read
};

struct ReadTree {
  ir::Tree tree;  // of a faulty one what could be understood
  Attribute name;
  Span span;  // of the root element's name
  bool has_errors = false;
  bool has_root = false;
  std::vector<SlotUse> uses;  // in the order of the file, misplaced ones too
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

  // What needs more than the one file is the caller's to see to. A reader reads one tree.
  [[nodiscard]] ReadTree read(const File& file);

 private:
  enum class Watch : std::uint8_t { none, monitor, role };  // role: of a group that a monitor may not have
  struct Place {
    bool is_in_role = false;
    Watch watch = Watch::none;  // what is below a monitor
    bool is_understood = true;  // false: it stands in an element that there is not
  };

  // tree_reader.cpp
  void read_root(const Element& element);
  ir::Node read_node(const Element& element, const ElementRow& row, const Place& place);
  ir::Node read_alone(const Element& element, const ElementRow& row, const Place& place);
  void read_children(const Element& element, const Place& place, ir::Node& parent);
  const ElementRow* report_unknown(const Element& element, const Element& parent, Opcode opcode);
  void read_misplaced(const Element& element);
  bool may_stand(const Element& element, Opcode opcode, const Element& parent_element, const ir::Node& parent,
                 const Place& place);
  void check_place(const Element& element, const ElementRow& row, const Place& place);
  void report_empty(const Element& element, Opcode opcode);
  void warn_of_text(const Element& element);

  // nodes.cpp
  void read_values(const Attributes& attributes, const Element& element, ir::Node& node);
  void read_repeat(const Attributes& attributes, ir::Node& node);
  ir::Limit read_gate(const Attributes& attributes, const Element& element);
  ir::Duration read_cooldown(const Attributes& attributes, const Element& element);
  ir::Group read_group(const Attributes& attributes);
  ir::ChildTree read_child_tree(const Attributes& attributes, const Element& element);
  void check_group(const Element& element, const ir::Node& group);
  void add_name(const Attribute& name);
  std::size_t read_word(const Attribute& attribute, const std::vector<std::string_view>& words);
  std::optional<std::uint32_t> read_number(const Attribute& attribute, std::uint32_t least, std::uint32_t most);
  Attribute filled_or_report(const Attribute& attribute);

  // hosts.cpp
  ir::Behavior read_host(const Attributes& attributes, Opcode opcode);
  void check_parameters(const Attributes& attributes, const HostDeclaration& host);

  ir::Storing& storing() { return result_.tree.as<ir::Storing>(); }

  const Options& options_;
  HostNames& host_names_;
  Reporter reporter_;
  ReadTree result_;
  Attribute crowd_;                              // how many agents the tree has at most
  std::unordered_map<std::string, Span> names_;  // of gates and groups
  std::size_t node_count_ = 0;
  std::size_t acting_count_ = 0;  // nodes that may be more than conditions
};

}  // namespace espalier::dialects::synchronized
