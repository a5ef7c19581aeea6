// What the verbs that explore trees share: cover, diff and prove.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/asset_file.h"
#include "compiled/changes.h"
#include "explore/results.h"
#include "project/snapshot.h"
#include "project/trace_files.h"
#include "text/source.h"

namespace espalier::cli {

struct ExploreOptions {
  std::string tree;
  std::vector<std::string> budget;
  std::vector<std::string> total_budget;
};

// How much may be explored: of each tree, and in the whole call.
struct Budgets {
  explore::Budget of_tree = explore::kDefaultBudget;
  explore::Budget total = explore::Options().total;
};

// --tree, --budget and --total-budget, and examples of trees and assets for PATHS.
void add_explore_options(CLI::App& verb, CommonOptions& common, ExploreOptions& options);

// Reads the budgets: each a number of states ("100000"), a time ("30s", "500ms", "2m"), or both. False: the reason is
// on standard error.
[[nodiscard]] bool read_budgets(const ExploreOptions& options, const CommonOptions& common, Budgets* budgets);

// Trees to explore: a compiled asset with names, or a project that is compiled in memory.
struct ExploredTrees {
  AssetFile file = {};
  explore::Options options = {};              // with the configured signal-only variables
  std::vector<std::string> inputs = {};       // files that were read
  project::Configuration configuration = {};  // its spans are in `sources`
  text::Sources sources = {};
  FindingOptions report = {};  // how errors of the trees are reported: set before they are loaded
  bool is_part = false;        // there may be other trees, to which the properties belong that are found with these
  // Each tree by itself, if that was wanted: see codegen/alone.h. Empty for assets.
  std::map<std::string, std::vector<std::uint64_t>> alone = {};
  // What they were compiled from, if that is wanted: set `wants_snapshot` before they are loaded. None: of assets.
  bool wants_snapshot = false;
  std::optional<project::Snapshot> snapshot = {};
  std::vector<compiled::VersionFile> files = {};  // one version of two: of the project, parsed
  text::Findings findings = {};                   // of the project
  std::set<std::string> unread = {};              // one version of two: trees that have errors, and are not compared
  bool has_errors = false;                        // one version of two: some trees are left out
};
// Are the trees one version of two, at different paths or at one? A version may have no trees, with
// CommonOptions::may_be_empty: then its asset has none.
enum class Version : std::uint8_t { only, of_path, of_revision };
// Errors are reported as `trees.report` says. Returns an exit status.
[[nodiscard]] int load_trees(const CommonOptions& common, const Budgets& budgets, ExploredTrees& trees,
                             Version version = Version::only);

// One version of two, without a word to anybody, as far as it can be read. False: it cannot, or has other errors than
// those with these messages.
[[nodiscard]] bool load_quietly(const CommonOptions& common, Version version, const std::set<std::string>& known_errors,
                                ExploredTrees& trees);

// Is the tree of the options in one of the assets? An unknown one is reported. Gives it its full name.
[[nodiscard]] int find_tree(ExploreOptions& options, const std::vector<const Asset*>& assets);

// Traces that are written into a folder.
class TraceFolder {
 public:
  explicit TraceFolder(std::string folder) : names_(std::move(folder)) {}

  // Adds a trace, and returns the path of its file, whose name is made from `name`.
  std::string add(std::string_view name, std::string text);
  // Writes those that were added since the last call: all of them, or none. Returns an exit status.
  [[nodiscard]] int write(const std::vector<std::string>& inputs);

 private:
  struct File {
    std::string path;
    std::string text;
  };
  project::TraceNames names_;
  std::vector<File> files_;
};

}  // namespace espalier::cli
