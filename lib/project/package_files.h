// What lies beside the trees of BehaviorTree.CPP in their packages and tells of them: which version of the library the
// sources name, and the models in projects of Groot2.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "project/collect.h"
#include "project/files.h"
#include "project/snapshot.h"

namespace espalier::project {

// Adds it to the options of the snapshot, whose files are known. What cannot be read tells nothing.
void read_package_files(const Collection& collection, const Files& files, Snapshot& snapshot);

// ---- For projects that are edited

// Which version of the library the sources of packages name, by folder, as in BtcppOptions: read anew.
[[nodiscard]] std::map<std::string, std::uint32_t, std::less<>> read_versions(const Files& files,
                                                                              const Snapshot& snapshot);
// The names of those in the folder of a package that say so; C++ may, too.
[[nodiscard]] std::span<const std::string_view> files_that_tell_versions();
// May a file of this name say so?
[[nodiscard]] bool may_tell_version(const std::string& path);
// What a file wants to know of its package.
enum class VersionNeeded : std::uint8_t {
  never,            // it has no trees of BehaviorTree.CPP
  if_package_says,  // its trees say which format they have: C++ is not searched
  always,
};
[[nodiscard]] VersionNeeded version_needed(const SnapshotFile& file);

}  // namespace espalier::project
