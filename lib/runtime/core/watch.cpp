// Reports steps to a watcher, if it has a function for them.
#include "core/watch.h"

namespace espalier {

void tell_step(const Watcher& watcher, std::uint32_t node_word, std::uint32_t leaf_base, std::uint32_t condition,
               std::int32_t transition, bool holds) {
  if (watcher.step != nullptr) {
    const Step step = {node_word, leaf_base, condition, transition, holds};
    watcher.step(watcher.user, &step);
  }
}

void tell_node(const Watcher& watcher, NodeStepKind kind, std::uint32_t node_word, std::uint32_t value) {
  if (watcher.node != nullptr) {
    const NodeStep step = {kind, node_word, value};
    watcher.node(watcher.user, &step);
  }
}

void tell_decide(const Watcher& watcher, const DecideStep& step) {
  if (watcher.decide != nullptr) watcher.decide(watcher.user, &step);
}

std::uint64_t choose_bits(const Watcher& watcher, espalier_draw_kind kind, std::uint64_t limit, std::uint64_t bits) {
  return watcher.draw == nullptr ? bits : watcher.draw(watcher.user, kind, limit, bits);
}

void tell_changed(const Watcher& watcher, std::uint32_t variable, bool value) {
  if (watcher.changed != nullptr) watcher.changed(watcher.user, variable, value);
}

}  // namespace espalier
