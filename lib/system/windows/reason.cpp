// Error messages of the system. See reason.h.
#include "system/reason.h"

#include <cstring>

namespace espalier::system {

// In English always, and in a buffer of the thread.
std::string reason_of(int error_number) { return std::strerror(error_number); }

}  // namespace espalier::system
