// The tree that a robot's log is of, compiled from the XML in it or from the files that are given.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/asset_file.h"
#include "cli/command_line.h"
#include "live/findings.h"
#include "live/formats/log.h"
#include "live/logged_tree.h"

namespace espalier::cli {

struct CompiledTree {
  project::Project project = {};
  AssetFile file = {};
  std::optional<live::LoggedTree> tree = {};  // none: nothing says which tree it is
  bool is_given = false;                      // by paths: it may be another version than the robot ran
  std::unique_ptr<CompiledTree> of_log = {};  // then: the log's own; null: it has none
};

// Where a log comes from, and what is said of its tree.
struct LogOrigin {
  CommonOptions common;
  FindingOptions errors;
  std::string name;       // of its file, or "-"; what is found in its XML is placed there
  std::string tree;       // the name of its tree; empty: its main tree
  std::string tree_file;  // in place of the paths; empty: none
  live::Origin kind = live::Origin::log;
};

// Compiles what the log is of. Returns an exit status; what is wrong with the log is added to the faults. Messages of
// another tree are left out of the log.
int compile_tree_of(const LogOrigin& origin, live::Log& log, CompiledTree& compiled,
                    std::vector<live::LogFault>& faults);

// Compiles the tree of the same name, or of the origin's, of another version, whose path is given.
int compile_other_version(const LogOrigin& origin, const std::string& path, const live::Log& log,
                          const CompiledTree& compiled, CompiledTree& now);

bool has_errors(const std::vector<live::LogFault>& faults);

}  // namespace espalier::cli
