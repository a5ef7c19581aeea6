// Verifying units, each by its engine: they follow one another, and with them what their nodes lead to. Apart from what
// verifies one, so that no unit needs the stack of all.
#include "asset/verify.h"
#include "core/engine.h"

namespace espalier {

bool Verifier::check_units() {
  const auto units = records<layout::Unit>(asset_, layout::SectionId::units);
  const std::uint32_t* nodes = array<std::uint32_t>(asset_, layout::SectionId::nodes);
  for (std::uint32_t i = 0; i < record_count(asset_, layout::SectionId::units); ++i) {
    const layout::Unit& unit = units[i];
    if (unit.word_count == 0 || !take(layout::SectionId::nodes, unit.first_word, unit.word_count)) {
      return fail(&unit, "units do not follow one another");
    }
    const EngineId engine_id = engine_of_unit(i);
    const Engine* engine = find_engine(&unit, engine_id);
    if (engine == nullptr) return false;
    const bool is_owned =
        unit.tree < tree_count(asset_) &&
        array<layout::Tree>(asset_, layout::SectionId::trees)[unit.tree].engine == static_cast<std::uint8_t>(engine_id);
    if (is_shared_unit(engine_id) ? unit.tree != layout::kNone : !is_owned) {
      return fail(&unit, "a unit is of another tree");
    }
    if (!take(layout::SectionId::uses, unit.first_use, unit.use_count)) {
      return fail(&unit, "uses do not follow one another");
    }
    std::uint32_t word = unit.first_word;
    const char* reason = (this->*engine->check_unit)(i, &word);
    if (reason != nullptr) return fail(nodes + word, reason);
  }
  return true;
}

}  // namespace espalier
