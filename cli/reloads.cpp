// The assets that traces reload. See reloads.h.
#include "cli/reloads.h"

#include <algorithm>

#include "project/inside.h"
#include "system/filesystem.h"

namespace espalier::cli {
namespace {

namespace fs = system::filesystem;

std::string folder_of(const std::string& path) {
  std::error_code error;
  const fs::path folder = fs::is_directory(path, error) ? fs::path(path) : fs::path(path).parent_path();
  return folder.empty() ? "." : folder.generic_string();
}

}  // namespace

bool Reloads::is_allowed(const std::string& folder, const std::string& path) const {
  const auto has_folder = [&](const std::string& given) {
    return given != "-" && project::is_inside(path, folder_of(given));
  };
  const auto has = [&](const std::string& given) { return project::is_inside(path, given); };
  if (options_.paths.empty() && has(".")) return true;
  return has(folder) || std::any_of(options_.paths.begin(), options_.paths.end(), has_folder) ||
         std::any_of(named_.begin(), named_.end(), has);
}

const Asset* Reloads::load(const std::string& trace, const std::string& path, replay::ReplayOptions::LoadFault* fault) {
  const std::string folder = trace == "-" ? "." : fs::path(trace).parent_path().generic_string();
  std::string target = (fs::path(folder) / path).generic_string();
  if (target == "-") target = "./-";  // a file: a trace cannot read standard input
  if (!is_allowed(folder.empty() ? "." : folder, target)) {
    *fault = {"it is outside the folders of the trace and of the trees", "--reload PATH allows it"};
    return nullptr;
  }
  std::error_code error;
  if (fs::exists(target, error) && !fs::is_regular_file(target, error) && !fs::is_directory(target, error)) {
    *fault = {"it is neither a file nor a folder"};
    return nullptr;
  }
  const auto [place, is_new] = files_.try_emplace(target);
  Loaded& loaded = place->second;
  if (is_new) {
    CommonOptions options = options_;
    options.paths = {target};
    loaded.is_loaded = load_asset(options, {}, loaded.file) == kOk;
  }
  if (loaded.is_loaded) return &loaded.file.asset;
  *fault = {"see the message above"};
  return nullptr;
}

}  // namespace espalier::cli
