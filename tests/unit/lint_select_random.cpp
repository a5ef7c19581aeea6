// What lint says of random small selection trees, against agents that are explored one state at a time: every finding
// is true, none is missing, and witnesses are as short as can be and show what they claim.
#include <iterator>

#include "dialects/dialect.h"
#include "findings_of.h"
#include "lint/lint.h"
#include "lint_select_model.h"
#include "payloads.h"
#include "rules/rules.h"
#include "rules/selection.h"
#include "runtime/format/opcodes/select.h"
#include "runtime_random_trees.h"
#include "text/json.h"
#include "text/xml.h"
#include "unit.h"

namespace lint_select_random {

using namespace espalier;
using rules::Rule;
using test::Evaluation;
using test::SelectAgent;
using test::SelectExplorer;
using text::Span;

namespace {

constexpr test::TreeShape kSmall = {10, 4, 4, 3, 2, 0};

// Each thing that findings are about has a place of its own: conditions a hundred bytes each, the rest one.
struct Placed {
  test::DraftTree tree;
  std::uint32_t next = 0;

  explicit Placed(test::DraftTree made) : tree(std::move(made)) {
    for (ir::Variable& variable : tree.variables) variable.span = take(1);
    for (ir::Condition& condition : tree.conditions) {
      condition.span = take(1000);
      for (std::uint32_t i = 0; i < condition.terms.size(); ++i) {
        condition.terms[i].begin = i;
        condition.terms[i].end = i + 1;
      }
    }
    for (ir::Signal& signal : tree.signals) {
      for (ir::Assignment& assignment : signal.assignments) assignment.span = take(1);
    }
    place(tree.root);
  }

  Span take(std::uint32_t size) {
    const Span span = {0, next, next + size};
    next += size;
    return span;
  }

  void place(test::Draft& node) {
    node.span = take(1);
    if (auto* transitions = std::get_if<ir::Transitions>(&node.payload)) {
      for (ir::Transition& transition : transitions->transitions) transition.span = take(1);
    }
    for (test::Draft& child : node.children) place(child);
  }
};

using Found = std::set<std::pair<Rule, Span>>;

// What the rules' definitions say, by trying all states.
class Definitions {
 public:
  Definitions(const ir::Tree& tree, const std::vector<bool>& is_writable)
      : tree_(tree), explorer_(tree), is_writable_(is_writable) {
    explorer_.for_each_state([&](const SelectAgent& agent) { look(agent); });
    lengths_ = explorer_.reachable(is_writable);
    for (const auto& [agent, length] : lengths_) {
      if (!agent.is_pending) continue;
      SelectAgent after = agent;
      const Evaluation seen = explorer_.evaluate(after);
      const auto known = selecting_.emplace(seen.selected, length + 1).first;
      known->second = std::min(known->second, length + 1);
    }
  }

  Found found() {
    look_below(tree_.root());
    for (const ir::Node* leaf : explorer_.leaves()) {
      if (selected_.count(leaf) != 0 && selecting_.count(leaf) == 0) add(rules::SEL_unreachable, leaf->span);
    }
    if (selected_.count(nullptr) != 0) add(rules::SEL_nothing_selected, tree_.root().span);
    look_at_variables();
    look_at_signals();
    return found_;
  }

  // The length of the shortest trace to a tick that selects nothing; none if there is none.
  std::optional<std::size_t> to_nothing() const {
    const auto known = selecting_.find(nullptr);
    return known == selecting_.end() ? std::nullopt : std::optional(known->second);
  }

  const SelectExplorer& explorer() const { return explorer_; }

 private:
  struct Values {
    bool can_be[2] = {false, false};
  };

  void add(Rule rule, Span span) { found_.insert({rule, span}); }

  void look(const SelectAgent& agent) {
    SelectAgent after = agent;
    const Evaluation seen = explorer_.evaluate(after);
    selected_.insert(seen.selected);
    for (const auto& [node, value] : seen.conditions) conditions_[node].can_be[value] = true;
    for (const auto& [place, value] : seen.transitions) transitions_[place].can_be[value] = true;
    for (const auto& [machine, end] : seen.ends) {
      ends_[machine].insert(end);
      look_for_loops(*machine, agent);
    }
  }

  // The states on a cycle of the transitions that are taken.
  void look_for_loops(const ir::Node& machine, const SelectAgent& agent) {
    const auto next = [&](std::size_t state) -> std::optional<std::size_t> {
      for (const ir::Transition& transition : machine.children()[state].as<ir::Transitions>().transitions) {
        if (test::holds(tree_.conditions[transition.condition], agent.variables)) return transition.target;
      }
      return std::nullopt;
    };
    for (std::size_t state = 0; state < machine.children().size(); ++state) {
      std::optional<std::size_t> at = next(state);
      for (std::size_t i = 0; at && *at != state && i < machine.children().size(); ++i) at = next(*at);
      if (at && *at == state) loops_[&machine].insert(state);
    }
  }

  void look_below(const ir::Node& node) {
    for (std::size_t i = 0; i < node.children().size(); ++i) {
      const ir::Node& child = node.children()[i];
      if (node.opcode == opcode::select_machine) {
        if (ends_[&node].count(static_cast<std::uint32_t>(i)) == 0) {
          add(rules::SEL_state_unreachable, child.span);
          look_at_transitions(child);
          continue;
        }
        look_at_transitions(child);
      }
      if (node.opcode == opcode::select_priority) {
        const auto read = conditions_.find(&child);
        if (read == conditions_.end()) {
          add(rules::SEL_never_selected, child.span);
          continue;
        }
        const auto index = condition_of(child);
        if (index && !look_at_condition(*index, read->second)) continue;
      }
      look_below(child);
    }
  }

  void look_at_transitions(const ir::Node& state) {
    const auto& transitions = state.as<ir::Transitions>().transitions;
    for (std::size_t i = 0; i < transitions.size(); ++i) {
      const auto read = transitions_.find({&state, i});
      if (read != transitions_.end()) {
        look_at_condition(transitions[i].condition, read->second);
      } else {
        look_at_terms(transitions[i].condition);  // never read, so never of use
      }
    }
  }

  // False if it is always false.
  bool look_at_condition(ir::ConditionIndex index, const Values& values) {
    const ir::Condition& condition = tree_.conditions[index];
    if (!values.can_be[true]) {
      add(rules::SEL_condition_always_false, condition.span);
      return false;
    }
    const bool is_literal = condition.terms.size() == 1 && condition.terms[0].kind == ir::TermKind::constant;
    if (!values.can_be[false] && !is_literal) {
      add(rules::SEL_condition_always_true, condition.span);
    } else {
      look_at_terms(index);
    }
    return true;
  }

  // Does the tree select and store the same with a constant in place of the term?
  bool is_same_with(const ir::Condition& condition, std::size_t term, bool constant) {
    ir::Condition replaced = condition;
    replaced.terms[term] = {ir::TermKind::constant, constant};
    SelectExplorer other(tree_);
    other.holds_instead = [&](const ir::Condition& asked, const std::vector<bool>& variables) {
      return test::holds(&asked == &condition ? replaced : asked, variables);
    };
    bool is_same = true;
    explorer_.for_each_state([&](const SelectAgent& agent) {
      if (!is_same) return;
      SelectAgent by_tree = agent;
      SelectAgent by_other = agent;
      is_same = explorer_.evaluate(by_tree).selected == other.evaluate(by_other).selected &&
                by_tree.stored == by_other.stored;
    });
    return is_same;
  }

  void look_at_terms(ir::ConditionIndex index) {
    const ir::Condition& condition = tree_.conditions[index];
    std::vector<bool> has(condition.terms.size());
    for (std::size_t i = 0; i < condition.terms.size(); ++i) {
      const ir::Term& term = condition.terms[i];
      const bool is_constant = term.kind == ir::TermKind::constant;
      const bool is_operator = !is_constant && term.kind != ir::TermKind::variable;
      has[i] = is_operator && (has[term.left] || (term.kind != ir::TermKind::negation && has[term.right]));
      if (has[i]) continue;
      for (const bool constant : {false, true}) {
        if (is_constant && constant == (term.left != 0)) continue;
        has[i] = has[i] || is_same_with(condition, i, constant);
      }
      const auto number = static_cast<std::uint32_t>(i);
      if (has[i]) add(rules::SEL_redundant_term, {0, condition.span.begin + number, condition.span.begin + number + 1});
    }
  }

  void look_at_variables() {
    for (std::uint32_t i = 0; i < tree_.variables.size(); ++i) {
      bool is_read = false;
      for (const ir::Condition& condition : tree_.conditions) {
        for (const ir::Term& term : condition.terms) {
          is_read = is_read || (term.kind == ir::TermKind::variable && term.left == i);
        }
      }
      bool is_set = false;
      for (const ir::Signal& signal : tree_.signals) {
        for (const ir::Assignment& assignment : signal.assignments) is_set = is_set || assignment.variable == i;
      }
      if (!is_read) add(rules::SEL_variable_never_read, tree_.variables[i].span);
      if (!is_set && !is_writable_[i]) add(rules::SEL_variable_never_set, tree_.variables[i].span);
    }
  }

  void look_at_signals() {
    for (const ir::Signal& signal : tree_.signals) {
      for (std::size_t entry = 0; entry < signal.assignments.size(); ++entry) {
        bool never_changes = true;
        bool is_hidden = true;  // up to the next entry of the variable all others do the same without it
        for (std::uint64_t bits = 0; bits < std::uint64_t{1} << tree_.variables.size(); ++bits) {
          std::vector<bool> values;
          for (std::size_t i = 0; i < tree_.variables.size(); ++i) values.push_back((bits >> i & 1) != 0);
          for (std::size_t i = 0; i < entry; ++i) assign(signal.assignments[i], values);
          std::vector<bool> with = values;
          assign(signal.assignments[entry], with);
          never_changes = never_changes && with == values;
          bool is_overwritten = false;
          for (std::size_t i = entry + 1; i < signal.assignments.size() && !is_overwritten; ++i) {
            const std::uint32_t set = signal.assignments[i].variable;
            assign(signal.assignments[i], with);
            assign(signal.assignments[i], values);
            if (with[set] != values[set]) break;
            is_overwritten = set == signal.assignments[entry].variable;
          }
          is_hidden = is_hidden && is_overwritten;
        }
        if (never_changes || is_hidden) add(rules::SEL_signal_no_effect, signal.assignments[entry].span);
      }
    }
  }

  void assign(const ir::Assignment& assignment, std::vector<bool>& values) const {
    values[assignment.variable] = test::holds(tree_.conditions[assignment.condition], values);
  }

 public:
  std::map<const ir::Node*, std::set<std::size_t>> loops_;  // states of machines that are on a cycle

 private:
  const ir::Tree& tree_;
  SelectExplorer explorer_;
  std::vector<bool> is_writable_;
  std::set<const ir::Node*> selected_;
  std::map<const ir::Node*, Values> conditions_;
  std::map<std::pair<const ir::Node*, std::size_t>, Values> transitions_;
  std::map<const ir::Node*, std::set<std::uint32_t>> ends_;
  std::map<SelectAgent, std::size_t> lengths_;
  std::map<const ir::Node*, std::size_t> selecting_;  // lengths of the shortest traces
  Found found_;
};

test::DraftTree small_tree(std::uint64_t seed) {
  for (test::Random random{seed};;) {
    test::DraftTree drawn = test::random_tree(random, kSmall, "Tree");
    const ir::Tree tree = drawn;
    const SelectExplorer explorer(tree);
    if (explorer.nodes().size() > 2 && state_count(explorer, tree) <= 600) return drawn;
  }
}

// Runs the lines of a trace on an agent of the model.
SelectAgent replayed(const SelectExplorer& explorer, const ir::Tree& tree, const std::vector<std::string>& lines) {
  SelectAgent agent = explorer.start();
  for (const std::string& line : lines) {
    for (std::uint32_t i = 0; i < tree.signals.size(); ++i) {
      if (line == "{\"signal\": \"" + tree.signals[i].name + "\"}") explorer.signal(agent, i);
    }
    for (std::uint32_t i = 0; i < tree.variables.size(); ++i) {
      for (const bool value : {false, true}) {
        const std::string text = value ? "true" : "false";
        if (line == "{\"set\": {\"" + tree.variables[i].name + "\": " + text + "}}") explorer.set(agent, i, value);
      }
    }
    if (line == "{\"tick\": 0.1}") explorer.tick(agent);
  }
  return agent;
}

std::string text_of(const Found& found) {
  std::string text;
  for (const auto& [rule, span] : found) {
    text += std::string(rules::info(rule).name) + ' ' + std::to_string(span.begin) + '\n';
  }
  return text;
}

Found without(const Found& found, const Found& others) {
  Found result;
  std::set_difference(found.begin(), found.end(), others.begin(), others.end(), std::inserter(result, result.end()));
  return result;
}

}  // namespace

TEST_CASE("of random selection trees lint finds what the rules define, no more and no less") {
  std::map<Rule, std::size_t> counts;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    INFO("seed " << seed);
    const Placed placed(small_tree(seed));
    ir::Project project;
    project.trees.push_back(placed.tree);
    const ir::Tree& tree = project.trees.front();
    lint::Facts facts;
    std::vector<bool> is_writable(tree.variables.size(), true);
    for (std::size_t i = 0; i < tree.variables.size(); ++i) {
      is_writable[i] = ((seed * 3) >> i & 1) == 0;
      if (!is_writable[i]) facts.signal_only.push_back(tree.variables[i].name);
    }
    text::Findings findings;
    lint::analyse(project, facts, findings);
    Definitions definitions(tree, is_writable);
    Found found;
    std::map<const ir::Node*, std::size_t> loop_counts;
    for (const text::Finding& finding : findings.all()) {
      ++counts[finding.rule];
      if (finding.rule == rules::SEL_nothing_selected) {
        REQUIRE(finding.witness.has_value() == definitions.to_nothing().has_value());
        if (finding.witness) {
          REQUIRE(finding.witness->trace.size() == *definitions.to_nothing());
          REQUIRE(replayed(definitions.explorer(), tree, finding.witness->trace).leaf == nullptr);
          REQUIRE(finding.witness->expect == "{\"expect\": {\"behavior\": null}}");
        }
      }
      if (finding.rule != rules::SEL_transition_loop) {
        found.insert({finding.rule, finding.span});
        continue;
      }
      // Its transitions belong to states that are on cycles.
      for (const ir::Node* machine : definitions.explorer().machines()) {
        for (std::size_t state = 0; state < machine->children().size(); ++state) {
          for (const ir::Transition& transition : machine->children()[state].as<ir::Transitions>().transitions) {
            if (transition.span != finding.span) continue;
            REQUIRE(definitions.loops_[machine].count(state) != 0);
            ++loop_counts[machine];
          }
        }
      }
    }
    const Found defined = definitions.found();
    CHECK(text_of(without(found, defined)) == "");  // false ones
    CHECK(text_of(without(defined, found)) == "");  // missing ones
    for (const ir::Node* machine : definitions.explorer().machines()) {
      REQUIRE((loop_counts[machine] > 0) == !definitions.loops_[machine].empty());
    }
  }
  for (const Rule rule : {rules::SEL_never_selected, rules::SEL_condition_always_false,
                          rules::SEL_condition_always_true, rules::SEL_redundant_term, rules::SEL_unreachable,
                          rules::SEL_variable_never_read, rules::SEL_variable_never_set, rules::SEL_signal_no_effect,
                          rules::SEL_nothing_selected, rules::SEL_state_unreachable, rules::SEL_transition_loop}) {
    INFO(rules::info(rule).name);
    CHECK(counts[rule] >= 10);
  }
  CHECK(counts[rules::SEL_proofs_undecided] == 0);
}

// Each variable is a state variable of its own, however many there are.
TEST_CASE("leaves on conditions of more variables than diagrams may have are all selected and reachable") {
  constexpr std::size_t kCount = 700;
  std::string variables;
  std::string leaves;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::string name = 'v' + std::to_string(i);
    variables += "<Variable name=\"" + name + "\"/>";
    leaves += "<Leaf name=\"L" + name + "\" condition=\"" + name + "\"/>";
  }
  text::Sources sources;
  text::Findings findings;
  const auto document = text::XmlDocument::parse(
      "t.xml",
      "<SelectionTree name=\"T\" type=\"BehaviorSelectionTree\"><Variables>" + variables +
          "</Variables><Priority name=\"R\">" + leaves + "<Leaf name=\"Last\"/></Priority></SelectionTree>",
      sources, findings);
  REQUIRE(document);
  const dialects::File file{document.get(), "t"};
  ir::Project project;
  dialects::selection::dialect().read({&file, 1}, {}, project, findings);
  REQUIRE(project.trees.size() == 1);
  lint::analyse(project, {}, findings);
  CHECK(findings_of(findings, sources, false).empty());
}

}  // namespace lint_select_random
