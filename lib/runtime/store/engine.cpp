// The row of the engine. See core/engine.h.
#include "core/engine.h"
#include "store/store.h"

namespace espalier {

const Engine kStoreEngine = {
    EngineId::store,
    &Verifier::check_groups,
    &Verifier::check_store_unit,
    &Verifier::check_store_tree,
    &Verifier::check_rooms,
    nullptr,
    update_storing,
    stop_storing,
    nullptr,
    nullptr,
    move_storing,
    check_storing,
    visit_storing,
    nullptr,
    start_shared_store,
    check_shared_store,
};

}  // namespace espalier

const espalier_engine* espalier_store_engine(void) { return &espalier::kStoreEngine; }
