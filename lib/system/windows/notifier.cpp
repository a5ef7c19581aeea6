// The files are looked at: what Windows says of changes holds folders, which could not be removed then. See notifier.h.
#include "system/notifier.h"

#include "system/standard_streams.h"
#include "system/windows/windows.h"

namespace espalier::system {

struct Notifier::Watched {};

Notifier::Notifier() = default;
Notifier::~Notifier() = default;

void Notifier::add(const std::string& /*folder*/) {}

bool Notifier::sleep(std::string* /*reason*/) {
  constexpr DWORD kLook_ms = 100;
  Sleep(kLook_ms);
  return !has_reader_left();
}

}  // namespace espalier::system
