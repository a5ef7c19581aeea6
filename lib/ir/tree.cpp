// What nodes call. See tree.h.
#include "ir/tree.h"

#include "runtime/format/opcode.h"

namespace espalier::ir {

std::string_view behavior_of(const Node& node) {
  if (const auto* leaf = node.as_if<Leaf>()) return leaf->behavior;
  if (const auto* rule = node.as_if<Rule>()) return rule->behavior;
  if (const auto* place = node.as_if<PlacedDecider>()) return place->decider->behavior;
  if (const auto* polled = node.as_if<PolledNode>()) {
    return polled->is_condition ? std::string_view() : std::string_view(polled->host);
  }
  const auto* behavior = node.as_if<Behavior>();
  return behavior != nullptr && node.opcode != Opcode::store_condition ? behavior->name : std::string_view();
}

}  // namespace espalier::ir
