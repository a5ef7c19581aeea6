// The findings of analyses in random trees of rules, compared with a model that tries every answer.
#include <random>

#include "lint/rule/lengths.h"
#include "lint_rules_model.h"
#include "runtime/format/opcode_info.h"
#include "runtime/format/opcodes/rule.h"
#include "unit.h"

namespace lint_rules_random {

using namespace drawn_rules;

using namespace espalier;
using lint::RuleFault;
using lint::RuleOutline;

namespace {

constexpr int kTreeCount = 4000;

struct Drawing {
  std::mt19937 random;
  int left = 0;  // rules
  bool with_ids = false;
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); }

  DrawnRule leaf() {
    switch (below(8)) {
      case 0:
        return success();
      case 1:
        return failure();
      case 2:
        return running();
      case 3:
        return yield();
      default: {
        const DrawnRule rule = action(static_cast<ir::Results>(1 + below(7)));
        return below(4) == 0 ? rule.unfailing() : rule;
      }
    }
  }
  DrawnRule list(int depth) {
    std::vector<DrawnRule> rules;
    for (std::uint32_t count = below(12) == 0 ? 0 : 1 + below(4); count > 0 && left > 0; --count) {
      rules.push_back(rule(depth + 1));
    }
    const std::uint32_t kind = below(5);
    DrawnRule drawn = kind == 0 ? subtree(rules) : kind < 3 ? sequence(rules) : choice(rules);
    if (below(3) == 0) drawn = drawn.looping();
    return below(5) == 0 ? drawn.unfailing() : drawn;
  }
  DrawnRule rule(int depth) {
    --left;
    DrawnRule drawn = depth < 4 && below(depth == 0 ? 20 : 5) > 1 ? list(depth) : leaf();
    const bool can_ask = drawn.element != "failure" && drawn.element != "subtree";
    if (can_ask && below(5) == 0) drawn = drawn.asking();
    const bool has_id = with_ids && below(4) == 0;
    return has_id ? drawn.with_id("id") : drawn;
  }
};

DrawnRule drawn_tree(std::uint32_t seed, bool with_ids) {
  Drawing drawing{std::mt19937(seed), 0, with_ids};
  drawing.left = 1 + static_cast<int>(drawing.below(14));
  return drawing.rule(0);
}

std::string shown(const DrawnRule& rule) {
  std::string text = rule.element;
  if (rule.element == "action") text += std::to_string(rule.results);
  if (rule.asks) text += '?';
  if (!rule.id.empty()) text += '#';
  const bool is_list = opcode_info(rule.opcode).flags == FlagsKind::list;
  if (is_list && (rule.flags & kBeginsAnew) != 0) text += '*';
  if (rule.opcode != opcode::rule_result && (rule.flags & kDoesNotFail) != 0) text += '+';
  if (!is_list) return text;
  text += '(';
  for (const DrawnRule& below : rule.below) text += ' ' + shown(below);
  return text + " )";
}

// Rules of the model count from 0, places of an outline from 1.
lint::PlaceIndex place_of(int rule) { return static_cast<lint::PlaceIndex>(rule + 1); }

bool has_fault(const RuleOutline& outline) {
  return std::any_of(outline.answers.begin(), outline.answers.end(),
                     [](const lint::RuleAnswers& answers) { return answers.fault != RuleFault::none; });
}

bool has_fault_in(const RuleOutline& outline, lint::PlaceIndex place) {
  for (lint::PlaceIndex i = place; i < outline.places[place].end; ++i) {
    if (outline.answers[i].fault != RuleFault::none || outline.answers[i].unreachable != lint::kNoPlace) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("rules are run, and answer, as some answers of actions and conditions have it") {
  int idle_count = 0;
  for (std::uint32_t seed = 0; seed < kTreeCount; ++seed) {
    const DrawnRule root = drawn_tree(seed, false);
    INFO(seed << ": " << shown(root));
    const ir::Tree tree = rule_tree(root);
    const RuleOutline outline(tree);
    RuleModel model(root);
    model.explore();
    for (int rule = 0; rule < static_cast<int>(model.rules.size()); ++rule) {
      CAPTURE(rule);
      const bool is_reached = model.reached.count(rule) != 0;
      REQUIRE(outline.places[place_of(rule)].is_idle == !is_reached);
      idle_count += !is_reached;
      if (is_reached) REQUIRE(unsigned{outline.answers[place_of(rule)].real} == model.answers[rule]);
    }
  }
  CHECK(idle_count > kTreeCount / 4);
}

TEST_CASE("what is said of loops, ends and failures is so whatever is answered") {
  std::map<RuleFault, int> seen;
  int in_vain = 0;
  for (std::uint32_t seed = 0; seed < kTreeCount; ++seed) {
    const DrawnRule root = drawn_tree(seed, false);
    INFO(seed << ": " << shown(root));
    const ir::Tree tree = rule_tree(root);
    const RuleOutline outline(tree);
    RuleModel model(root);
    model.explore();
    for (const int rule : model.reached) {
      CAPTURE(rule);
      const lint::RuleAnswers& own = outline.answers[place_of(rule)];
      const unsigned answers = model.answers[rule];
      const bool begins_anew = model.begun_anew.count(rule) != 0;
      const bool never_waits = begins_anew && (answers & lint::kRuns) == 0;
      ++seen[own.fault];
      if (own.fault == RuleFault::never_ends) REQUIRE(answers == lint::kRuns);
      if (own.fault == RuleFault::runs_away) REQUIRE((begins_anew && answers == 0));
      if (own.fault == RuleFault::may_run_away) REQUIRE((never_waits && answers != 0));
      if (never_waits) REQUIRE(has_fault_in(outline, place_of(rule)));
      const bool is_kept = model.kept_from_failing.count(rule) != 0;
      if (is_kept) REQUIRE(own.has_failures);
      if (!is_kept && outline.does_not_fail(place_of(rule)) && !has_fault_in(outline, place_of(rule))) {
        REQUIRE(!own.has_failures);
        ++in_vain;
      }
    }
    const unsigned answers = model.answers[0];
    if (outline.answers[1].mended == lint::kFails) REQUIRE(answers == lint::kFails);
    if (answers == lint::kFails && !has_fault(outline)) REQUIRE(outline.answers[1].mended == lint::kFails);
  }
  for (const RuleFault fault :
       {RuleFault::never_ends, RuleFault::is_empty, RuleFault::runs_away, RuleFault::may_run_away, RuleFault::blocks}) {
    CAPTURE(static_cast<int>(fault));
    CHECK(seen[fault] > 20);
  }
  CHECK(in_vain > 20);
}

TEST_CASE("no jump leads to a rule that is said never to be run") {
  int blocked_count = 0;
  int after_jumps_count = 0;
  for (std::uint32_t seed = 0; seed < kTreeCount; ++seed) {
    const DrawnRule root = drawn_tree(seed, true);
    INFO(seed << ": " << shown(root));
    const ir::Tree tree = rule_tree(root);
    const RuleOutline outline(tree);
    RuleModel model(root);
    model.explore();
    RuleModel jumping(root);
    jumping.jumps = true;
    jumping.explore();
    for (int rule = 0; rule < static_cast<int>(model.rules.size()); ++rule) {
      CAPTURE(rule);
      const lint::PlaceIndex place = place_of(rule);
      const lint::RuleAnswers& own = outline.answers[place];
      if (jumping.kept_from_failing.count(rule) != 0) REQUIRE(own.has_failures);
      if (outline.places[place].is_idle || own.unreachable == lint::kNoPlace) continue;
      const int unreachable = static_cast<int>(own.unreachable) - 1;
      if (outline.answers[own.unreachable].can_be_jumped_to) {
        ++after_jumps_count;
        REQUIRE(model.reached.count(unreachable) == 0);
      } else {
        ++blocked_count;
        REQUIRE(jumping.reached.count(unreachable) == 0);
      }
    }
  }
  CHECK(blocked_count > 50);
  CHECK(after_jumps_count > 50);
}

TEST_CASE("the longest and the shortest updates are as long as is said") {
  int longest_count = 0;
  int shortest_count = 0;
  for (std::uint32_t seed = 0; seed < kTreeCount; ++seed) {
    const DrawnRule root = drawn_tree(seed, false);
    INFO(seed << ": " << shown(root));
    const ir::Tree tree = rule_tree(root);
    const RuleOutline outline(tree);

    RuleModel at_once(root);
    at_once.actions_wait = false;
    at_once.explore();
    std::map<Result, long> most;
    bool is_endless = false;
    for (const ModelRun& beginning : at_once.beginnings) {
      const auto lengths = at_once.lengths(beginning, true);
      is_endless = is_endless || !lengths;
      if (is_endless) break;
      for (const auto& [status, runs] : *lengths) most[status] = std::max(most[status], runs);
    }
    const lint::RunsTo longest = lint::longest_update(outline);
    for (const Result status : {Result::running, Result::failure, Result::success}) {
      CAPTURE(static_cast<int>(status));
      if (is_endless) continue;
      const lint::Runs runs = most.count(status) != 0 ? most[status] : lint::kNoRuns;
      REQUIRE(longest[static_cast<std::size_t>(status)] == runs);
      ++longest_count;
    }

    RuleModel model(root);
    model.explore();
    const auto fewest = model.lengths({}, false);
    if (!fewest) continue;
    const lint::RunsTo shortest = lint::shortest_update(outline);
    if (has_fault(outline)) {  // if repaired, it might take fewer, never more
      for (const auto& length : *fewest) {
        REQUIRE(std::any_of(shortest.begin(), shortest.end(),
                            [&](lint::Runs own) { return own != lint::kNoRuns && own <= length.second; }));
      }
      continue;
    }
    for (const Result status : {Result::running, Result::failure, Result::success}) {
      CAPTURE(static_cast<int>(status));
      const lint::Runs runs = fewest->count(status) != 0 ? fewest->at(status) : lint::kNoRuns;
      REQUIRE(shortest[static_cast<std::size_t>(status)] == runs);
      ++shortest_count;
    }
  }
  CHECK(longest_count > kTreeCount / 4);
  CHECK(shortest_count > kTreeCount / 4);
}

TEST_CASE("large trees take no longer for each rule than small ones") {
  const auto many = [](std::size_t count, const DrawnRule& rule) { return sequence(std::vector(count, rule)); };
  CHECK(found_in({rule_tree(many(255, many(255, query())))}).front() == "1 long-update");
  DrawnRule deep = sequence({query()}).looping();
  for (int i = 0; i < 2000; ++i) deep = sequence({std::move(deep)}).looping().unfailing();
  const std::vector<std::string> found = found_in({rule_tree(deep)});
  CHECK(std::count(found.begin(), found.end(), "2001 may-run-away") == 1);
}

}  // namespace lint_rules_random
