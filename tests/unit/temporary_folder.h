// A temporary folder for a test: it becomes the current folder and is removed with its contents at the end.
#pragma once
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>

namespace espalier {

class TemporaryFolder {
 public:
  TemporaryFolder() : before_(std::filesystem::current_path()) {
    std::filesystem::path name;
    do {
      name = std::filesystem::temp_directory_path() / ("espalier-" + std::to_string(std::random_device()()));
    } while (!std::filesystem::create_directory(name));
    path_ = std::filesystem::canonical(name);
    std::filesystem::current_path(path_);
  }
  ~TemporaryFolder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Writes a file below the folder, and creates the folders that it is in.
  void write(const std::string& name, std::string_view text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
  }

 private:
  std::filesystem::path before_;
  std::filesystem::path path_;
};

}  // namespace espalier
