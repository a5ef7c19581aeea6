// All analyses of all selection trees: what they share, and the limits of their work. See select_analysis.h.
#include <algorithm>

#include "lint/select_analysis.h"
#include "text/json.h"
#include "text/parallel.h"

namespace espalier::lint {
namespace {

using logic::Answer;
using logic::Function;

// Limits against trees made to be slow; what they leave undecided is told. Ordinary trees of a thousand leaves take a
// tenth of them.
constexpr std::size_t kModelSteps = 400'000;
constexpr std::size_t kEvaluatedSteps = 600'000;
constexpr std::size_t kReachabilitySteps = 1'500'000;
constexpr std::size_t kQuestionSteps = 1'000'000;  // all questions together
constexpr std::size_t kStepsOfQuestion = 50'000;
constexpr std::size_t kStepsOfPart = 50;  // what it costs to look at a function again

constexpr std::size_t kMaxPairs = 32;  // of so many reasons the smallest set is looked for
constexpr std::size_t kMaxShownReasons = 4;

void count_uses(const ir::Node& node, NodeUses& uses) {
  ++uses[node.span];
  for (const ir::Node& child : node.children) count_uses(child, uses);  // depth is limited by the reader
}

std::string path_of(const SelectModel& model, PlaceIndex place) {
  std::string path = model.places[place].node->name;
  while ((place = model.places[place].parent) != kNoPlace) path.insert(0, model.places[place].node->name + '/');
  return path;
}

}  // namespace

// ---- One tree -----------------------------------------------------------------------------------

SelectAnalysis::SelectAnalysis(const ir::Tree& analysed, const Facts& all_facts, const NodeUses& uses,
                               text::Findings& all_findings, WrittenClaims& all_claims)
    : tree(analysed),
      facts(all_facts),
      findings(all_findings),
      claims(all_claims),
      diagrams(kModelSteps),
      model(tree, diagrams, number_states(tree, KeptLeaf::machines, numbers), KeptLeaf::machines),
      is_closed(model.places.size()),
      is_false_here(model.places.size()),
      left_(kQuestionSteps),
      uses_(uses) {
  diagrams.allow(kEvaluatedSteps);
  model.evaluated(0);
  begin_question();
}

std::string SelectAnalysis::name(PlaceIndex place) const {
  const auto uses = uses_.find(node(place).span);
  if (uses == uses_.end() || uses->second == 1) return quote(node(place).name);
  return "a use of " + quote(node(place).name) + " (at " + quote(path_of(model, place)) + " of " + quote(tree.name) +
         ')';
}

void SelectAnalysis::begin_question() {
  const std::size_t steps = diagrams.steps();
  left_ -= begun_ == 0 ? 0 : std::min(left_, steps - begun_);
  begun_ = steps;
  diagrams.allow(std::min(left_, kStepsOfQuestion));
}

Answer SelectAnalysis::can_be(Rule rule, PlaceIndex place, std::vector<Function> also) {
  begin_question();
  const Function evaluated = model.evaluated(place);
  Function all = evaluated.is_known() ? evaluated : diagrams.constant(true);
  for (const Function function : also) all = diagrams.conjunction(all, function);
  const Answer answer = evaluated.is_known() || diagrams.is_satisfiable(all) == Answer::no
                            ? diagrams.is_satisfiable(all)
                            : can_be_in_parts(place, all);
  if (answer == Answer::unknown) leave_undecided(rule);
  return answer;
}

// Where the variables that `also` leaves open are all false, or all true, mostly nothing else is selected before the
// place, and a look at each part tells it.
Answer SelectAnalysis::can_be_in_parts(PlaceIndex place, Function also) {
  std::vector<Function> parts = model.parts_of_evaluated(place);
  for (PlaceIndex at = model.places[place].parent; at != kNoPlace; at = model.places[at].parent) {
    also = diagrams.conjunction(also, model.condition(at));
  }
  if (const auto example = diagrams.witness(also)) {
    for (const bool value : {false, true}) {
      std::vector<bool> values(logic::kMaxVariables, value);
      for (const logic::Literal& literal : *example) values[literal.variable] = literal.value;
      const bool is_example = std::all_of(parts.begin(), parts.end(),
                                          [&](Function part) { return diagrams.value(part, values) == Answer::yes; });
      if (is_example) return Answer::yes;
    }
  }
  const std::size_t cost = parts.size() * kStepsOfPart;
  if (left_ < cost) return Answer::unknown;
  left_ -= cost;
  parts.push_back(also);
  return diagrams.satisfy(parts).answer;
}

Finding* SelectAnalysis::claim(Rule rule, Span span, bool holds, std::string message, std::string hint) {
  if (!holds) {
    claims.refuted.insert({rule, span});
    return nullptr;
  }
  if (!claims.claimed.insert({rule, span}).second) return nullptr;
  return &claims.findings.add(rule, span, std::move(message), std::move(hint));
}

SelectReach& SelectAnalysis::reach() {
  if (!reach_) reach_.emplace(model, facts);
  begin_question();
  begun_ = 0;  // the steps of reaching are not those of questions
  diagrams.allow(kReachabilitySteps);
  return *reach_;
}

void SelectAnalysis::report_undecided() {
  if (undecided_.empty()) return;
  std::string names;
  for (const Rule rule : undecided_) names += (names.empty() ? "" : ", ") + std::string(rules::info(rule).name);
  findings.add(Rule::SEL_proofs_undecided, tree.span,
               "cannot decide everything about " + quote(tree.name) + ", there are too many cases: " + names,
               "move nodes that share a condition into groups");
}

// ---- Reasons ------------------------------------------------------------------------------------

std::vector<Reason> SelectAnalysis::reasons_above(PlaceIndex place) {
  std::vector<Reason> reasons;
  for (PlaceIndex at = place; model.places[at].parent != kNoPlace; at = model.places[at].parent) {
    const PlaceIndex parent = model.places[at].parent;
    if (node(parent).opcode == Opcode::select_machine) {
      reasons.push_back({model.machine(parent).ends[model.places[at].number],
                         {node(at).span, "an evaluation must end in the state " + quote(node(at).name)}});
    } else {
      for (const PlaceIndex sibling : model.places[parent].children) {
        if (sibling == at) break;
        Reason reason{model.passes(sibling), {node(sibling).span, quote(node(sibling).name) + " comes first"}, sibling};
        // One that suffices: the others need not be looked at.
        if (diagrams.is_satisfiable(reason.function) == Answer::no) return {std::move(reason)};
        reasons.push_back(std::move(reason));
      }
    }
    if (const ir::Condition* condition = condition_of(tree, node(parent))) {
      reasons.push_back({model.condition(parent), {condition->span, "this condition must be true"}});
    }
  }
  return reasons;
}

std::vector<Reason> SelectAnalysis::fewest(const std::vector<Reason>& reasons) {
  begin_question();
  const auto are_impossible = [&](Function left, Function right) {
    return diagrams.is_satisfiable(diagrams.conjunction(left, right)) == Answer::no;
  };
  for (const Reason& reason : reasons) {
    if (diagrams.is_satisfiable(reason.function) == Answer::no) return {reason};
  }
  if (reasons.size() <= kMaxPairs) {
    for (std::size_t i = 0; i < reasons.size(); ++i) {
      for (std::size_t j = i + 1; j < reasons.size(); ++j) {
        if (are_impossible(reasons[i].function, reasons[j].function)) return {reasons[i], reasons[j]};
      }
    }
  }
  // The reason that makes those before it impossible is needed; then it comes first, and so on.
  std::vector<std::size_t> needed;
  Function all_needed = diagrams.constant(true);
  while (diagrams.is_satisfiable(all_needed) == Answer::yes) {
    Function all = all_needed;
    std::size_t next = 0;
    for (; next < reasons.size(); ++next) {
      all = diagrams.conjunction(all, reasons[next].function);
      if (diagrams.is_satisfiable(all) != Answer::yes) break;
    }
    if (next == reasons.size() || !all.is_known()) return {};
    needed.push_back(next);
    all_needed = diagrams.conjunction(all_needed, reasons[next].function);
  }
  std::sort(needed.begin(), needed.end());
  std::vector<Reason> result;
  for (const std::size_t i : needed) result.push_back(reasons[i]);
  return result;
}

void explain(Finding& finding, const std::vector<Reason>& reasons) {
  for (const Reason& reason : reasons) {
    if (finding.related.size() < kMaxShownReasons && !reason.related.message.empty()) {
      finding.related.push_back(reason.related);
    }
  }
}

// ---- Witnesses ----------------------------------------------------------------------------------

text::Witness witness_of(const SelectAnalysis& analysis, const Trace& trace, std::string shows) {
  text::Witness witness;
  witness.shows = std::move(shows);
  for (const TraceStep& step : trace.steps) witness.trace.push_back(trace_line(analysis.tree, step));
  witness.tree = analysis.tree.name;
  const std::string behavior =
      trace.selected ? text::json_string(analysis.node(*trace.selected).as<ir::Leaf>().behavior) : "null";
  witness.expect = "{\"expect\": {\"behavior\": " + behavior + "}}";
  return witness;
}

// ---- All trees ----------------------------------------------------------------------------------

bool is_literal_true(const ir::Condition& condition) {
  return condition.terms.size() == 1 && condition.terms.front().kind == ir::TermKind::constant &&
         condition.terms.front().left != 0;
}

void analyse_select_trees(const ir::Project& project, const Facts& facts, text::Findings& findings) {
  constexpr std::size_t kLeastShare = 8;
  std::vector<const ir::Tree*> trees;
  NodeUses uses;
  for (const ir::Tree& tree : project.trees) {
    if (tree.engine() != EngineId::select) continue;
    trees.push_back(&tree);
    count_uses(tree.root, uses);
  }
  struct Found {
    text::Findings findings;
    WrittenClaims claims;
  };
  std::vector<Found> found(trees.size());
  text::run_parallel(trees.size(), facts.thread_count, kLeastShare, [&]() -> text::Worker {
    return [&](std::size_t i) {
      SelectAnalysis analysis(*trees[i], facts, uses, found[i].findings, found[i].claims);
      for (const auto run :
           {analyse_select_nodes, analyse_select_machines, analyse_select_terms, analyse_select_variables}) {
        run(analysis);
      }
      analysis.report_undecided();
    };
  });
  std::set<std::pair<Rule, Span>> refuted;
  for (const Found& of_tree : found) refuted.insert(of_tree.claims.refuted.begin(), of_tree.claims.refuted.end());
  std::map<Span, TermFacts> terms;
  std::set<std::pair<Rule, Span>> claimed;
  for (Found& of_tree : found) {
    findings.merge(std::move(of_tree.findings));
    for (Finding& finding : of_tree.claims.findings.all()) {
      const std::pair<Rule, Span> key = {finding.rule, finding.span};
      if (refuted.count(key) == 0 && claimed.insert(key).second) findings.add(std::move(finding));
    }
    merge_terms(std::move(of_tree.claims.terms), terms);
  }
  report_terms(terms, findings);
}

}  // namespace espalier::lint
