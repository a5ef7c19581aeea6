// Setting variables, and the assignments of signals.
#pragma once
#include "asset/view.h"

namespace espalier {

// Returns whether the value has changed.
inline bool set_variable(const Tree& tree, unsigned char* agent, std::uint32_t variable, bool value) {
  if (load_bit(agent, variable) == value) return false;
  store_bit(agent, variable, value);
  const layout::Tree& record = tree_record(tree);
  if (knows_changes(static_cast<EngineId>(record.engine))) {
    store_bit(agent, parts_of(*tree.asset, record)[kChangedPart].offset_bits, true);
  }
  return true;
}

// Runs the assignments of a signal, in order.
void assign_variables(const Tree& tree, unsigned char* agent, std::uint32_t signal, const Watcher* watcher);

// The same, with the signature of Engine::signal.
void signal_variables(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                      const Watcher* watcher);

}  // namespace espalier
