// Error messages of the system. See reason.h.
#include "system/reason.h"

#include <cstring>

#include "system/posix/locale.h"

namespace espalier::system {

std::string reason_of(int error_number) { return strerror_l(error_number, classic_locale()); }

}  // namespace espalier::system
