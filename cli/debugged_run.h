// Runs that are debugged, and compared with those of other versions: how they are loaded, and told.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/asset_file.h"
#include "cli/imported_log.h"
#include "cli/reloads.h"
#include "cli/replay_options.h"
#include "codegen/dump/written_conditions.h"
#include "debug/adapter.h"

namespace espalier::cli {

// What a run that is debugged refers to.
struct DebuggedRun {
  ReplayOptions options;
  AssetFile file;
  project::Project project;
  std::unique_ptr<Reloads> reloads;
  Imported imported;  // of a log
  CompiledTree other_version;
};
using DebuggedRuns = std::vector<std::unique_ptr<DebuggedRun>>;

// Loads the run of a launch, and that of the version without `against`. They refer to what `runs` then has. Returns why
// it cannot; empty: it could, or only what follows the history is wrong.
[[nodiscard]] std::string load_run(const debug::Launch& launch, DebuggedRuns& runs, debug::History& history,
                                   debug::History& without);

// The story of what happened to an agent at a time, as `replay` tells it, up to the line of the trace with the last of
// so many moments.
[[nodiscard]] std::string story_at(const debug::History& history, std::size_t count, std::uint32_t agent,
                                   std::uint64_t time_us, const DebuggedRuns& runs);
// The same with the conditions of these trees; null: without them.
[[nodiscard]] std::string story_with(codegen::WrittenConditions* conditions, const debug::History& history,
                                     std::size_t count, std::uint32_t agent, std::uint64_t time_us);

}  // namespace espalier::cli
