// The messages for command lines that are not valid: CLI11 refuses them, and the messages are espalier's.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace espalier::cli {

struct UsageFault {
  std::string message;
  std::string hint;
};

// Describes why CLI11 refused a command line.
UsageFault describe_fault(const CLI::App& program, const CLI::ParseError& error);
// For a word that should be a verb.
UsageFault unknown_verb(const CLI::App& program, const std::string& word);

// ---- For checks of values

// Separates a check's message from its hint: CLI11 passes on only one string.
inline constexpr char kHintMark = '\n';
// "'--format'"
std::string quoted_name(const CLI::Option& option);
// "one of human, json and sarif"
std::string one_of(const std::vector<std::string>& words);

}  // namespace espalier::cli
