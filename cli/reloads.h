// The assets that traces reload: each is loaded once, and only from folders that the command line allows.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "cli/asset_file.h"
#include "replay/replay.h"

namespace espalier::cli {

class Reloads {
 public:
  // `named`: files and folders elsewhere that may be reloaded too. Both arguments must outlive this object.
  Reloads(const CommonOptions& options, const std::vector<std::string>& named) : options_(options), named_(named) {}

  // `path` is relative to the folder of `trace`. Null: the asset does not exist, or is neither in that folder
  // nor in the folders of the paths on the command line; `fault` says which.
  const Asset* load(const std::string& trace, const std::string& path, replay::ReplayOptions::LoadFault* fault);

 private:
  bool is_allowed(const std::string& folder, const std::string& path) const;

  struct Loaded {
    AssetFile file;
    bool is_loaded = false;
  };
  const CommonOptions& options_;
  const std::vector<std::string>& named_;
  std::map<std::string, Loaded> files_;
};

}  // namespace espalier::cli
