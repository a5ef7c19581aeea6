// The tests that `cover` writes, and which changes of trees given tests do not notice.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "explore/results.h"
#include "mutants/suite.h"
#include "project/snapshot.h"

namespace espalier::mutants {

// A file: "Guard-1.trace.jsonl" and its text.
struct NamedTest {
  std::string name;
  std::string text;
};

// The traces of a cover with expectations, in its order, and then others, until each small change of a tree makes one
// of its tests fail, as far as traces for that are found. `snapshot`: of the trees.
std::vector<NamedTest> tests_of(const Asset& asset, const explore::Cover& cover, const project::Snapshot& snapshot,
                                const SuiteOptions& options);

// Adds to the cover of each tree the changes that no test notices. `tests`: the texts of traces; those of one tree that
// hold tell its changes. `explored`: a cover of the same trees, whose traces show how to reach their parts.
void add_unnoticed(const Asset& asset, const explore::Cover& explored, std::span<const std::string> tests,
                   const project::Snapshot& snapshot, const SuiteOptions& options, explore::Cover& cover);

}  // namespace espalier::mutants
