// One of several runs, on several machines, that share the work: --shard, and what Bazel sets.
#pragma once
#include <cstddef>
#include <string>
#include <utility>

#include "cli/cli.h"

namespace espalier::cli {

// The run `index` (from 1) of `count`.
struct Shard {
  std::size_t index = 1;
  std::size_t count = 1;

  // Which of so many things are this run's: from the first to the second, exclusive. Together the runs have each thing
  // once, and their results in order are those of one run.
  std::pair<std::size_t, std::size_t> part_of(std::size_t thing_count) const;
};

// Adds --shard. `things`: what is shared out, "traces".
void add_shard_option(CLI::App& verb, const std::string& things, std::string& option);

// Reads the option; without it, TEST_SHARD_INDEX (from 0) and TEST_TOTAL_SHARDS, and then creates the file
// TEST_SHARD_STATUS_FILE, which says that the program knows them. False: the reason is on standard error.
[[nodiscard]] bool read_shard(const std::string& option, Shard* shard);

}  // namespace espalier::cli
