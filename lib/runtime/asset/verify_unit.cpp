// Verifying units, each by its family: they follow one another, and with them what their nodes lead to. Apart from what
// verifies one, so that no unit needs the stack of all.
#include "asset/verify.h"
#include "core/engine.h"

namespace espalier {

bool Verifier::check_units() {
  const auto units = records<layout::Unit>(asset_, layout::SectionId::units);
  const std::uint32_t* nodes = array<std::uint32_t>(asset_, layout::SectionId::nodes);
  const std::uint32_t word_count = record_count(asset_, layout::SectionId::nodes);
  std::uint32_t next_word = 0;
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::units); ++i) {
    const layout::Unit& unit = units[i];
    if (unit.first_word != next_word || unit.word_count == 0 || unit.word_count > word_count - next_word) {
      return fail(&unit, "units do not follow one another");
    }
    const Family family = family_of_unit(i);
    const Engine* engine = find_engine(&unit, family);
    if (engine == nullptr) return false;
    const bool is_owned =
        unit.tree < tree_count(asset_) &&
        array<layout::Tree>(asset_, layout::SectionId::trees)[unit.tree].engine == static_cast<std::uint8_t>(family);
    if (is_shared_unit(family) ? unit.tree != layout::kNone : !is_owned) {
      return fail(&unit, "a unit is of another tree");
    }
    if (unit.first_use != next_.use || unit.use_count > record_count(asset_, layout::SectionId::uses) - next_.use) {
      return fail(&unit, "uses do not follow one another");
    }
    std::uint32_t word = next_word;
    const char* reason = (this->*engine->check_unit)(i, &word);
    if (reason != nullptr) return fail(nodes + word, reason);
    if (next_.use - unit.first_use != unit.use_count) return fail(&unit, "uses belong to no rule");
    next_word += unit.word_count;
  }
  if (next_.use != record_count(asset_, layout::SectionId::uses)) {
    return fail(&array<layout::Use>(asset_, layout::SectionId::uses)[next_.use], "uses belong to no rule");
  }
  if (next_.decider != record_count(asset_, layout::SectionId::deciders)) {
    return fail(&array<layout::Decider>(asset_, layout::SectionId::deciders)[next_.decider],
                "deciders belong to no node");
  }
  if (next_word != word_count) return fail(nodes + next_word, "nodes belong to no unit");
  if (next_.transition != record_count(asset_, layout::SectionId::transitions)) {
    return fail(array<layout::Transition>(asset_, layout::SectionId::transitions) + next_.transition,
                "transitions belong to no state");
  }
  const layout::SectionId event_transitions = layout::SectionId::event_transitions;
  if (next_.event_transition != record_count(asset_, event_transitions)) {
    return fail(array<layout::EventTransition>(asset_, event_transitions) + next_.event_transition,
                "transitions belong to no state");
  }
  return true;
}

}  // namespace espalier
