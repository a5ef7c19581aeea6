// Opens an asset with all engines. In a separate file, so that a program that names its engines does not link them all.
#include <espalier/espalier.h>

espalier_status espalier_open(const void* bytes, size_t size_bytes, espalier_asset* asset, espalier_fault* fault) {
  const espalier_engine* const engines[] = {espalier_select_reload_engine(), espalier_tick_reload_engine(),
                                            espalier_rule_reload_engine(),   espalier_decide_reload_engine(),
                                            espalier_store_reload_engine(),  espalier_poll_reload_engine()};
  static_assert(sizeof engines / sizeof engines[0] == ESPALIER_ENGINE_COUNT);
  return espalier_open_with(engines, ESPALIER_ENGINE_COUNT, bytes, size_bytes, asset, fault);
}
