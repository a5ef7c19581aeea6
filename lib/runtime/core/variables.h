// Variables, what signals assign to them, and whether one has changed.
#pragma once
#include "asset/view.h"

namespace espalier {

// Whether the value is another than before.
inline bool set_variable(const layout::Tree& record, unsigned char* agent, std::uint32_t variable, bool value) {
  if (load_bit(agent, variable) == value) return false;
  store_bit(agent, variable, value);
  if (record.dirty_bit != layout::kNone) store_bit(agent, record.dirty_bit, true);
  return true;
}

// Must the tree be evaluated? Yes when a variable has changed, and as long as nothing is selected.
inline bool needs_evaluation(const layout::Tree& record, const unsigned char* agent) {
  return record.dirty_bit == layout::kNone || load_bit(agent, record.dirty_bit) ||
         load_leaf(record, agent) >= record.leaf_count;
}

// Runs the assignments of a signal, in order.
void assign_variables(const Tree& tree, unsigned char* agent, std::uint32_t signal, const Watcher* watcher);

// The same as a row of Engine has it.
void signal_variables(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                      const Watcher* watcher);

}  // namespace espalier
