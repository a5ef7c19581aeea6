// Error messages of the system. See system_error.h.
#include "text/system_error.h"

#include <clocale>
#include <cstring>

#if __has_include(<xlocale.h>)
#include <xlocale.h>
#else
#include <locale.h>
#endif

namespace espalier::text {

std::string system_reason(int error_number) {
  static const locale_t classic = newlocale(LC_ALL_MASK, "C", nullptr);
  return strerror_l(error_number, classic);
}

}  // namespace espalier::text
