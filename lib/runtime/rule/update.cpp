// Updates of agents of trees of rules. Most only call an action that goes on: see PreparedRules::resumable_action().
#include "core/check.h"
#include "format/node.h"
#include "rule/rule.h"

namespace espalier {
namespace {

// The private members of a prepared tree of rules.
class PreparedRules {
 public:
  explicit PreparedRules(const Prepared& prepared)
      : nodes_(static_cast<const std::uint32_t*>(prepared.internal[kNodes])),
        node_words_(static_cast<const std::uint32_t*>(prepared.internal[kNodeWords])),
        timed_behaviors_(static_cast<const std::uint32_t*>(prepared.internal[kTimedBehaviors])),
        first_word_(prepared.internal_numbers[kFirstWord]),
        rule_count_(prepared.internal_numbers[kRuleCount]) {}

  static void prepare(const Tree& view, Prepared* prepared) {
    const RuleTree tree(view);
    const layout::Unit& unit = unit_record(tree.asset, tree.instance(0).unit);
    prepared->internal[kNodes] = tree.nodes;
    prepared->internal[kNodeWords] = node_words_of(tree.asset, unit);
    prepared->internal[kTimedBehaviors] = array<std::uint32_t>(tree.asset, layout::SectionId::timed_behaviors);
    prepared->internal_numbers[kFirstWord] = unit.first_word;
    prepared->internal_numbers[kRuleCount] = tree.record.instance_count == 1 ? tree.record.rule_count : 0;
  }

  // The action that is the current rule, if all that an update does is to call it, and to go on if it is not running:
  // it was running, has no conditions, keeps no times, is in the tree's own file, and the host has a `tick` and no
  // `is_bound` for it. Else null.
  const std::uint32_t* resumable_action(const unsigned char* agent, const Behavior* behaviors) const {
    static_assert(ESPALIER_RUNNING == 0);  // the last status
    const std::uint32_t rule = load_u16(agent);
    if ((agent[RuleAgent::kStatusOffset] & kNotRunning) != 0 || rule >= rule_count_ || behaviors == nullptr)
      return nullptr;
    const std::uint32_t* node = nodes_ + first_word_ + node_words_[rule + 1];
    if (opcode_of(node) != Opcode::rule_action || operand<OperandKind::query, Opcode::rule_action>(node) != 0)
      return nullptr;
    const std::uint32_t behavior = behavior_of(node);
    if (timed_behaviors_ != nullptr && timed_behaviors_[behavior] != 0) return nullptr;
    return behaviors[behavior].tick == nullptr || behaviors[behavior].is_bound != nullptr ? nullptr : node;
  }

  // Calls the action, which is the current rule. True: it goes on.
  bool call(const std::uint32_t* action, unsigned char* agent, const Behavior* behaviors, HostCaller& caller,
            Result* answer) const {
    const std::uint32_t behavior = behavior_of(action);
    const std::uint32_t rule = load_u16(agent);
    unsigned char& status = agent[RuleAgent::kStatusOffset];
    status = static_cast<unsigned char>(status | layout::kInCall);
    *answer = caller.plain_behavior(behaviors[behavior], behavior, static_cast<std::uint32_t>(action - nodes_))
                  .tick(Result::failure);
    if (*answer != Result::running || load_u16(agent) != rule) return false;
    status = static_cast<unsigned char>(status & ~(kNotRunning | layout::kInCall));
    return true;
  }
  std::uint32_t rule_of(const std::uint32_t* action) const { return node_number(action) - 1; }

 private:
  static constexpr unsigned kNotRunning = layout::kLastStatus | layout::kFirstRun | layout::kRuleStopped;

  enum Pointer : std::uint8_t { kNodes, kNodeWords, kTimedBehaviors };
  // The first two are those of trees that select.
  enum Number : std::uint8_t { kFirstWord = 2, kRuleCount };

  static std::uint32_t behavior_of(const std::uint32_t* action) {
    return operand<OperandKind::behavior, Opcode::rule_action>(action);
  }

  const std::uint32_t* const nodes_;
  const std::uint32_t* const node_words_;
  const std::uint32_t* const timed_behaviors_;
  const std::uint32_t first_word_;
  const std::uint32_t rule_count_;
};

espalier_result update_prepared(const Prepared* prepared, void* block, const Host* host) {
  if (!Check("espalier_update_prepared").agent(prepared->tree, block).host(host)) return Result::error;
  const PreparedRules own(*prepared);
  auto* agent = static_cast<unsigned char*>(block);
  const std::uint32_t* action = own.resumable_action(agent, host->behaviors);
  if (action == nullptr) return run_rules(prepared->tree, agent, *host, nullptr, kNoRule, Result::running);
  HostCaller caller(prepared->tree, block, *host);
  Result answer = Result::running;
  if (own.call(action, agent, host->behaviors, caller, &answer)) return Result::running;
  return run_rules(prepared->tree, agent, *host, nullptr, own.rule_of(action), answer);
}

}  // namespace

void prepare_rules(const Tree& view, Prepared* prepared) {
  PreparedRules::prepare(view, prepared);
  prepared->internal_evaluate = update_prepared;
}

Result update_rules(const Tree& view, const Batch& batch, const Watcher* watcher) {
  Prepared prepared;
  PreparedRules::prepare(view, &prepared);
  const PreparedRules own(prepared);
  const Batch agents = batch;  // the compiler knows that the host's calls do not change it
  HostCaller caller(view, nullptr, agents.host());
  Result result = Result::running;
  for (std::size_t i = 0; i < agents.count(); ++i) {
    unsigned char* agent = agents.block(i);
    const Host& host = agents.host(i);
    const std::uint32_t* action = watcher == nullptr ? own.resumable_action(agent, host.behaviors) : nullptr;
    if (action != nullptr) {
      caller.look_at(agent, host.first_agent);
      if (own.call(action, agent, host.behaviors, caller, &result)) continue;
    }
    result = run_rules(view, agent, host, watcher, action == nullptr ? kNoRule : own.rule_of(action), result);
  }
  return result;
}

}  // namespace espalier
