// What lint knows of trees that tick, compared with what their model does in random runs: nothing is observed that lint
// rules out; in small trees, all that lint does not rule out is observed.
#include <algorithm>
#include <set>

#include "lint/tick/outline.h"
#include "payloads.h"
#include "rules/modular.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime_condition_model.h"
#include "runtime_ticking_host.h"
#include "runtime_ticking_model.h"
#include "runtime_ticking_trees.h"
#include "unit.h"

namespace runtime_ticking_facts {

using namespace espalier;
using namespace espalier::test;

namespace {

// What was observed at each place.
struct Observed {
  std::vector<lint::Outcome> outcomes;
  std::vector<bool> is_begun;
};

// Runs an agent of the model at random: what happens outside of updates may change anything.
class RandomRuns {
 public:
  RandomRuns(const DraftTree& tree, std::uint64_t seed, std::uint32_t meddle_percent)
      : tree_(tree),
        random_{seed},
        host_(random_.next(), meddle_percent),
        model_(tree, random_.next(), host_, places_) {
    host_.agent.signal_count = static_cast<std::uint32_t>(tree.signals.size());
    host_.agent.variable_count = static_cast<std::uint32_t>(tree.variables.size());
    host_.agent.raise = [this](std::uint32_t signal) {
      if (may_meddle()) model_.raise(signal);
    };
    host_.agent.set = [this](std::uint32_t variable, bool value) {
      if (may_meddle()) model_.set(variable, value);
    };
  }

  void run(int updates, Observed& observed) {
    run(updates, [&] { look(observed); });
  }
  // Calls `look` after each update.
  template <typename Look>
  void run(int updates, const Look& look_at_it) {
    for (int i = 0; i < updates; ++i) {
      const std::uint32_t noise = i / 8 % 2 == 0 ? noise_percent_ : noise_percent_ / 4;
      for (std::uint32_t variable = 0; variable < tree_.variables.size(); ++variable) {
        if (random_.chance(noise)) model_.set(variable, random_.chance(50));
      }
      while (random_.chance(noise)) model_.raise(random_.below(static_cast<std::uint32_t>(tree_.signals.size())));
      if (random_.chance(4)) model_.stop();
      const bool is_long = random_.chance(15);
      model_.clock_us += is_long ? 5'000'000 : 100'000 * random_.below(6);
      host_.clear();
      model_.update();
      look_at_it();
    }
  }

 public:
  const std::vector<Note>& notes() const { return host_.notes(); }

 private:
  // Only calls of the host and scripts change the agent.
  bool may_meddle() const {
    return host_.notes().empty() ||
           (host_.notes().back().what != Told::log && host_.notes().back().what != Told::queue);
  }
  void look(Observed& observed) {
    std::set<std::uint32_t> begun_now;
    for (const Note& note : host_.notes()) {
      if (note.what == Told::begins) {
        begun_now.insert(note.node);
        observed.is_begun[note.node] = true;
      } else if (note.what == Told::completes) {
        const lint::Results result = lint::bit(static_cast<Result>(note.value));
        lint::Outcome& outcome = observed.outcomes[note.node];
        (begun_now.count(note.node) != 0 ? outcome.first : outcome.later) |= result;
        begun_now.erase(note.node);
      } else if (note.what == Told::interrupted) {
        begun_now.erase(note.node);
      }
    }
    for (const auto& [node, state] : model_.state().active) {
      const std::uint32_t number = model_.number_of(*node);
      lint::Outcome& outcome = observed.outcomes[number];
      (begun_now.count(number) != 0 ? outcome.first : outcome.later) |= lint::kRuns;
    }
  }

  const DraftTree& tree_;
  Random random_;
  std::uint32_t noise_percent_ = random_.chance(20) ? 3 : 35;  // of changes from outside
  ModelPlaces places_;
  DiceHost host_;
  TickingModel model_;
};

bool is_named(Opcode opcode) {
  return opcode != opcode::tick_branch && opcode != opcode::tick_case && opcode != opcode::tick_state;
}

Observed observe(const DraftTree& tree, std::size_t place_count, std::uint64_t seed, std::uint32_t meddle_percent,
                 int runs) {
  Observed observed{std::vector<lint::Outcome>(place_count), std::vector<bool>(place_count)};
  for (int run = 0; run < runs; ++run) RandomRuns(tree, 1000 * seed + run, meddle_percent).run(40, observed);
  return observed;
}

bool has(const Draft& node, Opcode wanted) {
  return node.opcode == wanted ||
         std::any_of(node.children.begin(), node.children.end(), [&](const auto& child) { return has(child, wanted); });
}

// Without what lint cannot be exact about: hosts that change the agent, several branches, rounds that are counted,
// events that reach two nodes, timestamps that can never be "never set" again.
bool is_simple(const Draft& node) {
  switch (node.opcode) {
    case opcode::tick_machine:
    case opcode::tick_priority:
      if (has(node, opcode::tick_send) || has(node, opcode::tick_wait_event)) return false;
      break;
    case opcode::tick_time:
    case opcode::tick_time_guard:
      if (node.as<ir::TimeTest>().timestamp && (node.flags & kTimeNeverSet) != 0) return false;
      break;
    case opcode::tick_parallel:
    case opcode::tick_script:
    case opcode::tick_script_guard:
    case opcode::tick_script_wrapper:
    case opcode::tick_limit:
    case opcode::tick_scope:
      return false;
    case opcode::tick_wait:
      // A random part is never exactly 0 here.
      if (node.as<ir::Duration>().time_us > 5'000'000 || node.as<ir::Duration>().random_us > 0) return false;
      break;
    case opcode::tick_loop:
      if (node.as<ir::Limit>().maximum > 1) return false;
      break;
    default:
      break;
  }
  return std::all_of(node.children.begin(), node.children.end(), is_simple);
}

void declare_harmless(Draft& node) {
  if (ir::Behavior* behavior = std::get_if<ir::Behavior>(&node.payload)) {
    behavior->name = node.opcode == opcode::tick_action ? "Act0" : "Wrap0";
    behavior->sets = ir::shared_names({});
    behavior->sends = ir::shared_names({});
  }
  for (Draft& child : node.children) declare_harmless(child);
}

DraftTree small_tree(std::uint64_t seed) {
  Random random{seed};
  TickingShape shape;
  shape.max_nodes = 3 + random.below(6);
  shape.max_depth = 4;
  shape.max_variables = 2;
  shape.log_percent = 0;
  DraftTree tree = random_ticking_tree(random, shape, "Tree");
  if (is_simple(tree.root)) declare_harmless(tree.root);
  tree.as<ir::Ticking>().stays_stopped = false;
  return tree;
}

// ---- Terms that a constant can replace

struct Claim {
  ir::ConditionIndex condition;
  std::uint32_t term;
  bool value;
  auto operator<=>(const Claim&) const = default;
};

constexpr std::uint32_t kConditionSize = 10'000;  // bytes, in the file of these trees

// Gives each term a place.
void place_terms(DraftTree& tree) {
  for (std::uint32_t i = 0; i < tree.conditions.size(); ++i) {
    ir::Condition& condition = tree.conditions[i];
    const auto count = static_cast<std::uint32_t>(condition.terms.size());
    condition.span = {0, i * kConditionSize, i * kConditionSize + count};
    for (std::uint32_t term = 0; term < count; ++term) {
      condition.terms[term].begin = term;
      condition.terms[term].end = term + 1;
    }
  }
}

std::set<Claim> claims_of(const DraftTree& tree) {
  DraftProject project;
  project.trees.push_back(tree);
  text::Findings findings;
  lint::analyse(project, {}, findings);
  std::set<Claim> claims;
  for (const text::Finding& finding : findings.all()) {
    const std::uint32_t condition = finding.span.begin / kConditionSize;
    const std::uint32_t term = finding.span.begin % kConditionSize;
    const bool is_time = finding.span == text::Span();  // nodes have no places here
    if (is_time && finding.message.find("comparison") != std::string::npos) continue;
    const auto root =
        static_cast<std::uint32_t>(tree.conditions.empty() ? 0 : tree.conditions[condition].terms.size() - 1);
    if (finding.rule == rules::MBT_condition_always_false) claims.insert({condition, root, false});
    if (finding.rule == rules::MBT_condition_always_true) claims.insert({condition, root, true});
    if (finding.rule == rules::MBT_redundant_term) {
      claims.insert({condition, term, finding.message.find("'true'") != std::string::npos});
    }
  }
  return claims;
}

DraftTree with_constant(DraftTree tree, const Claim& claim) {
  ir::Term& term = tree.conditions[claim.condition].terms[claim.term];
  term.kind = ir::TermKind::constant;
  term.left = claim.value ? 1 : 0;
  return tree;
}

bool runs_same(const DraftTree& one, const DraftTree& other, std::uint64_t seed, std::uint32_t meddle_percent,
               int runs) {
  for (int run = 0; run < runs; ++run) {
    std::vector<Note> notes;
    std::vector<Note> other_notes;
    const auto record = [&](const DraftTree& tree, std::vector<Note>& to) {
      RandomRuns runner(tree, 1000 * seed + static_cast<std::uint64_t>(run), meddle_percent);
      runner.run(40, [&] { to.insert(to.end(), runner.notes().begin(), runner.notes().end()); });
    };
    record(one, notes);
    record(other, other_notes);
    if (notes != other_notes) return false;
  }
  return true;
}

// Those of nodes that are begun and, if they are cases, reached.
std::vector<ir::ConditionIndex> conditions_evaluated(const DraftTree& tree) {
  const ir::Tree laid_out = tree;
  const lint::TickOutline outline(laid_out, {});
  std::vector<ir::ConditionIndex> result;
  for (lint::PlaceIndex place = 0; place < outline.places.size(); ++place) {
    const bool is_asked = outline.states->may_be(outline.known.places[place].asked);
    if (is_asked && condition_of(outline.node(place))) result.push_back(*condition_of(outline.node(place)));
  }
  return result;
}

}  // namespace

TEST_CASE("no run gives a result, or begins a node, that lint rules out") {
  int ruled_out = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    Random random{seed};
    TickingShape shape = random_ticking_shape(random);
    shape.max_nodes = std::min(shape.max_nodes, 60u);
    const DraftTree tree = random_ticking_tree(random, shape, "Tree");
    const ir::Tree laid_out = tree;
    const lint::TickOutline outline(laid_out, {});
    const lint::TickFacts coarse =
        lint::find_tick_facts(outline.places, {}, lint::Hosts::choose, lint::Detail::coarse, *outline.states);
    const Observed observed = observe(tree, outline.places.size(), seed, seed % 3 == 0 ? 0 : 20, 1);
    for (lint::PlaceIndex place = 0; place < outline.places.size(); ++place) {
      if (!is_named(outline.opcode(place))) continue;
      CAPTURE(place);
      const lint::Outcome& known = outline.outcome(place);
      const lint::Outcome& seen = observed.outcomes[place];
      const bool is_allowed = (seen.first & ~known.first) == 0 && (seen.later & ~known.later) == 0 &&
                              !(observed.is_begun[place] && outline.places[place].is_idle);
      if (!is_allowed) UNSCOPED_INFO(text_of(tree));
      REQUIRE(is_allowed);
      ruled_out += outline.places[place].is_idle ? 1 : 0;
      const lint::Outcome& coarse_known = coarse.outcomes[place];
      REQUIRE((known.first & ~coarse_known.first) == 0);
      REQUIRE((known.later & ~coarse_known.later) == 0);
    }
  }
  CHECK(ruled_out > 500);
}

TEST_CASE("nearly all that lint does not rule out in a small tree is seen in some run") {
  int place_count = 0;
  int unseen_count = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    DraftTree tree = small_tree(seed);
    if (!is_simple(tree.root)) continue;
    const ir::Tree laid_out = tree;
    const lint::TickOutline outline(laid_out, {});
    const Observed observed = observe(tree, outline.places.size(), seed, 0, 40);
    for (lint::PlaceIndex place = 0; place < outline.places.size(); ++place) {
      if (!is_named(outline.opcode(place))) continue;
      const lint::Outcome& known = outline.outcome(place);
      const lint::Outcome& seen = observed.outcomes[place];
      const bool is_same = seen.first == known.first && seen.later == known.later &&
                           observed.is_begun[place] != outline.places[place].is_idle;
      ++place_count;
      unseen_count += is_same ? 0 : 1;
    }
  }
  CHECK(place_count > 700);
  CHECK(unseen_count * 50 < place_count);  // events at rare times
}

TEST_CASE(
    "a tree does the same with a constant for what lint says has no effect, and mostly something else otherwise") {
  int claim_count = 0;
  int other_count = 0;
  int same_count = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    DraftTree tree = small_tree(seed);
    const bool is_exact = is_simple(tree.root);
    if (!is_exact && seed % 4 != 0) continue;
    place_terms(tree);
    const std::set<Claim> claims = claims_of(tree);
    for (const Claim& claim : claims) {
      CAPTURE(claim.condition, claim.term, claim.value);
      const bool is_same = runs_same(tree, with_constant(tree, claim), seed, is_exact ? 0 : 20, is_exact ? 10 : 30);
      if (!is_same) UNSCOPED_INFO(text_of(tree));
      REQUIRE(is_same);
      ++claim_count;
    }
    if (!is_exact) continue;
    for (const ir::ConditionIndex condition : conditions_evaluated(tree)) {
      const auto& terms = tree.conditions[condition].terms;
      for (std::uint32_t term = 0; term < terms.size(); ++term) {
        const bool is_claimed =
            std::any_of(claims.begin(), claims.end(), [&](const Claim& claim) { return claim.condition == condition; });
        if (is_claimed || terms[term].kind != ir::TermKind::variable) continue;
        for (const bool value : {false, true}) {
          ++other_count;
          same_count += runs_same(tree, with_constant(tree, {condition, term, value}), seed, 0, 40) ? 1 : 0;
        }
      }
    }
  }
  CHECK(claim_count > 300);
  CHECK(other_count > 100);
  CHECK(same_count * 20 < other_count);
}

}  // namespace runtime_ticking_facts
