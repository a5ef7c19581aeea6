// Which nodes files use: to recognise the trees of a framework, and to declare what nobody declares.
#pragma once
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialects/btcpp/poll.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects::btcpp {

// Other robots have nodes such as 'Wait' too: so many nodes of a framework make trees its own.
inline constexpr std::size_t kFewestOfFramework = 2;

// The nodes of a framework, of which files are asked whether they use them: of Nav2, whose controls and decorators are
// known anyway.
class Framework {
 public:
  // `nodes` must outlive this.
  explicit Framework(const std::vector<Declaration>& nodes);

  // Adds its nodes in the trees and models of a file, with no other ports than they have, until there are enough.
  void look(const Element& root, std::set<std::string_view>& used) const;
  // Are these enough to show that trees are the framework's?
  [[nodiscard]] static bool is_used(const std::set<std::string_view>& used) {
    return used.size() >= kFewestOfFramework;
  }
  [[nodiscard]] const std::vector<Declaration>& nodes() const { return nodes_; }
  [[nodiscard]] std::vector<std::string_view> names() const;
  // Null: it has no such node.
  [[nodiscard]] const Declaration* find(std::string_view node) const {
    const auto found = by_name_.find(node);
    return found == by_name_.end() ? nullptr : found->second;
  }

 private:
  const std::vector<Declaration>& nodes_;
  std::unordered_map<std::string_view, const Declaration*> by_name_;
};

// The attributes of an element that are ports of its node, by their names.
[[nodiscard]] std::vector<std::string_view> ports_of(const Element& element);

// Adds the nodes in the trees of a file that `nodes` does not have, with the ports that they are given, which are of
// any type and direction. What is rather a fault is left out: names that cannot be a node's, or that are nearly a known
// one.
void find_undeclared(const Element& root, const Declarations& nodes,
                     std::map<std::string, Declaration, std::less<>>& undeclared);

}  // namespace espalier::dialects::btcpp
