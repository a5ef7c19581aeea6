// What an asset has for clients of servers: sections that only servers read, so they are checked here and not when the
// asset is opened.
#pragma once
#include <string_view>

#include "asset/view.h"

namespace espalier::serving {

struct LiveTree {
  std::string_view xml;
  const layout::LiveNode* nodes = nullptr;  // in the order in which clients get statuses
  std::uint32_t node_count = 0;
};

// False: the asset was compiled without --with-xml, or this part of it is damaged.
bool find_live_tree(const Tree& tree, LiveTree* live);
// Of the tree that has most; 0: there are none.
std::uint32_t most_live_nodes(const Asset& asset);

}  // namespace espalier::serving
