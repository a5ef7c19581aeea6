// Reports to a watcher what an update or a signal does. The pointer is usually null; an update then only tests it, and
// the code that reports is not inlined.
#pragma once
#include <espalier/espalier.hpp>

namespace espalier {

// Called at each condition. The attribute keeps compilers that know it from spending registers of the walk on the call.
#ifdef __GNUC__
[[gnu::cold]]
#endif
void tell_step(const Watcher& watcher, std::uint32_t node_word, std::uint32_t leaf_base, std::uint32_t condition,
               std::int32_t transition, bool holds);
inline void tell_step(const Watcher* watcher, std::uint32_t node_word, std::uint32_t leaf_base, std::uint32_t condition,
                      std::int32_t transition, bool holds) {
  if (watcher != nullptr) tell_step(*watcher, node_word, leaf_base, condition, transition, holds);
}

void tell_node(const Watcher& watcher, NodeStepKind kind, std::uint32_t node_word, std::uint32_t value);
inline void tell_node(const Watcher* watcher, NodeStepKind kind, std::uint32_t node_word, std::uint32_t value = 0) {
  if (watcher != nullptr) tell_node(*watcher, kind, node_word, value);
}

void tell_decide(const Watcher& watcher, const DecideStep& step);

// The random bits to use where `bits` were drawn.
std::uint64_t choose_bits(const Watcher& watcher, espalier_draw_kind kind, std::uint64_t limit, std::uint64_t bits);
inline std::uint64_t choose_bits(const Watcher* watcher, espalier_draw_kind kind, std::uint64_t limit,
                                 std::uint64_t bits) {
  return watcher == nullptr ? bits : choose_bits(*watcher, kind, limit, bits);
}

// The value of a variable has changed.
void tell_changed(const Watcher& watcher, std::uint32_t variable, bool value);
inline void tell_changed(const Watcher* watcher, std::uint32_t variable, bool value) {
  if (watcher != nullptr) tell_changed(*watcher, variable, value);
}

}  // namespace espalier
