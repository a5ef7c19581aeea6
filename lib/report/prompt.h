// A prompt for the lines of a trace, and to debug a trace: what its commands do, and what it shows.
#pragma once
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "replay/replay.h"
#include "report/replays.h"

namespace espalier::report {

// The trace that a prompt begins with: its first line is run, and commands run the others.
struct SteppedTrace {
  std::string path = {};                // empty: it is not a file, and has its first line alone
  std::vector<std::string> lines = {};  // without their endings
};

struct PromptFault {
  std::string message;  // empty: there is none
  std::string hint = {};
};

// What a debugger knows of the lines that were run, for an agent. Empty: it does not answer.
struct PromptPast {
  using Lines = std::vector<std::string>;
  // Of these lines those until a variable or an entry was written last, or until a time in seconds: the last one may be
  // a part of what it was. `fault`: there is no such moment.
  std::function<Lines(const Lines& lines, std::uint32_t agent, const std::string& name, PromptFault* fault)> until = {};
  std::function<std::string(const Lines& lines, std::uint32_t agent, const std::string& name)> who_wrote = {};
  // Why a node began or ended last; empty: why anything happened last.
  std::function<std::string(const Lines& lines, std::uint32_t agent, const std::string& node)> why = {};
};

class Prompt {
 public:
  // Writes a trace to a file.
  using Save = std::function<PromptFault(const std::string& path, const std::string& trace)>;

  // All but `save` and `form` must outlive it. What commands show goes to `out`.
  Prompt(const Asset& asset, const SteppedTrace& trace, const replay::ReplayOptions& how, const ReplayForm& form,
         Save save, std::ostream& out, PromptPast past = {});
  ~Prompt();
  Prompt(const Prompt&) = delete;
  Prompt& operator=(const Prompt&) = delete;

  // Runs the first line of the trace. Only then commands can be run.
  enum class Begun : std::uint8_t { right, empty, fault };
  [[nodiscard]] Begun begin();
  // False: it was the last one.
  [[nodiscard]] bool run(const std::string& command);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace espalier::report
