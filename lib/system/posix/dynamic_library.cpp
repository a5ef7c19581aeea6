// See dynamic_library.h.
#include "system/dynamic_library.h"

#include <dlfcn.h>

namespace espalier::system {

void* find_function(const char* library, const char* name) {
  void* const opened = dlopen(library, RTLD_NOW);  // again the same, if it is open
  return opened == nullptr ? nullptr : dlsym(opened, name);
}

}  // namespace espalier::system
