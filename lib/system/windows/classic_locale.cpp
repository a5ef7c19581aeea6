// Locales. See classic_locale.h.
#include "system/classic_locale.h"

#include <clocale>
#include <string>

#include <locale.h>

namespace espalier::system {

// Threads share the locale of the process until they ask for one of their own. What was "C" before has nothing to undo.
ClassicLocale::ClassicLocale() : before_(nullptr) {
  if (std::string(std::setlocale(LC_ALL, nullptr)) == "C") return;
  before_ = new std::string(std::setlocale(LC_ALL, nullptr));
  _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
  std::setlocale(LC_ALL, "C");
}

ClassicLocale::~ClassicLocale() {
  if (before_ == nullptr) return;
  const auto* const before = static_cast<std::string*>(before_);
  std::setlocale(LC_ALL, before->c_str());
  _configthreadlocale(_DISABLE_PER_THREAD_LOCALE);
  delete before;
}

}  // namespace espalier::system
