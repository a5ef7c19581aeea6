// Names of assets. See asset_names.h.
#include "compiled/asset_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "text/names.h"

namespace espalier::compiled {
namespace {

// Names of devices on Windows, with any extension.
bool is_device_name(std::string_view stem) {
  constexpr std::array kDevices = {"con", "prn", "aux", "nul"};
  const std::string name = text::lower_case(stem.substr(0, stem.find('.')));
  if (std::find(kDevices.begin(), kDevices.end(), name) != kDevices.end()) return true;
  return name.size() == 4 && (name.starts_with("com") || name.starts_with("lpt")) && name[3] >= '1' && name[3] <= '9';
}

// How much of a tree's file its asset is named after.
struct Naming {
  std::string_view path;  // without extension; empty: the asset has the tree's name
  std::string_view own;
  std::size_t folder_count = 0;
  bool has_own = false;

  [[nodiscard]] std::string stem() const {
    if (path.empty()) return file_stem(own);
    std::size_t begin = path.size();
    for (std::size_t i = 0; i <= folder_count && begin != 0; ++i) {
      const std::size_t slash = path.rfind('/', begin - 1);
      begin = slash == std::string_view::npos || slash == 0 ? 0 : slash;
    }
    const std::string_view part = path.substr(begin == 0 ? 0 : begin + 1);
    return file_stem(has_own ? std::string(part).append("_").append(own) : std::string(part));
  }
  // Names it more exactly. False: it cannot.
  bool extend() {
    const auto most = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
    if (path.empty() || (folder_count == most && has_own)) return false;
    folder_count < most ? void(++folder_count) : void(has_own = true);
    return true;
  }
};

}  // namespace

std::string file_stem(std::string_view tree_name) {
  constexpr std::string_view kForbidden = "/\\:*?\"<>|";
  std::string stem(tree_name);
  for (char& c : stem) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || kForbidden.find(c) != std::string_view::npos) c = '_';
  }
  // A dot at the beginning hides a file; some systems drop a dot or a space at the end.
  if (stem.empty() || stem.front() == '.' || stem.front() == '-' || is_device_name(stem)) stem.insert(0, "_");
  if (stem.back() == '.' || stem.back() == ' ') stem += '_';
  return stem;
}

std::vector<std::string> file_stems(const ir::Project& project) {
  std::vector<Naming> namings;
  for (const ir::Tree& tree : project.trees) {
    Naming& naming = namings.emplace_back();
    naming.own = ir::own_name(tree);
    if (naming.own != tree.name) naming.path = std::string_view(tree.file).substr(0, tree.file.rfind('.'));
  }
  std::vector<std::string> stems(namings.size());
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    std::map<std::string, std::vector<std::size_t>> same;  // without case, as many file systems compare
    for (std::size_t i = 0; i < namings.size(); ++i) {
      stems[i] = namings[i].stem();
      same[text::lower_case(stems[i])].push_back(i);
    }
    for (const auto& [stem, trees] : same) {
      if (trees.size() == 1) continue;
      for (const std::size_t tree : trees) is_changed = namings[tree].extend() || is_changed;
    }
  }
  return stems;
}

}  // namespace espalier::compiled
