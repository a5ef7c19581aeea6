// The findings of analyses in random trees that store their results, compared with all possible answers of hosts.
#include <algorithm>
#include <random>

#include "lint/store/outline.h"
#include "lint_synchronized_model.h"
#include "runtime/format/opcodes/store.h"
#include "unit.h"

namespace lint_synchronized_random {

using namespace drawn_store;

using namespace espalier;

namespace {

constexpr int kTreeCount = 1500;
constexpr std::size_t kMaxStateCount = 3000;

struct Drawing {
  std::mt19937 random;
  int left = 0;  // leaves
  bool has_inexact = false;

  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); }
  DrawnNodes several(int depth, bool in_monitor) {
    DrawnNodes result;
    for (std::uint32_t count = 1 + below(3); count > 0 && (left > 0 || result.empty()); --count) {
      result.push_back(node(depth + 1, in_monitor));
    }
    return result;
  }
  DrawnNode leaf(bool in_monitor) {
    --left;
    return below(in_monitor ? 8 : 2) == 0 ? action() : condition();
  }
  DrawnNode list(int depth, bool in_monitor) {
    switch (below(4)) {
      case 0:
        return parallel(several(depth, in_monitor), below(4));
      case 1:
        return selector(several(depth, in_monitor));
      default:
        return sequence(several(depth, in_monitor));
    }
  }
  DrawnNode node(int depth, bool in_monitor) {
    if (left <= 0 || depth > 4) return leaf(in_monitor);
    const std::uint32_t kind = below(in_monitor ? 7 : 15);
    switch (kind) {
      case 0:
        return leaf(in_monitor);
      case 1:
        return invert(node(depth + 1, in_monitor));
      case 2:
        return succeed(node(depth + 1, in_monitor));
      case 3:
        return fail(node(depth + 1, in_monitor));
      case 4:
      case 5:
      case 6:
        return list(depth, in_monitor);
      case 7:
      case 8:
        return monitor(node(depth + 1, true));
      case 9: {
        const std::uint32_t count = below(3);
        has_inexact = has_inexact || count > 1;
        if (below(3) == 0) return repeat(0, node(depth + 1, false), kEachUpdate);
        return repeat(count, node(depth + 1, false), below(2));
      }
      case 10:
        return below(2) == 0 ? gate(node(depth + 1, false)) : cooldown(node(depth + 1, false));
      case 11: {
        DrawnNodes roles;
        for (std::uint32_t count = 1 + below(2); count > 0; --count) {
          const bool has_barrier = below(2) == 0;
          DrawnNode work = node(depth + 1, false);
          roles.push_back(role(has_barrier ? selector({barrier("b"), std::move(work)}) : std::move(work)));
        }
        has_inexact = has_inexact || roles.size() > 1;
        return group(std::move(roles));
      }
      default:
        return list(depth, in_monitor);
    }
  }
};

bool has(const std::vector<std::string>& lines, lint::PlaceIndex node, const std::string& rule) {
  const std::string begin = std::to_string(node + 1) + ' ';
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.compare(0, begin.size(), begin) == 0 && line.find(rule) != std::string::npos;
  });
}

lint::Results bits(const std::set<Stored>& seen) {
  unsigned result = 0;
  if (seen.count(Stored::running) != 0) result |= lint::kRuns;
  if (seen.count(Stored::failure) != 0) result |= lint::kFails;
  if (seen.count(Stored::success) != 0) result |= lint::kSucceeds;
  return static_cast<lint::Results>(result);
}

bool holds(lint::Fate fate, lint::Results seen) {
  switch (fate) {
    case lint::Fate::succeeds:
      return (seen & lint::kFails) == 0;
    case lint::Fate::fails:
      return (seen & lint::kSucceeds) == 0;
    case lint::Fate::never:
      return (seen & (lint::kFails | lint::kSucceeds)) == 0;
    case lint::Fate::unknown:
      return true;
  }
  return false;
}

// A monitor that always succeeds interrupts before those after it are asked, which no analysis considers.
bool has_monitor_that_always_succeeds(const StoreModel& model) {
  for (lint::PlaceIndex node = 0; node < model.nodes.size(); ++node) {
    if (model.nodes[node]->opcode != opcode::store_monitor) continue;
    if (bits(model.seen[model.children[node][0]]) == lint::kSucceeds) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("what is said of results, reach and monitors is what all answers show, in random trees") {
  int unreachable_count = 0;
  int never_asked_count = 0;
  int asked_count = 0;
  for (int seed = 0; seed < kTreeCount; ++seed) {
    CAPTURE(seed);
    Drawing drawing{std::mt19937(static_cast<std::uint32_t>(seed))};
    drawing.left = 2 + static_cast<int>(drawing.below(4));
    const DrawnNode drawn = drawing.node(0, false);
    const test::DraftTree made = store_tree(drawn);
    const ir::Tree tree = made;
    StoreModel model(made);
    if (!model.explore(kMaxStateCount)) continue;
    const lint::StoreOutline outline(tree);
    const std::vector<std::string> found = found_in(drawn);
    const bool is_exact = !drawing.has_inexact && !has_monitor_that_always_succeeds(model);
    REQUIRE(outline.places.size() == model.nodes.size());
    for (lint::PlaceIndex node = 0; node < model.nodes.size(); ++node) {
      CAPTURE(node);
      const lint::Results seen = bits(model.seen[node]);
      REQUIRE((seen & ~outline.results[node]) == 0);
      REQUIRE(holds(outline.fates[node], seen));
      if (model.is_evaluated[node]) REQUIRE(outline.is_reached[node]);
      if (has(found, node, "unreachable-child")) {
        ++unreachable_count;
        REQUIRE_FALSE(model.is_evaluated[node]);
      }
      if (model.nodes[node]->opcode != opcode::store_monitor || !model.is_evaluated[node]) continue;
      if (has(found, node, "monitor-never-asked")) {
        ++never_asked_count;
        REQUIRE_FALSE(model.is_asked_again[node]);
      } else {
        ++asked_count;
        if (is_exact) REQUIRE(model.is_asked_again[node]);
      }
    }
  }
  CHECK(unreachable_count > 100);
  CHECK(never_asked_count > 100);
  CHECK(asked_count > 100);
}

TEST_CASE("the first child of a list that no answers lead to is told, in random trees") {
  int count = 0;
  for (int seed = 0; seed < kTreeCount; ++seed) {
    CAPTURE(seed);
    Drawing drawing{std::mt19937(static_cast<std::uint32_t>(seed + kTreeCount))};
    drawing.left = 2 + static_cast<int>(drawing.below(4));
    const DrawnNode drawn = drawing.node(0, false);
    const test::DraftTree made = store_tree(drawn);
    StoreModel model(made);
    if (drawing.has_inexact || !model.explore(kMaxStateCount)) continue;
    const std::vector<std::string> found = found_in(drawn);
    for (lint::PlaceIndex list = 0; list < model.nodes.size(); ++list) {
      if (!lint::StoreOutline::is_row(model.nodes[list]->opcode) || !model.is_evaluated[list]) continue;
      const std::vector<lint::PlaceIndex>& children = model.children[list];
      int told = 0;
      int reached = 0;
      for (const lint::PlaceIndex child : children) {
        const bool is_told = has(found, child, "unreachable-child") || has(found, child, "unreachable-by-results");
        told += is_told ? 1 : 0;
        reached += model.is_evaluated[child] ? 1 : 0;
      }
      REQUIRE(told == (reached < static_cast<int>(children.size()) ? 1 : 0));
      count += told;
    }
  }
  CHECK(count > 100);
}

TEST_CASE("deep and wide trees that store their results are analysed in time") {
  DrawnNodes many(1500, monitor());
  CHECK(found_in(selector(many)).size() == many.size());
  CHECK(found_in(parallel(many)).size() == many.size());
  DrawnNode deep = monitor();
  for (int i = 0; i < 1000; ++i) deep = sequence({condition(), deep});
  const std::vector<std::string> found = found_in(deep);
  CHECK(std::count(found.begin(), found.end(), "2001 monitor-never-asked") == 1);
  CHECK(found.size() == 1000);  // each condition but the first repeats the one before it
}

}  // namespace lint_synchronized_random
