// Random trees that poll, for tests of agents and of the verifier.
#pragma once
#include "payloads.h"
#include "runtime_random_trees.h"

namespace espalier::test {

// One tree with nodes of every kind, on two blackboards.
DraftProject random_polling_project(Random& random);
// One whose nodes are mostly those that updates walk through fastest.
DraftProject random_plain_polling_project(Random& random);

}  // namespace espalier::test
