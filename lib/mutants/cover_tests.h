// The tests that `cover` writes, and which changes of trees given tests do not notice.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "explore/results.h"
#include "mutants/suite.h"

namespace espalier::mutants {

// A file: "Guard-1.trace.jsonl" and its text.
struct NamedTest {
  std::string name;
  std::string text;
};

// The traces of a cover of one tree with expectations, in its order, and then others, until each small change of the
// tree makes one of its tests fail, as far as traces for that are found with this effort. After an interruption some
// are missing.
std::vector<NamedTest> tests_of(const Origin& origin, const explore::Cover& cover, const SuiteOptions& options,
                                Effort& effort);

// Of the texts of traces those that tell changes of a tree, by its name: those of one tree that hold.
using TestsByTree = std::map<std::string, std::vector<std::string>>;
TestsByTree tests_by_tree(const Asset& asset, std::span<const std::string> tests);

// Adds to the cover of a tree the changes that no test notices; nothing after an interruption. `explored`: another
// cover of this tree, whose traces show how to reach its parts.
void add_unnoticed(const Origin& origin, const explore::Cover& explored, const TestsByTree& tests,
                   const SuiteOptions& options, Effort& effort, explore::TreeCover& cover);

}  // namespace espalier::mutants
