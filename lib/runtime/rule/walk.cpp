// One update of an agent of rules: the current rule is run, and then its parents, until one answers
// running. The rules are those of the Drag[en]gine's behaviour trees.
#include "core/watch.h"
#include "format/node.h"
#include "format/opcodes/rule.h"
#include "rule/rule.h"

namespace espalier {
namespace {

class RuleRun {
 public:
  RuleRun(const Tree& view, const RuleTree& tree, void* block, const Host& host, const Watcher* watcher)
      : tree_(tree), agent_(tree, block), host_(view, tree, block, host), watcher_(watcher) {}

  Result update() {
    if (agent_.has(layout::kRuleStopped)) return Result::stopped;
    if (agent_.current() == kNoRule) return end(Result::failure, layout::kRuleStopped);
    const Rule rule = tree_.rule(agent_.current());
    return climb(rule, watched(rule, [&] { return run(rule); }));
  }

  // Ends an update that has called the current rule, an action: see run_rules_after().
  Result update_after(std::uint32_t called, Result answer) {
    const Rule action = tree_.rule(called);
    return climb(action, end_action(agent_, action, host_.behavior(action, Times(nullptr)), Times(nullptr), answer));
  }

 private:
  // The current rule was run, and has this result.
  Result climb(Rule rule, Result result) {
    std::uint32_t runs = 0;
    for (;;) {
      if (watcher_ == nullptr) result = pass_plain(&rule, result, &runs);
      if (result == Result::running) return end(result, 0);
      if (++runs >= tree_.record.run_limit) return run_away();
      while (agent_.current() == rule.number) {
        const Rule child = rule;
        rule = tree_.parent(child);
        if (rule.number == kNoRule) return end(result, result == Result::failure ? layout::kRuleStopped : 0);
        result = watched(rule, [&] { return go_on(rule, child, result); });
        if (++runs >= tree_.record.run_limit) return run_away();
      }
      const std::uint32_t current = agent_.current();
      rule = current == turned_.number ? turned_ : tree_.rule(current);
      result = watched(rule, [&] { return run(rule); });
    }
  }

  // What run() and go_on() do where a list without conditions turns from one action to the next, and that one has no
  // conditions and keeps no times: begins with a rule that has this result, and ends with the last one that was run.
  Result pass_plain(Rule* rule, Result result, std::uint32_t* runs) {
    const Behavior* const behaviors = host_.behaviors();
    const std::uint32_t* const list = parent_of(rule->node);
    if (behaviors == nullptr || is_root(list) || has_query(list)) return result;
    const std::uint32_t* const end = end_of(list);
    const Result goes_on = opcode_of(list) == opcode::rule_choice ? Result::failure : Result::success;
    const auto* const timed = array<std::uint32_t>(tree_.asset, layout::SectionId::timed_behaviors);
    const std::uint32_t* const nodes = tree_.nodes;
    const std::uint32_t before_first = rule->instance->first_rule - 1;
    const std::uint32_t run_limit = tree_.record.run_limit;
    const RuleAgent agent = agent_;
    Rule action = *rule;
    const std::uint32_t* next = end_of(action.node);
    host_.forget_memory();
    while (result == goes_on && next != end && agent.is_current(action.number) && *runs + 2 < run_limit) {
      if (opcode_of(next) != opcode::rule_action || has_query(next)) break;
      const std::uint32_t behavior = operand<OperandKind::behavior, opcode::rule_action>(next);
      const Behavior& functions = behaviors[behavior];
      if ((timed != nullptr && timed[behavior] != 0) || functions.tick == nullptr || functions.is_bound != nullptr)
        break;
      *runs += 2;
      action.number = before_first + node_number(next);
      action.node = next;
      agent.begin_call(action.number);
      const BoundBehavior bound = host_.plain_behavior(functions, behavior, static_cast<std::uint32_t>(next - nodes));
      bound.enter();
      result = end_action(agent, action, bound, Times(nullptr), bound.ticked());
      next += own_words<opcode::rule_action>();
    }
    *rule = action;
    return result;
  }

  template <typename Run>
  Result watched(const Rule& rule, const Run& run) const {
    const std::uint32_t word = tree_.word_of(rule);
    tell_node(watcher_, NodeStepKind::begin, word, rule.number);
    const Result result = run();
    tell_node(watcher_, NodeStepKind::complete, word, static_cast<std::uint32_t>(result));
    return result;
  }

  Result end(Result result, unsigned stopped) const {
    agent_.set_last_status(result);
    agent_.set(layout::kRuleStopped, stopped);
    return result;
  }
  Result run_away() const { return end(Result::failure, layout::kRuleStopped | layout::kHasRunAway); }

  static Result failing(const Rule& rule) { return rule.has(kDoesNotFail) ? Result::success : Result::failure; }

  // Of a list or an action.
  static bool has_query(const std::uint32_t* node) {
    return operand<OperandKind::query, opcode::rule_sequence, opcode::rule_choice, opcode::rule_action>(node) != 0;
  }

  // Asks the conditions in order, until the result is known.
  bool holds(const Rule& rule) {
    const layout::Query* query = tree_.query(rule);
    if (query == nullptr || query->condition_count == 0) return true;
    const auto mode = static_cast<layout::QueryMode>(query->mode);
    const bool stops_at = mode == layout::QueryMode::any_true || mode == layout::QueryMode::all_false;
    const bool when_stopped = mode == layout::QueryMode::any_true || mode == layout::QueryMode::any_false;
    const std::uint32_t* query_conditions =
        array<std::uint32_t>(tree_.asset, layout::SectionId::query_conditions) + query->first_condition;
    for (std::uint32_t i = 0; i < query->condition_count; ++i) {
      if (host_.ask(rule, query_conditions[i]) == stops_at) return when_stopped;
    }
    return !when_stopped;
  }

  // The current rule.
  Result run(const Rule& rule) {
    switch (rule.opcode()) {
      case opcode::rule_action:
        return run_action(rule);
      case opcode::rule_result: {
        const auto result = static_cast<Result>(flags_of(rule.node));
        return result == Result::failure || holds(rule) ? result : Result::failure;
      }
      case opcode::rule_yield:
        if (!holds(rule)) return Result::failure;
        if (!agent_.has(layout::kFirstRun)) return Result::success;
        agent_.set(layout::kFirstRun, 0);
        return Result::running;
      default: {
        const Rule first = tree_.first_child(rule);
        if (first.number == kNoRule || !holds(rule)) return failing(rule);
        return turn(first);
      }
    }
  }

  Result run_action(const Rule& action) {
    const bool is_first = agent_.has(layout::kFirstRun);
    const bool was_running = !is_first && agent_.last_status() == Result::running;
    const Times times = host_.times(action);
    if (is_first) times.begin(host_.clock_us());  // one that was jumped to in a call has begun there
    const BoundBehavior bound = host_.behavior(action, times);
    bool runs = bound.has_tick() && bound.is_bound();
    if (runs && tree_.query(action) != nullptr) {
      runs = holds(action);
      host_.behavior(action, times);  // the call that `bound` refers to was that of the conditions
    }
    if (!runs) {
      if (was_running) bound.interrupt_or_leave();
      return failing(action);
    }
    agent_.set(0, layout::kInCall);
    if (is_first) bound.enter();
    return end_action(agent_, action, bound, times, bound.tick(Result::failure));
  }

  // The action was called and gave this answer.
  Result end_action(const RuleAgent& agent, const Rule& action, const BoundBehavior& bound, const Times& times,
                    Result answer) const {
    agent.set(layout::kFirstRun | layout::kInCall, 0);  // also of a rule that was jumped to during the call
    if (answer == Result::running) {
      if (agent.current() != action.number) bound.interrupt_or_leave();
      times.called(host_.clock_us());
      return answer;
    }
    bound.leave();
    return answer == Result::success ? answer : failing(action);
  }

  // Runs the list that contains the current rule, which has a result. Setting the current rule makes its next run a
  // first run.
  Result go_on(const Rule& list, const Rule& child, Result result) {
    const bool is_choice = list.opcode() == opcode::rule_choice;
    const bool loops = list.has(kBeginsAnew);
    const bool is_decided = is_choice == (result == Result::success);
    if (is_decided && !(is_choice && loops)) return settle(list, is_choice ? Result::success : failing(list));
    const Rule next = is_decided ? Rule{} : tree_.next(child);
    const bool has_all_failed = is_choice && !is_decided && next.number == kNoRule;
    if (has_all_failed || !holds(list)) return settle(list, failing(list));
    if (next.number != kNoRule) return turn(next);
    return loops ? turn(tree_.first_child(list)) : settle(list, Result::success);
  }

  Result turn(const Rule& child) {
    turned_ = child;
    agent_.set_current(child.number);
    return Result::success;  // not used
  }
  Result settle(const Rule& list, Result result) const {
    agent_.set_current(list.number);
    return result;
  }

  const RuleTree& tree_;
  const RuleAgent agent_;
  RuleHost host_;
  const Watcher* const watcher_;
  Rule turned_;  // the rule that a list has turned to last: mostly the current one
};

}  // namespace

namespace {

// `called`: the call of the current rule that the update has made, with this answer; null: none.
Result run(const Tree& view, void* block, const Host& host, const Watcher* watcher, const Call* called, Result answer) {
  const RuleTree tree(view);
  RuleRun run(view, tree, block, host, watcher);
  if (called == nullptr) return run.update();
  return run.update_after(node_number(tree.nodes + called->node_word) - 1, answer);
}

}  // namespace

Result run_rules(const Tree& view, void* block, const Host& host, const Watcher* watcher) {
  return run(view, block, host, watcher, nullptr, Result::running);
}

Result run_rules_after(const Call& called, Result answer) {
  return run(called.tree, called.agent, *called.host, nullptr, &called, answer);
}

}  // namespace espalier
