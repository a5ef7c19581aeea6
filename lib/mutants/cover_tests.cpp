// Tests of covers. See cover_tests.h.
#include "mutants/cover_tests.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "codegen/dump/listing.h"
#include "mutants/mutants.h"
#include "replay/names.h"

namespace espalier::mutants {
namespace {

// So many nodes are compiled for the mutants of a tree: a few seconds.
constexpr std::size_t kMostNodes = 200'000;
constexpr std::size_t kMostChanges = 2000;
constexpr std::size_t kLeastChanges = 100;

constexpr std::uint64_t kWorkANode = 1000;
constexpr std::uint32_t kPartForMutants = 3;  // of the effort

std::size_t node_count_of(const Tree& tree) {
  std::size_t count = 0;
  codegen::visit_tree(tree, [&](const codegen::NodeView&, std::size_t, std::uint32_t) { ++count; });
  return std::max<std::size_t>(count, 1);
}

Mutants mutants_within(const Origin& origin, const Tree& tree, Effort& effort) {
  const std::size_t node_count = node_count_of(tree);
  const std::uint64_t work_for_one = kWorkANode * node_count;
  std::size_t changes = std::clamp(kMostNodes / node_count, kLeastChanges, kMostChanges);
  changes =
      static_cast<std::size_t>(std::min<std::uint64_t>(changes, effort.work_left() / kPartForMutants / work_for_one));
  Mutants mutants = mutants_of(origin, tree,
                               {.changes = changes,
                                .time = effort.time_left(kPartForMutants),
                                .thread_count = effort.budget().threads,
                                .interruption = effort.budget().interruption});
  effort.use(mutants.tried_count * work_for_one);
  return mutants;
}

std::vector<explore::Trace> traces_of(const explore::Cover& cover) {
  std::vector<explore::Trace> traces;
  for (const explore::CoverTrace& trace : cover.traces) traces.push_back(trace.trace);
  return traces;
}

// The tree of a given test that is of it alone, and holds: a mutant on which it fails is noticed.
std::optional<std::string> tree_of_test(const Asset& asset, const std::string& test) {
  std::set<std::string_view> names;
  replay::Observer observer;
  observer.begin = [&](const replay::Beginning& beginning) {
    for (const Tree& tree : beginning.trees) names.insert(tree_name(tree));
  };
  std::istringstream lines(test);
  text::Sources sources;
  const bool holds = replay::replay(asset, lines, "test", {}, sources, observer).holds();
  return holds && names.size() == 1 ? std::optional<std::string>(*names.begin()) : std::nullopt;
}

// The tree in an asset of its own, where replays do not look at others.
Tree alone(const Tree& tree, const Mutants& mutants) {
  Tree own;
  const bool has_own = !mutants.original.words.empty() &&
                       find_tree(mutants.original.asset, tree_name(tree), &own) == Status::ok &&
                       tree_name(own) == tree_name(tree);  // its traces need not name its file
  return has_own ? own : tree;
}

}  // namespace

std::vector<NamedTest> tests_of(const Origin& origin, const explore::Cover& cover, const SuiteOptions& options,
                                Effort& effort) {
  const std::string& name = cover.trees.front().tree;
  std::vector<NamedTest> tests;
  Tree tree;
  if (find_tree(origin.asset, name, &tree) != Status::ok) return tests;
  const Mutants mutants = mutants_within(origin, tree, effort);
  Suite suite = suite_of(alone(tree, mutants), traces_of(cover), mutants.all, options, effort);
  for (std::size_t i = 0; i < suite.tests.size(); ++i) {
    tests.push_back(
        {replay::plain_tree_name(name) + '-' + std::to_string(i + 1) + ".trace.jsonl", std::move(suite.tests[i])});
  }
  return tests;
}

TestsByTree tests_by_tree(const Asset& asset, std::span<const std::string> tests) {
  TestsByTree by_tree;
  for (const std::string& test : tests) {
    if (const std::optional<std::string> tree = tree_of_test(asset, test)) by_tree[*tree].push_back(test);
  }
  return by_tree;
}

void add_unnoticed(const Origin& origin, const explore::Cover& explored, const TestsByTree& tests,
                   const SuiteOptions& options, Effort& effort, explore::TreeCover& cover) {
  Tree tree;
  if (find_tree(origin.asset, cover.tree, &tree) != Status::ok) return;
  const Mutants mutants = mutants_within(origin, tree, effort);
  const auto own = tests.find(cover.tree);
  std::vector<Fate> fates =
      fates_of(own == tests.end() ? std::span<const std::string>() : own->second, mutants.all, effort);
  find_traces(alone(tree, mutants), traces_of(explored), mutants.all, options, effort, fates);
  if (options.explore.budget.is_interrupted()) return;
  explore::TreeMutants& result = cover.mutants.emplace();
  result.count = mutants.all.size();
  for (std::size_t i = 0; i < mutants.all.size(); ++i) {
    result.noticed_count += fates[i].test ? 1 : 0;
    result.undecided_count += !fates[i].test && !fates[i].trace ? 1 : 0;
    if (fates[i].test || !fates[i].trace) continue;
    const Mutant& mutant = mutants.all[i];
    result.unnoticed.push_back({{mutant.file, mutant.line, mutant.column}, mutant.what, std::move(*fates[i].trace)});
  }
}

}  // namespace espalier::mutants
