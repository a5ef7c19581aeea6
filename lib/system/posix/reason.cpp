// Error messages of the system. See reason.h.
#include "system/reason.h"

#include <clocale>
#include <cstring>

#if __has_include(<xlocale.h>)
#include <xlocale.h>
#else
#include <locale.h>
#endif

namespace espalier::system {

std::string reason_of(int error_number) {
  static const locale_t classic = newlocale(LC_ALL_MASK, "C", nullptr);
  return strerror_l(error_number, classic);
}

}  // namespace espalier::system
