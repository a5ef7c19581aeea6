// The system says which program this is. See own_program.h.
#include "system/own_program.h"

#include "system/file.h"
#include "system/windows/windows.h"

namespace espalier::system {

void note_own_program(const std::string& /*first_word*/) {}

std::string own_program_stamp() {
  std::wstring path(32'768, L'\0');
  path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  const std::optional<FileStamp> stamp = file_stamp(narrow(path));
  return stamp ? std::to_string(stamp->size_bytes) + ' ' + std::to_string(stamp->time) + ' ' + narrow(path)
               : std::string();
}

}  // namespace espalier::system
