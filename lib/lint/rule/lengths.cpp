// How many runs of rules the updates of a tree take. See lengths.h.
#include "lint/rule/lengths.h"

#include <algorithm>

#include "runtime/format/opcodes/rule.h"

namespace espalier::lint {
namespace {

constexpr RunsTo kNowhere = {kNoRuns, kNoRuns, kNoRuns};

constexpr std::size_t at(Result result) { return static_cast<std::size_t>(result); }
constexpr std::size_t kRunning = at(Result::running);
constexpr std::size_t kFailure = at(Result::failure);
constexpr std::size_t kSuccess = at(Result::success);

RunsTo only(Result result, Runs runs) {
  RunsTo to = kNowhere;
  to[at(result)] = runs;
  return to;
}

Runs sum(Runs a, Runs b) { return a == kNoRuns || b == kNoRuns ? kNoRuns : a + b; }
Runs longer(Runs a, Runs b) { return std::max(a, b); }
Runs shorter(Runs a, Runs b) { return a == kNoRuns || b == kNoRuns ? longer(a, b) : std::min(a, b); }

using Choose = Runs (*)(Runs, Runs);

// Combines two ways to continue.
RunsTo chosen(Choose choose, const RunsTo& a, const RunsTo& b) {
  return {choose(a[0], b[0]), choose(a[1], b[1]), choose(a[2], b[2])};
}

RunsTo behind(Runs runs, const RunsTo& to) { return {sum(runs, to[0]), sum(runs, to[1]), sum(runs, to[2])}; }

// A list that does not fail.
void make_unfailing(Choose choose, RunsTo& to) {
  to[kSuccess] = choose(to[kSuccess], to[kFailure]);
  to[kFailure] = kNoRuns;
}

// ---- Lists --------------------------------------------------------------------------------------

// The runs that follow in a list. A list is run when it is entered and after each of its rules.
struct ListAhead {
  const RuleOutline& outline;
  PlaceIndex list;
  Choose choose;
  RunsTo anew = kNowhere;  // from its first rule, if it restarts

  RunsTo asked(const RunsTo& to) const {
    return outline.asks(list) ? chosen(choose, to, only(Result::failure, 0)) : to;
  }
  // After a rule that has answered `result` and is not followed by another.
  RunsTo end(Result result) const {
    if (result == Result::failure) return only(Result::failure, 0);
    if (outline.loops(list)) return asked(anew);
    const RunsTo success = only(Result::success, 0);
    return outline.goes_on(list) == Result::success ? asked(success) : success;
  }
  // From a rule that takes `runs`; `next`: from the rule after it, if there is one.
  RunsTo from(const RunsTo& runs, const RunsTo* next) const {
    RunsTo to = only(Result::running, runs[kRunning]);
    for (const Result result : {Result::failure, Result::success}) {
      const bool is_followed = next != nullptr && result == outline.goes_on(list);
      to = chosen(choose, to, behind(sum(runs[at(result)], 1), is_followed ? asked(*next) : end(result)));
    }
    return to;
  }
  // From each rule; `runs` has the runs of each.
  std::vector<RunsTo> from_each(const std::vector<RunsTo>& runs) const {
    const std::span<const PlaceIndex> children = outline.places[list].children;
    std::vector<RunsTo> to(children.size());
    for (std::size_t i = children.size(); i-- > 0;) {
      to[i] = from(runs[children[i]], i + 1 < children.size() ? &to[i + 1] : nullptr);
    }
    return to;
  }
  // From the beginning of the list.
  RunsTo from_entry(const std::vector<RunsTo>& from_rules) const {
    if (from_rules.empty()) return only(Result::failure, 1);
    return behind(1, asked(from_rules[0]));
  }
};

RunsTo one_run(Results results) {
  RunsTo to = kNowhere;
  for (const Result result : {Result::running, Result::failure, Result::success}) {
    if ((results & bit(result)) != 0) to[at(result)] = 1;
  }
  return to;
}

// The first run of a rule: a rule_yield does not succeed in it.
Results first_answers(const RuleOutline& outline, PlaceIndex leaf) {
  const unsigned results = outline.of_leaf(leaf);
  return static_cast<Results>(outline.opcode(leaf) == opcode::rule_yield ? results & ~kSucceeds : results);
}

// An action that can finish at once does so.
Results without_waiting(const RuleOutline& outline, PlaceIndex leaf, Results results) {
  const bool waits = outline.opcode(leaf) != opcode::rule_action || outline.node(leaf).as<ir::Rule>().results == kRuns;
  return static_cast<Results>(waits ? results : results & ~kRuns);
}

Results resumed_answers(const RuleOutline& outline, PlaceIndex leaf) {
  const Results results = outline.of_leaf(leaf);
  switch (outline.opcode(leaf)) {
    case opcode::rule_yield:
      return static_cast<Results>(results & ~kRuns);
    case opcode::rule_result:
      return (results & kRuns) != 0 ? results : Results{0};
    default:
      return outline.node(leaf).as<ir::Rule>().results == kRuns ? results : Results{0};
  }
}

}  // namespace

bool is_too_long(const RunsTo& runs, std::uint32_t limit, Result result) {
  const Runs most = result == Result::running ? limit : limit - 1;
  return runs[at(result)] > most;
}

RunsTo shortest_update(const RuleOutline& outline) {
  std::vector<RunsTo> found(outline.places.size());
  for (auto place = static_cast<PlaceIndex>(found.size()); place-- > 1;) {
    RunsTo& own = found[place];
    if (outline.answers[place].fault != RuleFault::none) {
      own = {1, 1, 1};
    } else if (outline.is_list(place)) {
      const ListAhead ahead{outline, place, shorter};
      own = ahead.from_entry(ahead.from_each(found));
      if (outline.does_not_fail(place)) make_unfailing(shorter, own);
    } else {
      own = one_run(first_answers(outline, place));
    }
  }
  return found[1];
}

RunsTo longest_update(const RuleOutline& outline) {
  std::vector<RunsTo> begun(outline.places.size());    // if the rule is entered
  std::vector<RunsTo> resumed(outline.places.size());  // if the update begins at the rule or below it
  for (auto place = static_cast<PlaceIndex>(begun.size()); place-- > 1;) {
    begun[place] = resumed[place] = kNowhere;
    if (outline.places[place].is_idle) continue;
    if (!outline.is_list(place)) {
      begun[place] = one_run(without_waiting(outline, place, first_answers(outline, place)));
      resumed[place] = one_run(resumed_answers(outline, place));
      continue;
    }
    ListAhead ahead{outline, place, longer};
    std::vector<RunsTo> from = ahead.from_each(begun);
    begun[place] = ahead.from_entry(from);
    if (outline.loops(place) && !from.empty()) {
      ahead.anew = from[0];
      from = ahead.from_each(begun);
    }
    const std::span<const PlaceIndex> children = outline.places[place].children;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const RunsTo* next = i + 1 < children.size() ? &from[i + 1] : nullptr;
      resumed[place] = chosen(longer, resumed[place], ahead.from(resumed[children[i]], next));
    }
    if (!outline.does_not_fail(place)) continue;
    make_unfailing(longer, begun[place]);
    make_unfailing(longer, resumed[place]);
  }
  return chosen(longer, begun[1], resumed[1]);
}

}  // namespace espalier::lint
