// Who is called with each variable that a signal changes.
#pragma once
#include <cstdint>

namespace espalier {

struct ChangeListener {
  void (*changed)(void* user, std::uint32_t variable, bool value) = nullptr;
  void* user = nullptr;
};

}  // namespace espalier
