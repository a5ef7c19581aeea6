// The findings of analyses in random trees of deciders, compared with a model that tries all states of flags and
// stimuli.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

#include "lint/lint.h"
#include "payloads.h"
#include "rules/decider.h"
#include "rules/rules.h"
#include "runtime/format/opcodes/decide.h"
#include "unit.h"

namespace lint_deciders_random {

using namespace espalier;

namespace {

constexpr int kTreeCount = 3000;
constexpr std::uint32_t kMaxWords = 7;  // flags and stimuli

struct Drawing {
  std::mt19937 random;
  test::DraftTree tree = {};
  ir::Deciding& deciding = tree.parts.emplace<ir::Deciding>();
  std::uint32_t place = 0;  // one per decider
  std::uint32_t left = 0;   // deciders
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); }
  text::Span next_span() {
    ++place;
    return {0, place, place + 1};
  }

  ir::WantedList list(std::size_t name_count) {
    ir::WantedList result;
    if (name_count == 0 || below(3) != 0) return result;
    result.span = next_span();
    for (std::uint32_t count = 1 + below(3); count > 0; --count) {
      result.words.push_back({below(static_cast<std::uint32_t>(name_count)), below(3) != 0, next_span()});
    }
    return result;
  }
  void fill(ir::Decider& decider);
  test::Draft decider(std::uint32_t depth);
};

// ---- The model ----------------------------------------------------------------------------------

using State = std::uint32_t;  // a bit for each flag, then for each stimulus

bool holds(const ir::Wanted& word, State state, std::size_t first) {
  return ((state >> (first + word.index) & 1) != 0) == word.present;
}

bool all_hold(const ir::WantedList& list, State state, std::size_t first) {
  return std::all_of(list.words.begin(), list.words.end(),
                     [&](const ir::Wanted& word) { return holds(word, state, first); });
}

bool any_holds(const ir::WantedList& list, State state, std::size_t first) {
  return list.words.empty() || std::any_of(list.words.begin(), list.words.end(),
                                           [&](const ir::Wanted& word) { return holds(word, state, first); });
}

struct Model {
  const test::DraftTree& tree;
  const ir::Deciding& deciding = tree.as<ir::Deciding>();
  std::set<std::string> found = {};

  std::size_t flag_count() const { return tree.variables.size(); }
  State states() const { return State{1} << (flag_count() + deciding.stimuli.size()); }
  const test::Draft& own(const test::Draft& node) const {
    const auto* share = node.as_if<ir::DeciderShare>();
    return share != nullptr ? tree.shared[share->shared] : node;
  }
  const ir::Decider& decider(const test::Draft& node) const { return ir::decider_of(own(node)); }
  bool holds(const ir::Decider& decider, State state) const {
    return all_hold(decider.flags_all, state, 0) && any_holds(decider.flags_any, state, 0) &&
           all_hold(decider.stimuli_all, state, flag_count()) && any_holds(decider.stimuli_any, state, flag_count());
  }
  // By the state alone, or by a function that must accept for `other` to accept.
  bool accepts_with(const test::Draft& node, const test::Draft& other) const {
    const ir::Decider& asked = decider(node);
    const bool is_same = asked.decide.empty() || asked.decide == decider(other).decide;
    return asked.every_us == 0 && is_same && !asked.delegates;
  }
  bool always_accepts(const test::Draft& node) const {
    const ir::Decider& asked = decider(node);
    for (const auto list :
         {&ir::Decider::flags_all, &ir::Decider::flags_any, &ir::Decider::stimuli_all, &ir::Decider::stimuli_any}) {
      if (!(asked.*list).words.empty()) return false;
    }
    if (asked.every_us != 0 || !asked.decide.empty()) return false;
    const std::vector<test::Draft>& below = own(node).children;
    return !asked.delegates ||
           std::any_of(below.begin(), below.end(), [&](const test::Draft& child) { return always_accepts(child); });
  }
  void add(text::Span span, const std::string& what) { found.insert(std::to_string(span.begin) + ' ' + what); }

  void look_at(const test::Draft& node, bool is_root) {
    if (node.opcode == opcode::decide_share) return;
    if (!node.children.empty() && !is_root && !decider(node).delegates) look_for_breach(node);
    if (node.opcode == opcode::decide_prioritized) look_for_order(node);
    look_at_lists(decider(node));
    for (const test::Draft& child : node.children) look_at(child, false);
  }
  bool is_breach(const test::Draft& group, State state) const {
    return holds(decider(group), state) &&
           std::none_of(group.children.begin(), group.children.end(),
                        [&](const test::Draft& child) { return holds(decider(child), state); });
  }
  void look_for_breach(const test::Draft& group) {
    for (State state = 0; state < states(); ++state) {
      if (is_breach(group, state)) return add(group.span, "subset-rule");
    }
  }
  void look_for_order(const test::Draft& group) {
    for (std::size_t i = 1; i < group.children.size(); ++i) {
      bool is_reached = false;
      for (State state = 0; state < states(); ++state) {
        const auto end = group.children.begin() + static_cast<std::ptrdiff_t>(i);
        const bool is_taken = std::any_of(group.children.begin(), end, [&](const test::Draft& above) {
          return accepts_with(above, group.children[i]) && holds(decider(above), state);
        });
        is_reached = is_reached || (holds(decider(group.children[i]), state) && !is_taken);
      }
      if (always_accepts(group.children[i - 1])) return add(group.children[i].span, "never-reached");
      if (!is_reached && !always_accepts(group.children[i])) add(group.children[i].span, "reached-after-failures");
    }
  }
  void look_at_lists(const ir::Decider& asked) {
    const auto look = [&](const ir::WantedList& all, const ir::WantedList& any, std::size_t first) {
      if (any.words.empty()) return;
      bool always = true;
      bool where_all = true;
      for (State state = 0; state < states(); ++state) {
        always = always && any_holds(any, state, first);
        where_all = where_all && (!all_hold(all, state, first) || any_holds(any, state, first));
      }
      if (always) return add(any.span, "always-holds");
      if (!where_all) return;
      for (const ir::Wanted& word : any.words) {
        const auto same = std::find_if(all.words.begin(), all.words.end(), [&](const ir::Wanted& other) {
          return other.index == word.index && other.present == word.present;
        });
        if (same != all.words.end()) return add(word.span, "any-without-effect");
      }
      FAIL("a list that holds where another does has a word in common with it");
    };
    look(asked.flags_all, asked.flags_any, 0);
    look(asked.stimuli_all, asked.stimuli_any, flag_count());
  }
};

// ---- Trees --------------------------------------------------------------------------------------

// A reader does not accept preconditions that never hold.
void Drawing::fill(ir::Decider& decider) {
  bool can_hold = false;
  while (!can_hold) {
    decider = {};
    decider.flags_all = list(tree.variables.size());
    decider.flags_any = list(tree.variables.size());
    decider.stimuli_all = list(deciding.stimuli.size());
    decider.stimuli_any = list(deciding.stimuli.size());
    const Model model{tree};
    for (State state = 0; state < model.states(); ++state) can_hold = can_hold || model.holds(decider, state);
  }
  if (below(6) == 0) decider.every_us = 1;
  if (below(3) == 0) decider.decide = "decide";
}

test::Draft Drawing::decider(std::uint32_t depth) {
  constexpr Opcode kGroups[] = {opcode::decide_prioritized, opcode::decide_prioritized, opcode::decide_sequential,
                                opcode::decide_random, opcode::decide_scored};
  test::Draft node;
  node.span = next_span();
  const auto shared_count = static_cast<std::uint32_t>(tree.shared.size());
  if (depth > 0 && shared_count > 0 && below(4) == 0) {
    node.opcode = opcode::decide_share;
    const std::uint32_t shared = below(shared_count);
    node.payload = ir::DeciderShare{1, shared};
    node.name = tree.shared[shared].name;
    return node;
  }
  node.name = "D" + std::to_string(node.span.begin);
  const bool is_group = left > 0 && depth < 4 && (depth == 0 || below(3) == 0);
  node.opcode = is_group ? kGroups[below(5)] : opcode::decide_behavior;
  ir::Decider own;
  fill(own);
  if (!is_group) own.behavior = "B";
  if (is_group && own.decide.empty()) own.delegates = below(3) == 0;
  node.payload = ir::PlacedDecider{1, std::make_shared<const ir::Decider>(own)};
  for (std::uint32_t count = is_group ? 1 + below(4) : 0; count > 0; --count) {
    if (left > 0) --left;
    node.children.push_back(decider(depth + 1));
  }
  return node;
}

test::DraftTree drawn_tree(std::uint32_t seed) {
  Drawing drawing{std::mt19937(seed)};
  const std::uint32_t word_count = 1 + drawing.below(kMaxWords);
  for (std::uint32_t i = 0; i < word_count; ++i) {
    const std::string name = "w" + std::to_string(i);
    if (drawing.below(2) == 0) {
      drawing.tree.variables.push_back({name, false, drawing.next_span()});
    } else {
      drawing.deciding.stimuli.push_back({name, 0, drawing.next_span()});
    }
  }
  for (std::uint32_t count = drawing.below(3); count > 0; --count) {
    drawing.left = 1 + drawing.below(8);
    drawing.tree.shared.push_back(drawing.decider(drawing.below(2)));
    // References refer to its place in the tree, so it must not be a reference itself.
    if (drawing.tree.shared.back().opcode == opcode::decide_share) drawing.tree.shared.pop_back();
  }
  drawing.left = 4 + drawing.below(20);
  drawing.tree.root = drawing.decider(0);
  if (drawing.tree.root.opcode != opcode::decide_share) {
    drawing.tree.root.as<ir::PlacedDecider>().decider = std::make_shared<const ir::Decider>();
  }
  return drawing.tree;
}

bool is_unused(rules::Rule rule) {
  return rule == rules::DEC_flag_never_checked || rule == rules::DEC_stimulus_never_checked ||
         rule == rules::DEC_shared_never_referenced;
}

// The state in a message: the bits that are set, and those that it mentions.
struct Told {
  State set = 0;
  State known = 0;
};
Told told_in(const std::string& message, const test::DraftTree& tree) {
  Told told;
  const std::vector<ir::Stimulus>& stimuli = tree.as<ir::Deciding>().stimuli;
  const std::size_t begin = message.find(": ");
  const std::size_t without = message.find("without ");
  REQUIRE(begin != std::string::npos);
  for (std::size_t i = 0; i < tree.variables.size() + stimuli.size(); ++i) {
    const std::string& name =
        i < tree.variables.size() ? tree.variables[i].name : stimuli[i - tree.variables.size()].name;
    const std::size_t at = message.find('\'' + name + '\'', begin);
    if (at == std::string::npos) continue;
    told.known |= State{1} << i;
    if (at < without) told.set |= State{1} << i;
  }
  CHECK((told.set != 0) == (message.find(": only ") != std::string::npos));
  return told;
}

int bit_count(State state) { return state == 0 ? 0 : 1 + bit_count(state & (state - 1)); }

const test::Draft* find_node(const test::Draft& node, std::uint32_t place) {
  if (node.span.begin == place) return &node;
  for (const test::Draft& child : node.children) {
    if (const test::Draft* found = find_node(child, place)) return found;
  }
  return nullptr;
}

void check_state(const Model& model, const text::Finding& finding) {
  const test::Draft* group = find_node(model.tree.root, finding.span.begin);
  for (const test::Draft& unit : model.tree.shared) {
    if (group == nullptr) group = find_node(unit, finding.span.begin);
  }
  REQUIRE(group != nullptr);
  const Told told = told_in(finding.message, model.tree);
  int fewest = 100;
  for (State state = 0; state < model.states(); ++state) {
    if (model.is_breach(*group, state)) fewest = std::min(fewest, bit_count(state));
    if ((state & told.known) == told.set) CHECK(model.is_breach(*group, state));
  }
  CHECK(bit_count(told.set) == fewest);
  CHECK_FALSE(finding.related.empty());
}

}  // namespace

TEST_CASE("what is found in random trees of deciders is what all states of flags and stimuli show") {
  std::map<std::string, int> counts;
  for (std::uint32_t seed = 0; seed < kTreeCount; ++seed) {
    CAPTURE(seed);
    const test::DraftTree tree = drawn_tree(seed);
    Model model{tree};
    model.look_at(tree.root, true);
    for (const test::Draft& unit : tree.shared) model.look_at(unit, false);
    text::Findings findings;
    test::DraftProject project;
    project.trees.push_back(tree);
    lint::analyse(project, {}, findings);
    std::set<std::string> found;
    for (const text::Finding& finding : findings.all()) {
      if (is_unused(finding.rule)) continue;
      const std::string name(rules::info(finding.rule).name);
      found.insert(std::to_string(finding.span.begin) + ' ' + name);
      ++counts[name];
      if (finding.rule == rules::DEC_subset_rule) check_state(model, finding);
    }
    REQUIRE(found == model.found);
  }
  for (const char* rule :
       {"subset-rule", "never-reached", "reached-after-failures", "always-holds", "any-without-effect"}) {
    CAPTURE(rule);
    CHECK(counts[rule] > 200);
  }
}

}  // namespace lint_deciders_random
