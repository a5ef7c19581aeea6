// Which nodes files use: to recognise the trees of a framework, and to declare what nobody declares.
#pragma once
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "dialects/btcpp/nodes.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects::btcpp {

// Other robots have nodes such as 'Wait' too: so many nodes of a framework make trees its own.
inline constexpr std::size_t kFewestOfFramework = 2;

// Adds the names of those of the framework's nodes that the trees or models of a file have, with no other ports.
void find_used(const Element& root, std::span<const Declaration> framework, std::set<std::string_view>& used);

// Adds the nodes in the trees of a file that `nodes` does not have: with the ports that they are given, which are of
// any type and direction.
void find_undeclared(const Element& root, const Nodes& nodes,
                     std::map<std::string, Declaration, std::less<>>& undeclared);

}  // namespace espalier::dialects::btcpp
