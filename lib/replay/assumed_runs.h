// The lines below a first line that has a fault. Their names are checked in each tree that the line may have meant, and
// what is wrong in all of them is told. What rests on something that the line should have said is not; if it names an
// unknown tree, that is all.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "replay/expectation.h"
#include "replay/line.h"
#include "replay/session.h"

namespace espalier::replay {

class AssumedRuns {
 public:
  // `first` is as far read as it could be; nothing of it, unless `is_object`. The others must outlive the runs.
  AssumedRuns(const Asset& asset, const ReplayOptions& options, const Line& first, bool is_object);

  struct UnknownHost {
    LineFault fault;
    std::string name;
    std::string input;
  };
  struct Found {
    std::vector<LineFault> faults;
    std::vector<LineFault> warnings;
    std::vector<UnknownHost> unknown_hosts;  // unless a tree comes with a reload that knows it
  };
  // A line after the first.
  [[nodiscard]] Found check(const Line& line);
  // As Session::knows_host(), in a tree that agents may have now.
  bool knows_host(const std::string& name, const std::string& input);

 private:
  struct Run {
    Run(const Asset& asset, const ReplayOptions& options);
    Listener listener();

    Found found;  // of the current line
    Session session;
    Expectations expectations;
  };
  // What the first line says, or most likely should have said.
  struct First;
  static First read(const Line& first, bool is_object);
  void add_run(const Asset& asset, const ReplayOptions& options, const First& first,
               const std::vector<std::string>& trees);
  Found check_in(Run& run, const Line& line) const;

  std::vector<std::unique_ptr<Run>> runs_;  // empty: nothing is known
  bool knows_agents_ = true;
};

}  // namespace espalier::replay
