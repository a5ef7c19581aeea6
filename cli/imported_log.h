// A log that `import` is given: its options, and how it is read.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/findings_report.h"
#include "cli/log_tree.h"
#include "live/formats/log.h"
#include "live/lockstep.h"
#include "live/nearest_edit.h"

namespace espalier::cli {

struct ImportOptions {
  CommonOptions common;
  std::string log;
  std::string other_log;  // whose profile is compared; empty: none
  std::string output;
  std::string tree;
  std::string tree_file;
  std::uint64_t session = 0;  // 0: the last one
  std::string topic;
  std::string format = "human";
  bool has_profile = false;
  std::string against;  // another version of the trees; empty: none: it begins as its tree does
};

// For errors of the files that are read.
FindingOptions error_form(const ImportOptions& options);

// The faults of a log, told together at the end.
class LogReport {
 public:
  explicit LogReport(const ImportOptions& options)
      : path_(options.log == "-" ? "<stdin>" : options.log), quiet_(options.common.quiet) {}

  void add(std::vector<live::LogFault> faults);
  bool has_errors() const;
  // Returns the exit status that they mean.
  int write() const;

 private:
  const std::string path_;
  const bool quiet_;
  std::vector<live::LogFault> faults_;
};

// Takes the logs among the paths of trees.
std::vector<std::string> take_logs(std::vector<std::string>& paths);

// Reads the run of the log that the options name; all but kOk is an exit status, and was told. Without a run the report
// says why.
int read_run(const ImportOptions& options, LogReport& report, std::optional<live::Log>* log);

// What is said of the tree that the log is of.
LogOrigin origin_of(const ImportOptions& options);

// A run of a log, fitted to its tree.
struct Imported {
  std::optional<live::Log> log = {};
  CompiledTree compiled = {};
  live::FittedRun run = {};
  live::NearestEdits nearest = {};  // that would let the log fit
};

// Reads the log that the options name, and finds out what its tree did. False: there is nothing to tell; `status` is
// what comes of it.
bool import_log(const ImportOptions& options, LogReport& report, Imported& imported, int& status);

}  // namespace espalier::cli
