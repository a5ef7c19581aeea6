// Mutants: a tree with one change that it can tell, as assets. Tests are measured by them: one that no test fails on is
// a change that could be made unseen.
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mutants/tree_lines.h"
#include "project/snapshot.h"

namespace espalier::mutants {

struct Mutant {
  std::string file;  // of the change, as findings show it
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string what;                  // "'Sequence' becomes 'Fallback'"
  std::vector<std::uint64_t> words;  // its asset
  std::size_t size_bytes = 0;
  Asset asset;  // a view of `words`, with the tree and those that may run in its slots
};

struct MutantLimits {
  std::size_t changes = 1000;  // that are tried for a tree; of more, some from all parts of it
  // No more changes than seem to fit are tried, and none after it. None: it takes as long as it takes.
  std::optional<std::chrono::steady_clock::duration> time = {};
  std::uint32_t thread_count = 0;                   // 0: all
  const std::atomic<bool>* interruption = nullptr;  // once it is true, no more are made
};

// What trees do, by their names: a number of the bytes of each as an asset of its own.
using Meanings = std::map<std::string, std::size_t, std::less<>>;

// What mutants are made from: an asset with names and places, and the snapshot that it was compiled from. Both must
// outlive it.
struct Origin {
  Origin(const Asset& origin, const project::Snapshot& compiled);

  const Asset& asset;
  const project::Snapshot& snapshot;
  const TreeLines lines;
  const Meanings meanings;
};

struct Mutants {
  Mutant original;  // the tree without a change, compiled alone; without words if it cannot be
  std::vector<Mutant> all;
  std::size_t tried_count = 0;  // of changes
};

// Those of a tree of the asset: all changes of the files that its nodes are in, but for those that are errors, that
// change nothing, and that do the same as one before. In the order of the files. The result is the same for any number
// of threads.
Mutants mutants_of(const Origin& origin, const Tree& tree, const MutantLimits& limits);

}  // namespace espalier::mutants
