// Descriptors. See descriptors.h.
#include "system/posix/descriptors.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace espalier::system {

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count == -1 && errno != EINTR) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::error_code last_error() { return {errno, std::generic_category()}; }

}  // namespace espalier::system
