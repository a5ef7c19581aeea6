// Two versions of trees on one page: their nodes side by side, what differs, and traces that both run at once.
#pragma once
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "report/explored.h"
#include "report/pictures/pictures.h"

namespace espalier::report {

// One version. `trees` are all of the asset, in its order; the asset must outlive what is written.
struct VersionTrees {
  const Asset& asset;
  std::vector<PictureTree> trees = {};
  std::vector<PictureSource> sources = {};  // files of its trees
};

// `renamed`: the new names of trees by the old ones. Trees that do not differ are left out.
void write_versions_page(const DiffReport& report, VersionTrees before, VersionTrees after,
                         const std::map<std::string, std::string>& renamed, std::ostream& out);

}  // namespace espalier::report
