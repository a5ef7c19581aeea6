// --help, from the same tables of options that parse the command line.
#pragma once
#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::cli {

// Cells of a line: COLUMNS, else the terminal's width when standard output is one, else 80; at least 40.
std::size_t line_width();

// `text` in lines of at most `width` cells, all but the first after `indent` spaces. Lines of `text` that begin with a
// space are kept as they are. Ends with a line break.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

// Help on the program, or on one of its verbs.
std::string help_text(const CLI::App& program, std::size_t width);
std::string help_text(const CLI::App& program, const CLI::App& verb, std::size_t width);

// "espalier lint [PATHS...] [OPTIONS]".
std::string usage_of(const CLI::App& verb);
// "-f, --format FORMAT", "PATHS...".
std::string option_syntax(const CLI::Option& option);
// What it is for, with the words it takes and its default.
std::string option_text(const CLI::Option& option);
// The arguments or the options of a verb, in the order in which they are shown.
std::vector<const CLI::Option*> positionals_of(const CLI::App& verb);
std::vector<const CLI::Option*> options_of(const CLI::App& verb);

}  // namespace espalier::cli
