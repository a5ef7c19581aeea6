// Which rules a run reaches. See tracker.h.
#include <utility>

#include "codegen/dump/disassemble.h"
#include "explore/tracker.h"
#include "replay/names.h"

namespace espalier::explore {

Tracker track_rules(const Tree& tree) {
  Tracker tracker;
  for (std::uint32_t rule = 0; rule < rule_count(tree); ++rule) {
    const std::uint32_t word = rule_node(tree, rule);
    const codegen::NodeDebug debug = codegen::node_debug(*tree.asset, word);
    Item item{.kind = ItemKind::rule, .name = replay::rule_name(*tree.asset, word)};
    item.place = {std::string(debug.file), debug.line, debug.column};
    if (!rule_id(tree, rule).empty()) item.name = rule_id(tree, rule);
    tracker.items.push_back(std::move(item));
  }
  tracker.node = [](Moment& moment, const NodeStep& step) {
    if (step.kind == NodeStepKind::begin) moment.mark(step.value);
  };
  return tracker;
}

}  // namespace espalier::explore
