// Locales as values. macOS has them in a header of its own.
#pragma once
#if __has_include(<xlocale.h>)
#include <xlocale.h>
#else
#include <locale.h>
#endif

namespace espalier::system {

locale_t classic_locale();

}  // namespace espalier::system
