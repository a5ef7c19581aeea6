// The assets that traces reload: each is loaded once, and only from where the command line points.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "cli/asset_file.h"
#include "replay/replay.h"

namespace espalier::cli {

class Reloads {
 public:
  // `named`: files and folders that may be reloaded though they lie elsewhere. Both must outlive this.
  Reloads(const CommonOptions& options, const std::vector<std::string>& named) : options_(options), named_(named) {}

  // `path` is relative to the folder of `trace`. Null: there is no such asset, or it lies outside of that folder, of
  // those that the command line names, and of those of its files; then `fault` says so.
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
