// The options of replay, and what they mean for a replay and its report.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/asset_file.h"
#include "cli/cli.h"
#include "replay/replay.h"
#include "report/replays.h"

namespace espalier::cli {

struct ReplayOptions {
  CommonOptions common;
  std::vector<std::string> traces;
  std::vector<std::string> reloads;
  std::string format = "human";
  std::string output;
  std::vector<std::string> events;
  std::optional<std::uint32_t> agent;
  std::optional<double> from_s;
  std::optional<double> to_s;
  std::string view;
  bool update = false;
  bool strict = false;
  std::string thrash;
  bool record = false;
  std::optional<unsigned> level;
  std::uint64_t max_updates = replay::kMaxUpdates;
  std::string shard;
  bool watch = false;
  bool step = false;
  bool verify = false;
  bool profile = false;
  std::string tree;     // step
  std::string against;  // another version of the trees; empty: none
};

void add_replay_options(CLI::App& verb, ReplayOptions& options);
// Checks what the option parser cannot. Returns an exit status.
[[nodiscard]] int check_options(const ReplayOptions& options);

// Should the story of every trace be shown? Options that select a part of it ask for that too.
[[nodiscard]] bool tells_all(const ReplayOptions& options);
[[nodiscard]] replay::ReplayOptions replay_options(const ReplayOptions& options, const AssetFile& file);
[[nodiscard]] report::ReplayForm form_of(const ReplayOptions& options);
// How errors of the trees are reported.
[[nodiscard]] FindingOptions error_form(const ReplayOptions& options);

// replay --step. Returns an exit status.
int step_replay(ReplayOptions& options);

}  // namespace espalier::cli
