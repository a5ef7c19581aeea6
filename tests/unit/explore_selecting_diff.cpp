// Differences between trees that select, found on diagrams: against a model of both versions that is explored one state
// at a time.
#include "explore/select/selecting.h"
#include "explore_selecting_trees.h"
#include "text/names.h"

namespace explore_selecting {

namespace {

using Pair = std::pair<std::optional<std::string>, std::optional<std::string>>;  // behaviours

std::optional<std::string> behavior_of(const SelectAgent& agent) {
  if (agent.leaf == nullptr) return std::nullopt;
  return agent.leaf->as<ir::Leaf>().behavior;
}

// Agents of two versions that hear the same steps.
struct Both {
  SelectAgent before, after;
  bool operator<(const Both& other) const { return std::tie(before, after) < std::tie(other.before, other.after); }
  Pair pair() const { return {behavior_of(before), behavior_of(after)}; }
};

class DiffModel {
 public:
  DiffModel(const ir::Tree& before, const ir::Tree& after, const std::vector<std::string>& signal_only)
      : before_(before), after_(after), explorer_before_(before), explorer_after_(after) {
    for (const ir::Tree* tree : {&before, &after}) {
      for (const ir::Signal& signal : tree->signals) add(signals_, signal.name);
      for (const ir::Variable& variable : tree->variables) add(variables_, variable.name);
    }
    for (const std::string& name : signal_only) signal_only_.insert(name);
  }

  bool has_machines() const { return !explorer_before_.machines().empty() || !explorer_after_.machines().empty(); }

  // The pairs that first differ, and the lengths of the shortest traces to them.
  std::map<Pair, std::size_t> first_differences() const {
    std::map<Pair, std::size_t> result;
    explore(true, [&](const Both& both, std::size_t length) {
      if (behavior_of(both.before) != behavior_of(both.after)) result.try_emplace(both.pair(), length);
    });
    return result;
  }

  // What all reachable states show, with the values of the variables by name in one of the versions.
  using Values = std::map<std::string, bool>;
  using Shown = std::set<std::pair<Values, Pair>>;
  Shown all_shown(bool is_of_new) const {
    Shown result;
    explore(false, [&](const Both& both, std::size_t) {
      Values values;
      const auto add = [&](const ir::Tree& tree, const SelectAgent& agent) {
        for (std::size_t i = 0; i < tree.variables.size(); ++i) {
          values[text::lower_case(tree.variables[i].name)] = agent.variables[i];
        }
      };
      if (is_of_new) add(before_, both.before);
      add(after_, both.after);
      if (!is_of_new) add(before_, both.before);
      result.emplace(std::move(values), both.pair());
    });
    return result;
  }

  bool is_shown_by(const std::vector<std::string>& lines, const Pair& pair) const {
    Both both = start();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto all = steps();
      const auto step = std::find_if(all.begin(), all.end(), [&](const Step& each) { return each.text == lines[i]; });
      REQUIRE(step != all.end());
      run(both, *step);
      const bool is_different = step->is_tick && behavior_of(both.before) != behavior_of(both.after);
      if (is_different) return i + 1 == lines.size() && both.pair() == pair;
    }
    return false;
  }

 private:
  struct Step {
    std::string text;
    std::string name;
    bool is_signal = false;
    bool is_tick = false;
    bool value = false;
  };

  static void add(std::vector<std::string>& names, const std::string& name) {
    const auto is_same = [&](const std::string& other) { return text::lower_case(other) == text::lower_case(name); };
    if (std::none_of(names.begin(), names.end(), is_same)) names.push_back(name);
  }

  Both start() const { return {explorer_before_.start(), explorer_after_.start()}; }

  std::vector<Step> steps() const {
    std::vector<Step> result;
    for (const std::string& name : signals_) result.push_back({R"({"signal": ")" + name + "\"}", name, true});
    for (const std::string& name : variables_) {
      if (signal_only_.count(name) != 0) continue;
      result.push_back({R"({"set": {")" + name + "\": true}}", name, false, false, true});
      result.push_back({R"({"set": {")" + name + "\": false}}", name});
    }
    result.push_back({R"({"tick": 0.1})", {}, false, true});
    return result;
  }

  static void run_one(const ir::Tree& tree, const SelectExplorer& explorer, SelectAgent& agent, const Step& step) {
    if (step.is_tick) return explorer.tick(agent);
    for (std::uint32_t i = 0; i < tree.signals.size() && step.is_signal; ++i) {
      if (tree.signals[i].name == step.name) return explorer.signal(agent, i);
    }
    for (std::uint32_t i = 0; i < tree.variables.size() && !step.is_signal; ++i) {
      if (text::lower_case(tree.variables[i].name) == text::lower_case(step.name)) {
        return explorer.set(agent, i, step.value);
      }
    }
  }

  void run(Both& both, const Step& step) const {
    run_one(before_, explorer_before_, both.before, step);
    run_one(after_, explorer_after_, both.after, step);
  }

  template <typename Visit>
  void explore(bool ends_where_different, const Visit& after_tick) const {
    std::set<Both> known = {start()};
    std::vector<Both> layer = {start()};
    const std::vector<Step> all = steps();
    for (std::size_t length = 1; !layer.empty(); ++length) {
      std::vector<Both> next;
      for (const Both& from : layer) {
        for (const Step& step : all) {
          Both both = from;
          run(both, step);
          if (step.is_tick) after_tick(both, length);
          const bool is_different = step.is_tick && behavior_of(both.before) != behavior_of(both.after);
          if (ends_where_different && is_different) continue;
          if (known.insert(both).second) next.push_back(both);
        }
      }
      layer.swap(next);
    }
  }

  const ir::Tree& before_;
  const ir::Tree& after_;
  const SelectExplorer explorer_before_, explorer_after_;
  std::vector<std::string> signals_, variables_;
  std::set<std::string> signal_only_;
};

// A condition of `and`, `or`, `!` and parentheses, none of which are mixed without them.
class ConditionText {
 public:
  ConditionText(std::string_view text, const std::map<std::string, bool>& values) : text_(text), values_(values) {}

  bool value() {
    const bool result = chain();
    REQUIRE(place_ == text_.size());
    return result;
  }

 private:
  bool take(std::string_view word) {
    if (text_.substr(place_, word.size()) != word) return false;
    place_ += word.size();
    return true;
  }

  bool chain() {
    bool result = operand();
    std::string_view joined;
    for (;;) {
      const std::string_view word = take(" and ") ? " and " : take(" or ") ? " or " : "";
      if (word.empty()) return result;
      REQUIRE((joined.empty() || joined == word));
      joined = word;
      const bool other = operand();
      result = word == " and " ? result && other : result || other;
    }
  }

  bool operand() {
    if (take("!")) return !operand();
    if (take("(")) {
      const bool result = chain();
      REQUIRE(take(")"));
      return result;
    }
    const std::size_t begin = place_;
    while (place_ < text_.size() && text_[place_] != ' ' && text_[place_] != ')') ++place_;
    const std::string name = text::lower_case(text_.substr(begin, place_ - begin));
    if (name == "true" || name == "false") return name == "true";
    REQUIRE(values_.count(name) == 1);
    return values_.at(name);
  }

  std::string_view text_;
  const std::map<std::string, bool>& values_;
  std::size_t place_ = 0;
};

// Changes something small.
void change(test::Random& random, ir::Tree& tree) {
  const auto below = [&](std::size_t count) { return random.below(static_cast<std::uint32_t>(count)); };
  switch (random.below(5)) {
    case 0:
      if (!tree.conditions.empty()) {
        ir::Condition& condition = tree.conditions[below(tree.conditions.size())];
        condition.terms = {{ir::TermKind::variable, below(tree.variables.size())}};
      }
      break;
    case 1: {
      ir::Variable& variable = tree.variables[below(tree.variables.size())];
      variable.initial = !variable.initial;
      break;
    }
    case 2:
      tree.variables.push_back({"added" + std::to_string(tree.variables.size()), random.chance(50), {}});
      if (!tree.conditions.empty()) {
        const auto added = static_cast<std::uint32_t>(tree.variables.size() - 1);
        tree.conditions[below(tree.conditions.size())].terms = {{ir::TermKind::variable, added}};
      }
      break;
    case 3:
      if (!tree.signals.empty()) {
        ir::Assignment& assignment = tree.signals[below(tree.signals.size())].assignments.front();
        assignment.variable = below(tree.variables.size());
      }
      break;
    default:
      tree.variables.front().name = "V0";  // the same without case
      break;
  }
}

// Does the condition tell the states that show the pair from the others?
bool tells(const std::string& when, const Pair& pair, const DiffModel::Shown& all_shown) {
  return std::all_of(all_shown.begin(), all_shown.end(), [&](const auto& shown) {
    return ConditionText(when, shown.first).value() == (shown.second == pair);
  });
}

// Could any condition tell them?
bool can_be_told(const Pair& pair, const DiffModel::Shown& all_shown) {
  std::map<DiffModel::Values, bool> known;
  return std::all_of(all_shown.begin(), all_shown.end(), [&](const auto& shown) {
    return known.try_emplace(shown.first, shown.second == pair).first->second == (shown.second == pair);
  });
}

}  // namespace

TEST_CASE("differences of selection trees are found as functions as by a model of both versions") {
  const Method method = GENERATE(Method::diagrams, Method::solver);
  std::size_t different = 0;
  std::size_t same = 0;
  std::size_t told = 0;
  std::size_t undecided = 0;
  std::size_t untold = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    INFO("seed " << seed);
    test::Random random{seed};
    const bool has_machines = seed % 3 == 0;
    const Subject before(seed, has_machines);
    const Subject other(seed + 100000, has_machines);
    ir::Project changed = random.chance(80) ? before.project : other.project;
    for (std::uint32_t i = 1 + random.below(2); i > 0; --i) change(random, changed.trees.front());
    test::Compiled compiled;
    test::compile(changed, compiled, false);
    std::vector<std::string> signal_only;
    for (const std::string& name : before.signal_only) signal_only.push_back(name.substr(name.rfind('/') + 1));
    const DiffModel model(before.tree(), changed.trees.front(), signal_only);
    const explore::World world({{espalier::tree(before.compiled.asset, 0), 1}, {espalier::tree(compiled.asset, 0), 1}},
                               signal_only);
    explore::SelectingDiff found = diff_selecting(world, before.options(method));
    find_conditions(world, before.options(method), found.differences);
    const std::map<Pair, std::size_t> expected = model.first_differences();
    if (!found.is_complete && method == Method::solver) {
      ++undecided;
    } else {
      REQUIRE(found.is_complete);
      REQUIRE(found.differences.size() == expected.size());
    }
    ++(expected.empty() ? same : different);
    std::size_t length = 0;
    const auto by_new = model.has_machines() ? DiffModel::Shown() : model.all_shown(true);
    const auto by_old = model.has_machines() ? by_new : model.all_shown(false);
    for (const explore::Difference& difference : found.differences) {
      const Pair pair = {difference.before, difference.after};
      INFO(difference.before.value_or("-") << " " << difference.after.value_or("-") << " when " << difference.when);
      REQUIRE(expected.count(pair) == 1);
      REQUIRE(difference.trace.steps.size() == expected.at(pair));
      REQUIRE(length <= difference.trace.steps.size());
      length = difference.trace.steps.size();
      REQUIRE(model.is_shown_by(difference.trace.steps, pair));
      REQUIRE(difference.is_place_of_old == !difference.after.has_value());
      if (model.has_machines()) {
        REQUIRE(difference.when.empty());
      } else if (difference.when.empty()) {
        ++untold;
        REQUIRE_FALSE(can_be_told(pair, by_new));
        REQUIRE_FALSE(can_be_told(pair, by_old));
      } else {
        ++told;
        REQUIRE((tells(difference.when, pair, by_new) || tells(difference.when, pair, by_old)));
      }
    }
  }
  CHECK(different > 40);
  CHECK(same > 20);
  CHECK(undecided <= 10);
  CHECK(told > 40);
  CHECK(untold > 0);
}

}  // namespace explore_selecting
