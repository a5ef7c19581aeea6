// All analyses of all trees. See lint.h.
#include "lint/lint.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "lint/decide/analysis.h"
#include "lint/poll/analysis.h"
#include "lint/rule/analysis.h"
#include "lint/select/analysis.h"
#include "lint/select/names.h"
#include "lint/store/analysis.h"
#include "lint/tick/analysis.h"
#include "text/parallel.h"

namespace espalier::lint {

Finding& TickAnalysis::report(Rule rule, PlaceIndex place, std::string message, std::string hint) {
  return findings.add(rule, span(place), std::move(message), std::move(hint));
}

Finding& TickAnalysis::report_fault(Rule rule, PlaceIndex place, std::string message, std::string hint) {
  is_faulty[place] = true;
  return report(rule, place, std::move(message), std::move(hint));
}

bool TickAnalysis::tests_unknown(PlaceIndex place) const {
  const ir::TimeTest* const test = node(place).as_if<ir::TimeTest>();
  const ir::Condition* const condition = condition_of(tree(), node(place));
  return (test != nullptr && !test->timestamp) || (condition != nullptr && condition->is_doubtful);
}

bool TickAnalysis::has_fault_below(PlaceIndex place) const {
  const auto begin = is_faulty.begin();
  return std::find(begin + place, begin + outline.places[place].end, true) != begin + outline.places[place].end;
}

Finding& PollAnalysis::report(Rule rule, Span span, std::string message, std::string hint) const {
  Finding& finding = findings.add(rule, span, std::move(message), std::move(hint));
  if (finding.related.size() > text::kMaxRelated) finding.related.resize(text::kMaxRelated);
  return finding;
}

Finding& PollAnalysis::report(Rule rule, Span span, std::string message, std::string hint, Related related) const {
  Finding& finding = report(rule, span, std::move(message), std::move(hint));
  text::relate_first(finding, std::move(related));
  return finding;
}

namespace {

using TreeAnalysis = std::function<void(const ir::Tree& tree, text::Findings& findings)>;

// Analyses each tree of an engine by itself. Each thread makes an analysis of its own.
void analyse_each(const ir::Project& project, EngineId engine, const Facts& facts,
                  const std::function<TreeAnalysis(std::size_t tree_count)>& make_analysis, text::Findings& findings) {
  constexpr std::size_t kLeastShare = 8;
  std::vector<const ir::Tree*> trees;
  for (const ir::Tree& tree : project.trees) {
    if (tree.engine() == engine && !tree.is_doubtful) trees.push_back(&tree);
  }
  std::vector<text::Findings> found(trees.size());
  text::run_parallel(trees.size(), facts.thread_count, kLeastShare, [&]() -> text::Worker {
    return [&, analysis = make_analysis(trees.size())](std::size_t i) { analysis(*trees[i], found[i]); };
  });
  for (text::Findings& of_tree : found) findings.merge(std::move(of_tree));
}

bool has_declared_results(const ir::Tree& tree) {
  const std::span<const ir::Node> nodes = tree.nodes.all();
  return std::any_of(nodes.begin(), nodes.end(), [](const ir::Node& node) {
    const auto* const behavior = node.as_if<ir::Behavior>();
    return behavior != nullptr && behavior->results != ir::kAnyResult;
  });
}

// What a tree does is what it does with any host: fixes must not rest on the results that nodes of the game are
// declared to give.
void keep_certain_fixes(const TickAnalysis& analysis, const Facts& facts) {
  const auto has_fix = [](const Finding& finding) { return !finding.fixes.empty(); };
  std::vector<Finding>& all = analysis.findings.all();
  if (std::none_of(all.begin(), all.end(), has_fix) || !has_declared_results(analysis.tree())) return;
  Facts with_any = facts;
  with_any.hosts_give_any = true;
  const TickOutline outline(analysis.tree(), with_any);
  text::Findings certain;
  TickAnalysis of_any{analysis.events, analysis.known_events, outline, certain, facts.sources, analysis.is_faulty};
  analyse_conditions(of_any);
  for (Finding& finding : all) {
    const auto same = std::find_if(certain.all().begin(), certain.all().end(), [&](const Finding& each) {
      return each.rule == finding.rule && each.span == finding.span;
    });
    if (has_fix(finding)) finding.fixes = same == certain.all().end() ? std::vector<text::Fix>() : same->fixes;
  }
}

void analyse_tick_trees(const ir::Project& project, const ProjectEvents& events, const Facts& facts,
                        text::Findings& findings) {
  constexpr void (*kAnalyses[])(TickAnalysis&) = {analyse_values,     analyse_effects, analyse_machines,
                                                  analyse_events,     analyse_names,   analyse_habits,
                                                  analyse_conditions, analyse_results, analyse_engine};
  const auto make_analysis = [&](std::size_t tree_count) -> TreeAnalysis {
    return [&, tree_count, known = text::NameIndex(events.known)](const ir::Tree& tree,
                                                                  text::Findings& of_tree) mutable {
      known.allow(text::NameIndex::steps_of_file(tree_count + facts.ticking_elsewhere));
      const TickOutline outline(tree, facts);
      TickAnalysis analysis{events, known, outline, of_tree, facts.sources, std::vector<bool>(outline.places.size())};
      for (PlaceIndex i = 0; i < outline.places.size(); ++i) analysis.is_faulty[i] = analysis.node(i).is_doubtful;
      for (const auto run : kAnalyses) run(analysis);
      keep_certain_fixes(analysis, facts);
    };
  };
  analyse_each(project, EngineId::tick, facts, make_analysis, findings);
}

// Files that are parts of others come first, as separate trees: their ids are shown as written in the file.
void analyse_rule_trees(const ir::Project& project, const Facts& facts, text::Findings& findings) {
  Unsaved unsaved;
  for (const bool is_used : {true, false}) {
    for (const ir::Tree& tree : project.trees) {
      const bool has_rules = tree.engine() == EngineId::rule && !tree.root().is_leaf();
      if (!has_rules || tree.is_doubtful || tree.as<ir::Ruling>().is_used != is_used) continue;
      const RuleOutline outline(tree);
      RuleAnalysis analysis{outline, findings, unsaved};
      analyse_rules(analysis);
      analyse_choices(analysis);
      // Else the file may be used by one that is not given.
      const bool is_whole = !is_used && !facts.is_partial && !project.lacks_trees;
      const bool always_runs_away = is_whole && analyse_rule_root(analysis);
      analyse_rule_loops(analysis, is_whole, always_runs_away);
      find_unsaved(analysis);
    }
  }
  report_unsaved(unsaved, findings);
}

void analyse_decide_trees(const ir::Project& project, const Facts& facts, text::Findings& findings) {
  const auto make_analysis = [](std::size_t) -> TreeAnalysis {
    return [](const ir::Tree& tree, text::Findings& of_tree) {
      const DecideOutline outline(tree);
      DecideAnalysis analysis{outline, of_tree};
      for (const auto run : {analyse_reach, analyse_subsets, analyse_lists, analyse_unused}) run(analysis);
    };
  };
  analyse_each(project, EngineId::decide, facts, make_analysis, findings);
}

void analyse_store_trees(const ir::Project& project, text::Findings& findings) {
  std::vector<StoreOutline> outlines;
  for (const ir::Tree& tree : project.trees) {
    if (tree.engine() == EngineId::store) outlines.emplace_back(tree);
  }
  for (const StoreOutline& outline : outlines) {
    if (outline.tree.is_doubtful) continue;
    StoreAnalysis analysis{outline, findings};
    analyse_store_reach(analysis);
    analyse_store_conditions(analysis);
    analyse_barriers(analysis);
  }
  if (project.lacks_trees) return;
  analyse_monitors(project, outlines, findings);
  analyse_store_cycles(outlines, findings);
  analyse_store_sizes(project, findings);
}

}  // namespace

void find_errors(const ir::Project& project, text::Findings& findings) {
  if (project.written == nullptr) return;
  const PollAnalysis analysis{*project.written, findings};
  for (const auto run : {analyse_entries, analyse_outcomes, analyse_idle_conditions, analyse_neighbours}) run(analysis);
}

void analyse(const ir::Project& project, const Facts& facts, text::Findings& findings) {
  if (facts.shown == Shown::nothing) return;
  ProjectEvents events(project, facts);
  analyse_select_names(project, events, facts, findings);
  analyse_select_trees(project, facts, findings);
  analyse_tick_trees(project, events, facts, findings);
  analyse_rule_trees(project, facts, findings);
  analyse_decide_trees(project, facts, findings);
  analyse_store_trees(project, findings);
}

}  // namespace espalier::lint
