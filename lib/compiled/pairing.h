// The elements of two versions of a project in pairs, by what they are and where they stand.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "compiled/elements.h"
#include "compiled/version_file.h"
#include "explore/results.h"

namespace espalier::compiled {

inline constexpr std::size_t kNoChange = ~std::size_t{0};

// An element of one or of both versions.
struct PairedElement {
  text::Element before = {};
  text::Element after = {};
  std::size_t change = kNoChange;  // that makes the one the other, or adds or removes it
  std::vector<std::unique_ptr<PairedElement>> children = {};
};

// A tree, or whatever else stands by itself: all of a file, or an element below its root.
struct Definition {
  std::string key;
  std::string tree;
  std::size_t file = 0;  // of its version
  bool is_new = false;   // only the new version has it
  bool is_root = false;  // it is all of its file, or the tag around all
  std::unique_ptr<PairedElement> element = {};
};

struct PairedTexts {
  std::vector<explore::Change> changes = {};  // in the order of the files, without effects
  RenamedTrees renamed = {};
  std::vector<std::unique_ptr<Definition>> definitions = {};  // those of the old version first, file by file
};

// The files must outlive the result.
[[nodiscard]] PairedTexts pair_elements(const std::vector<VersionFile>& before, const std::vector<VersionFile>& after);

}  // namespace espalier::compiled
