// Preconditions as functions. See preconditions.h.
#include "lint/decide/preconditions.h"

#include <algorithm>

#include "text/names.h"

namespace espalier::lint {
namespace {

constexpr logic::Variable kNone = logic::kMaxVariables;
constexpr std::size_t kMaxNames = 8;  // in a message

// "'A', 'B' and 'C'".
std::string quoted_names(const std::vector<std::string>& names) {
  std::string result;
  const std::size_t shown = names.size() <= kMaxNames ? names.size() : kMaxNames - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == names.size();
    result += (i == 0 ? "" : is_last ? " and " : ", ") + text::quote(names[i]);
  }
  return shown == names.size() ? result : result + " and " + std::to_string(names.size() - shown) + " more";
}

}  // namespace

std::size_t word_count(const ir::Decider& decider) {
  std::size_t count = 0;
  for (const WantedListInfo& info : kWantedLists) count += (decider.*info.list).words.size();
  return count;
}

// Words of a short list should be adjacent, or diagrams grow; for long lists the order does not matter.
Preconditions::Preconditions(const DecideOutline& outline, const std::vector<PlaceIndex>& places, std::size_t budget)
    : diagrams(budget),
      outline_(outline),
      variables_(outline.tree.variables.size() + outline.tree.as<ir::Deciding>().stimuli.size(), kNone) {
  std::vector<const ir::Decider*> deciders;
  deciders.reserve(places.size());
  for (const PlaceIndex place : places) deciders.push_back(&outline.decider(place));
  std::stable_sort(deciders.begin(), deciders.end(), [](const ir::Decider* left, const ir::Decider* right) {
    return word_count(*left) < word_count(*right);
  });
  for (const ir::Decider* decider : deciders) number_words(*decider);
}

std::size_t Preconditions::word_number(const ir::Wanted& word, bool is_of_stimuli) const {
  return is_of_stimuli ? outline_.tree.variables.size() + word.index : word.index;
}

void Preconditions::number_words(const ir::Decider& decider) {
  for (const WantedListInfo& info : kWantedLists) {
    for (const ir::Wanted& word : (decider.*info.list).words) {
      logic::Variable& variable = variables_[word_number(word, info.is_of_stimuli)];
      if (variable != kNone) continue;
      variable = static_cast<logic::Variable>(words_.size());
      words_.push_back(word_number(word, info.is_of_stimuli));
    }
  }
}

logic::Function Preconditions::of(PlaceIndex place) {
  const ir::Decider& decider = outline_.decider(place);
  logic::Function result = diagrams.constant(true);
  for (const WantedListInfo& info : kWantedLists) {
    std::vector<logic::Literal> literals;
    for (const ir::Wanted& word : (decider.*info.list).words) {
      literals.push_back({variables_[word_number(word, info.is_of_stimuli)], word.present});
    }
    if (literals.empty()) continue;
    result = diagrams.conjunction(result, info.is_any ? diagrams.any_of(literals) : diagrams.all_of(literals));
  }
  return result;
}

logic::Function Preconditions::accepting(PlaceIndex place) {
  const auto asked = functions_.find(outline_.decider(place).decide);
  return asked == functions_.end() ? of(place) : diagrams.conjunction(of(place), diagrams.variable(asked->second));
}

void Preconditions::ask(const std::string& decide) {
  if (decide.empty() || words_.size() + functions_.size() >= logic::kMaxVariables) return;
  functions_.try_emplace(decide, static_cast<logic::Variable>(words_.size() + functions_.size()));
}

std::string Preconditions::state(const std::vector<logic::Literal>& witness) const {
  const ir::Tree& tree = outline_.tree;
  std::vector<std::string> names[2];
  for (const logic::Literal& literal : witness) {
    const std::size_t word = words_[literal.variable];
    const std::size_t flag_count = tree.variables.size();
    names[literal.value ? 1 : 0].push_back(word < flag_count ? tree.variables[word].name
                                                             : tree.as<ir::Deciding>().stimuli[word - flag_count].name);
  }
  std::string result = names[1].empty() ? std::string() : "only " + quoted_names(names[1]);
  if (!names[0].empty()) result += (result.empty() ? "without " : ", without ") + quoted_names(names[0]);
  return result;
}

bool Preconditions::holds(const ir::Wanted& word, bool is_of_stimuli,
                          const std::vector<logic::Literal>& witness) const {
  const logic::Variable variable = variables_[word_number(word, is_of_stimuli)];
  const bool is_there = std::any_of(witness.begin(), witness.end(), [&](const logic::Literal& literal) {
    return literal.variable == variable && literal.value;
  });
  return is_there == word.present;
}

}  // namespace espalier::lint
