// Trees of rules: nothing waits; actions and conditions are the host's.
#include "explore/engine.h"
#include "codegen/dump/listing.h"
#include "explore/engines.h"
#include "explore/given.h"
#include "explore/run.h"
#include "runtime/asset/view.h"

namespace espalier::explore {
namespace {

void visit_rule_questions(const Tree& tree, const EngineRow::VisitQuestion& visit) {
  const Asset& asset = *tree.asset;
  for (std::uint32_t rule = 0; rule < rule_count(tree); ++rule) {
    const codegen::NodeView node = codegen::node_at(asset, rule_node(tree, rule));
    if (const std::uint32_t* behavior = codegen::operand(node, OperandKind::behavior)) {
      visit({.name = std::string(behavior_name(asset, *behavior)), .is_called = true}, *behavior, NodeAsks::behavior,
            node.word);
    }
    const std::uint32_t* query = codegen::operand(node, OperandKind::query);
    if (query == nullptr || *query == 0) continue;
    const layout::Query& asked = records<layout::Query>(asset, layout::SectionId::queries)[*query - 1];
    const auto* conditions = array<std::uint32_t>(asset, layout::SectionId::query_conditions) + asked.first_condition;
    for (std::uint32_t i = 0; i < asked.condition_count; ++i) {
      visit({.name = std::string(host_condition_name(asset, conditions[i])), .is_asked = true}, conditions[i],
            NodeAsks::condition, node.word);
    }
  }
}

void no_rule_waits(const Side&, const unsigned char*, const unsigned char*, std::vector<std::uint64_t>&) {}

void settle_rules(const Side& side, unsigned char* block, const unsigned char*, std::uint64_t, Settling&) {
  const std::uint32_t times = times_offset(side.tree);
  if (times != 0) std::memset(block + times, 0, layout::kTimesBytes);
}

bool is_bound_rule(const Call*) { return true; }

}  // namespace

constinit const EngineRow kRuleExploring = {
    .behavior = {.tick = Run::tick_action, .is_bound = is_bound_rule},
    .condition = {.ask = Run::ask_host},
    .questions = visit_rule_questions,
    .has_jumps = true,
    .inputs = read_parameters,
    .waits = no_rule_waits,
    .settle = settle_rules,
};

}  // namespace espalier::explore
