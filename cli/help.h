// --help, from the same tables of options that parse the command line.
#pragma once
#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::cli {

// The width of a line: COLUMNS, else the width of the terminal that standard output is, else 80; at least 40.
std::size_t line_width();

// Help on the program, or on one of its verbs.
std::string help_text(const CLI::App& program, std::size_t width);
std::string help_text(const CLI::App& program, const CLI::App& verb, std::size_t width);

// "espalier lint [PATHS...] [OPTIONS]".
std::string usage_of(const CLI::App& verb);
// "-f, --format FORMAT", "PATHS...".
std::string option_syntax(const CLI::Option& option);
// Its description, with its valid values and its default.
std::string option_text(const CLI::Option& option);
// The arguments or the options of a verb, in the order in which they are shown.
std::vector<const CLI::Option*> positionals_of(const CLI::App& verb);
std::vector<const CLI::Option*> options_of(const CLI::App& verb);

}  // namespace espalier::cli
