// What other files can see of a file: its trees and which others they use, its models and includes. The findings in all
// files depend on the summaries of all, and on the whole of only those files whose trees are connected.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/btcpp/models.h"
#include "dialects/btcpp/used_nodes.h"
#include "dialects/dialect.h"
#include "text/source.h"
#include "text/xml.h"

namespace espalier::dialects::btcpp {

// A SubTree in a tree.
struct TreeReference {
  std::string name;                 // of the tree that is used
  text::Span span;                  // of the element
  text::Span id_span;               // of the name
  std::optional<std::string> path;  // of the instance, in a tree that the library has written
};

struct TreeSummary {
  std::string name;                       // empty: it has none
  text::Span span;                        // of the name, or of the element
  std::vector<TreeReference> references;  // in the order of elements
  // What the library publishes and logs of a running tree has one BehaviorTree an instance, with the path of that.
  std::optional<std::string> path;
  bool is_misspelt = false;  // its element is
};

struct IncludeSummary {
  std::string path;  // empty: there is none
  text::Span path_span;
  std::optional<std::string> package;
  text::Span package_span;
  text::Span span;  // of the element
};

struct PortUse {
  std::string name;
  std::uint32_t count = 0;  // of elements
  friend bool operator==(const PortUse&, const PortUse&) = default;
};

// How the trees of a file use a node that the library does not have.
struct NodeUse {
  std::string name;
  std::uint32_t count = 0;     // of elements
  std::vector<PortUse> ports;  // that attributes are given for, sorted
  friend bool operator==(const NodeUse&, const NodeUse&) = default;

  [[nodiscard]] const PortUse* find(std::string_view port) const;
};

struct FileSummary {
  std::string format;               // "4", as the root element says; empty: it does not
  bool is_of_format_3 = false;      // it has what only that has, and says no other one
  bool is_of_fork = false;          // it has what only MoveIt Pro's editor writes
  std::optional<std::string> main;  // the tree that the root element names
  text::Span main_span;
  std::vector<TreeSummary> trees;
  std::vector<IncludeSummary> includes;
  Models models;
  std::vector<NodeUse> nodes;        // that its trees use and the library does not have, sorted
  std::vector<std::string> of_nav2;  // Nav2's nodes among them: as many as show that the trees are its own
  // Equal texts: everything but references, nodes that are used and places is equal.
  std::string declared;
};

using Summaries = std::vector<std::shared_ptr<const FileSummary>>;

// `nav2`: null: it is not known.
[[nodiscard]] std::shared_ptr<const FileSummary> summarize(const text::XmlDocument& document, const Framework* nav2);

// That of a file, if it has one; null: it has none.
[[nodiscard]] std::shared_ptr<const FileSummary> summary_of(const File& file);

// Those that files have, and those of the documents of others.
[[nodiscard]] Summaries summaries_of(std::span<const File> files, const Framework* nav2);

}  // namespace espalier::dialects::btcpp
