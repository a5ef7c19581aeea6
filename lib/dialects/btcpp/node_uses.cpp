// Uses of nodes. See node_uses.h.
#include "dialects/btcpp/node_uses.h"

#include <algorithm>

namespace espalier::dialects::btcpp {

NodeUses::NodeUses(const Packages& packages, const Summaries& summaries) {
  for (std::size_t file = 0; file < summaries.size(); ++file) {
    for (const NodeUse& use : summaries[file]->nodes) places_[{packages.of(file), use.name}].push_back({file, &use});
  }
}

std::span<const NodeUses::Place> NodeUses::places(std::size_t package, std::string_view node) const {
  const auto found = places_.find({package, node});
  return found == places_.end() ? std::span<const Place>() : found->second;
}

NodeUses::Uses NodeUses::of(std::size_t package, std::string_view node) const {
  Uses uses;
  for (const Place& place : places(package, node)) {
    if (uses.count == 0) uses.first = place.file;
    uses.count += place.use->count;
  }
  return uses;
}

NodeUses::Uses NodeUses::of(std::size_t package, std::string_view node, std::string_view port) const {
  Uses uses;
  for (const Place& place : places(package, node)) {
    const PortUse* const own = place.use->find(port);
    if (own == nullptr) continue;
    if (uses.count == 0) uses.first = place.file;
    uses.count += own->count;
  }
  return uses;
}

}  // namespace espalier::dialects::btcpp
