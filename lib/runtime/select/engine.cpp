// The row of the engine. See core/engine.h.
#include "core/engine.h"
#include "core/variables.h"
#include "select/select.h"

namespace espalier {

const Engine kSelectEngine = {
    EngineId::select,
    nullptr,
    &Verifier::check_selecting_unit,
    &Verifier::check_selecting_tree,
    nullptr,
    evaluate_selecting,
    update_selecting,
    stop_selecting,
    signal_variables,
    nullptr,
    move_selecting,
    check_selecting,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
};

}  // namespace espalier

const espalier_engine* espalier_select_engine(void) { return &espalier::kSelectEngine; }
