// Telling a watcher what an update or a signal does. Null, as it mostly is: nobody watches.
#pragma once
#include <espalier/espalier.hpp>

namespace espalier {

inline void tell_step(const Watcher* watcher, const Step& step) {
  if (watcher != nullptr && watcher->step != nullptr) watcher->step(watcher->user, &step);
}

inline void tell_node(const Watcher* watcher, const NodeStep& step) {
  if (watcher != nullptr && watcher->node != nullptr) watcher->node(watcher->user, &step);
}

inline void tell_decide(const Watcher* watcher, const DecideStep& step) {
  if (watcher != nullptr && watcher->decide != nullptr) watcher->decide(watcher->user, &step);
}

// A variable has another value now.
inline void tell_changed(const Watcher* watcher, std::uint32_t variable, bool value) {
  if (watcher != nullptr && watcher->changed != nullptr) watcher->changed(watcher->user, variable, value);
}

}  // namespace espalier
