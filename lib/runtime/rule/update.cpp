// Updates of agents of trees of rules. Most only call an action that goes on: see PreparedRules::resume().
#include "core/check.h"
#include "core/resume.h"
#include "format/node.h"
#include "format/opcodes/rule.h"
#include "rule/rule.h"

namespace espalier {
namespace {

// The private members of a prepared tree of rules.
class PreparedRules {
 public:
  // `prepared` must outlive this.
  explicit PreparedRules(const Prepared& prepared) : prepared_(prepared) {}

  static void prepare(const Tree& view, Prepared* prepared) {
    const RuleTree tree(view);
    const layout::Unit& unit = unit_record(tree.asset, tree.instance(0).unit);
    prepared->internal[kFirstNode] = tree.nodes + unit.first_word;
    prepared->internal[kNodeWords] = node_words_of(tree.asset, unit);
    prepared->internal[kTimedBehaviors] = array<std::uint32_t>(tree.asset, layout::SectionId::timed_behaviors);
    prepared->internal_numbers[kFirstWord] = unit.first_word;
    prepared->internal_numbers[kRuleCount] = tree.record.instance_count == 1 ? tree.record.rule_count : 0;
  }

  // Calls the action that is the current rule, if all that an update does is to call it, and to go on if it is not
  // running: it was running, has no conditions, keeps no times, is in the tree's own file, and the host has a `tick`
  // and no `is_bound` for it. See update_each().
  Resumed resume(unsigned char* agent, const Behavior* behaviors, HostCaller& caller, Result* answer) const {
    static_assert(ESPALIER_RUNNING == 0);  // the last status
    unsigned char& status = agent[RuleAgent::kStatusOffset];
    const std::uint32_t rule = load_u16(agent);
    if ((status & kNotRunning) != 0 || rule >= number(kRuleCount)) return Resumed::nothing;
    const std::uint32_t word = words(kNodeWords)[rule + 1];
    const std::uint32_t* node = words(kFirstNode) + word;
    if (opcode_of(node) != opcode::rule_action || operand<OperandKind::query, opcode::rule_action>(node) != 0)
      return Resumed::nothing;
    const std::uint32_t behavior = operand<OperandKind::behavior, opcode::rule_action>(node);
    if (words(kTimedBehaviors) != nullptr && words(kTimedBehaviors)[behavior] != 0) return Resumed::nothing;
    const Behavior& functions = behaviors[behavior];
    if (functions.tick == nullptr || functions.is_bound != nullptr) return Resumed::nothing;
    status = static_cast<unsigned char>(status | layout::kInCall);
    *answer = caller.plain_behavior(functions, behavior, number(kFirstWord) + word).ticked();
    if (*answer != Result::running || load_u16(agent) != rule) return Resumed::ended;
    status = static_cast<unsigned char>(status & ~(kNotRunning | layout::kInCall));
    return Resumed::goes_on;
  }

 private:
  static constexpr unsigned kNotRunning = layout::kLastStatus | layout::kFirstRun | layout::kRuleStopped;

  enum Pointer : std::uint8_t { kFirstNode, kNodeWords, kTimedBehaviors };
  // The first two are those of trees that select.
  enum Number : std::uint8_t { kFirstWord = 2, kRuleCount };

  std::uint32_t number(Number which) const { return prepared_.internal_numbers[which]; }
  const std::uint32_t* words(Pointer which) const {
    return static_cast<const std::uint32_t*>(prepared_.internal[which]);
  }

  const Prepared& prepared_;
};

espalier_result update_prepared(const Prepared* prepared, void* block, const Host* host) {
  if (!Check("espalier_update_prepared").agent(prepared->tree, block).host(host)) return Result::error;
  if (host->behaviors != nullptr) {
    HostCaller caller(prepared->tree, block, *host);
    Result answer = Result::running;
    const Resumed resumed =
        PreparedRules(*prepared).resume(static_cast<unsigned char*>(block), host->behaviors, caller, &answer);
    if (resumed == Resumed::goes_on) return Result::running;
    if (resumed == Resumed::ended) return run_rules_after(caller.call(), answer);
  }
  return run_rules(prepared->tree, block, *host, nullptr);
}

}  // namespace

void prepare_rules(const Tree& view, Prepared* prepared) {
  PreparedRules::prepare(view, prepared);
  prepared->internal_evaluate = update_prepared;
}

Result update_rules(const Tree& view, const Batch& agents, const Watcher* watcher) {
  Prepared prepared;
  prepare_rules(view, &prepared);
  const PreparedRules own(prepared);
  const auto resume = [&own](unsigned char* agent, const Behavior* behaviors, HostCaller& caller, Result* answer) {
    return own.resume(agent, behaviors, caller, answer);
  };
  const auto walk = [&](unsigned char* agent, const HostCaller& caller, Resumed resumed, Result answer) {
    return resumed == Resumed::ended ? run_rules_after(caller.call(), answer)
                                     : run_rules(view, agent, caller.host(), watcher);
  };
  HostCaller own_caller(view, nullptr, agents.host());
  return update_each(agents, watcher, own_caller, resume, walk);
}

}  // namespace espalier
