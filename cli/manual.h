// The man page, from the same tables of options that parse the command line.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace espalier::cli {

// espalier(1), in the macros of man(7).
std::string man_page(const CLI::App& program, const std::string& version);

}  // namespace espalier::cli
