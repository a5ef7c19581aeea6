// Reading. See read_file.h.
#include "system/read_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <system_error>

#include "system/filesystem.h"
#include "system/reason.h"

namespace espalier::system {

bool read_bytes(const std::string& path, std::size_t limit_bytes, std::string& bytes, std::string& error,
                Readable readable) {
  const bool is_standard_input = path == kStandardInput;
  std::FILE* file = is_standard_input ? stdin : open_file(path, readable, error);
  if (file == nullptr) return false;
  // One byte more than the reported size, so that the end is reached without growing the buffer.
  std::error_code unknown_size;
  const std::uintmax_t size_bytes = is_standard_input ? 0 : filesystem::file_size(path, unknown_size);
  std::size_t room = unknown_size ? 0 : static_cast<std::size_t>(std::min<std::uintmax_t>(size_bytes, limit_bytes));
  std::size_t used = 0;
  do {
    room = std::min(std::max(room + 1, used * 2), limit_bytes + 1);
    bytes.resize(room);
    used += std::fread(bytes.data() + used, 1, room - used, file);
  } while (used == room && used <= limit_bytes);
  bytes.resize(used);
  const bool has_failed = std::ferror(file) != 0;
  if (has_failed) error = reason_of(errno);
  if (!is_standard_input) std::fclose(file);
  return !has_failed;
}

bool may_read(const std::string& path, std::string& error) {
  return path == kStandardInput || is_readable(path, error);
}

}  // namespace espalier::system
