// A value for each engine, found by the engine's name.
#pragma once
#include <utility>

#include "format/kinds.h"

namespace espalier {

// Initialize it with the names of the members. A row has no default, so one that misses an engine does not compile.
template <typename T>
struct ByEngine {
  struct Row {
    constexpr Row(T of_engine) : value(std::move(of_engine)) {}  // NOLINT(google-explicit-constructor)
    T value;
  };
  Row select;
  Row tick;
  Row rule;
  Row decide;
  Row store;
  Row poll;

  constexpr const T& operator[](EngineId engine) const {
    switch (engine) {
      case EngineId::select:
        return select.value;
      case EngineId::tick:
        return tick.value;
      case EngineId::rule:
        return rule.value;
      case EngineId::decide:
        return decide.value;
      case EngineId::store:
        return store.value;
      case EngineId::poll:
        break;
    }
    return poll.value;
  }
};

}  // namespace espalier
