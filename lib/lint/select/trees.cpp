// All analyses of all selection trees: what they share, and the limits of their work. See analysis.h.
#include <algorithm>

#include "lint/condition_fixes.h"
#include "lint/select/analysis.h"
#include "rules/rules.h"
#include "rules/selection.h"
#include "runtime/format/opcodes/select.h"
#include "text/json.h"
#include "text/parallel.h"

namespace espalier::lint {
namespace {

using logic::Answer;
using logic::Formula;

// Limits against trees made to be slow; what they leave undecided is told.
constexpr std::size_t kGates = 1'500'000;
constexpr int kConflicts = 3000;  // of the solver, for one question

constexpr std::size_t kFewVariables = 128;

constexpr std::size_t kMaxShownReasons = 4;
constexpr std::size_t kMaxFoundReasons = kMaxShownReasons + 1;  // no one reads more, and each one takes questions

std::string path_of(const SelectModel& model, PlaceIndex place) {
  std::string path = model.places[place].node->name;
  while ((place = model.places[place].parent) != kNoPlace) path.insert(0, model.places[place].node->name + '/');
  return path;
}

// Of its element, as one number.
std::uint64_t beginning_of(const ir::Node& node) { return std::uint64_t{node.span.file} << 32 | node.span.begin; }

}  // namespace

// ---- One tree -----------------------------------------------------------------------------------

SelectAnalysis::SelectAnalysis(const ir::Tree& analysed, const Facts& all_facts, const SharedElements& shared,
                               text::Findings& all_findings, WrittenClaims& all_claims)
    : tree(analysed),
      facts(all_facts),
      findings(all_findings),
      claims(all_claims),
      circuit(kGates),
      questions(circuit, kConflicts),
      model(tree, circuit, number_states(tree, KeptLeaf::machines, numbers), KeptLeaf::machines),
      is_closed(model.places.size()),
      is_false_here(model.places.size()),
      examples_(model.places.size()),
      shared_(shared) {}

std::string SelectAnalysis::name(PlaceIndex place) const {
  if (!std::binary_search(shared_.begin(), shared_.end(), beginning_of(node(place)))) return quote(node(place).name);
  return "a use of " + quote(node(place).name) + " (at " + quote(path_of(model, place)) + " of " + quote(tree.name) +
         ')';
}

// What is asked about a place is mostly shown by states near the one that was found last for it, or for the place
// before. With many variables the first one is kept, since looking near another one would cost more than it saves.
Answer SelectAnalysis::can_be(Rule rule, PlaceIndex place, std::vector<Formula> also) {
  if (examples_[place]) questions.look_near(examples_[place]);
  also.push_back(model.evaluated(place));
  const Answer answer = questions.can_be(also);
  if (answer == Answer::yes && questions.uses_examples() &&
      (!examples_[place] || circuit.variables().size() <= kFewVariables)) {
    examples_[place] = questions.example();
    questions.look_near(examples_[place]);
  }
  if (answer == Answer::unknown) leave_undecided(rule);
  return answer;
}

std::vector<Answer> SelectAnalysis::each_can_be(Rule rule, PlaceIndex place, std::vector<Formula> common,
                                                std::span<const Formula> each) {
  if (examples_[place]) questions.look_near(examples_[place]);
  common.push_back(model.evaluated(place));
  std::vector<Answer> answers = questions.each_can_be(common, each);
  if (std::find(answers.begin(), answers.end(), Answer::unknown) != answers.end()) leave_undecided(rule);
  return answers;
}

Finding* SelectAnalysis::claim(Rule rule, Span span, bool holds) {
  if (!holds) {
    refute(rule, span);
    return nullptr;
  }
  return claims.findings.has(rule, span) ? nullptr : &claims.findings.add(rule, span, {});
}

SelectReach& SelectAnalysis::reach() {
  if (!reach_) reach_.emplace(model, questions, facts);
  return *reach_;
}

void SelectAnalysis::report_undecided() {
  if (undecided_.empty()) return;
  std::string names;
  for (const Rule rule : undecided_) names += (names.empty() ? "" : ", ") + std::string(rules::info(rule).name);
  findings.add(rules::SEL_proofs_undecided, tree.span,
               "cannot decide everything about " + quote(tree.name) + ": there are too many cases: " + names,
               "move nodes that share a condition into groups");
}

// ---- Reasons ------------------------------------------------------------------------------------

std::vector<Reason> SelectAnalysis::reasons_above(PlaceIndex place) {
  std::vector<Reason> reasons;
  for (PlaceIndex at = place; model.places[at].parent != kNoPlace; at = model.places[at].parent) {
    const PlaceIndex parent = model.places[at].parent;
    if (node(parent).opcode == opcode::select_machine) {
      const logic::Formula ends = model.machine(parent).ends[model.places[at].number];
      reasons.push_back({ends, Reason::Says::ends_in, node(at).span, at});
    } else {
      for (const PlaceIndex sibling : model.places[parent].children) {
        if (sibling == at) break;
        const Reason reason{model.passes(sibling), Reason::Says::comes_first, node(sibling).span, sibling};
        // One that suffices: the others need not be looked at.
        if (!questions.is_possible(reason.function)) return {reason};
        reasons.push_back(reason);
      }
    }
    if (const ir::Condition* condition = condition_of(tree, node(parent))) {
      reasons.push_back({model.condition(parent), Reason::Says::must_be_true, condition->span});
    }
  }
  return reasons;
}

std::vector<Reason> SelectAnalysis::enough(const std::vector<Reason>& reasons) {
  std::vector<Formula> functions;
  functions.reserve(reasons.size());
  for (const Reason& reason : reasons) functions.push_back(reason.function);
  std::vector<Reason> result;
  for (const std::size_t i : questions.enough(functions, kMaxFoundReasons)) result.push_back(reasons[i]);
  return result;
}

namespace {

std::string words_of(const SelectAnalysis& analysis, const Reason& reason) {
  switch (reason.says) {
    case Reason::Says::comes_first:
      return quote(analysis.node(reason.place).name) + " comes first";
    case Reason::Says::ends_in:
      return "an evaluation must end in the state " + quote(analysis.node(reason.place).name);
    case Reason::Says::must_be_true:
      return "this condition must be true";
    case Reason::Says::leaves:
      return "this transition leaves it";
    case Reason::Says::is_followed_first:
      return "this transition comes first";
    case Reason::Says::nothing:
      break;
  }
  return {};
}

}  // namespace

void explain(const SelectAnalysis& analysis, Finding& finding, const std::vector<Reason>& reasons) {
  for (const Reason& reason : reasons) {
    if (finding.related.size() < kMaxShownReasons && reason.says != Reason::Says::nothing) {
      finding.related.push_back({reason.span, words_of(analysis, reason)});
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

namespace {

SharedElements shared_elements(const std::vector<const ir::Tree*>& trees) {
  std::vector<std::uint64_t> all;
  for (const ir::Tree* const tree : trees) {
    for (const ir::Node& node : ir::nodes_from(tree->root())) all.push_back(beginning_of(node));
  }
  std::sort(all.begin(), all.end());
  SharedElements shared;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i] == all[i - 1] && (shared.empty() || shared.back() != all[i])) shared.push_back(all[i]);
  }
  return shared;
}

// Of one tree, or of all.
struct Found {
  text::Findings findings;
  WrittenClaims claims;

  void add(Found&& of_tree, const std::function<bool(const Finding&)>& is_known) {
    findings.merge(std::move(of_tree.findings));
    for (Finding& finding : of_tree.claims.findings.all()) {
      if (is_known(finding) && !claims.findings.has(finding.rule, finding.span))
        claims.findings.add(std::move(finding));
    }
    const auto append = [](const auto& from, auto& to) { to.insert(to.end(), from.begin(), from.end()); };
    append(of_tree.claims.refuted, claims.refuted);
    append(of_tree.claims.needed, claims.needed);
    merge_terms(std::move(of_tree.claims.terms), claims.terms);
  }

  // Leaves what holds at all places.
  void leave_out_refuted() {
    std::sort(claims.refuted.begin(), claims.refuted.end());
    std::erase_if(claims.findings.all(), [&](const Finding& finding) {
      return std::binary_search(claims.refuted.begin(), claims.refuted.end(), std::pair(finding.rule, finding.span));
    });
    for (const Span condition : claims.needed) claims.terms.erase(condition);
  }
};

}  // namespace

void analyse_select_trees(const ir::Project& project, const Facts& facts, text::Findings& findings) {
  constexpr std::size_t kLeastShare = 8;
  constexpr std::size_t kAtOnce = 256;  // trees of which all is kept until their findings are merged
  std::vector<const ir::Tree*> trees;
  for (const ir::Tree& tree : project.trees) {
    if (tree.engine() == EngineId::select && !tree.is_doubtful) trees.push_back(&tree);
  }
  const SharedElements shared = shared_elements(trees);
  Found all;
  for (std::size_t first = 0; first < trees.size(); first += kAtOnce) {
    std::vector<Found> found(std::min(kAtOnce, trees.size() - first));
    text::run_parallel(found.size(), facts.thread_count, kLeastShare, [&]() -> text::Worker {
      return [&](std::size_t i) {
        SelectAnalysis analysis(*trees[first + i], facts, shared, found[i].findings, found[i].claims);
        analyse_select_nodes(analysis);
        analyse_select_machines(analysis);
        if (analysis.has_words()) analyse_select_terms(analysis);  // notes
        analyse_select_variables(analysis);
        analysis.report_undecided();
      };
    });
    for (std::size_t i = 0; i < found.size(); ++i) {
      // A block of a library may be used by a tree that is not known.
      all.add(std::move(found[i]), [&](const Finding& finding) {
        return !project.lacks_trees || finding.span.file == trees[first + i]->span.file;
      });
      found[i] = {};
    }
  }
  all.leave_out_refuted();
  const text::Sources* const sources = sources_for_fixes(facts);
  for (Finding& finding : all.claims.findings.all()) {
    if (finding.rule == rules::SEL_condition_always_true && sources != nullptr)
      finding.fixes.push_back(fix_to_true(finding.span, *sources));
  }
  findings.merge(std::move(all.findings));
  findings.merge(std::move(all.claims.findings));
  report_terms(all.claims.terms, facts, findings);
}

}  // namespace espalier::lint
