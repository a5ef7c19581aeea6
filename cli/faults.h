// Why a command could not do its work, kept until its report is written: a report says it too.
#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "rules/commands.h"
#include "text/finding.h"
#include "text/source.h"

namespace espalier::cli {

struct CommandFault {
  rules::Rule rule = rules::RUN_no_result;
  std::string file = {};  // that it is about, as the command line names it; empty: none is known
  std::string message = {};
  std::string hint = {};
};

// Keeps the faults that are told on a stream, as fail() does, while it exists.
class KeptFaults {
 public:
  explicit KeptFaults(std::ostream& log);
  ~KeptFaults();
  KeptFaults(const KeptFaults&) = delete;
  KeptFaults& operator=(const KeptFaults&) = delete;

  // Of a stream whose faults nobody keeps: nothing, and none.
  static void add(std::ostream& log, CommandFault fault);
  static std::vector<CommandFault> take(std::ostream& log);

 private:
  std::ostream& log_;
  void* before_;
  std::vector<CommandFault> faults_;
};

// Adds the faults as findings. Those that name no file are at the beginning of `otherwise`.
void add_faults(std::vector<CommandFault> faults, const std::string& otherwise, text::Findings& findings,
                text::Sources& sources);

}  // namespace espalier::cli
