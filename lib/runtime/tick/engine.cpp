// The row of the engine. See core/engine.h.
#include "core/engine.h"
#include "tick/tick.h"

namespace espalier {

const Engine kTickEngine = {
    EngineId::tick,
    nullptr,
    &Verifier::check_ticking_unit,
    &Verifier::check_ticking_tree,
    nullptr,
    nullptr,
    update_ticking,
    stop_ticking,
    signal_ticking,
    exchange_places,
    move_ticking,
    check_ticking,
    visit_ticking,
    is_stopped_ticking,
    start_shared_ticking,
    nullptr,
};

}  // namespace espalier

const espalier_engine* espalier_tick_engine(void) { return &espalier::kTickEngine; }
