// Random trees that poll, for tests of agents and of the verifier.
#pragma once
#include "ir/tree.h"
#include "runtime_random_trees.h"

namespace espalier::test {

// One tree with nodes of every kind, on two blackboards.
ir::Project random_polling_project(Random& random);
// One whose nodes are mostly those that updates walk through fastest.
ir::Project random_plain_polling_project(Random& random);

}  // namespace espalier::test
