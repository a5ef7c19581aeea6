// Runs another program and waits for its end.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace espalier::system {

inline constexpr std::size_t kMaxOutputBytes = std::size_t{1} << 30;  // what is longer is cut

struct ProgramResult {
  int status = 0;  // -1: a signal ended it
  std::string output;
  std::string errors;
};

// Runs a program, which is looked up as shells do, with arguments (`words`, the program first), and `variables`
// ("NAME=value") before those of this program. What it reads and writes goes through files in `folder`, so that neither
// waits for the other. Nothing: it cannot be run; an empty `reason`: there is no such program.
[[nodiscard]] std::optional<ProgramResult> run_program(std::vector<std::string> words,
                                                       std::vector<std::string> variables, const std::string& input,
                                                       const std::string& folder, std::string* reason);

// What each system has: runs the program with files for what it reads and writes, and gives its status. Nothing: as
// above.
[[nodiscard]] std::optional<int> run_with_files(std::vector<std::string> words, std::vector<std::string> variables,
                                                const std::string& in, const std::string& out,
                                                const std::string& errors, std::string* reason);

}  // namespace espalier::system
