// A prompt for the lines of a trace, and to debug a trace: what its commands do, and what it shows. It moves a run as
// the debugger of editors does (run.h), by words.
#pragma once
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "debug/prompt_lines.h"

namespace espalier::debug {

struct PromptFault {
  std::string message;  // empty: there is none
  std::string hint = {};
};

class Prompt {
 public:
  // Writes a trace to a file.
  using Save = std::function<PromptFault(const std::string& path, const std::string& trace)>;
  // Why what happened at the last of so many moments did, in words, several lines. Empty: it is not known.
  using Explain = std::function<std::string(const History& history, std::size_t count)>;

  // All but `form` and the functions must outlive it. What commands show goes to `out`.
  Prompt(const Asset& asset, const SteppedTrace& trace, const replay::ReplayOptions& how,
         const report::ReplayForm& form, Save save, Explain explain, std::ostream& out);
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

}  // namespace espalier::debug
