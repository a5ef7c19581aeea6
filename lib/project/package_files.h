// What lies beside the trees of BehaviorTree.CPP in their packages and tells of them: which version of the library the
// sources name, and the models in projects of Groot2.
#pragma once
#include "project/collect.h"
#include "project/files.h"
#include "project/snapshot.h"

namespace espalier::project {

// Adds it to the options of the snapshot, whose files are known. What cannot be read tells nothing.
void read_package_files(const Collection& collection, const Files& files, Snapshot& snapshot);

}  // namespace espalier::project
