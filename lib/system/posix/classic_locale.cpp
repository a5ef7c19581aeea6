// Locales. See classic_locale.h.
#include "system/classic_locale.h"

#include "system/posix/locale.h"

namespace espalier::system {

locale_t classic_locale() {
  static const locale_t classic = newlocale(LC_ALL_MASK, "C", nullptr);
  return classic;
}

ClassicLocale::ClassicLocale() : before_(uselocale(classic_locale())) {}

ClassicLocale::~ClassicLocale() { uselocale(static_cast<locale_t>(before_)); }

}  // namespace espalier::system
