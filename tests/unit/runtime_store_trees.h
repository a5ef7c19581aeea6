// Random projects of trees that store their results, in printed form and as a reader would produce them. The same seed
// gives the same trees on every machine.
#pragma once
#include <string>

#include "payloads.h"
#include "runtime_random_trees.h"
#include "runtime_store_model.h"

namespace espalier::test {

// Up to three trees of all nodes, which run one another in slots. An agent of each fits into a block.
ModelStoreProject random_store_project(Random& random);

std::string text_of(const ModelStoreProject& project);

DraftProject ir_of(const ModelStoreProject& project);

}  // namespace espalier::test
