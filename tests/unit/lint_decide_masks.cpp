// Masks of preconditions against the lists themselves, in all states of a few flags and stimuli.
#include "lint/decide/masks.h"

#include <algorithm>
#include <random>
#include <vector>

#include "lint/decide/outline.h"
#include "unit.h"

namespace lint_decide_masks {

using namespace espalier;
using lint::DecideState;

namespace {

constexpr std::uint32_t kWords = 3;  // flags, and as many stimuli

bool is_true(const ir::Wanted& word, std::uint64_t state) { return ((state >> word.index & 1) != 0) == word.present; }

bool list_holds(const ir::Decider& decider, const lint::WantedListInfo& info, const DecideState& state) {
  const ir::Few<ir::Wanted>& words = (decider.*info.list).words;
  const auto holds = [&](const ir::Wanted& word) { return is_true(word, state[info.is_of_stimuli ? 1 : 0]); };
  if (!info.is_any) return std::all_of(words.begin(), words.end(), holds);
  return words.empty() || std::any_of(words.begin(), words.end(), holds);
}

bool lists_hold(const ir::Decider& decider, const DecideState& state) {
  return std::all_of(std::begin(lint::kWantedLists), std::end(lint::kWantedLists),
                     [&](const lint::WantedListInfo& info) { return list_holds(decider, info, state); });
}

ir::Decider random_decider(std::mt19937& random) {
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  ir::Decider decider;
  for (const lint::WantedListInfo& info : lint::kWantedLists) {
    for (std::uint32_t count = below(3); count > 0; --count) {
      (decider.*info.list).words.push_back({below(kWords), below(2) == 0, {}});
    }
  }
  return decider;
}

template <typename Visit>
void for_each_state(const Visit& visit) {
  for (std::uint64_t flags = 0; flags < 1 << kWords; ++flags) {
    for (std::uint64_t stimuli = 0; stimuli < 1 << kWords; ++stimuli) visit(DecideState{flags, stimuli});
  }
}

}  // namespace

TEST_CASE("masks hold in the states in which the lists hold") {
  std::mt19937 random(7);
  for (int i = 0; i < 500; ++i) {
    const ir::Decider decider = random_decider(random);
    const lint::WantedMasks masks = lint::masks_of(decider);
    for_each_state([&](const DecideState& state) { CHECK(lint::holds(masks, state) == lists_hold(decider, state)); });
  }
}

TEST_CASE("masks that imply others do so in all states; each implies itself") {
  std::mt19937 random(8);
  int implied = 0;
  for (int i = 0; i < 5000; ++i) {
    const ir::Decider decider = random_decider(random);
    const ir::Decider then = random_decider(random);
    const lint::WantedMasks masks = lint::masks_of(decider);
    REQUIRE(lint::surely_implies(masks, masks));
    if (!lint::surely_implies(masks, lint::masks_of(then))) continue;
    ++implied;
    for_each_state([&](const DecideState& state) {
      if (lists_hold(decider, state)) CHECK(lists_hold(then, state));
    });
  }
  CHECK(implied > 100);
}

TEST_CASE("all lists hold in the fewest and the most words, unless words exclude each other") {
  std::mt19937 random(9);
  int held = 0;
  for (int i = 0; i < 500; ++i) {
    const ir::Decider decider = random_decider(random);
    const lint::WantedMasks masks = lint::masks_of(decider);
    bool can_hold = false;
    for_each_state([&](const DecideState& state) { can_hold = can_hold || lists_hold(decider, state); });
    for (const DecideState& state : {lint::fewest(masks), lint::most(masks)}) {
      CHECK(lint::holds(masks, state) == can_hold);
      held += can_hold ? 1 : 0;
    }
  }
  CHECK(held > 200);
}

}  // namespace lint_decide_masks
