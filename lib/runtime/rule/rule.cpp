// Agents of trees of rules: the current rule and its id, jumping, saving a position.
#include "rule/rule.h"
#include "core/check.h"
#include "core/recorded.h"
#include "format/opcodes/rule.h"

namespace espalier {
namespace {

// Some functions of the interface only read a block.
RuleAgent agent_of(const RuleTree& tree, const void* block) { return {tree, const_cast<void*>(block)}; }

void interrupt_running(const Tree& view, const RuleTree& tree, void* block, const Host& host) {
  const RuleAgent agent(tree, block);
  if (!agent.has(layout::kInCall) && agent.is_running()) {
    RuleHost(view, tree, block, host).interrupt(tree.rule(agent.current()));
  }
}

// Can an agent continue at the other rule? True if it is the same kind of rule, with the same action.
bool means_the_same(const RuleTree& a, const Rule& in_a, const RuleTree& b, const Rule& in_b) {
  if (in_a.opcode() != in_b.opcode()) return false;
  return in_a.opcode() != opcode::rule_action ||
         behavior_name(a.asset, in_a.behavior()) == behavior_name(b.asset, in_b.behavior());
}

// The times of a rule, as of the current one. Only actions keep them.
Times times_of(const Tree& view, void* block, const Rule& rule) {
  return rule.opcode() == opcode::rule_action ? times_of_current(view, block, rule.behavior()) : Times(nullptr);
}

}  // namespace

bool is_rule_agent_stopped(const Tree& view, const void* block) {
  return agent_of(RuleTree(view), block).has(layout::kRuleStopped);
}

void stop_rules(const Tree& view, void* block, const Host& host) {
  interrupt_running(view, RuleTree(view), block, host);
  start(view, block);
}

// Any block is safe: if the current rule does not exist, RuleAgent uses the first one.
bool check_rules(const Tree& view, const void* block, const void*) {
  const std::uint32_t rule = load_u16(static_cast<const unsigned char*>(block));
  const std::uint32_t rule_count = rule_tree_record(view).rule_count;
  return rule_count > 0 ? rule < rule_count : rule == layout::kNoRule;
}

// Visits the parents of the current rule first, from the root. Parents are not stored, so each is found by walking up.
void visit_rules(const Tree& view, const void* block, void (*visit)(void* user, std::uint32_t node_word), void* user) {
  const RuleTree tree(view);
  const std::uint32_t current = agent_of(tree, block).current();
  if (current == kNoRule) return;
  std::uint32_t depth = 0;
  for (Rule rule = tree.rule(current); (rule = tree.parent(rule)).number != kNoRule;) ++depth;
  for (;; --depth) {
    Rule rule = tree.rule(current);
    for (std::uint32_t i = 0; i < depth; ++i) rule = tree.parent(rule);
    visit(user, tree.word_of(rule));
    if (depth == 0) return;
  }
}

// Finds the current rule by its id; the root also without an id.
void move_rules(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                const Host& to_host) {
  const RuleTree old_tree(from);
  const RuleTree new_tree(to);
  const RuleAgent old_agent(old_tree, from_block);
  const RuleAgent agent(new_tree, to_block);
  const std::uint32_t old_rule = old_agent.current();
  std::uint32_t rule = kNoRule;
  if (old_rule != kNoRule && find_rule(to, rule_id(from, old_rule), &rule) != Status::ok && old_rule == 0) {
    rule = new_tree.record.rule_count > 0 ? 0 : kNoRule;
  }
  const bool is_same =
      rule != kNoRule && means_the_same(old_tree, old_tree.rule(old_rule), new_tree, new_tree.rule(rule));
  if (!is_same) interrupt_running(from, old_tree, from_block, from_host);
  agent.set_last_status(old_agent.last_status());
  if (rule == kNoRule) return;
  agent.set_current(rule);
  constexpr unsigned kKept = layout::kRuleStopped | layout::kHasRunAway;
  agent.set(kKept, old_agent.status() & kKept);
  if (!is_same) return;
  agent.set(layout::kFirstRun, old_agent.status() & layout::kFirstRun);
  times_of(to, to_block, new_tree.rule(rule))
      .move_from(times_of(from, from_block, old_tree.rule(old_rule)), to_host.clock_us);
}

namespace {

constexpr Engine kReloadEngine = with_move(kRuleRow, move_rules);

}  // namespace

}  // namespace espalier

using namespace espalier;

uint32_t espalier_run_limit(espalier_tree tree) {
  if (!Check(__func__).tree_of(tree, EngineId::rule)) return 0;
  return rule_tree_record(tree).run_limit;
}

uint32_t espalier_current_rule(espalier_tree view, const void* block) {
  if (!Check(__func__).block(view, block)) return kNoRule;
  return is_rule_tree(view) ? agent_of(RuleTree(view), block).current() : kNoRule;
}

uint32_t espalier_rule_node(espalier_tree view, uint32_t rule) {
  if (!Check(__func__).id(view, ESPALIER_RULES, rule)) return 0;
  const RuleTree tree(view);
  return tree.word_of(tree.rule(rule));
}

uint32_t espalier_rule_parent(espalier_tree view, uint32_t rule) {
  if (!Check(__func__).id(view, ESPALIER_RULES, rule)) return kNoRule;
  const RuleTree tree(view);
  return tree.parent(tree.rule(rule)).number;
}

bool espalier_is_action_running(espalier_tree view, const void* block) {
  if (!Check(__func__).block(view, block)) return false;
  return is_rule_tree(view) && agent_of(RuleTree(view), block).is_running();
}

bool espalier_has_run_away(espalier_tree view, const void* block) {
  if (!Check(__func__).block(view, block)) return false;
  return is_rule_tree(view) && agent_of(RuleTree(view), block).has(layout::kHasRunAway);
}

namespace {

void jump(espalier_tree view, void* block, uint32_t rule, const espalier_host* host) {
  const RuleTree tree(view);
  interrupt_running(view, tree, block, *host);
  const RuleAgent agent(tree, block);
  agent.set(layout::kRuleStopped | layout::kHasRunAway, 0);
  const std::uint32_t target = rule != kNoRule || tree.record.rule_count == 0 ? rule : 0;
  agent.set_current(target);
  if (target != kNoRule) times_of(view, block, tree.rule(target)).begin(host->clock_us);
}

}  // namespace

void espalier_jump(espalier_tree view, void* block, uint32_t rule, const espalier_host* host) {
  if (!Check(__func__).tree_of(view, EngineId::rule).block(view, block).host(host)) return;
  if (rule != kNoRule && !Check(__func__).id(view, ESPALIER_RULES, rule)) return;
  if (host->recorder != nullptr) return host->recorder->calls->jump(view, block, rule, host, jump);
  jump(view, block, rule, host);
}

espalier_status espalier_save_position(espalier_tree view, const void* block, espalier_position* position) {
  if (!Check(__func__).tree_of(view, EngineId::rule).block(view, block)) return ESPALIER_NO_ID;
  const RuleTree tree(view);
  const RuleAgent agent = agent_of(tree, block);
  const std::uint32_t rule = agent.current();
  const char* id = rule == kNoRule ? "" : espalier_rule_id(view, rule);
  if (id[0] == '\0') return ESPALIER_NO_ID;
  *position = {id, agent.has(layout::kFirstRun), agent.has(layout::kRuleStopped), agent.last_status()};
  return ESPALIER_OK;
}

espalier_status espalier_restore_position(espalier_tree view, void* block, const espalier_position* position) {
  if (!Check(__func__).tree_of(view, EngineId::rule).block(view, block).given(position, "the position is null"))
    return ESPALIER_NOT_FOUND;
  std::uint32_t rule = 0;
  const Status found = find_rule(view, position->id, &rule);
  if (found != Status::ok) return found;
  const RuleTree tree(view);
  const RuleAgent agent(tree, block);
  agent.set_current(rule);
  agent.set_last_status(position->status);
  times_of(view, block, tree.rule(rule)).forget();
  agent.set(layout::kFirstRun | layout::kRuleStopped | layout::kHasRunAway,
            (position->is_first_run ? layout::kFirstRun : 0) | (position->is_stopped ? layout::kRuleStopped : 0));
  return ESPALIER_OK;
}

const espalier_engine* espalier_rule_reload_engine(void) { return &espalier::kReloadEngine; }
