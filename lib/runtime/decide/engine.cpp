// The row of the engine. See core/engine.h.
#include "core/engine.h"
#include "decide/decide.h"

namespace espalier {

const Engine kDecideEngine = {
    EngineId::decide,
    &Verifier::check_preconditions,
    &Verifier::check_decider_unit,
    &Verifier::check_decider_tree,
    nullptr,
    nullptr,
    update_deciders,
    stop_deciders,
    raise_stimuli,
    nullptr,
    move_deciders,
    check_deciders,
    visit_deciders,
    nullptr,
    nullptr,
    nullptr,
};

}  // namespace espalier

const espalier_engine* espalier_decide_engine(void) { return &espalier::kDecideEngine; }
