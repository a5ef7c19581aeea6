// Drag[en]gine trees in a replay: a rule is current, to which a trace can jump; positions are saved by its id. See
// strategy.h.
#include <algorithm>

#include "codegen/dump/listing.h"
#include "replay/strategy.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

// Runaway rules, shortened to the useful part: the part that repeats, otherwise the last rules.
struct RunAway {
  std::vector<std::uint32_t> rules;  // newest last
  std::uint64_t times = 1;           // how often they ran one after the other, up to the end
};

// For each place, how many rules from there on equal those at the beginning (the Z function). Linear, since there may
// be 65,535 rules.
std::vector<std::size_t> matches(const std::vector<std::uint32_t>& rules) {
  std::vector<std::size_t> match(rules.size(), 0);
  std::size_t begin = 0;
  std::size_t end = 0;  // of the match that reaches furthest
  for (std::size_t i = 1; i < rules.size(); ++i) {
    std::size_t length = i < end ? std::min(end - i, match[i - begin]) : 0;
    while (i + length < rules.size() && rules[length] == rules[i + length]) ++length;
    match[i] = length;
    if (i + length <= end) continue;
    begin = i;
    end = i + length;
  }
  return match;
}

// `runs`: the rules that ran in one update, newest last.
RunAway shortened(const std::vector<std::uint32_t>& runs) {
  constexpr std::size_t kMaxShown = 10;
  const std::vector<std::uint32_t> newest_first(runs.rbegin(), runs.rend());
  const std::vector<std::size_t> match = matches(newest_first);
  std::size_t best = 0;  // the period with the longest repetition at the end
  for (std::size_t period = 1; 2 * period <= runs.size(); ++period) {
    if (match[period] < period) continue;
    if (best == 0 || match[period] + period > match[best] + best) best = period;
  }
  RunAway result;
  if (best != 0) result.times = match[best] / best + 1;
  const std::size_t count = std::min(best != 0 ? best : runs.size(), kMaxShown);
  result.rules.assign(runs.end() - static_cast<std::ptrdiff_t>(count), runs.end());
  return result;
}

}  // namespace

struct RuleEngine {
  static AnswerForms forms(bool) { return {}; }

  static bool is_used(const Tree& tree) {
    const std::uint32_t record = tree_record(tree).record;
    return (records<layout::RuleTree>(*tree.asset, layout::SectionId::rule_trees)[record].flags & layout::kIsUsed) != 0;
  }

  // ---- Lines

  static std::optional<LineFault> jump(Updates& updates, const Line& line, Indices indices) {
    const bool is_reset = line.value->kind == text::JsonKind::null;
    const std::string& id = line.value->string;
    std::uint32_t rule = kNoRule;
    if (!is_reset && find_rule(updates.agents.tree(), id, &rule) != Status::ok) {
      updates.reporter.fail(line.value->span, "unknown rule " + text::quote(id) + ": no agent jumps",
                            nearest_rule(updates.agents.tree(), id));
      return std::nullopt;
    }
    for (const std::uint32_t index : indices) {
      updates.agents.act_as(index);
      updates.reporter.emit(EventKind::jump, id, is_reset ? "reset" : "");
      espalier::jump(updates.agents.tree(), updates.agents[index].block(), rule, updates.host());
    }
    return std::nullopt;
  }

  static std::string agent_text(const Updates& updates) { return "agent " + std::to_string(updates.agents.current()); }

  static bool save(Updates& updates, const Line& line, Saved& saved) {
    const void* block = updates.agents.self().block();
    if (save_position(updates.agents.tree(), block, &saved.position) == Status::ok) return true;
    const std::uint32_t rule = current_rule(updates.agents.tree(), block);
    updates.reporter.fail(line.value->span, agent_text(updates) + " cannot be saved: its current rule has no id",
                          rule == kNoRule ? "the tree has no rules"
                                          : "give an id to this rule: " + rule_text(updates.agents.tree(), rule));
    return false;
  }

  static bool restore(Updates& updates, const Line& line, const Saved& saved) {
    AgentState& state = updates.agents.self().state;
    const Position& position = saved.position;
    if (restore_position(updates.agents.tree(), state.block.data(), position) == Status::ok) {
      state.status = position.status == Result::stopped ? std::nullopt : std::optional(position.status);
      return true;
    }
    updates.reporter.fail(line.value->span,
                          agent_text(updates) + " cannot be restored: the tree has no rule " +
                              text::quote(position.id) + (updates.agents.is_reloaded() ? " any more" : ""),
                          nearest_rule(updates.agents.tree(), position.id));
    return false;
  }

  // ---- Agents

  static void signal(Updates&, std::uint32_t, const void*) {}  // the tree has no signals

  static bool update(Updates& updates, Agent& agent) {
    void* block = agent.block();
    updates.notes.runs.clear();
    Watcher watcher;
    watcher.user = &updates;
    watcher.node = [](void* user, const NodeStep* step) {
      Updates& self = *static_cast<Updates*>(user);
      Updates::tell_step(user, step);
      if (step->kind == NodeStepKind::begin) self.notes.runs.push_back(step->value);
    };
    const Result result = espalier::update_watched(updates.agents.tree(), block, updates.host(), watcher);
    if (result == Result::stopped) return true;
    agent.state.status = result;
    if (is_stopped(updates.agents.tree(), block)) tell_stop(updates, block);
    updates.reporter.emit_name(EventKind::status, result_name(result));
    return false;
  }

  static void tell_stop(Updates& updates, const void* block) {
    if (!has_run_away(updates.agents.tree(), block)) {
      return updates.reporter.go_wrong(RunFaultKind::agent_stopped, {.subject = "tree failed"},
                                       "the root failed, which stops the agent");
    }
    const RunAway run_away = shortened(updates.notes.runs);
    std::vector<std::string> rules;
    for (const std::uint32_t rule : run_away.rules) rules.push_back(rule_text(updates.agents.tree(), rule));
    updates.reporter.go_wrong(RunFaultKind::run_away, {.subject = "run-away", .cause = rules, .times = run_away.times},
                              "an update does not end, which stops the agent: after " +
                                  std::to_string(updates.notes.runs.size()) + " runs of rules it is at " +
                                  rules.back());
  }

  static std::vector<std::uint32_t> running(const AgentView& agent) {
    if (!is_action_running(agent.tree, agent.block)) return {};
    const std::uint32_t word = rule_node(agent.tree, current_rule(agent.tree, agent.block));
    return {*codegen::operand(codegen::node_at(*agent.tree.asset, word), OperandKind::behavior)};
  }

  // ---- The host

  // A file that is used at several places has its nodes once: the current rule says which of them calls.
  static std::uint32_t rule(const Call* call) {
    const std::uint32_t current = current_rule(call->tree, call->agent);
    return current != kNoRule && rule_node(call->tree, current) == call->node_word ? current : kNoRule;
  }

  // If the next answer is "refuse", the action is not bound, once. Any other answer is kept for the call.
  static bool is_bound(const Call* call) {
    Updates& updates = Updates::of(call);
    const std::string_view name = Updates::called_name(call);
    Answers* answers = updates.find_answers(call, name);
    if (answers == nullptr || answers->next() != Answer::refuse) return true;
    static_cast<void>(answers->take());
    updates.reporter.emit_called(EventKind::refuse, call, name);
    return false;
  }
};

constinit const Strategy kRuleStrategy = {
    .kind = "Drag[en]gine",
    .hosted = "action or condition",
    .variable = "variable",
    .statuses = "\"running\", \"success\" or \"failure\"",
    .runner = "action",
    .has_signals = false,
    .may_settle = true,
    .keeps_other_sizes = true,
    .forgets_events = false,
    .accepts = {LineKind::jump, LineKind::save, LineKind::restore},
    .forms = RuleEngine::forms,
    .behavior = {.enter = HostCalls::enter,
                 .leave = HostCalls::leave,
                 .tick = HostCalls::tick,
                 .interrupt = HostCalls::interrupt,
                 .is_bound = RuleEngine::is_bound},
    .condition = {.ask = HostCalls::ask},
    .rule = RuleEngine::rule,
    .is_used = RuleEngine::is_used,
    .run = RuleEngine::jump,
    .signal = RuleEngine::signal,
    .update = RuleEngine::update,
    .save = RuleEngine::save,
    .restore = RuleEngine::restore,
    .running = RuleEngine::running,
};

}  // namespace espalier::replay
