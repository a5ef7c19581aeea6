// Trees of a project, compiled, with what the project declares of its program: what traces, properties, lenses and
// hover run.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <set>
#include <string>
#include <vector>

#include "editor/live_project.h"
#include "explore/results.h"
#include "replay/replay.h"

namespace espalier::editor {

// The asset refers to the words.
struct CompiledTrees {
  std::vector<std::uint64_t> words;
  std::size_t size_bytes = 0;
  Asset asset;
  bool is_open = false;  // false: the trees have errors
  explore::HostFacts host;
  replay::DeclaredAnswers answers;
  std::set<std::string> declared_nodes;
};
// The trees of these files, and those that they need.
[[nodiscard]] CompiledTrees compile(const LiveProject& project, const std::vector<FileId>& files);

// Of the replay of one trace: what an editor waits for is bounded.
inline constexpr std::uint64_t kMaxUpdates = 200'000;

}  // namespace espalier::editor
