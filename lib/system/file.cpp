// What files are on every system. See file.h.
#include "system/file.h"

#include <random>

#include "system/filesystem.h"

namespace espalier::system {

namespace {

// Tries names that begin with `prefix` until `make` makes something of one, which has it then in `path`.
template <typename Make>
std::error_code make_new(const std::string& prefix, std::string* path, const Make& make) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  constexpr int kMostTries = 20;
  std::random_device random;
  std::error_code error;
  for (int i = 0; i < kMostTries && (i == 0 || error == std::errc::file_exists); ++i) {
    *path = prefix;
    for (std::size_t letter = 0; letter < kRandomLetters; ++letter) *path += kLetters[random() % kLetters.size()];
    error = make(*path);
  }
  return error;
}

}  // namespace

std::error_code make_own_folder(const std::string& prefix, std::string* path) {
  return make_new(prefix, path, make_folder);
}

std::error_code replace_whole(const std::string& path, std::string_view bytes, const std::string& prefix) {
  std::string unfinished;
  std::error_code error =
      make_new(prefix, &unfinished, [&](const std::string& name) { return write_new(name, bytes, Access::own); });
  if (error == std::errc::file_exists) return error;  // of others
  if (!error) error = rename_over(unfinished, path);
  std::error_code ignored;
  if (error) filesystem::remove(unfinished, ignored);
  return error;
}

}  // namespace espalier::system
