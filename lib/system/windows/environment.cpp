// See environment.h.
#include "system/environment.h"

#include "system/filesystem.h"
#include "system/windows/windows.h"

namespace espalier::system {

std::optional<std::string> variable(const char* name) {
  const std::wstring wide_name = wide(name);
  SetLastError(ERROR_SUCCESS);
  std::wstring value(GetEnvironmentVariableW(wide_name.c_str(), nullptr, 0), L'\0');  // with a zero at its end
  if (value.empty() && GetLastError() == ERROR_ENVVAR_NOT_FOUND) return std::nullopt;
  value.resize(GetEnvironmentVariableW(wide_name.c_str(), value.data(), static_cast<DWORD>(value.size())));
  return narrow(value);
}

// XDG_CACHE_HOME too, for those who set it everywhere.
filesystem::path cache_folder() {
  for (const char* const name : {"XDG_CACHE_HOME", "LOCALAPPDATA"}) {
    const filesystem::path path = variable(name).value_or("");
    if (path.is_absolute()) return path;
  }
  return {};
}

}  // namespace espalier::system
