// See dynamic_library.h.
#include "system/dynamic_library.h"

#include "system/windows/windows.h"

namespace espalier::system {

void* find_function(const char* library, const char* name) {
  const HMODULE opened = LoadLibraryA(library);
  return opened == nullptr ? nullptr : reinterpret_cast<void*>(GetProcAddress(opened, name));
}

}  // namespace espalier::system
