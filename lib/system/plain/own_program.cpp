// The first word of the command line says which program this is. See own_program.h.
#include "system/own_program.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "system/posix/file_stamp.h"

namespace espalier::system {
namespace {

namespace fs = std::filesystem;

// As shells look it up.
std::string found(const std::string& first_word) {
  std::error_code error;
  if (first_word.find('/') != std::string::npos) return fs::absolute(first_word, error).generic_string();
  const char* const folders = std::getenv("PATH");
  std::istringstream stream(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(stream, folder, ':');) {
    const fs::path path = fs::path(folder.empty() ? "." : folder) / first_word;
    if (fs::is_regular_file(path, error)) return fs::absolute(path, error).generic_string();
  }
  return {};
}

std::string& own_path() {
  static std::string path;
  return path;
}

}  // namespace

void note_own_program(const std::string& first_word) { own_path() = found(first_word); }

std::string own_program_stamp() { return own_path().empty() ? std::string() : stamp_of_file(own_path()); }

}  // namespace espalier::system
