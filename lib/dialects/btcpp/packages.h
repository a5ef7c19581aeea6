// Which package each file belongs to: the folder with the nearest package.xml above it, else the folder that was given.
// What the trees of one package share ends at its border, as models do.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/dialect.h"

namespace espalier::dialects::btcpp {

inline constexpr std::string_view kPackageFile = "/package.xml";  // in the folder of a ROS package

// Files and packages are numbers.
class Packages {
 public:
  // `files`: whose packages are asked for. `others`: among which the files package.xml are.
  Packages(std::span<const File> files, std::span<const OtherFile> others);

  // Of a path: the same as of a file.
  [[nodiscard]] std::size_t of_path(std::string_view path) const;
  // Of a file: its package. 0: no package.xml lies above it.
  [[nodiscard]] std::size_t of(std::size_t file) const { return packages_[file]; }
  // With package 0, whether or not a file belongs to it.
  [[nodiscard]] std::size_t count() const { return folders_.size(); }
  // Absolute, without '/' at its end; of package 0: empty.
  [[nodiscard]] std::string_view folder(std::size_t package) const { return folders_[package]; }

 private:
  std::vector<std::size_t> packages_;                        // of each file
  std::vector<std::string> folders_;                         // of each package
  std::map<std::string, std::size_t, std::less<>> numbers_;  // of folders
};

}  // namespace espalier::dialects::btcpp
