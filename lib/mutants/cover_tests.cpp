// Tests of covers. See cover_tests.h.
#include "mutants/cover_tests.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "codegen/dump/listing.h"
#include "mutants/mutants.h"
#include "replay/names.h"

namespace espalier::mutants {
namespace {

// So many nodes are compiled for the mutants of a tree: a few seconds.
constexpr std::size_t kMostNodes = 200'000;
constexpr std::size_t kMostChanges = 2000;
constexpr std::size_t kLeastChanges = 100;

MutantLimits limits_of(const Tree& tree, const SuiteOptions& options) {
  std::size_t count = 0;
  codegen::visit_tree(tree, [&](const codegen::NodeView&, std::size_t, std::uint32_t) { ++count; });
  return {.changes = std::clamp(kMostNodes / std::max<std::size_t>(count, 1), kLeastChanges, kMostChanges),
          .thread_count = options.explore.budget.threads};
}

std::vector<explore::Trace> traces_of(const explore::Cover& cover, const std::string& tree) {
  std::vector<explore::Trace> traces;
  for (const explore::CoverTrace& trace : cover.traces) {
    if (trace.trace.tree == tree) traces.push_back(trace.trace);
  }
  return traces;
}

// A given test, of the tree alone, that holds: a mutant on which it fails is noticed.
bool is_test_of(const Asset& asset, const std::string& tree, const std::string& test) {
  bool is_of_tree = false;
  replay::Observer observer;
  observer.begin = [&](const replay::Beginning& beginning) {
    is_of_tree = std::all_of(beginning.trees.begin(), beginning.trees.end(),
                             [&](const Tree& each) { return tree_name(each) == tree; });
  };
  std::istringstream lines(test);
  text::Sources sources;
  return replay::replay(asset, lines, "test", {}, sources, observer).holds() && is_of_tree;
}

}  // namespace

std::vector<NamedTest> tests_of(const Asset& asset, const explore::Cover& cover, const project::Snapshot& snapshot,
                                const SuiteOptions& options) {
  std::vector<NamedTest> tests;
  std::vector<NamedTest> more;
  for (const explore::TreeCover& covered : cover.trees) {
    Tree tree;
    if (find_tree(asset, covered.tree, &tree) != Status::ok) continue;
    const std::vector<explore::Trace> covering = traces_of(cover, covered.tree);
    const std::vector<Mutant> mutants = mutants_of(snapshot, tree, limits_of(tree, options));
    const Suite suite = suite_of(tree, covering, mutants, options);
    for (std::size_t i = 0; i < suite.tests.size(); ++i) {
      std::string name = replay::plain_tree_name(covered.tree) + '-' + std::to_string(i + 1) + ".trace.jsonl";
      (i < covering.size() ? tests : more).push_back({std::move(name), suite.tests[i]});
    }
  }
  tests.insert(tests.end(), more.begin(), more.end());
  return tests;
}

void add_unnoticed(const Asset& asset, const explore::Cover& explored, std::span<const std::string> tests,
                   const project::Snapshot& snapshot, const SuiteOptions& options, explore::Cover& cover) {
  for (explore::TreeCover& covered : cover.trees) {
    Tree tree;
    if (find_tree(asset, covered.tree, &tree) != Status::ok) continue;
    const std::vector<Mutant> mutants = mutants_of(snapshot, tree, limits_of(tree, options));
    std::vector<std::string> own;
    std::copy_if(tests.begin(), tests.end(), std::back_inserter(own),
                 [&](const std::string& test) { return is_test_of(asset, covered.tree, test); });
    std::vector<Fate> fates = fates_of(own, mutants);
    find_traces(tree, traces_of(explored, covered.tree), mutants, options, fates);
    explore::TreeMutants& result = covered.mutants.emplace();
    result.count = mutants.size();
    for (std::size_t i = 0; i < mutants.size(); ++i) {
      result.noticed_count += fates[i].test ? 1 : 0;
      result.undecided_count += !fates[i].test && !fates[i].trace ? 1 : 0;
      if (fates[i].test || !fates[i].trace) continue;
      result.unnoticed.push_back(
          {{mutants[i].file, mutants[i].line, mutants[i].column}, mutants[i].what, std::move(*fates[i].trace)});
    }
  }
}

}  // namespace espalier::mutants
