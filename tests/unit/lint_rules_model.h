// A slow model of rules: tries every run that is possible with any answers of actions and conditions.
#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "lint_rules.h"
#include "runtime/format/opcodes/rule.h"

namespace drawn_rules {

struct ModelRule {
  const DrawnRule* drawn = nullptr;
  int parent = -1;
  std::size_t number = 0;
  std::vector<int> children = {};
};

// A run that is due: of the current rule, or of its parent.
struct ModelRun {
  int rule = 0;
  bool is_first = true;  // the current rule's first-run
  int child = -1;        // the one that has just been run, with its answer; -1: the rule is the current one
  espalier::Result last = espalier::Result::success;
  auto key() const { return std::make_tuple(rule, is_first, child, last); }
  friend bool operator<(const ModelRun& a, const ModelRun& b) { return a.key() < b.key(); }
};

// A possible outcome of a run: another run in this update, or the update's end.
struct ModelStep {
  std::optional<ModelRun> next;
  espalier::Result status = espalier::Result::running;  // at the end
  ModelRun resumes;                                     // in the next update
};

struct RuleModel {
  std::vector<ModelRule> rules;
  bool actions_wait = true;  // otherwise those that can finish at once do so
  bool jumps = false;        // to every id
  // What has been observed.
  std::set<int> reached = {};
  std::map<int, unsigned> answers = {};  // bits, as espalier::ir::Results; of a list: running if a rule below it is
  std::set<int> begun_anew = {};
  std::set<int> kept_from_failing = {};
  std::map<ModelRun, std::vector<ModelStep>> steps = {};
  std::set<ModelRun> beginnings = {};  // of updates

  explicit RuleModel(const DrawnRule& root) { add(root, -1, 0); }

  void explore() {
    begin({});
    for (int rule = 0; jumps && rule < static_cast<int>(rules.size()); ++rule) {
      if (!rules[rule].drawn->id.empty()) begin({rule});
    }
    while (!open_.empty()) {
      const ModelRun run = open_.back();
      open_.pop_back();
      if (steps.count(run) != 0) continue;
      current_ = &steps[run];
      run_rule(run);
    }
  }

  // The most or fewest runs from `from` to the end of an update, by status. A status that is impossible has no entry;
  // empty if rules can run forever.
  using Lengths = std::map<espalier::Result, long>;
  std::optional<Lengths> lengths(const ModelRun& from, bool most) {
    if (known_.count(from) != 0) return known_[from];
    if (!on_way_.insert(from).second) return std::nullopt;
    Lengths found;
    auto keep = [&](espalier::Result status, long runs) {
      const auto [entry, is_new] = found.try_emplace(status, runs);
      if (!is_new) entry->second = most ? std::max(entry->second, runs) : std::min(entry->second, runs);
    };
    for (const ModelStep& step : steps[from]) {
      if (!step.next) {
        keep(step.status, 1);
        continue;
      }
      const std::optional<Lengths> behind = lengths(*step.next, most);
      if (!behind) return std::nullopt;
      for (const auto& [status, runs] : *behind) keep(status, runs + 1);
    }
    on_way_.erase(from);
    return known_[from] = found;
  }

 private:
  std::vector<ModelRun> open_ = {};
  std::vector<ModelStep>* current_ = nullptr;
  std::map<ModelRun, Lengths> known_ = {};
  std::set<ModelRun> on_way_ = {};

  int add(const DrawnRule& drawn, int parent, std::size_t number) {
    const int index = static_cast<int>(rules.size());
    rules.push_back({&drawn, parent, number});
    for (std::size_t i = 0; i < drawn.below.size(); ++i) {
      const int child = add(drawn.below[i], index, i);
      rules[index].children.push_back(child);
    }
    return index;
  }

  void begin(const ModelRun& run) {
    beginnings.insert(run);
    set_current(run);
  }
  void set_current(const ModelRun& run) {
    reached.insert(run.rule);
    open_.push_back(run);
  }
  void go_to(int rule) {
    const ModelRun run{rule};
    current_->push_back({run, {}, {}});
    set_current(run);
  }
  void runs(int rule) {
    for (int above = rule; above >= 0; above = rules[above].parent) answers[above] |= espalier::lint::kRuns;
    const ModelRun again{rule, false};
    current_->push_back({{}, espalier::Result::running, again});
    begin(again);
  }
  void is_done(int rule, espalier::Result result) {
    answers[rule] |= espalier::lint::bit(result);
    const int parent = rules[rule].parent;
    if (parent < 0) {
      const ModelRun again{rule, !rules[rule].children.empty()};
      current_->push_back({{}, result, again});
      begin(again);
      return;
    }
    const ModelRun next{parent, true, rule, result};
    current_->push_back({next, {}, {}});
    open_.push_back(next);
  }
  void fails(int rule) {
    const DrawnRule& drawn = *rules[rule].drawn;
    const bool can_be_unfailing =
        drawn.opcode != espalier::opcode::rule_result && drawn.opcode != espalier::opcode::rule_yield;
    const bool is_kept = can_be_unfailing && (drawn.flags & espalier::kDoesNotFail) != 0;
    if (is_kept) kept_from_failing.insert(rule);
    is_done(rule, is_kept ? espalier::Result::success : espalier::Result::failure);
  }
  void answer(int rule, espalier::Result result) {
    if (result == espalier::Result::running) {
      runs(rule);
    } else if (result == espalier::Result::failure) {
      fails(rule);
    } else {
      is_done(rule, result);
    }
  }

  void run_rule(const ModelRun& run) {
    const DrawnRule& drawn = *rules[run.rule].drawn;
    if (run.child >= 0) {
      run_list(run);
      return;
    }
    switch (drawn.opcode) {
      case espalier::opcode::rule_action:
        if (drawn.asks) fails(run.rule);
        for (const auto result : {espalier::Result::running, espalier::Result::failure, espalier::Result::success}) {
          const bool waits = actions_wait || drawn.results == espalier::lint::kRuns;
          if (result == espalier::Result::running && !waits) continue;
          if ((drawn.results & espalier::lint::bit(result)) != 0) answer(run.rule, result);
        }
        return;
      case espalier::opcode::rule_result:
        if (drawn.asks) fails(run.rule);
        answer(run.rule, static_cast<espalier::Result>(drawn.flags & espalier::kResultMask));
        return;
      case espalier::opcode::rule_yield:
        if (drawn.asks) fails(run.rule);
        answer(run.rule, run.is_first ? espalier::Result::running : espalier::Result::success);
        return;
      default:
        if (drawn.asks || drawn.below.empty()) fails(run.rule);
        if (!drawn.below.empty()) go_to(rules[run.rule].children[0]);
        return;
    }
  }

  void run_list(const ModelRun& run) {
    const DrawnRule& drawn = *rules[run.rule].drawn;
    const std::vector<int>& children = rules[run.rule].children;
    const std::size_t next = rules[run.child].number + 1;
    const bool is_last = next == children.size();
    const bool loops = (drawn.flags & espalier::kBeginsAnew) != 0;
    const bool succeeded = run.last == espalier::Result::success;
    auto begin_anew = [&] {
      begun_anew.insert(run.rule);
      go_to(children[0]);
    };
    if (drawn.opcode != espalier::opcode::rule_choice) {
      if (!succeeded) return fails(run.rule);
      if (drawn.asks) fails(run.rule);
      if (!is_last) return go_to(children[next]);
      return loops ? begin_anew() : is_done(run.rule, espalier::Result::success);
    }
    if (!succeeded) {
      if (is_last || drawn.asks) fails(run.rule);
      if (!is_last) go_to(children[next]);
      return;
    }
    if (!loops) return is_done(run.rule, espalier::Result::success);
    if (drawn.asks) fails(run.rule);
    begin_anew();
  }
};

}  // namespace drawn_rules
