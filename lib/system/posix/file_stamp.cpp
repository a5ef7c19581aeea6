// Stamps of files. See file_stamp.h.
#include "system/posix/file_stamp.h"

#include <sys/stat.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <system_error>

namespace espalier::system {

std::string stamp_of_file(const std::string& path) {
  struct stat file {};
  std::error_code error;
  const auto time = std::filesystem::last_write_time(path, error).time_since_epoch();
  if (error || ::stat(path.c_str(), &file) != 0) return {};
  return std::to_string(static_cast<std::int64_t>(file.st_size)) + ' ' +
         std::to_string(static_cast<std::uint64_t>(file.st_ino)) + ' ' +
         std::to_string(std::chrono::nanoseconds(time).count());
}

}  // namespace espalier::system
